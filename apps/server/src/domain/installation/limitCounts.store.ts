import { minute } from '@souk/contract'
import type { Sql } from '../../kernel/db/pool.ts'

/** The requests of all processes with one key. */
export interface LimitCount {
  key: string
  /** Start of the window, ms of real time. */
  start: number
  count: number
}

/** Maximum difference of the processes' clocks. A window that starts later than this was left by a wrong clock. */
const maxSkew = minute

/**
 * Adds requests to the counts of all processes and returns the new counts. A window that is over starts again.
 *
 * If clocks differ, the fastest one ends the windows, and the others join them.
 *
 * @param length of a window, ms
 */
export async function upsertLimitCounts(
  sql: Sql,
  added: readonly { key: string; count: number }[],
  { now, length }: { now: number; length: number },
): Promise<LimitCount[]> {
  const isOpen = sql`excluded.start < known.start + ${length} and excluded.start > known.start - ${maxSkew}`
  // In the order of keys, so that two processes cannot wait for each other.
  return sql<LimitCount[]>`
    insert into limit_counts as known (key, start, count)
    select key, ${now}, count
    from unnest(${added.map(({ key }) => key)}::text[], ${added.map(({ count }) => count)}::bigint[]) as added (key, count)
    order by key
    on conflict (key) do update set
      start = case when ${isOpen} then known.start else excluded.start end,
      count = case when ${isOpen} then known.count + excluded.count else excluded.count end
    returning key, start, count`
}

/** Deletes the counts of windows that are over for every process. `now` is real time. */
export async function deleteLimitCounts(sql: Sql, now: number): Promise<void> {
  await sql`delete from limit_counts where abs(${now} - start) > ${2 * maxSkew}`
}
