import { minute } from '@souk/contract'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'
import { newOpaqueId } from '../../../kernel/id.ts'

/** Name of an erased user, where one must be shown. */
const erasedName = '–'

/** A user of the host application. Everything but uid and nickName is optional. */
export interface User {
  uid: number
  nickName: string
  avatar: string | null
  email: string | null
  country: string | null
  phone: string | null
}

export async function findUser(sql: Sql | Tx, uid: number): Promise<User | undefined> {
  const [user] = await sql<User[]>`
    select uid, nickname as nick_name, avatar, email, country, phone from users where uid = ${uid}`
  return user
}

/** Returns whether a user exists and can sign in: one that is disabled or erased cannot. */
export async function existsEnabledUser(sql: Sql, uid: number): Promise<boolean> {
  const rows = await sql`select from users where uid = ${uid} and disabled_time is null and erased_time is null`
  return rows.length > 0
}

export async function insertUser(sql: Sql | Tx, user: Omit<User, 'uid'>, now: number): Promise<number> {
  const [row] = await sql<[{ uid: number }]>`
    insert into users (nickname, avatar, email, country, phone, ctime)
    values (${user.nickName}, ${user.avatar}, ${user.email}, ${user.country}, ${user.phone}, ${now})
    returning uid`
  return row.uid
}

/** Profile of a company's user from the claims of a token. Null: the claim is absent. */
export type CompanyProfile = {
  [Key in 'nickName' | 'avatar' | 'email' | 'country' | 'phone' | 'locale']: string | null
}

/** Creates or updates the user of a company, and returns its uid. */
export async function upsertCompanyUser(
  tx: Tx,
  { issuer, subject }: { issuer: string; subject: string },
  user: CompanyProfile,
  now: number,
): Promise<number> {
  const [row] = await tx<[{ uid: number }]>`
    insert into users (issuer, subject, nickname, avatar, email, country, phone, locale, ctime)
    values (${issuer}, ${subject}, ${user.nickName ?? subject.slice(0, 64)}, ${user.avatar}, ${user.email},
      ${user.country}, ${user.phone}, ${user.locale}, ${now})
    on conflict (issuer, subject) do update set
      nickname = coalesce(${user.nickName}, users.nickname), avatar = coalesce(excluded.avatar, users.avatar),
      email = coalesce(excluded.email, users.email), country = coalesce(excluded.country, users.country),
      phone = coalesce(excluded.phone, users.phone), locale = coalesce(excluded.locale, users.locale)
    returning uid`
  return row.uid
}

export async function updateDisabledTime(tx: Tx, uid: number, time: number | null): Promise<void> {
  await tx`update users set disabled_time = ${time} where uid = ${uid}`
}

/** Deletes refresh tokens, sessions and login codes, in the order in which a sign-in ends. */
export async function deleteUserCredentials(tx: Tx, uid: number): Promise<void> {
  await tx`delete from host_refresh_tokens where uid = ${uid}`
  await tx`delete from host_sessions where uid = ${uid}`
  await tx`delete from login_codes where uid = ${uid}`
}

export async function updateProfileToErased(tx: Tx, uid: number, now: number): Promise<void> {
  await tx`
    update users set nickname = ${erasedName}, avatar = null, email = null, country = null, phone = null,
      locale = null, issuer = null, subject = null, disabled_time = null, erased_time = ${now}
    where uid = ${uid}`
}

/** Returns when a user was disabled, ms; null if it is enabled. */
export async function findDisabledTime(tx: Tx, uid: number): Promise<number | null> {
  const [row] = await tx<{ time: number | null }[]>`select disabled_time as time from users where uid = ${uid}`
  return row?.time ?? null
}

/** A sign-in at a provider. Null: the provider has not said it. */
export interface ProviderSession {
  issuerId: string
  /** The claim sub. */
  providerSubject: string | null
  /** The claim sid. */
  providerSession: string | null
  idToken: string | null
}

