import { type ChildProcess, spawn } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, readFileSync, rmSync } from 'node:fs'
import { open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as wait } from 'node:timers/promises'
import type { Project } from '@souk/project'
import { type ExitStatus, Failure } from './failure.ts'
import { linesOf } from './lines.ts'
import { askOnTerminal, findServerUrl } from './serverUrl.ts'
import { findChromium } from './trial/chromium.ts'

/** The environment of a command. Nothing else reads variables, files or the terminal. */
export interface Environment {
  /**
   * Returns the URL of Souk without a trailing slash, which a person at the terminal may be asked for, once.
   * @throws Failure 2 if it is unknown or not a URL
   */
  serverUrl(): Promise<string>
  /** Returns the token of a service account if there is one. @throws Failure if the admin token cannot be read */
  adminToken(): AdminToken
  /** The key that signs releases, created on first use. @throws Failure if it cannot be read or created */
  signingKey(): Promise<KeyObject>
  /** Token of a service account from the environment variable. */
  readonly token: string | undefined
  /** API key from the environment variable. Never an argument, because all users of a machine can see arguments. */
  readonly apiKey: string | undefined
  /** @throws Failure if it cannot be read */
  readFile(path: string): Promise<string>
  /** @throws Failure if it cannot be read */
  readBytes(path: string): Promise<Buffer>
  /**
   * Reads all files of a folder except hidden ones, by path with forward slashes. @throws Failure if it cannot be read
   */
  readFolder(path: string): Promise<Map<string, Uint8Array>>
  /** Reads the mini app at a path: its folder or its pages.json. @throws Failure 2 if there is none */
  openProject(path: string): Promise<Project>
  /** Returns the path of Chromium, or of a browser that is made from it; undefined if none is installed. */
  chromium(): string | undefined
  /** The current working directory. */
  readonly folder: string
  /** The root of the repository if a CI server sets it, otherwise `folder`. */
  readonly checkout: string
  /** True if a CI server reads annotations from the output, as GitHub does. */
  readonly annotates: boolean
  readStdin(): Promise<string>
  /**
   * Runs a command of the server's package, which reads the installation's files, on this terminal.
   * @throws Failure 2 if the package is not installed
   */
  runOnServer(args: readonly string[]): Promise<ExitStatus>
  /**
   * Streams the lines of a file, or of standard input for `-`.
   * @throws Failure if it cannot be read, and the reason of the signal
   */
  readLines(path: string, signal?: AbortSignal): AsyncIterable<string>
  /** Streams bytes to a file or to standard output. @throws Failure if it cannot be written */
  write(bytes: ReadableStream<Uint8Array>, path: string | undefined): Promise<void>
  /**
   * Creates a file that only its owner may read, for a command that writes it bit by bit. Until the first text, a file
   * that it replaces stays as it is; without any text, no new file is left.
   * @throws Failure if it exists and is not to be replaced, or cannot be written
   */
  createFile(path: string, options: { replaces: boolean }): Promise<OpenFile>
  out(text: string): void
  err(text: string): void
  readonly colors: boolean
  /** Unix time in ms. */
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Aborted with a Failure 1 when the user interrupts the command or closes its terminal. */
  untilInterrupted(): AbortSignal
}

export interface OpenFile {
  /** @throws Failure if it cannot be written */
  append(text: string): Promise<void>
  close(): Promise<void>
}

export interface AdminToken {
  readonly token: string
  /** The variable or file that contains it. */
  readonly source: string
}

