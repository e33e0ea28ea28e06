import { partitionedTables } from '../../../kernel/db/partitions.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

export const eventsTable = partitionedTables.analytics_events

/** A release that reports events: whether its project collects them, the salt of the users' pseudonyms, its pages. */
export interface Target {
  analytics: boolean
  salt: string
  pages: string[]
}

/** Returns undefined if the mini app has no such release. */
export async function findTarget(sql: Sql, appid: string, releaseId: string): Promise<Target | undefined> {
  const [row] = await sql<Target[]>`
    select p.analytics, p.analytics_salt::text as salt, r.pages
    from releases r join apps a using (appid) join projects p using (project_id)
    where r.release_id = ${releaseId} and r.appid = ${appid} and a.enabled and a.archived_time is null`
  return row
}

/** Returns the number of a mini app's events since `start`, as far as they have been counted. */
export async function countEventsSince(sql: Sql, appid: string, start: number): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(count), 0)::float8 as count from analytics_counts
    where appid = ${appid} and span = 'hour' and kind = ${allEvents} and start >= ${start}`
  return row.count
}

/** The kind under which all events of an hour are counted, without name and release. */
export const allEvents = 'all'

/** An event as it is stored. `time` is in ms of real time. */
export interface StoredEvent {
  time: number
  kind: string
  name: string
  value: number | null
  /** Fields of a custom event. */
  fields?: object
  /** Number of events that the opening reported before. */
  place?: number
}

export interface Source {
  appid: string
  releaseId: string
  userId: string
  /** Id of the opening; null if the host does not say. */
  opening: string | null
}

/** Adds events to the count of a user's day. Returns the new count. */
export async function upsertUserDay(tx: Tx, { appid, userId }: Source, day: number, events: number): Promise<number> {
  const [row] = await tx<[{ events: number }]>`
    insert into analytics_user_days as known (appid, day, user_id, events) values (${appid}, ${day}, ${userId}, ${events})
    on conflict (appid, day, user_id) do update set events = known.events + excluded.events
    returning events`
  await tx`
    insert into analytics_users as known (appid, user_id, first_day, last_day)
    values (${appid}, ${userId}, ${day}, ${day})
    on conflict (appid, user_id) do update set last_day = excluded.last_day where known.last_day < excluded.last_day`
  return row.events
}

export async function insertEvents(tx: Tx, source: Source, events: readonly StoredEvent[]): Promise<void> {
  const column = <K extends keyof StoredEvent>(name: K) => events.map((event) => event[name])
  await tx`
    insert into analytics_events (time, appid, release_id, user_id, kind, name, value, fields, place, opening)
    select time, ${source.appid}, ${source.releaseId}, ${source.userId}, kind, name, value, fields::jsonb, place,
      case when place is not null then ${source.opening}::uuid end
    from unnest(
      ${column('time')}::bigint[], ${column('kind')}::text[], ${column('name')}::text[], ${column('value')}::integer[],
      ${events.map(({ fields }) => (fields ? JSON.stringify(fields) : null))}::text[],
      ${events.map(({ place }) => place ?? null)}::integer[]
    ) as event (time, kind, name, value, fields, place)`
}

/** An occurrence of a JavaScript error. */
export interface ErrorOccurrence {
  fingerprint: string
  message: string
  stack: string
  page: string
  time: number
}

/** Returns which groups of errors a mini app has already. */
export async function listErrorGroups(tx: Tx, appid: string, fingerprints: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ fingerprint: string }[]>`
    select fingerprint from analytics_errors
    where appid = ${appid} and fingerprint = any(${[...fingerprints]}::text[])`
  return new Set(rows.map(({ fingerprint }) => fingerprint))
}

/** Returns the newest occurrence of a group of errors. */
export async function findErrorGroup(
  sql: Sql,
  appid: string,
  fingerprint: string,
): Promise<{ message: string; stack: string; releaseId: string } | undefined> {
  const [group] = await sql<{ message: string; stack: string; releaseId: string }[]>`
    select message, stack, release_id from analytics_errors where appid = ${appid} and fingerprint = ${fingerprint}`
  return group
}

/** Adds to the number of groups that a user has added on a day, up to `most`. Returns how many of them are accepted. */
export async function updateAddedGroups(
  tx: Tx,
  { appid, userId }: Source,
  day: number,
  groups: number,
  most: number,
): Promise<number> {
  if (groups === 0) return 0
  const [row] = await tx<[{ added: number }]>`
    with before as (
      select error_groups from analytics_user_days where appid = ${appid} and day = ${day} and user_id = ${userId}
    )
    update analytics_user_days set error_groups = least(${most}, error_groups + ${groups})
    where appid = ${appid} and day = ${day} and user_id = ${userId}
    returning error_groups - (select error_groups from before) as added`
  return row.added
}

/** Stores the newest occurrence of each group of errors. */
export async function upsertErrors(
  tx: Tx,
  { appid, releaseId }: Source,
  errors: readonly ErrorOccurrence[],
): Promise<void> {
  const column = <K extends keyof ErrorOccurrence>(name: K) => errors.map((error) => error[name])
  await tx`
    insert into analytics_errors as known
      (appid, fingerprint, message, stack, page, release_id, first_time, last_time)
    select distinct on (fingerprint) ${appid}, fingerprint, message, stack, page, ${releaseId}::uuid, time, time
    from unnest(
      ${column('fingerprint')}::text[], ${column('message')}::text[], ${column('stack')}::text[],
      ${column('page')}::text[], ${column('time')}::bigint[]
    ) as occurrence (fingerprint, message, stack, page, time)
    order by fingerprint, time desc
    on conflict (appid, fingerprint) do update set
      message = excluded.message, stack = excluded.stack, page = excluded.page, release_id = excluded.release_id,
      last_time = greatest(known.last_time, excluded.last_time)`
}

/** Users of a group of errors that are counted. A group with as many is never the one with the fewest. */
const countedUsers = 100

/** Counts a user in groups that the transaction has stored, and thereby locked. */
export async function upsertErrorUsers(
  tx: Tx,
  { appid, userId }: Source,
  fingerprints: readonly string[],
): Promise<void> {
  await tx`
    with added as (
      insert into analytics_error_users (appid, fingerprint, user_id)
      select appid, fingerprint, ${userId}::uuid from analytics_errors
      where appid = ${appid} and fingerprint = any(${[...fingerprints]}::text[]) and users < ${countedUsers}
      on conflict do nothing
      returning fingerprint
    )
    update analytics_errors set users = users + 1
    where appid = ${appid} and fingerprint in (select fingerprint from added)`
}

/**
 * Deletes the groups of errors above `most` that have the fewest users, of them those not seen for longest. Keeps those
 * that were just stored.
 */
export async function deleteErrorsAbove(tx: Tx, appid: string, most: number, stored: readonly string[]): Promise<void> {
  // Others store errors at the same time: groups that they have locked are in use.
  await tx`
    delete from analytics_errors where appid = ${appid} and fingerprint = any(array(
      select fingerprint from analytics_errors
      where appid = ${appid} and fingerprint <> all(${[...stored]}::text[])
      order by users, last_time, fingerprint
      limit greatest(0, (select count(*) from analytics_errors where appid = ${appid}) - ${most})
      for update skip locked))`
}

/** @param time real time, ms */
export async function insertOpenedTrade(sql: Sql, tradeNo: string, time: number): Promise<void> {
  await sql`insert into opened_trades (trade_no, time) values (${tradeNo}, ${time}) on conflict do nothing`
}
