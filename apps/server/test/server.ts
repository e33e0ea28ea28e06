import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minute } from '@souk/contract'
import { programOf } from './bundledPrograms.ts'
import { prepareDatabase } from './preparedDatabase.ts'

const root = join(import.meta.dirname, '../../..')
const startTimeout = 2 * minute

/** A separate server process: the real `main.ts` with an embedded PostgreSQL in a data directory. */
export interface RunningServer {
  url: string
  adminToken: string
  dataDir: string
  pid: number
  /** The log so far. */
  log(): string
  /** Sends SIGTERM and waits for the exit. Removes the data directory if it was created for this server. */
  stop(): Promise<void>
  /** Sends SIGKILL. The data directory is kept, so that another server can start on it. */
  kill(): Promise<void>
}

/** The admin tokens of installations with several servers, by the URL of their database. */
const sharedTokens = new Map<string, string>()

/** Stores the admin token of an installation in another data directory, as its operator does. */
async function shareAdminToken(databaseUrl: string, directory: string): Promise<void> {
  const token = sharedTokens.get(databaseUrl) ?? `souk_admin_${randomBytes(32).toString('base64url')}`
  sharedTokens.set(databaseUrl, token)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'admin-token'), token, { flag: 'wx', mode: 0o600 }).catch(() => {})
}

export interface ServerOptions {
  /** Settings in addition to PORT and SOUK_DATA_DIR, or a function of the port. */
  env?: Record<string, string> | ((port: number) => Record<string, string>)
  /** An existing data directory to use; it is not removed. */
  dataDir?: string
  /** The repository that it runs from, this one by default. */
  repository?: string
  /** Runs the bundle of this repository, which starts faster than the sources that `npm start` runs. */
  isBundled?: boolean
  /** Runs the program that users of a release run, as `setup/bundleServer.mjs` has built it. */
  isPacked?: boolean
  /** The path that responds with 200 when it has started, `/readyz` by default. */
  endpoint?: string
}

/**
 * Starts a server on a free port and waits until it is ready.
 *
 * @throws Error with the server's log if it exits before that or exceeds `startTimeout`
 */
export async function startServer({
  env = {},
  dataDir,
  repository = root,
  isBundled = repository === root,
  isPacked = false,
  endpoint = '/readyz',
}: ServerOptions = {}): Promise<RunningServer> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'souk-server-')))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let log = ''
  const settings = typeof env === 'function' ? env(port) : env
  if (settings.DATABASE_URL) await shareAdminToken(settings.DATABASE_URL, directory)
  else await prepareDatabase(directory)
  // The same flags, and settings of malloc, as in `npm start`.
  const flags = [
    '--conditions=souk-source',
    '--disable-warning=ExperimentalWarning',
    '--max-old-space-size=512',
    '--max-semi-space-size=4',
    '--no-parallel-scavenge',
  ]
  const main = 'apps/server/src/main.ts'
  const program = isBundled ? programOf(main) : { file: join(repository, main), env: {} }
  const command = isPacked
    ? [join(repository, 'apps/server/bin/souk-server.js')]
    : [process.execPath, ...flags, program.file]
  const server = spawn(command[0]!, command.slice(1), {
    cwd: repository,
    env: {
      ...withoutSouk(process.env),
      ...program.env,
      // A failed test may not stop it.
      NODE_OPTIONS: `--import=${join(root, 'setup/exitWithParent.mjs')}`,
      MALLOC_ARENA_MAX: '2',
      MALLOC_TRIM_THRESHOLD_: '131072',
      PORT: String(port),
      HOST: '127.0.0.1',
      SOUK_PUBLIC_URL: url,
      SOUK_DATA_DIR: directory,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  }
  try {
    await ready(url + endpoint, server)
  } catch (error) {
    await end(server, 'SIGKILL')
    if (!dataDir) await rm(directory, { recursive: true, force: true })
    throw new Error(`${(error as Error).message}\n${log}`)
  }
  return {
    url,
    adminToken: (await readFile(join(directory, 'admin-token'), 'utf8').catch(() => '')).trim(),
    dataDir: directory,
    pid: server.pid as number,
    log: () => log,
    async stop() {
      await end(server, 'SIGTERM')
      if (!dataDir) await rm(directory, { recursive: true, force: true })
    },
    kill: () => end(server, 'SIGKILL'),
  }
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeout
  while (Date.now() < deadline) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error('The server ended before it was ready.')
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`The server was not ready after ${startTimeout} ms.`)
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill(signal)
  await exited
}

/** Removes the settings of the developer's own server. */
function withoutSouk(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) =>
        !name.startsWith('SOUK_') && !name.startsWith('OTEL_') && name !== 'DATABASE_URL' && name !== 'NODE_OPTIONS',
    ),
  )
}
