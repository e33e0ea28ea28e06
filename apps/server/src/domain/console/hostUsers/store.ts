import type { consoleOperations, HostUserState, ParametersOf, ResultOf } from '@souk/contract'
import { beginningWith } from '../../../kernel/db/beginningWith.ts'
import { containsText, directionOf, scannedRows } from '../../../kernel/db/page.ts'
import type { Part, Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

/** `avatar` is null for a user without a picture. */
type HostUserRow = Omit<ResultOf<typeof consoleOperations.getHostUser>, 'avatar'> & { avatar: string | null }
type UserSort = NonNullable<ParametersOf<typeof consoleOperations.searchHostUsers>['sort']>
/** The place of a user in a sorted list. `name` is in lower case, as PostgreSQL converts it. */
export interface UserPosition {
  name: string
  uid: number
}
type UserData = Omit<ResultOf<typeof consoleOperations.exportHostUser>, 'user'>

const state = (sql: Sql | Tx) => sql`
  case when erased_time is not null then 'erased' when disabled_time is not null then 'disabled' else 'enabled' end`
const columns = (sql: Sql | Tx) => sql`
  uid, nickname as nick_name, avatar, email, country, phone, locale, issuer, subject, ${state(sql)} as state, ctime`

export async function findHostUser(sql: Sql | Tx, uid: number): Promise<HostUserRow | undefined> {
  const [row] = await sql<HostUserRow[]>`select ${columns(sql)} from users where uid = ${uid}`
  return row
}

/** Builds the order of users and the condition for those after `before`. Names have the order of `users_by_name`. */
function orderOf(sql: Sql, sort: UserSort, before: UserPosition | undefined): { order: Part; after: Part } {
  const { direction, follows } = directionOf(sql, sort)
  if (sort.endsWith('ctime')) {
    return {
      order: sql`order by uid ${direction}`,
      after: before === undefined ? sql`` : sql`and uid ${follows} ${before.uid}`,
    }
  }
  const isDescending = sort.startsWith('-')
  // Operators of text_pattern_ops, which compare bytes.
  const [orFollows, nameFollows] = isDescending ? [sql`~<=~`, sql`~<~`] : [sql`~>=~`, sql`~>~`]
  return {
    order: sql`order by lower(nickname) using ${isDescending ? sql`~>~` : sql`~<~`}, uid ${direction}`,
    after:
      before === undefined
        ? sql``
        : sql`
          and lower(nickname) ${orFollows} ${before.name}
          and (lower(nickname) ${nameFollows} ${before.name} or uid ${follows} ${before.uid})`,
  }
}

/** Lists users after the user `before`, by default the newest ones. */
export function listHostUsers(
  sql: Sql,
  filter: {
    text?: string | undefined
    state?: HostUserState | undefined
    sort?: UserSort | undefined
    before?: UserPosition | undefined
    limit: number
  },
): Rows<HostUserRow & { sortedName: string }> {
  const { text, sort = '-ctime', limit } = filter
  const { order, after } = orderOf(sql, sort, filter.before)
  const selected = sql`${columns(sql)}, lower(nickname) as sorted_name`
  const uid = text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
  const isWanted = filter.state === undefined ? sql`` : sql`and ${state(sql)} = ${filter.state}`
  if (text === undefined) {
    return sql<(HostUserRow & { sortedName: string })[]>`
      select ${selected} from users where true ${isWanted} ${after} ${order} limit ${limit}`
  }
  const values = sql`nickname, email, subject`
  const named = beginningWith(sql, text.toLowerCase(), {
    from: sql`users`,
    where: sql`true`,
    column: sql`lower(nickname)`,
    few: scannedRows(1),
    rest: sql`${isWanted} ${after}`,
    order,
    limit,
  })
  const having = (condition: Part) => sql`select * from users where ${condition} ${isWanted} ${after}`
  return sql<(HostUserRow & { sortedName: string })[]>`
    select ${selected} from (
      (select * from (select * from users where true ${isWanted} order by uid desc limit ${scannedRows(1)}) newest
        where ${containsText(sql, text, values)} ${after} ${order} limit ${limit})
      union (${named})
      union ${having(sql`lower(email) = lower(${text})`)}
      union ${having(sql`subject = ${text}`)}
      union ${having(sql`uid = ${uid}`)}
    ) matched
    where true ${after}
    ${order} limit ${limit}`
}

export async function lockHostUser(tx: Tx, uid: number): Promise<HostUserState | undefined> {
  const [row] = await tx<{ state: HostUserState }[]>`
    select ${state(tx)} as state from users where uid = ${uid} for update`
  return row?.state
}

/** Deletes what mini apps have stored about a user or sent to it. */
export async function deleteTraces(tx: Tx, uid: number): Promise<void> {
  await deleteNotifications(tx, uid)
  await tx`delete from activities where uid = ${uid}`
  await tx`delete from message_levels where uid = ${uid}`
  await tx`delete from message_counts where uid = ${uid}`
  await tx`delete from feedback where uid = ${uid}`
  await tx`delete from inspections where uid = ${uid}`
  await tx`delete from error_recordings where uid = ${uid}`
  await tx`delete from sandbox_cards where sender = ${uid} or recipient = ${uid}`
  await tx`delete from app_testers where uid = ${uid}`
  await tx`delete from canary_users where uid = ${uid}`
  await tx`update canaries set uids = array_remove(uids, ${uid}) where ${uid} = any(uids)`
}

/** Deletes the inbox of a user, and notifications without other recipients: their text can be about the user. */
async function deleteNotifications(tx: Tx, uid: number): Promise<void> {
  await tx`
    with received as (delete from inbox where uid = ${uid} returning appid, notification_id)
    delete from notifications n using received
    where n.appid = received.appid and n.notification_id = received.notification_id and n.recipients = 1`
}

/** Returns everything about a user besides its profile. */
export async function findUserData(tx: Tx, uid: number): Promise<UserData> {
  const all = (rows: ReturnType<typeof tx>) => tx`coalesce((select json_agg(r) from (${rows}) r), '[]')`
  const [row] = await tx<[UserData]>`select
    ${all(tx`select claim, value from user_attributes where uid = ${uid} order by claim`)} as attributes,
    ${all(tx`select appid, scopes, mtime from consents where uid = ${uid} order by mtime desc`)} as consents,
    ${all(tx`select appid, replace(open_id::text, '-', '') as "openId" from open_ids where uid = ${uid}`)} as open_ids,
    ${all(tx`
      select replace(project_id::text, '-', '') as "projectId", replace(union_id::text, '-', '') as "unionId"
      from union_ids where uid = ${uid}`)} as union_ids,
    coalesce((select json_agg(appid order by appid) from app_testers where uid = ${uid}), '[]') as tester_of,
    ${all(tx`
      select n.appid, n.title, n.text, i.read_at as "readAt", i.ctime
      from inbox i join notifications n using (appid, notification_id) where i.uid = ${uid} order by i.ctime desc`)}
      as notifications,
    ${all(tx`
      select appid, title, text, valid_until as "validUntil", mtime from activities where uid = ${uid}
      order by mtime desc`)} as activities,
    ${all(tx`select appid, level, mtime from message_levels where uid = ${uid} order by mtime desc`)} as message_levels,
    ${all(tx`
      select appid, day, messages from message_counts where uid = ${uid} order by day desc, appid`)} as message_counts,
    ${all(tx`
      select appid, kind, reason, text, page, device, answer, ctime from feedback where uid = ${uid}
      order by ctime desc`)} as feedback,
    ${all(tx`
      select appid, replace(release_id::text, '-', '') as "releaseId", ctime, encode(content, 'base64') as gzip
      from error_recordings where uid = ${uid} order by recording_id desc`)} as recordings,
    ${all(tx`
      select sender, recipient, appid, title, path, image_url as "imageUrl", extra_data as "extraData", ctime
      from sandbox_cards where sender = ${uid} or recipient = ${uid} order by card_id desc`)} as cards,
    ${all(tx`
      select appid, replace(trade_no::text, '-', '') as "tradeNo", out_trade_no as "outTradeNo", description, amount,
        currency, transaction_status as "transactionStatus", ctime
      from all_trades where payer = ${uid} order by ctime desc`)} as trades,
    ${all(tx`
      select appid, replace(trade_no::text, '-', '') as "tradeNo", amount, currency, state, ctime from refunds
      where payer = ${uid} order by ctime desc`)} as refunds,
    ${all(tx`
      select type, data, time from events where users @> ${tx.json([{ uid }])} order by event_id desc`)} as events`
  return row
}
