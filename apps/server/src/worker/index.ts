import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import { heartbeatLimits } from '../kernel/db/limits.ts'
import { connect } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { traceJob } from '../kernel/tracing.ts'
import { startHeartbeats } from './heartbeats.ts'
import { queueConnections, startPool } from './pool.ts'
import { type Recurring, startRecurring } from './recurring.ts'

export type { Recurring } from './recurring.ts'

/** Number of connections that a worker opens. */
export const workerConnections = queueConnections + 1

/** Runs a job. Jobs run at least once: again if the handler rejects or the server dies. */
export type Handler = (payload: Record<string, unknown>) => Promise<void>

export interface WorkerOptions {
  /** URL of the database; may name several hosts. */
  url: string
  /** Handlers by the name of the job. Jobs with other names stay in the queue. */
  handlers: Record<string, Handler>
  /** Jobs that run once per period across all servers. */
  recurring: readonly Recurring[]
  /** Maximum concurrent jobs in this process. */
  concurrency: number
  log: Logger
  metrics: Metrics
  times?: Partial<WorkerTimes>
}

/** All in ms. */
interface WorkerTimes {
  /** Interval of heartbeats. */
  heartbeat: number
  /** A worker without a heartbeat for this time counts as dead; others run its jobs. */
  deadAfter: number
  /** Timeout of `stop` for running jobs. */
  drain: number
}

/** Jobs of a dead worker resume within 30 s; the documented limit is 60 s. */
const defaultTimes: WorkerTimes = { heartbeat: 5 * second, deadAfter: 20 * second, drain: 10 * second }

export interface Worker {
  /**
   * Starts no more jobs and waits for running ones up to the time limit; the rest is left to other servers or the next
   * start. Never rejects, not even without a database.
   */
  stop(): Promise<void>
}

/**
 * Runs the jobs of the queue in the database. Recovers from a restart of the database automatically.
 * @throws Error if the database cannot be reached
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { url, handlers, recurring, concurrency, log, metrics } = options
  const times = { ...defaultTimes, ...options.times }

  /** Runs a job, and traces and counts it. */
  const observed = async (name: string, job: () => Promise<void>, traceparent?: unknown): Promise<void> => {
    let succeeded = false
    try {
      await traceJob(`job ${name}`, traceparent, job)
      succeeded = true
    } finally {
      metrics.jobs.inc({ name, succeeded: String(succeeded) })
    }
  }

  const sql = connect(url, { max: 1, applicationName: 'souk worker', limits: heartbeatLimits, log })
  try {
    const run = (name: string, payload: Record<string, unknown>) =>
      observed(name, () => handlers[name]!(payload), payload.traceparent)
    const pool = await startPool({ url, names: Object.keys(handlers), run, concurrency, log })
    const heartbeats = startHeartbeats({ sql, pool, log, ...times })
    const periods = startRecurring({
      sql,
      recurring: recurring.map((job) => ({ ...job, run: () => observed(job.name, job.run) })),
      log,
    })

    return {
      async stop() {
        const drained = Promise.all([periods.stop(), pool.stop()])
        // Heartbeats continue until the last job is done, so that no other server starts it again.
        if (!(await within(times.drain, drained))) {
          log.warn({ limit: times.drain }, 'stopping while jobs are still running; they will be run again')
          await within(2 * second, pool.abandon())
        }
        await within(second, heartbeats.stop())
        await sql.end({ timeout: 1 })
      },
    }
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw error
  }
}

/** Returns whether the work settled within `limit` ms. */
async function within(limit: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const timeout = wait(limit, false, { signal: timer.signal }).catch(() => false)
  const done = await Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    timeout,
  ])
  timer.abort()
  return done
}
