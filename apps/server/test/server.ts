import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minute } from '@souk/contract'

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

export interface ServerOptions {
  /** Settings in addition to PORT and SOUK_DATA_DIR, or a function of the port. */
  env?: Record<string, string> | ((port: number) => Record<string, string>)
  /** An existing data directory to use; it is not removed. */
  dataDir?: string
}

/**
 * Starts a server on a free port and waits until it is ready.
 *
 * @throws Error with the server's log if it exits before that or exceeds `startTimeout`
 */
export async function startServer({ env = {}, dataDir }: ServerOptions = {}): Promise<RunningServer> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'souk-server-')))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let log = ''
  // The same flags as in `npm start`.
  const flags = [
    '--conditions=souk-source',
    '--disable-warning=ExperimentalWarning',
    '--max-old-space-size=512',
    '--max-semi-space-size=16',
    '--no-parallel-scavenge',
  ]
  const server = spawn(process.execPath, [...flags, join(root, 'apps/server/src/main.ts')], {
    cwd: root,
    env: {
      ...withoutSouk(process.env),
      PORT: String(port),
      HOST: '127.0.0.1',
      SOUK_PUBLIC_URL: url,
      SOUK_DATA_DIR: directory,
      ...(typeof env === 'function' ? env(port) : env),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  }
  try {
    await ready(url, server)
  } catch (error) {
    await end(server, 'SIGKILL')
    if (!dataDir) await rm(directory, { recursive: true, force: true })
    throw new Error(`${(error as Error).message}\n${log}`)
  }
  return {
    url,
    adminToken: (await readFile(join(directory, 'admin-token'), 'utf8')).trim(),
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
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`The server was not ready after ${startTimeout} ms.`)
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill(signal)
  await gone
}

/** Removes the settings of the developer's own server. */
function withoutSouk(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !name.startsWith('SOUK_') && name !== 'DATABASE_URL' && name !== 'NODE_OPTIONS',
    ),
  )
}
