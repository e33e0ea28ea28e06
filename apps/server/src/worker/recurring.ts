import { minute, second } from '@souk/contract'
import { Alarm } from '../kernel/alarm.ts'
import { maxClockDifference } from '../kernel/clock.ts'
import type { Sql } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/log.ts'

/** A job that runs periodically. */
export interface Recurring {
  name: string
  /** The period in ms of real time. */
  every: number
  run: () => Promise<void>
}

export interface RecurringOptions {
  sql: Sql
  recurring: readonly Recurring[]
  log: Logger
}

/** Delay after the database could not be reached. */
const retryDelay = second
/** Delay of claims, in ms, so that one statement claims all periods that begin at the same time. */
const lateness = 20

/**
 * Runs each recurring job once per period, on the server that claims the period first. No row is locked while it runs,
 * so if the server dies, only that period is lost. A run that takes longer than its period can overlap the next one on
 * another server.
 */
export function startRecurring({ sql, recurring, log }: RecurringOptions): { stop(): Promise<void> } {
  const alarm = new Alarm()
  const running = new Map<string, Promise<void>>()
  /** Start of the next period of each job, by name. */
  const next = new Map(recurring.map(({ name }) => [name, 0]))
  let isStopped = false
  let canClaim = true

  const idle = () => recurring.filter(({ name }) => !running.has(name))

  function logFailure(job: string, error: unknown): void {
    const { message, stack } = error as Error
    log.error({ job, message, stack }, 'recurring job failed; it runs again in its next period')
  }

  async function claimDue(): Promise<void> {
    const due = idle().filter(({ name }) => next.get(name)! <= performance.now())
    if (due.length === 0) return
    try {
      const periods = await claimPeriods(sql, due)
      canClaim = true
      for (const { name, claimed, remaining } of periods) {
        next.set(name, performance.now() + remaining)
        if (claimed && !isStopped) start(due.find((job) => job.name === name)!)
      }
    } catch (error) {
      for (const { name, every } of due) next.set(name, performance.now() + Math.min(every, retryDelay))
      // Once, since an outage would fill the log.
      if (canClaim) log.warn({ reason: (error as Error).message }, 'cannot claim recurring jobs; they run late')
      canClaim = false
    }
  }

  function start({ name, run }: Recurring): void {
    const ended = run()
      .catch((error) => logFailure(name, error))
      .finally(() => {
        running.delete(name)
        alarm.wake()
      })
    running.set(name, ended)
  }

  async function runPeriodically(): Promise<void> {
    while (!isStopped) {
      await claimDue()
      // Without idle jobs, the end of one wakes it.
      const begins = Math.min(...idle().map(({ name }) => next.get(name)!), performance.now() + minute)
      if (!isStopped) await alarm.rest(begins + lateness - performance.now())
    }
    await Promise.all(running.values())
  }
  const ended = runPeriodically()

  return {
    async stop() {
      isStopped = true
      alarm.wake()
      await ended
    },
  }
}

/** The current period of a recurring job. */
interface Period {
  name: string
  /** True if this call has claimed it, and no other server has. */
  claimed: boolean
  /** ms until the next one */
  remaining: number
}

/**
 * Claims the current periods of recurring jobs unless other servers have. Periods are multiples of `every` since the
 * epoch by the database's clock, so all servers agree on them. A period further ahead than concurrent claims can be was
 * claimed before that clock was set back. A process whose clock differs claims none.
 */
export async function claimPeriods(
  sql: Sql,
  recurring: readonly Pick<Recurring, 'name' | 'every'>[],
): Promise<Period[]> {
  const names = recurring.map(({ name }) => name)
  const lengths = recurring.map(({ every }) => every)
  return sql<Period[]>`
    with periods as (
      select name, length, date_bin(length, now(), 'epoch') as began_at
      from (
        select name, every * interval '1 millisecond' as length
        from unnest(${names}::text[], ${lengths}::int[]) as wanted (name, every)
      ) as wanted
    ), claims as (
      insert into worker_periods as known (name, began_at) select name, began_at from periods
      where abs(extract(epoch from clock_timestamp()) * 1000 - ${Date.now()}) <= ${maxClockDifference}
      order by name
      on conflict (name) do update set began_at = excluded.began_at
        where known.began_at < excluded.began_at or known.began_at > now() + interval '10 seconds'
      returning name
    )
    select name, name in (select name from claims) as claimed,
      (extract(epoch from began_at + length - now()) * 1000)::float8 as remaining
    from periods`
}