/** A family of refresh tokens. Only the newest one is valid. */
interface Family extends Omit<ProviderSession, 'idToken'> {
  familyId: string
  uid: number
  /** SHA-256 of the newest token. */
  tokenHash: Buffer
  validUntil: number
}

export async function insertFamily(tx: Tx, family: Family, now: number): Promise<void> {
  await tx`
    insert into host_refresh_tokens
      (family_id, issuer_id, provider_subject, provider_session, uid, token_hash, valid_until, ctime)
    values (${family.familyId}, ${family.issuerId}, ${family.providerSubject}, ${family.providerSession}, ${family.uid},
      ${family.tokenHash}, ${family.validUntil}, ${now})`
}

type LockedFamily = Pick<Family, 'uid' | 'tokenHash' | 'validUntil'>

/** Locks a family after its user, as disabling and erasing a user do, so that neither waits for the other. */
export async function lockFamily(tx: Tx, familyId: string): Promise<LockedFamily | undefined> {
  const [row] = await tx<LockedFamily[]>`
    with owner as materialized (
      select uid from users
      where uid = (select uid from host_refresh_tokens where family_id = ${familyId}) for no key update)
    select uid, token_hash, valid_until
    from host_refresh_tokens family join owner using (uid)
    where family_id = ${familyId} for update of family`
  return row
}

export async function updateFamily(
  tx: Tx,
  { familyId, tokenHash, validUntil }: Pick<Family, 'familyId' | 'tokenHash' | 'validUntil'>,
): Promise<void> {
  await tx`
    update host_refresh_tokens set token_hash = ${tokenHash}, valid_until = ${validUntil}
    where family_id = ${familyId}`
}

/** Deletes a family with its sessions. */
export async function deleteFamily(tx: Tx, familyId: string): Promise<void> {
  await tx`delete from host_refresh_tokens where family_id = ${familyId}`
}

/** Deletes the family of a session, or the session if it has none. */
export async function deleteFamilyOfSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx`
    delete from host_refresh_tokens where family_id = (
      select family_id from host_sessions where token_hash = ${tokenHash})`
  await tx`delete from host_sessions where token_hash = ${tokenHash}`
}

/** Deletes the families of a user that have expired, and surplus ones. */
export async function deleteIdleFamilies(tx: Tx, uid: number, now: number): Promise<void> {
  await tx`
    delete from host_refresh_tokens where uid = ${uid} and (valid_until <= ${now} or family_id in (
      select family_id from host_refresh_tokens where uid = ${uid}
      ${newestFirst(tx, now)} offset ${maxSessions - 1}))`
}

export async function listUserSummaries(sql: Sql, limit: number): Promise<Pick<User, 'uid' | 'nickName' | 'avatar'>[]> {
  return sql<Pick<User, 'uid' | 'nickName' | 'avatar'>[]>`
    select uid, nick_name, avatar from (
      select uid, nickname as nick_name, avatar from users
      where issuer is null and disabled_time is null and erased_time is null order by uid desc limit ${limit}
    ) newest
    order by uid`
}

/**
 * Returns the openId of a user under a mini app (open-api §2.4), created on first use. Concurrent callers get the same
 * one. The user and the mini app must exist.
 */
export async function upsertOpenId(tx: Sql | Tx, appid: string, uid: number): Promise<string> {
  const select = () => tx<{ openId: string }[]>`
    select open_id from open_ids where uid = ${uid} and appid = ${appid}`
  let [row] = await select()
  if (row === undefined) {
    await tx`
      insert into open_ids (appid, open_id, uid) values (${appid}, ${newOpaqueId()}, ${uid})
      on conflict (uid, appid) do nothing`
    // On a conflict, the row of the other transaction is committed by now.
    ;[row] = await select()
  }
  return row!.openId
}

/**
 * Returns the unionId of a user, created on first use (open-api §2.4). There is one per project, so that it links the
 * mini apps of one owner. Concurrent callers get the same one. `projectId` is 32 hexadecimal digits.
 */
