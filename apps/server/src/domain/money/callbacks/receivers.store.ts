import { type consoleOperations, hour, maxListed, maxReplay, type ResultOf } from '@souk/contract'
import { lockNames, ofEachPartition, partitionedTables } from '../../../kernel/db/partitions.ts'
import type { Part, Sql, Tx } from '../../../kernel/db/pool.ts'
import { disabledAfter, type Outcome } from '../../messages/index.ts'

/** A mini app and a host that receives its callbacks. Times in ms of the domain clock. */
export interface Receiver {
  appid: string
  host: string
  failingSince: number
}

/** An attempt to deliver a callback, as far as the health of its receiver is concerned. */
type ReceiverOutcome = Outcome<{ appid: string; notifyUrl: string }>

type ListedReceiver = ResultOf<typeof consoleOperations.listCallbackReceivers>[number]

/** Selects the host and port of a URL that is accepted as a notifyUrl. `url` is an expression. */
export const hostOf = (sql: Sql | Tx, url: ReturnType<Sql>) =>
  sql`coalesce(lower(substring(${url} from '//([^/?#]*)')), '')`

/** Selects true for pending callbacks. The index `callbacks_waiting` has the same expression, and no other does. */
export const isWaiting = (sql: Sql | Tx) => sql`case state when 'pending' then true else false end`

/** Selects the sort key of `state`. The index `callbacks_by_trouble` has the same expression. */
export const failureRank = (sql: Sql | Tx) =>
  sql`(case when state = 'dead' then 2 when state = 'pending' and attempts > 0 then 1 else 0 end)`

/** Builds the condition for callbacks that are retried. */
export const isFailing = (sql: Sql) => sql`${failureRank(sql)} = 1`

/** The time of the last failure is accurate to this, so that attempts do not wait for each other, in ms. */
const accuracy = hour

/** Updates the health of receivers after attempts. One acknowledgement ends the failure of a receiver. */
export async function updateReceivers(tx: Tx, outcomes: readonly ReceiverOutcome[]): Promise<void> {
  const attempts = outcomes.map(({ message: { appid, notifyUrl }, attempt: { time, acknowledged } }) => {
    return { appid, notifyUrl, time, acknowledged }
  })
  const grouped = tx`
    select appid, ${hostOf(tx, tx`"notifyUrl"`)} as host, max(time) as time, bool_or(acknowledged) as acknowledged
    from jsonb_to_recordset(${tx.json(attempts)})
      as attempt (appid text, "notifyUrl" text, time bigint, acknowledged boolean)
    group by 1, 2`
  await tx`
    with attempts as (${grouped}), locked as (
      select appid, host, a.time, a.acknowledged from callback_receivers r join attempts a using (appid, host)
      where (acknowledged and disabled_at is null) or (not acknowledged and last_failed <= a.time - ${accuracy}::bigint)
      order by appid, host for update of r
    ), recovered as (
      delete from callback_receivers r using locked l
      where r.appid = l.appid and r.host = l.host and l.acknowledged
    )
    update callback_receivers r set last_failed = l.time from locked l
    where r.appid = l.appid and r.host = l.host and not l.acknowledged`
  if (attempts.every(({ acknowledged }) => acknowledged)) return
  await tx`
    with attempts as (${grouped})
    insert into callback_receivers (appid, host, failing_since, last_failed)
    select appid, host, time, time from attempts where not acknowledged order by appid, host
    on conflict do nothing`
}

/**
 * Returns SQL that is true if callbacks of a mini app to a URL are disabled. The receiver is not enabled before the
 * transaction ends, so that `enableCallbackReceiver` finds a callback that is stored as dead.
 */
export const isDisabled = (sql: Sql | Tx, appid: string, url: string) => sql`
  exists (select from callback_receivers
    where appid = ${appid} and host = ${hostOf(sql, sql`${url}::text`)} and disabled_at is not null for share)`

/** Counts disabled receivers, as a subquery. */
export const countDisabledReceivers = (sql: Sql) => sql`
  (select count(*)::int from callback_receivers where disabled_at is not null)`

