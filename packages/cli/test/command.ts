import { expect, vi } from 'vitest'
import { type Environment, systemEnvironment } from '../src/environment.ts'
import { runCommand } from '../src/program.ts'

/** An environment without files, input and programs of the server. */
export const isolated: Omit<Environment, 'serverUrl' | 'adminToken' | 'out' | 'err'> = {
  signingKey: async () => expect.unreachable(),
  token: undefined,
  apiKey: undefined,
  readFile: async () => expect.unreachable(),
  readBytes: async () => expect.unreachable(),
  readFolder: async () => expect.unreachable(),
  readLines: () => expect.unreachable(),
  write: async () => expect.unreachable(),
  createFile: async () => expect.unreachable(),
  readStdin: async () => expect.unreachable(),
  runOnServer: async () => expect.unreachable(),
  openProject: async () => expect.unreachable(),
  chromium: () => expect.unreachable(),
  folder: '/',
  checkout: '/',
  annotates: false,
  colors: false,
  now: () => 1_700_000_000_000,
  sleep: async () => {},
  untilInterrupted: () => new AbortController().signal,
}

/** Runs a command, and returns its status and what it printed. */
export async function run(args: readonly string[], environment: Omit<Environment, 'out' | 'err'>) {
  let out = ''
  let err = ''
  const status = await runCommand(args, {
    ...environment,
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
  })
  return { status, out, err }
}

/** Runs a command in a folder, with real files. */
export async function runIn(folder: string, args: readonly string[], given: Partial<Environment> = {}) {
  vi.stubEnv('INIT_CWD', folder)
  try {
    return await run(args, { ...systemEnvironment(), checkout: folder, annotates: false, colors: false, ...given })
  } finally {
    vi.unstubAllEnvs()
  }
}
