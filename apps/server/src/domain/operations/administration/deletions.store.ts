import type { Clock } from '../../../kernel/clock.ts'
import { identifier } from '../../../kernel/db/identifiers.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { isWaiting } from '../../money/index.ts'

/**
 * Tables whose rows of a deleted mini app are erased by the appid. Those that refer to other rows come first. Rows of
 * users are erased before, and releases after these.
 */
const erasedTables = [
  'feedback',
  'alert_rules',
  'analytics_cohorts',
  'analytics_counts',
  'analytics_days',
  'analytics_error_users',
  'analytics_errors',
  'analytics_events',
  'analytics_trades',
  'analytics_user_days',
  'analytics_users',
  'app_testers',
  'blocks',
  'callback_receivers',
  'canaries',
  'change_requests',
  'consents',
  'custom_events',
  'error_recordings',
  'funnels',
  'host_function_grants',
  'inspections',
  'login_codes',
  'message_counts',
  'message_levels',
  'notifications',
  'release_reviews',
  'sandbox_callback_faults',
  'sandbox_cards',
] as const

/** Returns what is still under way at a mini app, and would need its secret or change its money. */
export async function listUnfinished(tx: Tx, appid: string): Promise<string[]> {
  const [found] = await tx<[{ trades: boolean; payments: boolean; refunds: boolean; callbacks: boolean }]>`
    select
      exists (select from all_trades where appid = ${appid} and transaction_status = 1) as trades,
      exists (
        select from payment_attempts
        where appid = ${appid} and state in ('created', 'pending', 'challenge', 'redirect')) as payments,
      exists (select from refunds where appid = ${appid} and state = 'owed') as refunds,
      exists (select from callbacks where appid = ${appid} and ${isWaiting(tx)}) as callbacks`
  return [
    found.trades ? 'trades are unpaid' : [],
    found.payments ? 'payments are pending' : [],
    found.refunds ? 'refunds are owed' : [],
    found.callbacks ? 'callbacks are waiting' : [],
  ].flat()
}

/** Leaves the name of a mini app, its project and its merchant, and deletes its secrets. */
export async function updateAppToDeleted(tx: Tx, appid: string, now: number): Promise<void> {
  await tx`
    update apps set
      deleted_time = ${now}, enabled = false, icon_url = null, capabilities = '{}', names = default,
      keywords = default, category = null, recommended = false, domains = default, callback_hosts = default
    where appid = ${appid}`
  await tx`update merchants set logo_url = null where appid = ${appid}`
  await tx`delete from app_secrets where appid = ${appid}`
}

/** Deletes what a mini app has stored about some of its users, and its openIds of them. Returns their number. */
export async function deleteSomeUsers(sql: Sql, appid: string, limit: number): Promise<number> {
  return sql.begin(async (tx) => {
    // Locks them before what is stored about them, as erasing a user does.
    const users = await tx<{ uid: number }[]>`
      select uid from open_ids join users using (uid) where appid = ${appid}
      order by uid limit ${limit} for key share of users`
    const uids = users.map(({ uid }) => uid)
    const ofUsers = tx`appid = ${appid} and uid = any(${uids}::bigint[])`
    await tx`delete from inbox where ${ofUsers}`
    await tx`delete from activities where ${ofUsers}`
    await tx`delete from message_levels where ${ofUsers}`
    await tx`delete from message_counts where ${ofUsers}`
    await tx`delete from login_codes where ${ofUsers}`
    await tx`delete from consents where ${ofUsers}`
    await tx`delete from open_ids where ${ofUsers}`
    return uids.length
  })
}

/** Deletes the other rows of a mini app, at most `limit` at a time. @param now real time, ms */
export async function deleteRows(sql: Sql, appid: string, limit: number, now: number): Promise<void> {
  const canaries = sql`select canary_id from canaries where appid = ${appid}`
  const someUsers = sql`select ctid from canary_users where canary_id in (${canaries}) limit ${limit}`
  while ((await sql`delete from canary_users where ctid = any(array(${someUsers}))`).count > 0);

  for (const table of erasedTables) {
    for (;;) {
      // The partition, or the table itself. A row is found fastest by its place there.
      const [found] = await sql<{ name: string }[]>`
        select relname::text as name from pg_class
        where oid = (select tableoid from ${sql(table)} where appid = ${appid} limit 1)`
      if (found === undefined) break
      const place = identifier(sql, found.name)
      const someRows = sql`select ctid from ${place} where appid = ${appid} limit ${limit}`
      await sql`delete from ${place} where ctid = any(array(${someRows}))`
    }
  }

  const someFiles = sql`select file_id from files where appid = ${appid} limit ${limit}`
  const deleteFiles = () => sql<{ count: number }[]>`
    with deleted as (delete from files where file_id = any(array(${someFiles})) returning object),
      unused as (update stored_objects set time = ${now} where hash in (select object from deleted))
    select count(*)::integer as count from deleted`
  while ((await deleteFiles())[0]!.count > 0);
}

/** Returns whether a project has a mini app that is not deleted. */
export async function existsApp(tx: Tx, projectId: string): Promise<boolean> {
  const rows = await tx`select from apps where project_id = ${projectId} and deleted_time is null limit 1`
  return rows.length > 0
}

/**
 * Leaves the name of a project, and its service accounts for the audit log; deletes members and datasets. Returns the
 * datasets, whose records are left.
 */
export async function updateProjectToDeleted(tx: Tx, projectId: string, clock: Clock): Promise<string[]> {
  await tx`update projects set deleted_time = ${clock.now()} where project_id = ${projectId}`
  await tx`delete from project_members where project_id = ${projectId}`
  await tx`delete from invitations where project_id = ${projectId}`
  await tx`
    update service_accounts set removed_time = ${clock.real()} where project_id = ${projectId} and removed_time is null`
  const datasets = await tx<{ datasetId: string }[]>`
    delete from datasets where project_id = ${projectId} returning dataset_id`
  return datasets.map(({ datasetId }) => datasetId)
}

/** Deletes at most `limit` unionIds and returns their number. */
export async function deleteSomeUnionIds(sql: Sql, projectId: string, limit: number): Promise<number> {
  const { count } = await sql`
    delete from union_ids where project_id = ${projectId} and uid = any(array(
      select uid from union_ids where project_id = ${projectId} order by uid limit ${limit}))`
  return count
}