export async function upsertUnionId(tx: Sql | Tx, projectId: string, uid: number): Promise<string> {
  const select = () => tx<{ unionId: string }[]>`
    select union_id from union_ids where project_id = ${projectId} and uid = ${uid}`
  let [row] = await select()
  if (row === undefined) {
    await tx`
      insert into union_ids (project_id, uid, union_id) values (${projectId}, ${uid}, ${newOpaqueId()})
      on conflict (project_id, uid) do nothing`
    ;[row] = await select()
  }
  return row!.unionId
}

/** Sessions of a user. In a sandbox anyone can sign in as any user, and must not fill the table. */
const maxSessions = 50

/**
 * Orders sign-ins. Those from before the clock of a sandbox was set back come last, as they would crowd out new ones.
 * The clocks of two processes differ by less than a minute.
 */
const newestFirst = (sql: Sql | Tx, now: number) => sql`order by ctime > ${now + minute}, ctime desc`

const openIdPattern = /^[0-9a-f]{32}$/

/** Returns uids by openId for a mini app. Omits unknown and malformed openIds and those of other mini apps. */
export async function listUsersByOpenId(
  sql: Sql | Tx,
  appid: string,
  openIds: readonly string[],
): Promise<Map<string, number>> {
  // A malformed openId would fail the cast, and with it the whole query.
  const wellFormed = openIds.filter((openId) => openIdPattern.test(openId))
  const rows = await sql<{ openId: string; uid: number }[]>`
    select open_id, uid from open_ids join users using (uid)
    where appid = ${appid} and open_id = any(${wellFormed}::uuid[]) and erased_time is null`
  return new Map(rows.map(({ openId, uid }) => [openId, uid]))
}

/**
 * Locks those of these users who are not erased, so that none of them is before the transaction ends, and returns them.
 * Before what belongs to them, as erasing a user does.
 */
export async function lockUsers(tx: Tx, uids: readonly number[]): Promise<number[]> {
  const rows = await tx<{ uid: number }[]>`
    select uid from users where uid = any(${uids as number[]}::bigint[]) and erased_time is null
    order by uid for key share`
  return rows.map(({ uid }) => uid)
}

/** Returns the existing openIds of these users under a mini app. */
export async function listOpenIds(sql: Sql, appid: string, uids: readonly number[]): Promise<string[]> {
  const rows = await sql<{ openId: string }[]>`
    select open_id from open_ids where appid = ${appid} and uid = any(${uids as number[]}::bigint[])`
  return rows.map(({ openId }) => openId)
}

/** Returns openIds under a mini app, in their order, after the openId `after`. Erased users are omitted. */
export async function listOpenIdsAfter(
  sql: Sql,
  appid: string,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ openId: string }[]>`
    select open_id from open_ids join users using (uid)
    where appid = ${appid} and erased_time is null
      ${after === undefined ? sql`` : sql`and open_id > ${after}::uuid`}
    order by open_id limit ${limit}`
  return rows.map(({ openId }) => openId)
}

/** Returns the openIds under a mini app of users with a phone number who have consented to share it. */
export async function listOpenIdsByPhone(
  sql: Sql,
  appid: string,
  { country, phone }: { country: string; phone: string },
): Promise<string[]> {
  const rows = await sql<{ openId: string }[]>`
    select o.open_id
    from users u join open_ids o on o.uid = u.uid and o.appid = ${appid}
    join consents c on c.uid = u.uid and c.appid = o.appid and 'user.phone' = any(c.scopes)
    where u.phone = ${phone} and u.country = ${country} and u.erased_time is null limit 500`
  return rows.map(({ openId }) => openId)
}

