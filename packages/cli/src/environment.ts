import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as wait } from 'node:timers/promises'
import { openProject, type Project, ProjectError } from '@souk/project'
import { Failure } from './failure.ts'

/** What a command takes from the machine and gives to it. Nothing else reads variables, files or the terminal. */
export interface Environment {
  /** Where Souk listens, without a slash at the end. */
  readonly serverUrl: string
  /** @throws Failure when there is none to be read */
  adminToken(): AdminToken
  /** The API key of an account, where the variable for it is set. Never an argument: every user of a machine sees those. */
  readonly apiKey: string | undefined
  /** @throws Failure when it cannot be read */
  readFile(path: string): Promise<string>
  /** All files below a folder by their paths with forward slashes, hidden ones left out. @throws Failure when it cannot be read */
  readFolder(path: string): Promise<Map<string, Uint8Array>>
  /** The mini app at a path as it was typed: its folder or its pages.json. @throws Failure 2 when there is none */
  openProject(path: string): Promise<Project>
  /** The folder that the command was typed in. */
  readonly folder: string
  /** The root of the repository, where a build server says so, else `folder`. */
  readonly checkout: string
  readStdin(): Promise<string>
  /** The lines of a file, or with `-` of standard input, as they are read. @throws Failure when it cannot be read */
  readLines(path: string): AsyncIterable<string>
  /** Writes bytes to a file, or to standard output, as they arrive. @throws Failure when it cannot be written */
  write(bytes: ReadableStream<Uint8Array>, path: string | undefined): Promise<void>
  out(text: string): void
  err(text: string): void
  readonly colors: boolean
  /** Unix time in ms. */
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Aborted once the user wants the command to end. */
  untilInterrupted(): AbortSignal
}

export interface AdminToken {
  readonly token: string
  /** The variable or file that it came from. */
  readonly source: string
}

/** The machine as it is. @throws Failure when SOUK_URL is not an address */
export function systemEnvironment(): Environment {
  const { env } = process
  // npm runs a command in the project's root, and tells in which folder it was typed.
  const folder = resolve(env.INIT_CWD ?? '.')
  return {
    folder,
    checkout: env.GITHUB_WORKSPACE ?? folder,
    openProject: async (path) => {
      try {
        return await openProject(resolve(folder, path))
      } catch (error) {
        if (!(error instanceof ProjectError)) throw error
        throw new Failure(2, error.message, 'Name the folder of a mini app, or its pages.json.')
      }
    },
    serverUrl: readServerUrl(env.SOUK_URL?.trim() || 'http://localhost:7070'),
    adminToken: () => readAdminToken(env),
    apiKey: env.SOUK_API_KEY?.trim() || undefined,
    readFile: async (path) => {
      try {
        return await readFile(resolve(folder, path), 'utf8')
      } catch (error) {
        throw new Failure(2, `${path} cannot be read: ${reasonOf(error)}.`)
      }
    },
    readFolder: async (path) => {
      const root = resolve(folder, path)
      try {
        const entries = await readdir(root, { recursive: true, withFileTypes: true })
        const files = entries
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name))
          .map((file) => [relative(root, file).split(sep).join('/'), file] as const)
          .filter(([inside]) => !inside.split('/').some((segment) => segment.startsWith('.')))
        return new Map(await Promise.all(files.map(async ([inside, file]) => [inside, await readFile(file)] as const)))
      } catch (error) {
        throw new Failure(2, `${path} cannot be read: ${reasonOf(error)}.`)
      }
    },
    readLines: async function* (path) {
      const input = path === '-' ? process.stdin : createReadStream(resolve(folder, path))
      let failure: unknown
      // The lines of readline end without a word when what they are read from fails.
      input.on('error', (error: unknown) => {
        failure = error
      })
      yield* createInterface({ input, crlfDelay: Infinity })
      if (failure) throw new Failure(2, `${path} cannot be read: ${reasonOf(failure)}.`)
    },
    write: async (bytes, path) => {
      const source = Readable.fromWeb(bytes as WebStream<Uint8Array>)
      if (path === undefined) return pipeline(source, process.stdout, { end: false })
      const file = createWriteStream(resolve(folder, path))
      let failure: unknown
      file.on('error', (error) => {
        failure = error
      })
      await pipeline(source, file).catch((error: unknown) => {
        throw failure ? new Failure(2, `${path} cannot be written: ${reasonOf(failure)}.`) : error
      })
    },
    readStdin: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(chunk)
      return Buffer.concat(chunks).toString('utf8')
    },
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    colors: process.stdout.isTTY === true && !env.NO_COLOR,
    now: () => Date.now(),
    sleep: async (ms, signal) => {
      await wait(ms, undefined, { signal })
    },
    untilInterrupted: () => {
      const interrupt = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort())
      return interrupt.signal
    },
  }
}

function readServerUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Failure(
      2,
      `SOUK_URL is not an http or https address: ${url}`,
      'Set it to something like http://localhost:7070.',
    )
  }
  return url.replace(/\/+$/, '')
}

function readAdminToken(env: NodeJS.ProcessEnv): AdminToken {
  const given = env.SOUK_ADMIN_TOKEN?.trim()
  if (given) return { token: given, source: 'SOUK_ADMIN_TOKEN' }
  const file = env.SOUK_DATA_DIR ? resolve(env.SOUK_DATA_DIR, 'admin-token') : tokenFileAbove(process.cwd())
  try {
    const token = readFileSync(file, 'utf8').trim()
    if (token) return { token, source: file }
    throw new Failure(2, `The admin token in ${file} is empty.`, startAdvice)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      2,
      `The admin token cannot be read: ${file}: ${reasonOf(error)}.`,
      isRefused(error) ? `Run this as the user who started Souk, or set SOUK_ADMIN_TOKEN.` : startAdvice,
    )
  }
}

const startAdvice =
  'Start Souk, which writes it: npm start. If its data is elsewhere, set SOUK_DATA_DIR; for another machine, SOUK_ADMIN_TOKEN.'

/** The token of the nearest `.souk`, here or in a folder above, as tools look for their project. */
function tokenFileAbove(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, '.souk/admin-token')
    try {
      readFileSync(file)
      return file
    } catch (error) {
      if (isRefused(error)) return file
    }
    if (at === dirname(at)) return join(folder, '.souk/admin-token')
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not read it'
  return error instanceof Error ? error.message : String(error)
}
