import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import {
  copyFile,
  mkdir,
  mkdtemp,
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
import { minute, second } from '@souk/contract'
import { restrictToOwner } from '../filePermissions.ts'
import type { Logger } from '../log.ts'
import { syncDirectory } from '../secretFile.ts'
import { Clusters, clusterName } from './clusters.ts'
import { changeOwner, findLauncher, type Launcher } from './launcher.ts'
import { createOwner, demoteOwner } from './ownerRole.ts'
import { type ProcessInfo, processInfo } from './process.ts'
import { DatabaseStartError, DirectoryInUseError, orAborted } from './starting.ts'

/** The embedded PostgreSQL, running and accepting connections. */
export interface EmbeddedDatabase {
  /** Contains the password; never log it. */
  url: string
  /** Stops the database and waits for the process to end. Can be called twice. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Contains the cluster and its log; created if missing. */
  directory: string
  log: Logger
  /** Folder of PostgreSQL's programs; by default those bundled with Souk. */
  programs?: string
  /** Override the default settings. */
  settings?: Record<string, string>
  /** Called once if the database died and cannot be restarted. */
  onLost?: (reason: Error) => void
  /** Aborts the start. A database that has started runs until `stop`. */
  signal?: AbortSignal | undefined
}

/** Settings for a small machine and many small commits, passed on the command line so that upgrades change them. */
const defaultSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  // A data directory can be longer than the 107 bytes allowed for a socket's path.
  unix_socket_directories: '',
  max_connections: '60',
  // No superuser can connect.
  superuser_reserved_connections: '0',
  timezone: 'UTC',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  checkpoint_timeout: '15min',
  // Every commit is flushed by its own process. With the default of 200 ms, a server at rest keeps the writer awake.
  wal_writer_delay: '2s',
  random_page_cost: '1.1',
  // All queries are short: compiling or parallelizing them costs more than it saves.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Plans for an empty table are bad once it has rows, so tables are analyzed soon after their first rows.
  autovacuum_naptime: '15s',
  idle_in_transaction_session_timeout: '60s',
  // The server logs errors itself. PostgreSQL would write statements and values into its log.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
}

/** File in a cluster whose role `souk` is not a superuser. */
const roleMarker = 'souk.role'

const settingsSince18: Record<string, string> = { io_method: 'sync' }

/** bytes */
const maxLogSize = 4 * 1024 * 1024
/** A database that crashes more often is not restarted. */
const maxCrashesPerMinute = 5
const stopTimeout = 20 * second
/** Time for a killed process to disappear. */
const killTimeout = second
/** ms */
const pollInterval = 10

/**
 * Starts the PostgreSQL of `directory`, which is created the first time, and restarts it on the same port if it dies.
 * Stops a database that a killed server left behind first (ADR 3).
 * @throws DirectoryInUseError if another server uses the directory
 * @throws DatabaseStartError with PostgreSQL's log if it cannot start; the signal's reason
 */
