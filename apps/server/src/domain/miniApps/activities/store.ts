import { listsOfPage, mergedOrder } from '../../../kernel/db/page.ts'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

/** An activity message. Times are in ms of the domain clock. */
export interface Activity {
  appid: string
  activityId: string
  color: string
  templateId: string
  title: string
  text: string
  iconUrl: string
  path: string | null
  language: string
  validUntil: number
  mtime: number
}

/** An activity message on a home page. */
export interface HomeRow extends Activity {
  appName: string
}

/** Maximum number of messages on a home page, so that one mini app cannot make the response grow without limit. */
const maxHomeSize = 100

/**
 * Stores the message for each recipient (openId to uid), replaces one with the same key, and returns the uids. Locks
 * rows in a fixed order, so that concurrent senders of the same message do not deadlock.
 */
export async function upsertActivities(
  tx: Tx,
  recipients: ReadonlyMap<string, number>,
  activity: Activity,
): Promise<number[]> {
  await tx`
    insert into activities
      (appid, activity_id, open_id, uid, color, template_id, title, text, icon_url, path, language,
       valid_until, ctime, mtime)
    select
      ${activity.appid}, ${activity.activityId}, open_id, uid, ${activity.color}, ${activity.templateId},
      ${activity.title}, ${activity.text}, ${activity.iconUrl}, ${activity.path}, ${activity.language},
      ${activity.validUntil}, ${activity.mtime}, ${activity.mtime}
    from unnest(${[...recipients.keys()]}::uuid[], ${[...recipients.values()]}::bigint[]) as recipient (open_id, uid)
    order by open_id
    on conflict (appid, activity_id, open_id) do update set
      color = excluded.color, template_id = excluded.template_id, title = excluded.title, text = excluded.text,
      icon_url = excluded.icon_url, path = excluded.path, language = excluded.language,
      valid_until = excluded.valid_until, mtime = excluded.mtime`
  return [...recipients.values()]
}

/**
 * Deletes the message of each recipient and returns the uids of those that had it. Locks in the order of the upsert.
 */
export async function deleteActivities(
  tx: Tx,
  appid: string,
  activityId: string,
  recipients: ReadonlyMap<string, number>,
): Promise<number[]> {
  const rows = await tx<{ uid: number }[]>`
    with removed as (
      select appid, activity_id, open_id from activities
      where appid = ${appid} and activity_id = ${activityId} and open_id = any(${[...recipients.keys()]}::uuid[])
      order by open_id
      for update)
    delete from activities using removed
    where activities.appid = removed.appid and activities.activity_id = removed.activity_id
      and activities.open_id = removed.open_id
    returning uid`
  return rows.map((row) => row.uid)
}

/** Returns those of these openIds that have the message at `now`. */
export async function listShown(
  tx: Tx,
  { appid, activityId, openIds }: { appid: string; activityId: string; openIds: readonly string[] },
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ openId: string }[]>`
    select open_id from activities
    where appid = ${appid} and activity_id = ${activityId} and open_id = any(${openIds as string[]}::uuid[])
      and valid_until > ${now}`
  return new Set(rows.map(({ openId }) => openId))
}

/** Deletes the messages of a mini app to a user and returns their activityIds. */
export async function deleteActivitiesOfUser(tx: Tx, appid: string, uid: number): Promise<string[]> {
  const rows = await tx<{ activityId: string }[]>`
    delete from activities where appid = ${appid} and uid = ${uid} returning activity_id`
  return rows.map(({ activityId }) => activityId)
}

/** Returns the messages on a home page at `now`, newest first, of the given mini apps that users can open. */
export async function listActivities(
  sql: Sql,
  uid: number,
  now: number,
  appids: 'all' | string[] = 'all',
): Promise<HomeRow[]> {
  return sql<HomeRow[]>`
    select
      appid, apps.name as app_name, activity_id, color, template_id, title, text,
      activities.icon_url, path, language, valid_until, mtime
    from activities join apps using (appid)
    where uid = ${uid} and valid_until > ${now} and enabled and archived_time is null
      ${appids === 'all' ? sql`` : sql`and appid = any(${appids})`}
    order by mtime desc, activity_id desc
    limit ${maxHomeSize}`
}

/** A sent activity message with the number of home pages that show it. */
export interface SentActivity extends HomeRow {
  appIconUrl: string | null
  recipients: number
}

/**
 * Returns the sends of these apps that are visible at `now`, newest first. All rows of a send have one mtime, and the
 * query skips along the index from send to send, so that its cost does not depend on the number of home pages.
 */
export function listSends(
  sql: Sql,
  appids: readonly string[],
  {
    now,
    before,
    limit,
    isTotal,
  }: {
    now: number
    before: { mtime: number; activityId: string; appid: string } | undefined
    limit: number
    isTotal: boolean
  },
): Rows<SentActivity> {
  const newest = sql`
    select mtime, activity_id from activities
    where appid = list.appid and valid_until > ${now}
      ${
        before === undefined
          ? sql``
          : sql`and (mtime, activity_id, appid) < (${before.mtime}, ${before.activityId}, ${before.appid})`
      }
    order by mtime desc, activity_id desc limit 1`
  const lists = listsOfPage(sql, {
    lists: sql`unnest(${appids as string[]}::text[]) as list (appid)`,
    count: appids.length,
    first: newest,
    order: sql`head.mtime desc, head.activity_id desc, list.appid desc`,
    limit,
  })
  return sql<SentActivity[]>`
    with sends as materialized (
      select list.appid, s.mtime, s.activity_id
      from ${lists} cross join lateral (
        with recursive walk as (
          (${newest})
          union all
          select older.mtime, older.activity_id from walk cross join lateral (
            select mtime, activity_id from activities
            where appid = list.appid and valid_until > ${now}
              and (mtime, activity_id) < (walk.mtime, walk.activity_id)
            order by mtime desc, activity_id desc limit 1
          ) older
        )
        select mtime, activity_id from walk limit ${limit}
      ) s
      ${mergedOrder(sql, isTotal, sql`s.mtime desc, s.activity_id desc, list.appid desc`)}
      limit ${limit}
    )
    select
      a.appid, apps.name as app_name, apps.icon_url as app_icon_url, a.activity_id, a.color, a.template_id, a.title,
      a.text, a.icon_url, a.path, a.language, a.valid_until, a.mtime, counted.recipients
    from sends
      join apps using (appid)
      cross join lateral (
        select * from activities
        where appid = sends.appid and mtime = sends.mtime and activity_id = sends.activity_id limit 1
      ) a
      cross join lateral (
        select count(*)::integer as recipients from activities
        where appid = sends.appid and mtime = sends.mtime and activity_id = sends.activity_id
      ) counted
    order by a.mtime desc, a.activity_id desc, a.appid desc`
}

/** Deletes expired messages, without those that others have locked, to replace or to delete them. */
export async function deleteExpired(sql: Sql, now: number): Promise<void> {
  await sql`
    delete from activities where (appid, activity_id, open_id) in (
      select appid, activity_id, open_id from activities where valid_until <= ${now} for update skip locked)`
}
