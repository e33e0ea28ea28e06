import { listsOfPage, mergedOrder } from '../../../kernel/db/page.ts'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

/** A sent notification. `ctime` is in ms of the domain clock. */
export interface Notification {
  appid: string
  notificationId: string
  title: string
  text: string
  navigateType: '1' | '2'
  url: string | null
  link: string | null
  language: string
  /** Number of openIds that were unknown under the appid. */
  skipped: number
  /** Number of users who have switched messages of the mini app off. */
  off: number
  /** Number of users who had received as many messages as a day allows. */
  overLimit: number
  ctime: number
}

/** A notification in a user's inbox. */
export interface InboxRow extends Omit<Notification, 'skipped' | 'off' | 'overLimit'> {
  appName: string
  read: boolean
}

const pageSize = 50

/** Stores a notification and adds it to the inbox of every given user. */
export async function insertNotification(tx: Tx, uids: readonly number[], notification: Notification): Promise<void> {
  const { appid, notificationId, ctime } = notification
  await tx`
    with notification as (
      insert into notifications
        (appid, notification_id, title, text, navigate_type, url, link, language, skipped, users_off, users_over_limit,
         recipients, ctime)
      values
        (${appid}, ${notificationId}, ${notification.title}, ${notification.text}, ${notification.navigateType},
         ${notification.url}, ${notification.link}, ${notification.language}, ${notification.skipped},
         ${notification.off}, ${notification.overLimit}, ${uids.length}, ${ctime})
      returning appid, notification_id, ctime)
    insert into inbox (uid, appid, notification_id, ctime)
    select uid, appid, notification_id, ctime from notification, unnest(${uids as number[]}::bigint[]) as uid`
}

/** Returns a page of an inbox, newest first, after the notificationId `before`, of the given mini apps. */
export async function listInbox(
  sql: Sql,
  uid: number,
  { before, appids = 'all' }: { before?: string | undefined; appids?: 'all' | string[] },
): Promise<InboxRow[]> {
  return sql<InboxRow[]>`
    select
      notification_id, appid, page.app_name, title, text,
      navigate_type, url, link, language, page.read, page.ctime
    from (
      select
        inbox.notification_id, inbox.appid, apps.name as app_name, inbox.read_at is not null as read, inbox.ctime
      from inbox join apps using (appid)
      where uid = ${uid} and deleted_time is null
        ${appids === 'all' ? sql`` : sql`and appid = any(${appids})`}
        ${
          before === undefined
            ? sql``
            : sql`and (inbox.ctime, notification_id) <
                (select ctime, notification_id from inbox where uid = ${uid} and notification_id = ${before})`
        }
      order by inbox.ctime desc, notification_id desc
      limit ${pageSize}
    ) as page
    join notifications using (appid, notification_id)
    order by page.ctime desc, notification_id desc`
}

/** A notification with its number of recipients; null if they were not counted. */
export interface SentNotification extends Notification {
  appName: string
  appIconUrl: string | null
  recipients: number | null
}

/** Returns the notifications of these apps, newest first, after the notificationId `before`. Uses one index per app. */
export function listNotifications(
  sql: Sql,
  appids: readonly string[],
  { before, limit, isTotal }: { before: string | undefined; limit: number; isTotal: boolean },
): Rows<SentNotification> {
  const ofApp = (most: number) => sql`
    select * from notifications
    where appid = list.appid ${before === undefined ? sql`` : sql`and notification_id < ${before}`}
    order by notification_id desc limit ${most}`
  const lists = listsOfPage(sql, {
    lists: sql`unnest(${appids as string[]}::text[]) as list (appid)`,
    count: appids.length,
    first: ofApp(1),
    order: sql`head.notification_id desc`,
    limit,
  })
  return sql<SentNotification[]>`
    select
      n.notification_id, n.appid, apps.name as app_name, apps.icon_url as app_icon_url, n.title, n.text,
      n.navigate_type, n.url, n.link, n.language, n.skipped, n.users_off as off,
      n.users_over_limit as over_limit, n.recipients, n.ctime
    from ${lists} cross join lateral (${ofApp(limit)}) n join apps on apps.appid = n.appid
    ${mergedOrder(sql, isTotal, sql`n.notification_id desc`)}
    limit ${limit}`
}

/** Returns false if the user does not have the notification. */
export async function updateRead(sql: Sql, uid: number, notificationId: string, time: number): Promise<boolean> {
  const { count } = await sql`
    update inbox set read_at = coalesce(read_at, ${time})
    where uid = ${uid} and notification_id = ${notificationId}`
  return count === 1
}