/** Returns the environment of this process. */
export function systemEnvironment(): Environment {
  const { env } = process
  // npm runs commands in the project root and sets INIT_CWD to the original directory.
  const folder = resolve(env.INIT_CWD ?? '.')
  let serverUrl: Promise<string> | undefined
  return {
    folder,
    checkout: env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR ?? folder,
    annotates: env.GITHUB_ACTIONS === 'true',
    openProject: async (path) => {
      const { openProject, ProjectError } = await import('@souk/project')
      const failed = (advice?: string) => (error: unknown) => {
        throw error instanceof ProjectError ? new Failure(2, error.message, error.advice ?? advice) : error
      }
      const advice = 'Pass the folder of a mini app, or its pages.json.'
      const project = await openProject(resolve(folder, path)).catch(failed(advice))
      return { ...project, write: (text) => project.write(text).catch(failed()) }
    },
    chromium: () => findChromium(env),
    serverUrl: () => {
      serverUrl ??= findServerUrl(env, process.cwd(), hasTerminal() ? askOnTerminal : undefined)
      return serverUrl
    },
    adminToken: () => readAdminToken(env),
    signingKey: async () => {
      const { readSigningKey } = await import('./signingKey.ts')
      return readSigningKey(signingKeyFile(env, folder))
    },
    token: env.SOUK_TOKEN?.trim() || undefined,
    apiKey: env.SOUK_API_KEY?.trim() || undefined,
    readFile: async (path) => (await readBytes(folder, path)).toString(),
    readBytes: (path) => readBytes(folder, path),
    readFolder: (path) => readFolder(folder, path),
    readLines: (path, signal) => readLines(folder, path, signal),
    write: (bytes, path) => write(folder, bytes, path),
    createFile: (path, options) => createFile(folder, path, options),
    readStdin: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(chunk)
      return Buffer.concat(chunks).toString('utf8')
    },
    runOnServer,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    colors: process.stdout.isTTY === true && !env.NO_COLOR,
    now: () => Date.now(),
    sleep: async (ms, signal) => {
      await wait(ms, undefined, { signal })
    },
    untilInterrupted: () => {
      const interrupt = new AbortController()
      let first = 0
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.on(signal, () => {
          if (!interrupt.signal.aborted) {
            first = Date.now()
            interrupt.abort(new Failure(1, 'Interrupted.'))
            // In a clone, the terminal, npm and the script that it runs may each send the same signal.
          } else if (Date.now() - first > 1000) process.exit(1)
        })
      }
      return interrupt.signal
    },
  }
}

async function readFolder(folder: string, path: string): Promise<Map<string, Uint8Array>> {
  const root = resolve(folder, path)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new Failure(2, `${path} cannot be read: ${reasonOf(error)}.`)
  })
  const names = entries
    // Links are read as what they lead to.
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'))
    .filter((name) => !name.split('/').some((segment) => segment.startsWith('.')))
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readBytes(folder, `${path}/${name}`)] as const)),
  )
}

async function* readLines(folder: string, path: string, signal?: AbortSignal): AsyncGenerator<string> {
  const input = path === '-' ? process.stdin : createReadStream(resolve(folder, path))
  signal?.addEventListener('abort', () => input.destroy(signal.reason), { once: true })
  try {
    yield* linesOf(input)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw new Failure(2, `${path} cannot be read: ${reasonOf(error)}.`)
  }
}

/** Writes to a file, or to stdout without a path. */
async function write(folder: string, bytes: ReadableStream<Uint8Array>, path: string | undefined): Promise<void> {
  const source = Readable.fromWeb(bytes as WebStream<Uint8Array>)
  if (path === undefined) return pipeline(source, process.stdout, { end: false })
  const named = resolve(folder, path)
  const existing = await stat(named).catch(() => undefined)
  const target = existing?.isFile() ? await realpath(named) : named
  // Only a complete file replaces that of an earlier run. Pipes and devices are not replaced.
  const draft = existing && !existing.isFile() ? target : `${target}.part`
  const file = createWriteStream(draft, existing && { mode: existing.mode })
  // Each of both passes its error on to the other one.
  let first: unknown
  source.on('error', (error) => {
    first ??= error
  })
  file.on('error', (error) => {
    first ??= new Failure(2, `${path} cannot be written: ${reasonOf(error)}.`)
  })
  try {
    await pipeline(source, file)
    if (draft !== target) await rename(draft, target)
  } catch (error) {
    if (draft !== target) await rm(draft, { force: true })
    throw first ?? error
  }
}

