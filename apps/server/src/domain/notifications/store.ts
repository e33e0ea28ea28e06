import type { Sql, Tx } from '../../kernel/db/pool.ts'

/** One notification as it was sent. `ctime` in ms of the domain clock. */
export interface Notification {
  appid: string
  notificationId: string
  title: string
  text: string
  navigateType: '1' | '2'
  url: string | null
  link: string | null
  language: string
  /** openIds that were not known under the appid. */
  skipped: number
  ctime: number
}

/** One notification in the inbox of one user. */
export interface InboxRow extends Omit<Notification, 'skipped'> {
  appName: string
  read: boolean
}

const pageSize = 50

/**
 * Takes (appid, sign) for the caller's transaction; false when it has been taken already. Where an identical request is
 * under way, this waits until that one has committed or failed. `time` is real time, ms.
 */
export async function claimRequest(tx: Tx, appid: string, sign: string, time: number): Promise<boolean> {
  const { count } = await tx`
    insert into notification_requests (appid, sign, time)
    values (${appid}, ${Buffer.from(sign, 'hex')}, ${time})
    on conflict do nothing`
  return count === 1
}

export async function deleteRequestsBefore(sql: Sql, time: number): Promise<void> {
  await sql`delete from notification_requests where time < ${time}`
}

/** Stores a notification and puts it into the inbox of every user given. */
export async function insertNotification(tx: Tx, uids: readonly number[], notification: Notification): Promise<void> {
  const { appid, notificationId, ctime } = notification
  await tx`
    with notification as (
      insert into notifications
        (appid, notification_id, title, text, navigate_type, url, link, language, skipped, recipients, ctime)
      values
        (${appid}, ${notificationId}, ${notification.title}, ${notification.text}, ${notification.navigateType},
         ${notification.url}, ${notification.link}, ${notification.language}, ${notification.skipped},
         ${uids.length}, ${ctime})
      returning appid, notification_id, ctime)
    insert into inbox (uid, appid, notification_id, ctime)
    select uid, appid, notification_id, ctime from notification, unnest(${uids as number[]}::bigint[]) as uid`
}

/** Newest first; `before` is the notificationId after which to go on; of these mini apps only, where some are named. */
export async function listInbox(
  sql: Sql,
  uid: number,
  { before, appids = 'all' }: { before?: string | undefined; appids?: 'all' | string[] },
): Promise<InboxRow[]> {
  return sql<InboxRow[]>`
    select
      replace(notification_id::text, '-', '') as "notificationId", appid, apps.name as "appName", title, text,
      navigate_type as "navigateType", url, link, language, read_at is not null as read, inbox.ctime
    from inbox
    join notifications using (appid, notification_id)
    join apps using (appid)
    where uid = ${uid}
      ${appids === 'all' ? sql`` : sql`and appid = any(${appids})`}
      ${
        before === undefined
          ? sql``
          : sql`and (inbox.ctime, notification_id) <
              (select ctime, notification_id from inbox where uid = ${uid} and notification_id = ${before})`
      }
    order by inbox.ctime desc, notification_id desc
    limit ${pageSize}`
}

/** A notification with how many users got it; null where that was not counted. */
export interface SentNotification extends Notification {
  appName: string
  appIconUrl: string | null
  recipients: number | null
}

/** Notifications of these apps, newest first, after the notificationId `before`; each app's along its index. */
export async function listNotifications(
  sql: Sql,
  appids: readonly string[],
  { before, limit }: { before: string | undefined; limit: number },
): Promise<SentNotification[]> {
  return sql<SentNotification[]>`
    select
      replace(n.notification_id::text, '-', '') as "notificationId", n.appid, apps.name as "appName",
      apps.icon_url as "appIconUrl", n.title, n.text, n.navigate_type as "navigateType", n.url, n.link, n.language,
      n.skipped, n.recipients, n.ctime
    from unnest(${appids as string[]}::text[]) as own (appid) cross join lateral (
      select * from notifications
      where appid = own.appid ${before === undefined ? sql`` : sql`and notification_id < ${before}`}
      order by notification_id desc limit ${limit}
    ) n join apps on apps.appid = n.appid
    order by n.notification_id desc
    limit ${limit}`
}

/** False when the user has no such notification. */
export async function updateRead(sql: Sql, uid: number, notificationId: string, time: number): Promise<boolean> {
  const { count } = await sql`
    update inbox set read_at = coalesce(read_at, ${time})
    where uid = ${uid} and notification_id = ${notificationId}`
  return count === 1
}