/** Lists the receivers whose attempts have failed for so long that they are to be disabled. */
export async function listFailedReceivers(sql: Sql): Promise<Receiver[]> {
  return sql<Receiver[]>`
    select appid, host, failing_since from callback_receivers
    where disabled_at is null and last_failed - failing_since >= ${disabledAfter}`
}

/** Disables a receiver. Returns whether it was enabled and has not recovered. */
export async function updateReceiverToDisabled(
  tx: Tx,
  { appid, host, failingSince }: Receiver,
  now: number,
): Promise<boolean> {
  const { count } = await tx`
    update callback_receivers set disabled_at = ${now}
    where appid = ${appid} and host = ${host} and failing_since = ${failingSince} and disabled_at is null`
  return count > 0
}

/** Marks pending callbacks of disabled receivers as dead, at most `limit`, and returns their number. */
export async function updateCallbacksToDead(tx: Tx, limit: number): Promise<number> {
  // In the order of `callbacks_by_receiver`: a mini app can have many that are pending for other hosts.
  const select = (partition: Part) => tx`
    select appid, notify_id from ${partition}
    where appid = r.appid and state = 'pending' and ${hostOf(tx, tx`notify_url`)} = r.host
    order by least(scheduled_attempts, 1), next_attempt limit ${limit} for update skip locked`
  const partitions = await lockNames(tx, partitionedTables.callbacks)
  const { count } = await tx`
    update callbacks set state = 'dead', next_attempt = null
    where (appid, notify_id) in (
      select c.appid, c.notify_id
      from callback_receivers r cross join lateral (${ofEachPartition(tx, partitions, select)}) c
      where r.disabled_at is not null limit ${limit})`
  return count
}

/** Enables a receiver. Returns false if it is not disabled. */
export async function updateReceiverToEnabled(
  tx: Tx,
  { appid, host }: Omit<Receiver, 'failingSince'>,
): Promise<boolean> {
  const { count } = await tx`
    delete from callback_receivers where appid = ${appid} and host = ${host} and disabled_at is not null`
  return count > 0
}

/**
 * Starts the schedule of dead callbacks of a receiver again, oldest first and at most `limit`, and returns their
 * number. Their last attempt, or without one their creation, is not before `since`.
 */
export async function updateCallbacksToPending(
  tx: Tx,
  {
    appid,
    host,
    since,
    now,
    limit,
    skipLocked,
  }: { appid: string; host: string; since: number; now: number; limit: number; skipLocked: boolean },
): Promise<number> {
  const select = (partition: Part) => tx`
    select appid, notify_id from ${partition}
    where appid = ${appid} and ${failureRank(tx)} = 2 and mtime >= ${since} and ${hostOf(tx, tx`notify_url`)} = ${host}
    order by ctime, notify_id limit ${limit} for update ${skipLocked ? tx`skip locked` : tx``}`
  const partitions = await lockNames(tx, partitionedTables.callbacks)
  const { count } = await tx`
    update callbacks set state = 'pending', scheduled_attempts = 0, next_attempt = ${now}
    where (appid, notify_id) in (${ofEachPartition(tx, partitions, select)} limit ${limit})`
  return count
}

/** Lists the receivers of these mini apps that are disabled, or have failed for at least `failingFor`, in ms. */
export async function listReceivers(
  sql: Sql,
  appids: readonly string[],
  failingFor: number,
): Promise<ListedReceiver[]> {
  return sql<ListedReceiver[]>`
    select r.appid, r.host, case when disabled_at is null then 'failing' else 'disabled' end as state,
      failing_since, disabled_at,
      (select count(*)::int from (
        select from callbacks c
        where c.appid = r.appid and ${isFailing(sql)} and ${hostOf(sql, sql`c.notify_url`)} = r.host
        limit ${maxReplay}) counted) as failing,
      (select count(*)::int from (
        select from callbacks c
        where c.appid = r.appid and c.state = 'dead' and c.mtime >= r.failing_since
          and ${hostOf(sql, sql`c.notify_url`)} = r.host
        limit ${maxReplay}) counted) as dead
    from callback_receivers r
    where r.appid = any(${appids as string[]}) and (disabled_at is not null or last_failed - failing_since >= ${failingFor})
    order by r.appid, r.host limit ${maxListed}`
}
