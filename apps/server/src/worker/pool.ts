import { EventEmitter, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import { Logger as GraphileLogger, run, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import pg from 'pg'
import { writableHost } from '../kernel/db/migrate.ts'
import type { Logger } from '../kernel/log.ts'

/** A pool of graphile-worker, which is replaced if it ends unexpectedly. */
export interface Pool {
  /** The id that locks its jobs; changes when the pool is replaced. */
  id(): string
  /** If the URL names several hosts, moves to the one that accepts writes. */
  followDatabase(): Promise<void>
  /** Starts no more jobs; resolves when running jobs are done. */
  stop(): Promise<void>
  /** Abandons running jobs, which count as failed and run again. */
  abandon(): Promise<void>
}

export interface PoolOptions {
  url: string
  names: readonly string[]
  run: (name: string, payload: Record<string, unknown>) => Promise<void>
  concurrency: number
  log: Logger
}

/**
 * The local queue fetches many jobs with one statement, and completions of one event-loop tick are written with one;
 * both multiply throughput. In return a process can lock twice `concurrency` more jobs than it runs. These wait for
 * slow jobs, at most `ttl`, and until another server notices if this one dies.
 *
 * Completions need batching for another reason: graphile-worker does not await single ones, so if the database was
 * away, an unhandled rejection would end the process.
 */
const settingsFor = (concurrency: number) => ({
  concurrentJobs: concurrency,
  localQueue: { size: concurrency * 2, ttl: 10 * second },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
  // Maximum delay of scheduled jobs, which are found by polling. Others are notified.
  pollInterval: second,
})

/** ms */
const restartDelay = 500
/** Timeout for acknowledging completed jobs at shutdown. */
const acknowledgeTimeout = 2 * second

/**
 * Starts the pool.
 * @throws Error if the database cannot be reached
 */
export async function startPool(options: PoolOptions): Promise<Pool> {
  const { url, log } = options
  let stopping = false
  const runningJobs = new Set<Promise<void>>()
  const start = () =>
    launch(options, (name, payload) => {
      const running = options.run(name, payload).finally(() => runningJobs.delete(running))
      runningJobs.add(running)
      return running
    })
  let current = await start()
  let launching: Promise<unknown> = Promise.resolve()

  /**
   * A pool shuts down if it cannot write completions, for example while the database restarts. It may never end
   * completely, so the new one does not wait for it.
   */
  async function supervise(): Promise<void> {
    while (!stopping) {
      await current.ended
      while (!stopping) {
        log.warn({}, 'the worker pool ended; starting a new one')
        const started = start()
        launching = started.catch(() => {})
        try {
          current = await started
          break
        } catch (error) {
          log.warn({ reason: (error as Error).message }, 'the worker pool could not be started')
          await wait(restartDelay)
        }
      }
    }
  }
  void supervise()

  return {
    id: () => current.pool.id,
    async followDatabase() {
      if ((await writableHost(url)) !== current.host && !stopping) await current.runner.stop().catch(() => {})
    },
    async stop() {
      stopping = true
      await launching
      // Rejects if the pool has already ended; without a database it may never settle.
      const ended = current.runner.stop().catch(() => {})
      const done = Promise.allSettled(runningJobs).then(() => wait(acknowledgeTimeout, undefined, { ref: false }))
      await Promise.race([ended, done])
    },
    async abandon() {
      await current.pool.forcefulShutdown('the server stops')
    },
  }
}

async function launch({ url, names, concurrency, log }: PoolOptions, runJob: PoolOptions['run']) {
  const host = await writableHost(url)
  const taskList: TaskList = {}
  for (const name of names) {
    taskList[name] = async (payload, { job }) => {
      try {
        await runJob(name, payload as Record<string, unknown>)
      } catch (error) {
        const { message, stack } = error as Error
        log.error({ job: name, id: job.id, attempt: job.attempts, of: job.max_attempts, message, stack }, 'job failed')
        throw error
      }
    }
  }
  const events: WorkerEvents = new EventEmitter()
  // In an array, because a pool is thenable: awaiting it would wait for its end.
  const created: WorkerPool[] = []
  events.on('pool:create', ({ workerPool }) => created.push(workerPool))
  const ended = once(events, 'pool:gracefulShutdown')
  events.on('localQueue:init', ({ localQueue }) => {
    // graphile-worker 0.18.0 cannot return queued jobs at shutdown unless a background task is running: a stop would
    // not wait for running jobs, and without a database the process would end.
    // biome-ignore lint/complexity/useLiteralKeys: the method is private
    events.on('pool:gracefulShutdown', () => localQueue['background'](Promise.resolve()))
  })
  const pgPool = openConnections(host, log)
  const options = {
    pgPool,
    events,
    logger: adaptLogger(log),
    noHandleSignals: true,
    preset: { worker: settingsFor(concurrency) },
  }
  // No cron, which has a resolution of minutes; see recurring.ts.
  const runner = await run(options, taskList, []).catch(async (error: unknown) => {
    await pgPool.end()
    throw error
  })
  const [pool] = created
  if (!pool) throw new Error('graphile-worker has not created a pool')
  void runner.promise.catch(() => {}).then(() => pgPool.end())
  return { host, runner, pool, ended }
}

/**
 * Opens a pool whose errors are always handled. graphile-worker removes the error listeners of its own pool before
 * closing the connections, so a connection that breaks in between would end the process.
 */
function openConnections(host: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: host,
    application_name: 'souk worker jobs',
    // One for LISTEN, the others to fetch and complete jobs.
    max: 4,
    connectionTimeoutMillis: 10 * second,
    keepAlive: true,
  })
  const logError = ({ message }: Error) => log.warn({ message }, 'the worker lost a connection to the database')
  pool.on('error', logError)
  pool.on('connect', (client) => client.on('error', logError))
  return pool
}

/** Logs messages only, because graphile-worker's metadata contains payloads. */
function adaptLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, { failure }) => {
    // Failures are logged above. Other errors are lost connections, which are replaced.
    if (failure) return
    if (level === 'error') log.warn({}, message)
    else log.debug({}, message)
  })
}
