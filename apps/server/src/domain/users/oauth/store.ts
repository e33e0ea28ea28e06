import { builtInScopes, maxListed, minute } from '@souk/contract'
import { batchWritesByTick } from '../../../kernel/db/batchByTick.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

export interface NewCode {
  codeHash: Buffer
  appid: string
  uid: number
  scopes: readonly string[]
  tokenId: string
  validUntil: number
}

/** A page can log in as often as it likes, and must not fill the table. */
const maxCodes = 200

/**
 * Inserts a code and deletes the user's oldest surplus ones for the mini app. Those from before the clock of a sandbox
 * was set back are deleted first, as they would crowd out new ones. The clocks of two processes differ by less than a
 * minute.
 */
export async function insertCode(tx: Tx, code: NewCode, now: number): Promise<void> {
  await tx`
    with surplus as (
      delete from login_codes where code_hash in (
        select code_hash from login_codes where uid = ${code.uid} and appid = ${code.appid}
        order by ctime > ${now + minute}, ctime desc offset ${maxCodes - 1}))
    insert into login_codes (code_hash, appid, uid, scopes, token_id, valid_until, ctime)
    values (
      ${code.codeHash}, ${code.appid}, ${code.uid}, ${[...code.scopes]}::text[], ${code.tokenId}, ${code.validUntil}, ${now})`
}

/** A claim of a code. `now` is the time of the claim, in ms of the domain clock. `sign` is that of the request. */
export interface Claim {
  codeHash: Buffer
  appid: string
  sign: string
  scopes: readonly string[]
  now: number
}

export interface ClaimedCode {
  openId: string
  tokenId: string
  /** Those of the requested scopes that the code includes and the installation knows. */
  granted: string[]
}

/**
 * Marks a code as used, with the granted scopes, if it belongs to the app, is unused and unexpired, and has one of the
 * requested scopes; codes of one event-loop tick with one statement. Of concurrent callers only one gets a result.
 */
export const claimCode = batchWritesByTick<Claim, ClaimedCode | undefined>(async (sql, claims) => {
  const requested = claims.map(({ codeHash, ...claim }) => ({ ...claim, codeHash: codeHash.toString('hex') }))
  const granted = sql`array(
    select scope from unnest(claim.scopes) requested (scope)
    where (scope = any(c.scopes)
        -- With consent, user.info includes the e-mail address, so that it also permits user.email.
        or (scope = 'user.email' and 'user.info' = any(c.scopes) and exists (
          select from consents where appid = c.appid and uid = c.uid and 'user.email' = any(scopes))))
      and (scope = any(${[...builtInScopes]}) or exists (
        select from user_scopes known where known.scope = requested.scope)))`
  const claimed = await sql<(ClaimedCode & { position: number })[]>`
    update login_codes c set used_at = now, used_sign = decode(claim.sign, 'hex'), scopes = ${granted}
    from rows from (jsonb_to_recordset(${sql.json(requested as never)}) as (
        "codeHash" text, appid text, sign text, scopes text[], now bigint))
      with ordinality as claim (code_hash, appid, sign, scopes, now, position), open_ids o
    where c.code_hash = decode(claim.code_hash, 'hex')
      and c.appid = claim.appid
      and c.used_at is null
      and c.valid_until > now
      and ${granted} <> '{}'
      and o.uid = c.uid and o.appid = c.appid
    returning position, o.open_id, c.token_id, c.scopes as granted`
  const byPosition = new Map(claimed.map(({ position, ...code }) => [position, code]))
  return claims.map((_, index) => byPosition.get(index + 1))
})

export interface CodeState {
  appid: string
  /** Of a used code: those that were granted. */
  scopes: string[]
  tokenId: string
  validUntil: number
  usedAt: number | null
  /** Of the request that exchanged it, 64 hex digits; null for those that an earlier version exchanged. */
  usedSign: string | null
  /** The user's openId under the appid; null if the user has been erased. */
  openId: string | null
  /** Whether the token issued for it has been revoked. */
  revoked: boolean
}

export async function findCode(sql: Sql, codeHash: Buffer): Promise<CodeState | undefined> {
  const [row] = await sql<CodeState[]>`
    select
      c.appid, c.scopes, c.token_id, c.valid_until, c.used_at, encode(c.used_sign, 'hex') as used_sign, o.open_id,
      exists (select from revoked_tokens r where r.token_id = c.token_id) as revoked
    from login_codes c left join open_ids o on o.uid = c.uid and o.appid = c.appid
    where c.code_hash = ${codeHash}`
  return row
}

/** Expires unexchanged codes of a user and app whose scopes need consent at `end`, unless they expire earlier. */
export async function updateConsentedCodesEnd(tx: Tx, appid: string, uid: number, end: number): Promise<void> {
  await tx`
    update login_codes set valid_until = least(valid_until, ${end}::bigint)
    where appid = ${appid} and uid = ${uid} and used_at is null
      and not scopes <@ (array['user.info'] || array(select scope from user_scopes where not requires_consent))`
}

/** Deletes a batch of codes that expired before `before`. Returns whether there may be more. */
export async function deleteCodes(sql: Sql, before: number): Promise<boolean> {
  const batchSize = 10_000
  const { count } = await sql`
    delete from login_codes where code_hash in (
      select code_hash from login_codes where valid_until < ${before} order by valid_until limit ${batchSize})`
  return count === batchSize
}