export async function startEmbedded({
  directory,
  log,
  programs,
  settings,
  onLost,
  signal,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  await mkdir(dirname(directory), { recursive: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const home = await realpath(directory)
  const cluster = join(home, clusterName)
  const logFile = join(home, 'postgres.log')

  await clearCluster(cluster, log, signal)
  const launcher = findLauncher(home, programs)
  checkVersion(new Clusters(home), launcher)
  if (!(await exists(cluster))) await createCluster(home, launcher, log, signal)
  if (!(await exists(join(cluster, roleMarker)))) await demoteRole(cluster, launcher, log, signal)
  // PostgreSQL does not start if others can read the cluster.
  for (const folder of [home, cluster]) await restrictToOwner(folder, 0o700, log)
  await restrictToOwner(join(cluster, 'souk.password'), 0o600, log)

  let port = await freePort()
  let stopping = false
  let child: ChildProcess
  let restarting: Promise<void> | undefined

  /** Starts the database and waits until it accepts connections. */
  async function launch(changePort: boolean, abort?: AbortSignal): Promise<ChildProcess> {
    const deadline = Date.now() + stopTimeout
    for (;;) {
      const stalePid = await clearCluster(cluster, log, abort)
      await limitLog(logFile)
      const logStart = (await stat(logFile).catch(() => undefined))?.size ?? 0
      const postgres = spawnPostgres(launcher, { cluster, port, settings, logFile, stalePid })
      if (await waitUntilReady(postgres, cluster, abort)) return postgres
      if (abort?.aborted) {
        await interrupt(postgres)
        throw abort.reason
      }

      const logged = (await readFile(logFile)).subarray(logStart).toString().trim()
      const portTaken = /could not (bind|create any TCP\/IP sockets)/.test(logged)
      const directoryTaken = /lock file "[^"]*" (already exists|is empty)|pre-existing shared memory block/.test(logged)
      if (stopping || Date.now() > deadline || !(portTaken || directoryTaken)) {
        throw new DatabaseStartError(`PostgreSQL did not start. Its log (${logFile}):\n${logged.slice(-2000)}`)
      }
      if (portTaken && changePort) port = await freePort()
      else await wait(100)
    }
  }

  function supervise(postgres: ChildProcess): void {
    child = postgres
    postgres.once('exit', (code, signal) => {
      if (!stopping) restarting = restart(signal ?? `exit code ${code}`)
    })
  }

  const crashes: number[] = []
  async function restart(how: string): Promise<void> {
    const now = Date.now()
    crashes.push(now)
    const recent = crashes.filter((at) => at > now - minute).length
    log.error({ how, recent }, 'the database died; restarting it')
    try {
      if (recent > maxCrashesPerMinute)
        throw new Error(`PostgreSQL died ${recent} times within a minute; see ${logFile}`)
      supervise(await launch(false))
      log.info({}, 'the database is running again')
    } catch (reason) {
      if (!stopping) onLost?.(reason as Error)
    }
  }

  supervise(await launch(true, signal))
  const logTimer = setInterval(() => void limitLog(logFile).catch(() => {}), minute).unref()
  // For systems without parent-death signals.
  const onExit = () => child.kill('SIGINT')
  process.once('exit', onExit)

  return {
    url: await urlOf(cluster, port),
    async stop() {
      stopping = true
      clearInterval(logTimer)
      process.off('exit', onExit)
      await restarting
      await interrupt(child)
    },
  }
}

/** @throws DatabaseStartError if the data is of another major version of PostgreSQL */
function checkVersion(clusters: Clusters, launcher: Launcher): void {
  clusters.checkComplete()
  const { home, version = launcher.version } = clusters
  if (version === launcher.version) return
  const found = `The data in ${home} is of PostgreSQL ${version}, and this version of Souk brings PostgreSQL ${launcher.version}.`
  throw new DatabaseStartError(
    version > launcher.version
      ? `${found} Start the version of Souk that was used before, or a newer one.`
      : `${found} Run souk database upgrade: it copies and compares the data, and keeps the old folder. Or start the ` +
          'version of Souk that was used before.',
  )
}

/** Returns the URL of the database that a running server has started in `directory`, or `undefined` if none runs. */
export async function findRunningDatabase(directory: string): Promise<string | undefined> {
  if (!(await exists(directory))) return undefined
  const cluster = join(await realpath(directory), clusterName)
  const [pid, , , port, , , , state] = readPidFile(cluster)
  const isReady = Number(pid) > 0 && state?.trim() === 'ready'
  if (!isReady || typeof (await serverOf(cluster, Number(pid))) !== 'number') return undefined
  return urlOf(cluster, Number(port))
}

/** @throws DatabaseStartError if this user may not read the password */
async function urlOf(cluster: string, port: number): Promise<string> {
  const file = join(cluster, 'souk.password')
  const password = await readFile(file, 'utf8').catch(({ message }: Error) => {
    throw new DatabaseStartError(`${file} cannot be read: ${message}. Run this as the user who runs Souk.`)
  })
  return `postgres://souk:${password.trim()}@127.0.0.1:${port}/souk`
}

/**
 * Stops a database on the cluster whose server is gone.
 * @returns the pid in a stale `postmaster.pid`, if there is one
 * @throws DirectoryInUseError if the database's server is running
 */
async function clearCluster(cluster: string, log: Logger, abort?: AbortSignal): Promise<number | undefined> {
  const pid = Number(readPidFile(cluster)[0])
  if (!(pid > 0)) return undefined
  const server = await serverOf(cluster, pid)
  if (server === 'none') return pid
  if (server !== 'gone') {
    throw new DirectoryInUseError(`Another Souk server, process ${server}, uses ${dirname(dirname(cluster))}.`)
  }
  log.warn({ pid }, 'stopping the database that a killed server left behind')
  signalIfRunning(pid, 'SIGINT')
  const timer = setTimeout(() => signalIfRunning(pid, 'SIGQUIT'), stopTimeout)
  try {
    while (postmasterOf(cluster, pid)) await orAborted(wait(pollInterval), abort)
  } finally {
    clearTimeout(timer)
  }
  return pid
}

/**
 * Returns the pid of the database's server, `gone` if that has ended, or `none` if there is no database. A server that
 * was just killed remains the parent for a moment, so a running one is checked repeatedly.
 */
async function serverOf(cluster: string, pid: number): Promise<number | 'gone' | 'none'> {
  for (const until = Date.now() + killTimeout; ; await wait(pollInterval)) {
    const found = postmasterOf(cluster, pid)
    if (found === undefined) return 'none'
    const server = Number(/souk\.server=(\d+)/.exec(found.command)?.[1])
    if (found.parent !== server) return 'gone'
    if (Date.now() > until) return server
  }
}

/** Returns the process if it is a database on this cluster; after a reboot the pid may belong to any process. */
function postmasterOf(cluster: string, pid: number): ProcessInfo | undefined {
  const found = processInfo(pid)
  return found?.command.includes(`-D ${cluster} `) ? found : undefined
}

/** Creates the cluster under a temporary name, so that a directory named `cluster` is always complete. */
async function createCluster(home: string, launcher: Launcher, log: Logger, abort?: AbortSignal): Promise<void> {
  log.info({ directory: home }, 'creating the database')
  for (const name of await readdir(home)) {
    const creator = Number(/^new-(\d+)-/.exec(name)?.[1])
    if (creator && !processInfo(creator)) await removeDraft(join(home, name), log)
  }
  const draft = await mkdtemp(join(home, `new-${process.pid}-`))
  const password = join(draft, 'souk.password')
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (launcher.owner !== undefined) changeOwner(launcher.owner, draft)

  const cluster = join(draft, 'cluster')
  try {
    const initdb = [
      ...launcher.initdb,
      '-D',
      cluster,
      '--username=postgres',
      `--pwfile=${password}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ]
    await run(launcher, initdb, abort)
    await runAsSuperuser(launcher, cluster, 'postgres', createOwner(await readFile(password, 'utf8')), abort)
    await markRole(cluster, launcher)
    // Autovacuum starts a process for each database with statistics at every interval, so only `souk` must have them.
    await rm(join(cluster, 'pg_stat/pgstat.stat'), { force: true })
  } catch (error) {
    await removeDraft(draft, log)
    throw error
  }
  await rename(password, join(cluster, 'souk.password'))
  try {
    await rename(cluster, join(home, 'cluster'))
    await syncDirectory(home)
  } catch (error) {
    // Another server created the cluster first.
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  await removeDraft(draft, log)
}

/** Makes the role of the server an ordinary one in a cluster of an older version. Can be repeated. */
async function demoteRole(cluster: string, launcher: Launcher, log: Logger, abort?: AbortSignal): Promise<void> {
  log.info({ directory: cluster }, 'making the role of the database an ordinary one')
  const password = (await readFile(join(cluster, 'souk.password'), 'utf8')).trim()
  await runAsSuperuser(launcher, cluster, 'souk', [demoteOwner(password)], abort)
  await markRole(cluster, launcher)
}

async function markRole(cluster: string, { owner }: Launcher): Promise<void> {
  const marker = join(cluster, roleMarker)
  await writeFile(marker, '', { mode: 0o600 })
  if (owner !== undefined) changeOwner(owner, marker)
}

/** Runs statements in a cluster that is not running, as its superuser. No password lets that one connect otherwise. */
async function runAsSuperuser(
  launcher: Launcher,
  cluster: string,
  database: string,
  statements: readonly string[],
  abort?: AbortSignal,
): Promise<void> {
  // A line is a statement, and one that fails does not end the program.
  const input = statements.map((statement) => `${statement.replaceAll(/\s+/g, ' ')}\n`).join('')
  const output = await run(launcher, [...launcher.postgres, '--single', '-D', cluster, database], abort, input)
  const error = /(ERROR|FATAL|PANIC): .*/.exec(output)
  if (error) throw new DatabaseStartError(`The role of the database could not be set up: ${error[0]}`)
}

/** Removes an incomplete cluster. The next start removes what a program that is still running writes afterwards. */
async function removeDraft(draft: string, log: Logger): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 3 }).catch((error: NodeJS.ErrnoException) => {
    log.warn({ directory: draft, code: error.code }, 'an incomplete database could not be removed')
  })
}

interface PostgresOptions {
  /** Path of the cluster. */
  cluster: string
  port: number
  settings: Record<string, string> | undefined
  logFile: string
  /** The pid in a stale `postmaster.pid`. */
  stalePid: number | undefined
}

function spawnPostgres(
  launcher: Launcher,
  { cluster, port, settings, logFile, stalePid }: PostgresOptions,
): ChildProcess {
  const [program = '', ...args] = launcher.postgres
  args.push('-D', cluster, '-p', String(port), '-c', `souk.server=${process.pid}`)
  const all = { ...defaultSettings, ...(launcher.version < 18 ? {} : settingsSince18), ...settings }
  for (const [name, value] of Object.entries(all)) args.push('-c', `${name}=${value}`)
  const logEnd = openSync(logFile, 'a', 0o600)
  const postgres = spawn(program, args, {
    ...launcher.identity,
    // PostgreSQL takes the pid in postmaster.pid for a running database if any process has it, except this one.
    env: stalePid === undefined ? launcher.env : { ...launcher.env, PG_GRANDPARENT_PID: String(stalePid) },
    cwd: dirname(cluster),
    stdio: ['ignore', logEnd, logEnd],
    // Ctrl-C must reach only the server, which finishes its requests first.
    detached: true,
  })
  closeSync(logEnd)
  return postgres
}

/** Waits until the database accepts connections. Returns false if it ends first or the wait is aborted. */
async function waitUntilReady(postgres: ChildProcess, cluster: string, abort?: AbortSignal): Promise<boolean> {
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
    await wait(pollInterval)
  }
  return false
}

async function interrupt(postgres: ChildProcess): Promise<void> {
  if (postgres.exitCode !== null || postgres.signalCode !== null) return
  const exited = once(postgres, 'exit')
  postgres.kill('SIGINT')
  // SIGQUIT loses nothing either: the next start recovers.
  const timer = setTimeout(() => postgres.kill('SIGQUIT'), stopTimeout)
  await exited
  clearTimeout(timer)
}

async function run(
  launcher: Launcher,
  [program = '', ...args]: string[],
  abort: AbortSignal | undefined,
  input = '',
): Promise<string> {
  abort?.throwIfAborted()
  // In a process group, because initdb starts postgres, which survives it and writes on.
  const child = spawn(program, args, { ...launcher.identity, env: launcher.env, detached: true })
  const killAll = () => signalIfRunning(-child.pid!, 'SIGKILL')
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    output += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  child.once('exit', killAll)
  abort?.addEventListener('abort', killAll)
  const [code] = await once(child, 'close')
  abort?.removeEventListener('abort', killAll)
  abort?.throwIfAborted()
  if (code !== 0) throw new DatabaseStartError(`${basename(program)} failed (${code}):\n${output.slice(-2000)}`)
  return output
}

function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Returns a free port below the ephemeral range, so that it is still free after a restart. */
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
  if (size < maxLogSize) return
  await copyFile(logFile, `${logFile}.1`)
  // The database appends to the truncated file.
  await truncate(logFile)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
