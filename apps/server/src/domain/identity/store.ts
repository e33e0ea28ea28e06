import type { Sql, Tx } from '../../kernel/db/pool.ts'
import { hex, newOpaqueId } from '../../kernel/id.ts'

/** A host user as the host application shows it. Everything but uid and nickName may be missing. */
export interface User {
  uid: number
  nickName: string
  avatar: string | null
  email: string | null
  country: string | null
  phone: string | null
}

/** The user with this uid. */
export async function findUser(sql: Sql | Tx, uid: number): Promise<User | undefined> {
  const [user] = await sql<User[]>`
    select uid, nickname as "nickName", avatar, email, country, phone from users where uid = ${uid}`
  return user
}

export async function insertUser(sql: Sql | Tx, user: Omit<User, 'uid'>, now: number): Promise<number> {
  const [row] = await sql<[{ uid: number }]>`
    insert into users (nickname, avatar, email, country, phone, ctime)
    values (${user.nickName}, ${user.avatar}, ${user.email}, ${user.country}, ${user.phone}, ${now})
    returning uid`
  return row.uid
}

export async function listUserSummaries(sql: Sql): Promise<Pick<User, 'uid' | 'nickName' | 'avatar'>[]> {
  return sql<Pick<User, 'uid' | 'nickName' | 'avatar'>[]>`
    select uid, nickname as "nickName", avatar from users order by uid`
}

/**
 * The openId of a user under a mini app (open-api §2.4), created on first use. Callers that race for it get the same
 * one. The user and the mini app must exist.
 */
export async function ensureOpenId(tx: Sql | Tx, appid: string, uid: number): Promise<string> {
  const select = () => tx<{ openId: string }[]>`
    select open_id as "openId" from open_ids where uid = ${uid} and appid = ${appid}`
  let [row] = await select()
  if (row === undefined) {
    await tx`
      insert into open_ids (appid, open_id, uid) values (${appid}, ${newOpaqueId()}, ${uid})
      on conflict (uid, appid) do nothing`
    // Whoever came first, its row is committed by now or is our own.
    ;[row] = await select()
  }
  return hex(row!.openId)
}

/**
 * The unionId of a user (open-api §2.4): one per project, so that it links the mini apps of one owner. Created on first
 * use; callers that race for it get the same one. `projectId` is 32 hexadecimal digits.
 */
export async function ensureUnionId(tx: Sql | Tx, projectId: string, uid: number): Promise<string> {
  const select = () => tx<{ unionId: string }[]>`
    select union_id as "unionId" from union_ids where project_id = ${projectId} and uid = ${uid}`
  let [row] = await select()
  if (row === undefined) {
    await tx`
      insert into union_ids (project_id, uid, union_id) values (${projectId}, ${uid}, ${newOpaqueId()})
      on conflict (project_id, uid) do nothing`
    ;[row] = await select()
  }
  return hex(row!.unionId)
}

const OPEN_ID = /^[0-9a-f]{32}$/

/** The users behind openIds of a mini app, by openId. What is unknown, another app's or no openId at all is left out. */
export async function listUsersByOpenId(
  sql: Sql | Tx,
  appid: string,
  openIds: readonly string[],
): Promise<Map<string, number>> {
  // Text of another form would fail the cast, and with it the whole query.
  const wellFormed = openIds.filter((openId) => OPEN_ID.test(openId))
  const rows = await sql<{ openId: string; uid: number }[]>`
    select open_id as "openId", uid from open_ids where appid = ${appid} and open_id = any(${wellFormed}::uuid[])`
  return new Map(rows.map(({ openId, uid }) => [hex(openId), uid]))
}

/** The openIds that a mini app has given to these users so far. */
export async function listOpenIds(sql: Sql, appid: string, uids: readonly number[]): Promise<string[]> {
  const rows = await sql<{ openId: string }[]>`
    select open_id as "openId" from open_ids where appid = ${appid} and uid = any(${uids as number[]}::bigint[])`
  return rows.map(({ openId }) => hex(openId))
}

/** The openIds of these users under a mini app, created where they are missing; users that do not exist are left out. */
export async function ensureOpenIds(sql: Sql, appid: string, uids: readonly number[]): Promise<string[]> {
  const fresh = uids.map(() => newOpaqueId())
  await sql`
    insert into open_ids (appid, open_id, uid)
    select ${appid}, open_id, uid
    from unnest(${fresh}::uuid[], ${uids as number[]}::bigint[]) as wanted (open_id, uid) join users using (uid)
    on conflict (uid, appid) do nothing`
  return listOpenIds(sql, appid, uids)
}

/** Users with all that is known of them, newest first: those made before the user `before`. */
export async function listUserRows(
  sql: Sql,
  before: number | undefined,
  limit: number,
): Promise<(Omit<User, 'nickName'> & { nickname: string; ctime: number })[]> {
  return sql<(Omit<User, 'nickName'> & { nickname: string; ctime: number })[]>`
    select uid, nickname, avatar, email, country, phone, ctime from users
    ${before === undefined ? sql`` : sql`where uid < ${before}`} order by uid desc limit ${limit}`
}

/** Begins a session and forgets the user's ended ones; `undefined` when there is no such user. */
export async function insertSession(
  sql: Sql,
  session: { tokenHash: Buffer; uid: number; validUntil: number },
  now: number,
): Promise<User | undefined> {
  const [user] = await sql<User[]>`
    with ended as (
      delete from host_sessions where uid = ${session.uid} and valid_until <= ${now}
    ), begun as (
      insert into host_sessions (token_hash, uid, valid_until, ctime)
      select ${session.tokenHash}, uid, ${session.validUntil}, ${now} from users where uid = ${session.uid}
    )
    select uid, nickname as "nickName", avatar, email, country, phone from users where uid = ${session.uid}`
  return user
}

export async function deleteSession(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql`delete from host_sessions where token_hash = ${tokenHash}`
}

export async function findSessionUser(sql: Sql, tokenHash: Buffer, now: number): Promise<number | undefined> {
  const [row] = await sql<{ uid: number }[]>`
    select uid from host_sessions where token_hash = ${tokenHash} and valid_until > ${now}`
  return row?.uid
}