/** Revokes a token. `validUntil` is the expiry of the token, after which the revocation can be deleted. */
export async function insertRevocation(sql: Sql, tokenId: string, validUntil: number): Promise<void> {
  await sql`
    insert into revoked_tokens (token_id, valid_until) values (${tokenId}, ${validUntil})
    on conflict (token_id) do nothing`
}

export async function deleteRevocations(sql: Sql, before: number): Promise<void> {
  await sql`delete from revoked_tokens where valid_until < ${before}`
}

/** Selects a user who is not erased, and locks it before its consent, as erasing a user does. */
const lockedUser = (sql: Sql | Tx, uid: number) => sql`
  (select uid from users where uid = ${uid} and erased_time is null for key share) as known_user`

/** Records that a mini app knows a user. Leaves an existing consent unchanged. */
export async function insertConsent(tx: Tx, appid: string, uid: number, now: number): Promise<void> {
  await tx`
    insert into consents (appid, uid, scopes, mtime)
    select ${appid}, uid, '{}', ${now}::bigint from ${lockedUser(tx, uid)}
    on conflict (appid, uid) do nothing`
}

/** Records that the user has dismissed the notice of a mini app. */
export async function updateNotice(sql: Sql, appid: string, uid: number, now: number): Promise<void> {
  await sql`
    insert into consents (appid, uid, scopes, mtime, notice_dismissed_at)
    select ${appid}, uid, '{}', ${now}::bigint, ${now}::bigint from ${lockedUser(sql, uid)}
    on conflict (appid, uid) do update set notice_dismissed_at = excluded.notice_dismissed_at`
}

/** Adds scopes to the consent of a user for a mini app. */
export async function upsertConsent(
  tx: Tx,
  appid: string,
  uid: number,
  scopes: readonly string[],
  now: number,
): Promise<void> {
  await tx`
    insert into consents (appid, uid, scopes, mtime)
    select ${appid}, uid, ${[...scopes]}::text[], ${now}::bigint from ${lockedUser(tx, uid)}
    on conflict (appid, uid) do update set
      scopes = array(select distinct scope from unnest(consents.scopes || excluded.scopes) scope order by scope),
      mtime = excluded.mtime`
}

/** Scopes that a user has granted to a mini app: user.phone, user.email, those of the operator, or none. */
export interface Consent {
  scopes: string[]
  noticeDismissed: boolean
}

/** Returns undefined if the mini app does not know the user. */
export async function findConsent(sql: Sql, appid: string, uid: number): Promise<Consent | undefined> {
  const [row] = await sql<Consent[]>`
    select scopes, notice_dismissed_at is not null as notice_dismissed
    from consents where appid = ${appid} and uid = ${uid}`
  return row
}

export async function listConsentRows(
  sql: Sql,
  uid: number,
): Promise<{ appid: string; name: string; iconUrl: string | null; scopes: string[] }[]> {
  return sql<{ appid: string; name: string; iconUrl: string | null; scopes: string[] }[]>`
    select appid, a.name, a.icon_url, c.scopes
    from consents c join apps a using (appid) where c.uid = ${uid} and a.deleted_time is null order by a.name, appid
    limit ${maxListed}`
}

/** Deletes all consents of a user. */
export async function deleteConsents(tx: Tx, uid: number): Promise<void> {
  await tx`delete from consents where uid = ${uid}`
}

/**
 * Removes all scopes of the consent. Creates or keeps the row, so that a concurrent `upsertConsent` either has
 * committed with its codes or waits for this transaction to end.
 */
export async function upsertEmptyConsent(tx: Tx, appid: string, uid: number, now: number): Promise<void> {
  await tx`
    insert into consents (appid, uid, scopes, mtime)
    select ${appid}, uid, '{}', ${now}::bigint from ${lockedUser(tx, uid)}
    on conflict (appid, uid) do update set scopes = excluded.scopes, mtime = excluded.mtime`
}

/** The user and mini app of an access token. */
export interface TokenHolder {
  revoked: boolean
  appEnabled: boolean
  appArchived: boolean
  /** The scopes that the user has consented to by now. */
  consent: string[]
  nickName: string
  avatar: string | null
  email: string | null
  country: string | null
  phone: string | null
  unionId: string
  /** All fields of the operator's scopes, by name; null unless a scope of the token reveals a value. */
  attributes: Record<string, string | null>
}

export async function findTokenHolder(
  sql: Sql,
  token: { appid: string; openId: string; tokenId: string; scopes: readonly string[] },
): Promise<TokenHolder | undefined> {
  const [row] = await sql<TokenHolder[]>`
    select
      exists (select from revoked_tokens where token_id = ${token.tokenId}) as revoked,
      a.enabled as app_enabled,
      a.archived_time is not null as app_archived,
      coalesce(c.scopes, '{}') as consent,
      u.nickname as nick_name, u.avatar, u.email, u.country, u.phone,
      i.union_id,
      (select coalesce(json_object_agg(name, value), '{}') from (
        select field->>'name' as name, min(a.value) as value
        from user_scopes s cross join jsonb_array_elements(s.fields) field
        left join user_attributes a on a.uid = u.uid and a.claim = field->>'claim'
          and s.scope = any(${[...token.scopes]}) and (not s.requires_consent or s.scope = any(c.scopes))
        group by field->>'name') revealed) as attributes
    from open_ids o
    join apps a on a.appid = o.appid and a.deleted_time is null
    join users u on u.uid = o.uid and u.disabled_time is null and u.erased_time is null
    join union_ids i on i.project_id = a.project_id and i.uid = o.uid
    left join consents c on c.appid = o.appid and c.uid = o.uid
    where o.appid = ${token.appid} and o.open_id = ${token.openId}`
  return row
}
