import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import type { Sql } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/log.ts'

/** A job that runs periodically. */
export interface Recurring {
  name: string
  /** The period in ms of real time. */
  every: number
}

export interface RecurringOptions {
  sql: Sql
  recurring: readonly Recurring[]
  run: (name: string) => Promise<void>
  log: Logger
}

/** Delay after the database could not be reached. */
const retryDelay = second

/**
 * Runs each recurring job once per period, on the server that claims the period first. No row is locked while it runs,
 * so if the server dies, only that period is lost. A run that takes longer than its period can overlap the next one on
 * another server.
 */
export function startRecurring({ sql, recurring, run, log }: RecurringOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function runPeriodically({ name, every }: Recurring): Promise<void> {
    while (!signal.aborted) {
      let next = performance.now() + Math.min(every, retryDelay)
      try {
        const { claimed, remaining } = await claimPeriod(sql, name, every)
        next = performance.now() + remaining
        if (claimed && !signal.aborted) await run(name)
      } catch (error) {
        const { message, stack } = error as Error
        log.error({ job: name, message, stack }, 'recurring job failed; it runs again in its next period')
      }
      await wait(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => {})
    }
  }
  const running = recurring.map(runPeriodically)

  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/**
 * Claims the current period of a recurring job unless another server has. Periods are multiples of `every` since the
 * epoch by the database's clock, so all servers agree on them.
 * @returns `remaining`: ms until the next period
 */
export async function claimPeriod(
  sql: Sql,
  name: string,
  every: number,
): Promise<{ claimed: boolean; remaining: number }> {
  const [row] = await sql<{ claimed: boolean; remaining: number }[]>`
    with period as (
      select length, date_bin(length, now(), 'epoch') as began_at
      from (select ${every} * interval '1 millisecond' as length) as wanted
    ), claim as (
      insert into worker_periods as known (name, began_at) select ${name}, began_at from period
      on conflict (name) do update set began_at = excluded.began_at where known.began_at < excluded.began_at
      returning name
    )
    select exists (select from claim) as claimed,
      (extract(epoch from began_at + length - now()) * 1000)::float8 as remaining
    from period`
  return row!
}