/** Returns the openIds of these users under a mini app and creates missing ones. Omits unknown users. */
export async function upsertOpenIds(sql: Sql, appid: string, uids: readonly number[]): Promise<string[]> {
  const newOpenIds = uids.map(() => newOpaqueId())
  await sql`
    insert into open_ids (appid, open_id, uid)
    select ${appid}, open_id, uid
    from unnest(${newOpenIds}::uuid[], ${uids as number[]}::bigint[]) as wanted (open_id, uid) join users using (uid)
    on conflict (uid, appid) do nothing`
  return listOpenIds(sql, appid, uids)
}

/** Returns full profiles of the users created before the user `before`, newest first, without erased ones. */
export function listUserRows(
  sql: Sql,
  before: number | undefined,
  limit: number,
): Rows<Omit<User, 'nickName'> & { nickname: string; ctime: number }> {
  return sql<(Omit<User, 'nickName'> & { nickname: string; ctime: number })[]>`
    select uid, nickname, avatar, email, country, phone, ctime from users
    where erased_time is null ${before === undefined ? sql`` : sql`and uid < ${before}`} order by uid desc limit ${limit}`
}

/**
 * Starts a session, deletes the user's ended and surplus ones and returns the user, or `undefined` if it does not
 * exist or is disabled.
 */
export async function insertSession(
  tx: Tx,
  session: { tokenHash: Buffer; uid: number; validUntil: number; familyId?: string } & Partial<ProviderSession>,
  now: number,
): Promise<User | undefined> {
  // Waits for a transaction that disables or erases the user, and for other sign-ins, which could exceed the limit.
  const [user] = await tx<User[]>`
    select uid, nickname as nick_name, avatar, email, country, phone from users
    where uid = ${session.uid} and disabled_time is null and erased_time is null for no key update`
  if (user === undefined) return undefined
  await tx`
    delete from host_sessions where uid = ${session.uid} and (valid_until <= ${now} or token_hash in (
      select token_hash from host_sessions where uid = ${session.uid} and valid_until > ${now}
      ${newestFirst(tx, now)} offset ${maxSessions - 1}))`
  await tx`
    insert into host_sessions
      (token_hash, uid, valid_until, family_id, issuer_id, provider_subject, provider_session, id_token, ctime)
    values (${session.tokenHash}, ${session.uid}, ${session.validUntil}, ${session.familyId ?? null}::uuid,
      ${session.issuerId ?? null}::uuid, ${session.providerSubject ?? null}, ${session.providerSession ?? null},
      ${session.idToken ?? null}, ${now})`
  return user
}

export async function deleteSession(
  sql: Sql,
  tokenHash: Buffer,
): Promise<Pick<ProviderSession, 'issuerId' | 'idToken'> | undefined> {
  const [row] = await sql<{ issuerId: string | null; idToken: string | null }[]>`
    delete from host_sessions where token_hash = ${tokenHash}
    returning issuer_id, id_token`
  return row?.issuerId ? { issuerId: row.issuerId, idToken: row.idToken } : undefined
}

/**
 * Ends the sessions of a provider's session, and the user's sessions that do not name one; all sessions of the user if
 * no session is given. Returns the number of sign-ins that ended.
 */
export async function deleteProviderSessions(
  tx: Tx,
  ended: { issuer: string; providerSubject: string | undefined; providerSession: string | undefined },
): Promise<number> {
  const { issuer, providerSubject: subject = null, providerSession: session = null } = ended
  const condition = tx`
    issuer_id in (select issuer_id from issuers where issuer = ${issuer}) and (
      provider_session = ${session}
      or (provider_subject = ${subject} and (provider_session is null or ${session}::text is null)))`
  const families = await tx`delete from host_refresh_tokens where ${condition}`
  const sessions = await tx`delete from host_sessions where ${condition}`
  return families.count + sessions.count
}

export async function findSessionUser(sql: Sql, tokenHash: Buffer, now: number): Promise<number | undefined> {
  const [row] = await sql<{ uid: number }[]>`
    select uid from host_sessions where token_hash = ${tokenHash} and valid_until > ${now}`
  return row?.uid
}
