import { type MessageLevel, maxListed } from '@souk/contract'
import type { Sql, Tx } from '../../kernel/db/pool.ts'

/** Returns the levels that these users have chosen for a mini app, by uid. */
export async function listLevels(
  tx: Tx,
  appid: string,
  uids: readonly number[],
): Promise<ReadonlyMap<number, MessageLevel>> {
  const rows = await tx<{ uid: number; level: MessageLevel }[]>`
    select uid, level from message_levels where appid = ${appid} and uid = any(${uids as number[]}::bigint[])`
  return new Map(rows.map(({ uid, level }) => [uid, level]))
}

/**
 * Counts a message for those of these users who may get another one on this day, and returns them; all of them without
 * a limit. Locks rows in a fixed order, so that concurrent senders do not deadlock.
 */
export async function countMessages(
  tx: Tx,
  appid: string,
  uids: readonly number[],
  day: number,
): Promise<ReadonlySet<number>> {
  const rows = await tx<{ uid: number }[]>`
    with setting as (select max_daily_messages as most from platform_settings),
      counted as (
        insert into message_counts as c (uid, appid, day, messages)
        select uid, ${appid}, ${day}, 1 from unnest(${uids as number[]}::bigint[]) as uid, setting
        where most is not null
        order by uid
        on conflict (uid, appid) do update set
          day = excluded.day, messages = case when c.day = excluded.day then c.messages + 1 else 1 end
          where c.day <> excluded.day or c.messages < (select most from setting)
        returning uid)
    select uid from counted
    union all
    select uid from unnest(${uids as number[]}::bigint[]) as uid, setting where most is null`
  return new Set(rows.map(({ uid }) => uid))
}

/** Returns undefined if the user has chosen no level. */
export async function findLevel(sql: Sql, appid: string, uid: number): Promise<MessageLevel | undefined> {
  const [row] = await sql<{ level: MessageLevel }[]>`
    select level from message_levels where appid = ${appid} and uid = ${uid}`
  return row?.level
}

/** Returns the mini apps that know a user or for which the user has chosen a level, by name. */
export async function listLevelsOfUser(
  sql: Sql,
  uid: number,
): Promise<{ appid: string; name: string; iconUrl: string | null; level: MessageLevel }[]> {
  return sql<{ appid: string; name: string; iconUrl: string | null; level: MessageLevel }[]>`
    select known.appid, a.name, a.icon_url, coalesce(l.level, 'on') as level
    from (
      select appid from open_ids where uid = ${uid} union select appid from message_levels where uid = ${uid}
    ) known
    join apps a using (appid)
    left join message_levels l on l.appid = known.appid and l.uid = ${uid}
    where a.deleted_time is null and (l.uid is not null or a.capabilities && '{notification,activity}')
    order by a.name, known.appid limit ${maxListed}`
}

/** Stores the level of a user. Returns false if the user is erased. Waits for messages that are being stored. */
export async function upsertLevel(
  tx: Tx,
  { appid, uid, level }: { appid: string; uid: number; level: MessageLevel },
  now: number,
): Promise<boolean> {
  const { count } = await tx`
    insert into message_levels (uid, appid, level, mtime)
    select uid, ${appid}, ${level}, ${now}::bigint
    from (select uid from users where uid = ${uid} and erased_time is null for update) as known_user
    on conflict (uid, appid) do update set level = excluded.level, mtime = excluded.mtime`
  return count === 1
}
