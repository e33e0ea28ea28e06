import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { restrictToOwner } from '../filePermissions.ts'
import type { Logger } from '../log.ts'
import { findLauncher, giveTo, type Launcher } from './launcher.ts'
import { type ProcessInfo, processInfo } from './process.ts'
import { DatabaseStartError, DirectoryInUseError, orAborted } from './starting.ts'

/** A PostgreSQL of Souk's own that is running and accepts connections. */
export interface EmbeddedDatabase {
  /** With the password in it: never to be logged. */
  url: string
  /** Ends every connection, writes everything down and waits until the process is gone. May be called twice. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Holds the cluster and its log; created if it is missing. */
  directory: string
  log: Logger
  /** Laid over Souk's own settings. */
  settings?: Record<string, string>
  /** Called once, when the database is gone and cannot be brought back. */
  onLost?: (reason: Error) => void
  /** Gives the start up; what has run already goes on until `stop`. */
  signal?: AbortSignal | undefined
}

/** For a small machine and many small durable commits. Given on the command line, so that an update of Souk updates them. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  // The path of a socket may be 107 bytes long, that of a data directory longer.
  unix_socket_directories: '',
  max_connections: '60',
  timezone: 'UTC',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  // Every query here is short: compiling one or sharing it out costs more than it saves.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  // Plans made for an empty table, which every table is at first, serve it badly once it has rows: a table that fills for the first
  // time is looked at within seconds.
  autovacuum_naptime: '5s',
  idle_in_transaction_session_timeout: '60s',
  // The server logs its own errors. Here they would bring statements and values of rows into a file.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
}

const LOG_LIMIT_BYTES = 4 * 1024 * 1024
/** A database that dies this often within a minute is not brought back again. */
const CRASHES_PER_MINUTE = 5
const STOP_PATIENCE_MS = 20_000
/** How long a process that was killed may take to be gone. */
const DYING_MS = 1_000
const POLL_MS = 10

/**
 * Starts the PostgreSQL of `directory`, creating it the first time, and keeps it running: when it dies it is started again on
 * the same port. A database that a killed server left behind is stopped first (ADR 3).
 * @throws DirectoryInUseError when a live server holds the directory; DatabaseStartError with PostgreSQL's own words when it
 * cannot start; the signal's reason.
 */
