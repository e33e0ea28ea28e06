import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/log.ts'

/** A handler that runs by the clock. */
export interface Recurring {
  name: string
  /** The period, real time, ms. */
  every: number
}

export interface RecurringOptions {
  sql: Sql
  recurring: readonly Recurring[]
  run: (name: string) => Promise<void>
  log: Logger
}

/** How soon a server that could not ask the database asks again, ms. */
const RETRY_MS = 1_000

/**
 * Runs each recurring job once in its period, on whichever server asks first. No row stays locked while it runs, so the death
 * of a server costs the rest of that period and no more. A run that outlasts its period can meet the next on another server.
 */
export function startRecurring({ sql, recurring, run, log }: RecurringOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function keepRunning({ name, every }: Recurring): Promise<void> {
    while (!signal.aborted) {
      let next = performance.now() + Math.min(every, RETRY_MS)
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
  const running = recurring.map(keepRunning)

  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/**
 * Takes the present period of a recurring job, unless another has it. Periods are those of the database's clock, counted from
 * the epoch: servers that start at different times agree on them.
 * @returns `remaining`: ms to the next period.
 */
export async function claimPeriod(
  sql: Sql,
  name: string,
  every: number,
): Promise<{ claimed: boolean; remaining: number }> {
  const [answer] = await sql<{ claimed: boolean; remaining: number }[]>`
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
  if (!answer) throw new Error('unreachable: the statement always has one row')
  return answer
}
