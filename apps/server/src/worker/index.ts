import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { startLiveness } from './liveness.ts'
import { startPool } from './pool.ts'
import { type Recurring, startRecurring } from './recurring.ts'

export type { Recurring }

/** Does one job. It runs at least once: when it rejects, or the server dies over it, it runs again. */
export type Handler = (payload: Record<string, unknown>) => Promise<void>

export interface WorkerOptions {
  /** Of the database; may name several hosts. */
  url: string
  /** By the names under which jobs are enqueued. A job of another name stays where it is. */
  handlers: Record<string, Handler>
  /** Handlers that run once in each period over all servers together, with an empty payload. */
  recurring: readonly Recurring[]
  /** Jobs under way at once in this process. */
  concurrency: number
  log: Logger
  metrics: Metrics
  times?: Partial<WorkerTimes>
}

/** All in ms. */
interface WorkerTimes {
  /** From one sign of life to the next. */
  beat: number
  /** After so long without a sign of life a worker counts as dead, and its jobs are run by others. */
  silence: number
  /** How long `stop` waits for the jobs under way. */
  drain: number
}

/** Together under 30 s from death to resumption, where 60 s are promised. */
const TIMES: WorkerTimes = { beat: 5_000, silence: 20_000, drain: 10_000 }

export interface Worker {
  /**
   * Begins no more jobs and waits for those under way, up to the limit; what is not done then is left to other servers, or to
   * the next start. Never rejects, not even without a database.
   */
  stop(): Promise<void>
}

/**
 * Runs the jobs of the queue that is in the database. It outlives a restart of the database by itself.
 * @throws Error when the database cannot be reached, or when a recurring job has no handler.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { url, handlers, recurring, concurrency, log, metrics } = options
  const times = { ...TIMES, ...options.times }
  const nameless = recurring.find(({ name }) => !handlers[name])
  if (nameless) throw new Error(`The recurring job ${nameless.name} has no handler.`)

  const run = async (name: string, payload: Record<string, unknown>): Promise<void> => {
    let succeeded = false
    try {
      await handlers[name]?.(payload)
      succeeded = true
    } finally {
      metrics.jobs.inc({ job: name, succeeded: String(succeeded) })
    }
  }

  const sql = connect(url, { max: 2, applicationName: 'souk worker' })
  try {
    const pool = await startPool({ url, names: Object.keys(handlers), run, concurrency, log })
    const liveness = startLiveness({ sql, pool, log, ...times })
    const periods = startRecurring({ sql, recurring, run: (name) => run(name, {}), log })

    return {
      async stop() {
        const drained = Promise.all([periods.stop(), pool.stop()])
        // Alive until the last job is done, so that no other server begins it a second time.
        if (!(await within(times.drain, drained))) {
          log.warn({ limit: times.drain }, 'jobs are still under way; they are left to be run again')
          await within(2_000, pool.abandon())
        }
        await within(1_000, liveness.stop())
        await sql.end({ timeout: 1 })
      },
    }
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw error
  }
}

/** Whether the work was done within `limit` ms. A rejection counts as done: there is nothing left to wait for. */
async function within(limit: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const late = wait(limit, false, { signal: timer.signal }).catch(() => false)
  const done = await Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    late,
  ])
  timer.abort()
  return done
}