async function createFile(folder: string, path: string, { replaces }: { replaces: boolean }): Promise<OpenFile> {
  const failed = (error: unknown) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw isTaken
      ? new Failure(2, `${path} exists already.`, 'Name another file, or replace it with --force.')
      : new Failure(2, `${path} cannot be written: ${reasonOf(error)}.`)
  }
  const target = resolve(folder, path)
  const isNew = !replaces || (await stat(target).catch(() => undefined)) === undefined
  const file = await open(target, replaces ? 'a' : 'ax', 0o600).catch(failed)
  let isUsed = false
  const remove = () => rmSync(target, { force: true })
  // For a command that is ended before it closes the file.
  if (isNew) process.once('exit', remove)
  return {
    append: async (text) => {
      try {
        if (!isUsed) {
          isUsed = true
          process.off('exit', remove)
          await file.truncate()
          // The one that it replaces may have been open to others.
          await file.chmod(0o600)
        }
        await file.appendFile(text)
      } catch (error) {
        failed(error)
      }
    },
    close: async () => {
      await file.close()
      process.off('exit', remove)
      if (isNew && !isUsed) remove()
    },
  }
}

async function runOnServer(args: readonly string[]): Promise<ExitStatus> {
  let program: string
  try {
    program = createRequire(import.meta.url).resolve('@souk/server/commands')
  } catch {
    throw new Failure(
      2,
      'This command runs on the machine of the installation, with the package @souk/server, which is not installed here.',
      'Run it there.',
    )
  }
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], { stdio: 'inherit' })
  forwardSignals(
    child,
    [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY),
  )
  const [code] = await once(child, 'exit')
  return code === 0 || code === 2 ? code : 1
}

/**
 * Forwards signals to a child, which then ends itself: ending before it would leave it alone with the terminal. Ctrl-C
 * reaches the child from the terminal, and a second SIGINT would end it before it has cleaned up.
 */
export function forwardSignals(child: Pick<ChildProcess, 'kill'>, hasTerminal: boolean): void {
  process.on('SIGTERM', () => void child.kill('SIGTERM'))
  process.on('SIGINT', () => {
    if (!hasTerminal) child.kill('SIGINT')
  })
}

/** Returns whether a person can read a question and answer it. */
const hasTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Returns the file of the signing key, by default in the user's configuration folder. */
function signingKeyFile(env: NodeJS.ProcessEnv, folder: string): string {
  const value = env.SOUK_SIGNING_KEY?.trim()
  if (value) return resolve(folder, value)
  return join(env.XDG_CONFIG_HOME?.trim() || join(homedir(), '.config'), 'souk', 'signing-key.pem')
}

function readAdminToken(env: NodeJS.ProcessEnv): AdminToken {
  const program = env.SOUK_TOKEN?.trim()
  if (program) return printable(program, 'SOUK_TOKEN')
  const value = env.SOUK_ADMIN_TOKEN?.trim()
  if (value) return printable(value, 'SOUK_ADMIN_TOKEN')
  const file = env.SOUK_DATA_DIR ? resolve(env.SOUK_DATA_DIR, 'admin-token') : tokenFileAbove(process.cwd())
  try {
    const token = readFileSync(file, 'utf8').trim()
    if (token) return printable(token, file)
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

/** Checks a token before fetch does, which would report it, with the token, as a failed connection. */
function printable(token: string, source: string): AdminToken {
  if (/^[!-~]+$/.test(token)) return { token, source }
  throw new Failure(2, `The token of ${source} contains a space, a line break or another character that no token has.`)
}

const startAdvice =
  'Start Souk, which creates it: npm start. If its data is elsewhere, set SOUK_DATA_DIR. On another machine, set SOUK_TOKEN to the token of a service account, which owners of the project add in the console under Members, or SOUK_ADMIN_TOKEN.'

/** Finds the token in the nearest `.souk`, in this folder or a parent folder. */
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

async function readBytes(folder: string, path: string): Promise<Buffer> {
  try {
    return await readFile(resolve(folder, path))
  } catch (error) {
    throw new Failure(2, `${path} cannot be read: ${reasonOf(error)}.`)
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'no such file'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  return error instanceof Error ? error.message : String(error)
}
