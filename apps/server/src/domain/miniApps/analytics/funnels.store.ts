import { type consoleOperations, day, type ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

export type Funnel = ResultOf<typeof consoleOperations.createFunnel>

/** Days since 1970 of which a funnel is counted. */
interface CountedFunnel extends Pick<Funnel, 'funnelId' | 'steps'> {
  appid: string
  countedDay: number | null
}

const columns = (sql: Sql | Tx) => sql`funnel_id, name, steps, ctime`

/** Returns the funnels of a mini app, oldest first. */
export async function listFunnels(sql: Sql | Tx, appid: string): Promise<Funnel[]> {
  return sql<Funnel[]>`select ${columns(sql)} from funnels where appid = ${appid} order by funnel_id`
}

export async function insertFunnel(tx: Tx, appid: string, { funnelId, name, steps, ctime }: Funnel): Promise<void> {
  await tx`
    insert into funnels (funnel_id, appid, name, steps, ctime)
    values (${funnelId}, ${appid}, ${name}, ${steps}::text[], ${ctime})`
}

/** Deletes a funnel with its counts. Returns false if the mini app has no such funnel. */
export async function deleteFunnelRow(tx: Tx, appid: string, funnelId: string): Promise<boolean> {
  const { count } = await tx`delete from funnels where appid = ${appid} and funnel_id = ${funnelId}`
  await tx`
    delete from analytics_counts
    where appid = ${appid} and span = 'day' and kind = 'funnel' and starts_with(name, ${`${funnelId} `})`
  return count > 0
}

/** Returns the funnels of all mini apps. */
export async function listCountedFunnels(sql: Sql): Promise<CountedFunnel[]> {
  return sql<CountedFunnel[]>`select funnel_id, appid, steps, counted_day from funnels order by funnel_id`
}

/** Locks a funnel, so that it cannot be deleted. Returns false if it was. */
export async function lockFunnel(tx: Tx, funnelId: string): Promise<boolean> {
  const rows = await tx`select from funnels where funnel_id = ${funnelId} for update`
  return rows.length > 0
}

export async function updateCountedDay(tx: Tx, funnelId: string, countedDay: number): Promise<void> {
  await tx`update funnels set counted_day = ${countedDay} where funnel_id = ${funnelId}`
}

/**
 * Counts the openings of a day (UTC) that got to each step of a funnel, per release, under the name
 * `<funnelId> <step>`. An opening gets to a step if it reports its event after that of the step before, on that day.
 */
export async function upsertFunnelDay(
  tx: Tx,
  { funnelId, appid, steps }: Pick<CountedFunnel, 'funnelId' | 'appid' | 'steps'>,
  dayNumber: number,
): Promise<void> {
  const from = dayNumber * day
  // The path of an opening has a digit for each event, the number of its step: 0, 0 and 1 is like %0% and %0%1%.
  const patterns = steps.map(
    (_, step) =>
      `%${steps
        .slice(0, step + 1)
        .map((_, index) => index)
        .join('%')}%`,
  )
  await tx`
    with paths as (
      select opening, release_id, string_agg((array_position(${steps}::text[], name) - 1)::text, '' order by place) as path
      from analytics_events
      where appid = ${appid} and kind = 'custom' and name = any(${steps}::text[]) and time >= ${from}
        and time < ${from + day} and opening is not null
      group by opening, release_id
    )
    insert into analytics_counts as known (appid, span, kind, start, release_id, name, count)
    select ${appid}, 'day', 'funnel', ${from}, release_id, ${funnelId} || ' ' || (step - 1), count(*)
    from paths join unnest(${patterns}::text[]) with ordinality as steps (pattern, step) on path like pattern
    group by release_id, step
    on conflict (appid, span, kind, start, release_id, name) do update set count = excluded.count
    where known.count <> excluded.count`
}

/** Returns how many openings got to the steps of the funnels of a mini app, per day. */
export async function listFunnelCounts(
  sql: Sql,
  { appid, releaseId, from, to }: { appid: string; releaseId: string | undefined; from: number; to: number },
): Promise<{ funnelId: string; step: number; start: number; count: number }[]> {
  return sql<{ funnelId: string; step: number; start: number; count: number }[]>`
    select split_part(name, ' ', 1) as funnel_id, split_part(name, ' ', 2)::integer as step, start,
      sum(count)::float8 as count
    from analytics_counts
    where appid = ${appid} and span = 'day' and kind = 'funnel' and start >= ${from} and start < ${to}
      ${releaseId === undefined ? sql`` : sql`and release_id = ${releaseId}`}
    group by name, start order by start`
}
