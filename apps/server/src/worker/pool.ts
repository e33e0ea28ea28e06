import { EventEmitter, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import { Logger as GraphileLogger, run, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import { logCrowd } from '../kernel/db/connections.ts'
import { writableHost } from '../kernel/db/pool.ts'
import { openWorkerPool } from '../kernel/db/workerPool.ts'
import type { Logger } from '../kernel/log.ts'

/** A pool of graphile-worker, which is replaced if it ends unexpectedly. */
export interface Pool {
  /** The id that locks its jobs; changes when the pool is replaced. */
  id(): string
  /** Moves to the host that accepts writes, if the URL names several. */
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
 * down, an unhandled rejection would end the process.
 */
const settingsFor = (concurrency: number) => ({
  concurrentJobs: concurrency,
  localQueue: { size: concurrency * 2, ttl: 10 * second },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
  // Maximum delay of jobs that failed and are repeated, which are found by polling. Others are notified.
  pollInterval: 10 * second,
})

/** Time in ms after which the next job of a queue is looked for when one has ended. */
const queuePause = second

/** Delay after a pool could not be started, ms. It doubles with each further attempt up to the maximum. */
const restartDelay = 500
const maxRestartDelay = 5 * second
/** Interval of statements that detect a silent database, on the connection that is otherwise only notified. */
const heartbeatInterval = 15 * second
/** One for LISTEN, the others to fetch and complete jobs. */
export const queueConnections = 4
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
   * Replaces a pool that ends because it cannot write completions, for example while the database restarts. It may
   * never end completely, so the new one does not wait for it.
   */
  async function supervise(): Promise<void> {
    while (!stopping) {
      await current.ended
      if (!stopping) log.warn({}, 'the worker pool ended; starting a new one')
      for (let delay = restartDelay; !stopping; delay = Math.min(2 * delay, maxRestartDelay)) {
        const started = start()
        launching = started.catch(() => {})
        try {
          current = await started
          break
        } catch (error) {
          const isLogged = logCrowd(log, error) || delay > restartDelay
          if (!isLogged) log.warn({ reason: (error as Error).message }, 'the worker pool could not be started')
          await wait(delay)
        }
      }
    }
  }
  void supervise()

  return {
    id: () => current.pool.id,
    async followDatabase() {
      // Without the database it may never end completely.
      if ((await writableHost(url)) !== current.host && !stopping) void current.runner.stop().catch(() => {})
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
  // Nothing announces the next job of a queue, so it would wait for the poll.
  events.on('job:complete', ({ job }) => {
    if (job.job_queue_id !== null) setTimeout(() => created[0]?.nudge(1), queuePause).unref()
  })
  detectSilence(events)
  const logError = ({ message }: Error) => log.warn({ message }, 'the worker lost a connection to the database')
  const pgPool = openWorkerPool(host, { max: queueConnections, onError: logError })
  const options = {
    pgPool,
    events,
    logger: adaptLogger(log),
    noHandleSignals: true,
    preset: { worker: settingsFor(concurrency) },
  }
  // No cron, which has a resolution of minutes; see recurring.ts.
  const runner = await reserve(pgPool)
    .then(() => run(options, taskList, []))
    .catch(async (error: unknown) => {
      await pgPool.end()
      throw error
    })
  const [pool] = created
  if (!pool) throw new Error('graphile-worker has not created a pool')
  void runner.promise.catch(() => {}).then(() => pgPool.end())
  return { host, runner, pool, ended }
}

/**
 * Opens all connections of the pool. With fewer, graphile-worker would restart in a loop while the database has no free
 * ones.
 */
async function reserve(pgPool: ReturnType<typeof openWorkerPool>): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: queueConnections }, () => pgPool.connect()))
  for (const each of opened) if (each.status === 'fulfilled') each.value.release()
  for (const each of opened) if (each.status === 'rejected') throw each.reason
}

/** Runs statements periodically. A failed one ends the connection, and graphile-worker opens another. */
function detectSilence(events: WorkerEvents): void {
  let heartbeat: NodeJS.Timeout | undefined
  events.on('pool:listen:success', ({ client }) => {
    clearInterval(heartbeat)
    heartbeat = setInterval(() => client.query('select').catch(() => {}), heartbeatInterval).unref()
  })
  for (const end of ['pool:listen:release', 'pool:gracefulShutdown'] as const)
    events.on(end, () => clearInterval(heartbeat))
}

/** Logs messages only, because graphile-worker's metadata contains payloads. */
function adaptLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, { failure, error }) => {
    // Failures are logged above. Other errors are lost connections, which are replaced.
    if (failure || logCrowd(log, error)) return
    if (level === 'error') log.warn({}, message)
    else log.debug({}, message)
  })
}
