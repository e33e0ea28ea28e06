import { EventEmitter, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger as GraphileLogger, run, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import pg from 'pg'
import { writableHost } from '../kernel/db/migrate.ts'
import type { Logger } from '../kernel/log.ts'

/** A pool of graphile-worker, replaced by a new one when it ends before its time. */
export interface Pool {
  /** What the jobs it is at are locked by; it changes when the pool is replaced. */
  id(): string
  /** Where the database's name stands for several hosts: moves to the one that takes writes now, if it is another. */
  followDatabase(): Promise<void>
  /** Begins no more jobs; resolves when those under way are done. */
  stop(): Promise<void>
  /** Gives up the jobs under way, to be run again: graphile-worker counts them as failed. */
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
 * What these settings trade. A local queue fetches many jobs with one statement, and completions of one turn of the event
 * loop are written with one: both multiply the rate at which jobs run. In return twice `concurrency` more jobs may be locked by
 * a process than it is at, so they have to wait when all its jobs are slow (for `ttl` at most, then they go back), and for
 * another server's notice when it dies.
 *
 * Completions have to go through the batch for a second reason: graphile-worker does not wait for those that are written one
 * by one, so that a database which is away at that moment would end the process with an unhandled rejection.
 */
const settingsFor = (concurrency: number) => ({
  concurrentJobs: concurrency,
  localQueue: { size: concurrency * 2, ttl: 10_000 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
  // Jobs for now are announced. Those for later are only found by looking: this is how late they may be.
  pollInterval: 1_000,
})

const RESTART_DELAY_MS = 500
/** How long writing down that the last jobs are done may take. */
const WRITING_MS = 2_000

/**
 * Starts the pool.
 * @throws Error when the database cannot be reached.
 */
export async function startPool(options: PoolOptions): Promise<Pool> {
  const { url, log } = options
  let stopping = false
  const underWay = new Set<Promise<void>>()
  const start = () =>
    launch(options, (name, payload) => {
      const running = options.run(name, payload).finally(() => underWay.delete(running))
      underWay.add(running)
      return running
    })
  let current = await start()
  let launching: Promise<unknown> = Promise.resolve()

  /**
   * A pool gives itself up when it cannot write down what it has done, as when the database restarts in that moment. It may not
   * come to its end then, so the new one does not wait for that.
   */
  async function supervise(): Promise<void> {
    while (!stopping) {
      await current.ended
      while (!stopping) {
        log.warn({}, 'the pool of workers ended; starting a new one')
        const started = start()
        launching = started.catch(() => {})
        try {
          current = await started
          break
        } catch (error) {
          log.warn({ reason: (error as Error).message }, 'no new pool of workers yet')
          await wait(RESTART_DELAY_MS)
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
      // It rejects when the pool has ended already, and without a database it may never do either.
      const ended = current.runner.stop().catch(() => {})
      const done = Promise.allSettled(underWay).then(() => wait(WRITING_MS, undefined, { ref: false }))
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
  // In an array, because a pool is a thenable: to await it would be to wait for its end.
  const created: WorkerPool[] = []
  events.on('pool:create', ({ workerPool }) => created.push(workerPool))
  const ended = once(events, 'pool:gracefulShutdown')
  events.on('localQueue:init', ({ localQueue }) => {
    // graphile-worker 0.18.0 refuses to give the queued jobs back when nothing else is under way at the moment of its shutdown:
    // a stop would not wait for running jobs, and without a database the process would end. So something is under way.
    // biome-ignore lint/complexity/useLiteralKeys: the method is private, which TypeScript lets nobody overlook in another form
    events.on('pool:gracefulShutdown', () => localQueue['background'](Promise.resolve()))
  })
  const pgPool = openConnections(host, log)
  const options = {
    pgPool,
    events,
    logger: loggerOnto(log),
    noHandleSignals: true,
    preset: { worker: settingsFor(concurrency) },
  }
  // No cron: graphile-worker's counts in minutes; see recurring.ts.
  const runner = await run(options, taskList, []).catch(async (error: unknown) => {
    await pgPool.end()
    throw error
  })
  const [pool] = created
  if (!pool) throw new Error('graphile-worker runs without a pool')
  void runner.promise.catch(() => {}).then(() => pgPool.end())
  return { host, runner, pool, ended }
}

/**
 * Connections whose errors are always listened to. Of a pool of its own graphile-worker takes the listeners off before its
 * connections are closed, and one that breaks in between ends the process.
 */
function openConnections(host: string, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: host,
    application_name: 'souk worker jobs',
    // One listens; the others fetch and complete.
    max: 4,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  const note = ({ message }: Error) => log.warn({ message }, 'the worker lost a connection to the database')
  pool.on('error', note)
  pool.on('connect', (client) => client.on('error', note))
  return pool
}

/** Its meta data holds jobs with their payloads, so only the sentence is taken. */
function loggerOnto(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, { failure }) => {
    // Failures are logged above. Its other errors are those of connections, which it or the supervision mends.
    if (failure) return
    if (level === 'error') log.warn({}, message)
    else log.debug({}, message)
  })
}