export async function startEmbedded({
  directory,
  log,
  settings,
  onLost,
  signal,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  await mkdir(dirname(directory), { recursive: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const home = await realpath(directory)
  const cluster = join(home, 'cluster')
  const logFile = join(home, 'postgres.log')

  await clearCluster(cluster, log, signal)
  const launcher = findLauncher(home)
  if (!(await exists(cluster))) await createCluster(home, launcher, log, signal)
  // PostgreSQL does not start on a cluster that others can read.
  for (const folder of [home, cluster]) await restrictToOwner(folder, 0o700, log)
  await restrictToOwner(join(cluster, 'souk.password'), 0o600, log)

  let port = await freePort()
  let stopping = false
  let child: ChildProcess
  let reviving: Promise<void> | undefined

  /** One life of the database, from a free directory to the first connection it accepts. */
  async function launch(changePort: boolean, abort?: AbortSignal): Promise<ChildProcess> {
    const deadline = Date.now() + STOP_PATIENCE_MS
    for (;;) {
      const stalePid = await clearCluster(cluster, log, abort)
      await limitLog(logFile)
      const logStart = (await stat(logFile).catch(() => undefined))?.size ?? 0
      const postgres = spawnPostgres(launcher, cluster, port, settings, logFile, stalePid)
      if (await becomesReady(postgres, cluster, abort)) return postgres
      if (abort?.aborted) {
        await interrupt(postgres)
        throw abort.reason
      }

      const lastWords = (await readFile(logFile)).subarray(logStart).toString().trim()
      const portTaken = /could not (bind|create any TCP\/IP sockets)/.test(lastWords)
      const directoryTaken = /lock file .* already exists|pre-existing shared memory block/.test(lastWords)
      if (stopping || Date.now() > deadline || !(portTaken || directoryTaken)) {
        throw new DatabaseStartError(`PostgreSQL did not start. It says (${logFile}):\n${lastWords.slice(-2000)}`)
      }
      if (portTaken && changePort) port = await freePort()
      else await wait(100)
    }
  }

  function supervise(postgres: ChildProcess): void {
    child = postgres
    postgres.once('exit', (code, signal) => {
      if (!stopping) reviving = revive(signal ?? `exit code ${code}`)
    })
  }

  const crashes: number[] = []
  async function revive(how: string): Promise<void> {
    const now = Date.now()
    crashes.push(now)
    const recent = crashes.filter((at) => at > now - 60_000).length
    log.error({ how, recent }, 'the database died; starting it again')
    try {
      if (recent > CRASHES_PER_MINUTE)
        throw new Error(`PostgreSQL died ${recent} times within a minute; see ${logFile}`)
      supervise(await launch(false))
      log.info({}, 'the database is back')
    } catch (reason) {
      if (!stopping) onLost?.(reason as Error)
    }
  }

  supervise(await launch(true, signal))
  const logTimer = setInterval(() => void limitLog(logFile).catch(() => {}), 60_000).unref()
  // Where the system cannot tie the database to this process, at least an orderly exit takes it along.
  const onExit = () => child.kill('SIGINT')
  process.once('exit', onExit)

  const password = (await readFile(join(cluster, 'souk.password'), 'utf8')).trim()
  return {
    url: `postgres://souk:${password}@127.0.0.1:${port}/souk`,
    async stop() {
      stopping = true
      clearInterval(logTimer)
      process.off('exit', onExit)
      await reviving
      await interrupt(child)
    },
  }
}

/**
 * Makes sure that no database runs on the cluster, stopping one whose server is gone.
 * @returns the number in a stale `postmaster.pid`, if there is such a file.
 * @throws DirectoryInUseError when the database has a living server.
 */
async function clearCluster(cluster: string, log: Logger, abort?: AbortSignal): Promise<number | undefined> {
  const pid = Number(readPidFile(cluster)[0])
  if (!(pid > 0)) return undefined
  const server = await serverOf(cluster, pid)
  if (server === 'none') return pid
  if (server !== 'gone') {
    throw new DirectoryInUseError(`Another Souk server, process ${server}, runs on ${dirname(dirname(cluster))}.`)
  }
  log.warn({ pid }, 'stopping the database that a killed server left behind')
  signalUnlessGone(pid, 'SIGINT')
  const impatience = setTimeout(() => signalUnlessGone(pid, 'SIGQUIT'), STOP_PATIENCE_MS)
  try {
    while (postmasterOf(cluster, pid)) await orAborted(wait(POLL_MS), abort)
  } finally {
    clearTimeout(impatience)
  }
  return pid
}

/**
 * The number of the server that the cluster's database belongs to; `gone` when it has outlived that one, `none` when there
 * is no database. A server that was killed this instant is its parent for a moment longer, so a living one is looked at twice.
 */
async function serverOf(cluster: string, pid: number): Promise<number | 'gone' | 'none'> {
  for (const until = Date.now() + DYING_MS; ; await wait(POLL_MS)) {
    const found = postmasterOf(cluster, pid)
    if (found === undefined) return 'none'
    const server = Number(/souk\.server=(\d+)/.exec(found.command)?.[1])
    if (found.parent !== server) return 'gone'
    if (Date.now() > until) return server
  }
}

/** The process with this number, if it is a database on this cluster: after a reboot the number may be anybody's. */
function postmasterOf(cluster: string, pid: number): ProcessInfo | undefined {
  const found = processInfo(pid)
  return found?.command.includes(`-D ${cluster} `) ? found : undefined
}

/** Creates the cluster under another name first: a directory called `cluster` is always a whole one. */
async function createCluster(home: string, launcher: Launcher, log: Logger, abort?: AbortSignal): Promise<void> {
  log.info({ directory: home }, 'creating the database')
  for (const name of await readdir(home)) {
    const creator = Number(/^new-(\d+)-/.exec(name)?.[1])
    if (creator && !processInfo(creator)) await rm(join(home, name), { recursive: true })
  }
  const draft = await mkdtemp(join(home, `new-${process.pid}-`))
  const password = join(draft, 'souk.password')
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (launcher.owner !== undefined) giveTo(launcher.owner, draft)

  const cluster = join(draft, 'cluster')
  try {
    await run(
      launcher,
      [
        ...launcher.initdb,
        ...['-D', cluster, '--username=souk', `--pwfile=${password}`, '--auth=scram-sha-256', '--encoding=UTF8'],
        ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
      ],
      abort,
    )
    await run(launcher, [...launcher.postgres, '--single', '-D', cluster, 'postgres'], abort, 'CREATE DATABASE souk\n')
  } catch (error) {
    await rm(draft, { recursive: true })
    throw error
  }
  await rename(password, join(cluster, 'souk.password'))
  try {
    await rename(cluster, join(home, 'cluster'))
    await syncDirectory(home)
  } catch (error) {
    // A second server that started at the same moment was faster; its cluster is as good.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  await rm(draft, { recursive: true })
}

function spawnPostgres(
  launcher: Launcher,
  cluster: string,
  port: number,
  settings: Record<string, string> | undefined,
  logFile: string,
  stalePid: number | undefined,
): ChildProcess {
  const [program = '', ...args] = launcher.postgres
  args.push('-D', cluster, '-p', String(port), '-c', `souk.server=${process.pid}`)
  for (const [name, value] of Object.entries({ ...SETTINGS, ...settings })) args.push('-c', `${name}=${value}`)
  const logEnd = openSync(logFile, 'a', 0o600)
  const postgres = spawn(program, args, {
    ...launcher.identity,
    // PostgreSQL takes a number in postmaster.pid for a live database when any process bears it, except this one.
    env: stalePid === undefined ? launcher.env : { ...launcher.env, PG_GRANDPARENT_PID: String(stalePid) },
    cwd: dirname(cluster),
    stdio: ['ignore', logEnd, logEnd],
    // Ctrl-C is for the server, which first finishes its requests.
    detached: true,
  })
  closeSync(logEnd)
  return postgres
}

/** True as soon as the database accepts connections, however long it has to recover; false when it or the wait ends before. */
async function becomesReady(postgres: ChildProcess, cluster: string, abort?: AbortSignal): Promise<boolean> {
  let ended = false
  postgres.once('exit', () => {
    ended = true
  })
  postgres.once('error', () => {
    ended = true
  })
  while (!ended && !abort?.aborted) {
    const [pid, , , , , , , state] = readPidFile(cluster)
    if (Number(pid) === postgres.pid && state?.trim() === 'ready') return true
    await wait(POLL_MS)
  }
  return false
}

async function interrupt(postgres: ChildProcess): Promise<void> {
  if (postgres.exitCode !== null || postgres.signalCode !== null) return
  const gone = once(postgres, 'exit')
  postgres.kill('SIGINT')
  // Loses nothing either: the next start recovers.
  const impatience = setTimeout(() => postgres.kill('SIGQUIT'), STOP_PATIENCE_MS)
  await gone
  clearTimeout(impatience)
}

async function run(
  launcher: Launcher,
  [program = '', ...args]: string[],
  abort: AbortSignal | undefined,
  input = '',
): Promise<void> {
  abort?.throwIfAborted()
  const child = spawn(program, args, { ...launcher.identity, env: launcher.env })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    output += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const onAbort = () => child.kill()
  abort?.addEventListener('abort', onAbort)
  const [code] = await once(child, 'close')
  abort?.removeEventListener('abort', onAbort)
  abort?.throwIfAborted()
  if (code !== 0) throw new DatabaseStartError(`${basename(program)} failed (${code}):\n${output.slice(-2000)}`)
}

function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function signalUnlessGone(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Below the range from which the system gives ports to outgoing connections, so that a restart finds it free again. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    const server = createServer()
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true))
    })
    server.close()
    if (free) return port
  }
}

async function limitLog(logFile: string): Promise<void> {
  const { size } = await stat(logFile).catch(() => ({ size: 0 }))
  if (size < LOG_LIMIT_BYTES) return
  await copyFile(logFile, `${logFile}.1`)
  // The database appends, so it goes on at the new end.
  await truncate(logFile)
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  await directory.sync()
  await directory.close()
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
