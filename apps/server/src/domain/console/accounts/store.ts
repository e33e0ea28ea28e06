import type { ConsoleLanguage, consoleOperations, PendingSignIn, ResultOf } from '@souk/contract'
import { isDatabaseError } from '../../../kernel/db/databaseError.ts'
import { containsText, directionOf, scannedRows } from '../../../kernel/db/page.ts'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

/** An account as the console shows it. `ctime` is real time in ms. */
export interface Account {
  accountId: string
  username: string
  name: string
  language: ConsoleLanguage
  administrator: boolean
  ctime: number
}

const columns = (sql: Sql | Tx) => sql`
  accounts.account_id, username, name, language, administrator, accounts.ctime`

export async function findAccount(sql: Sql | Tx, accountId: string): Promise<Account | undefined> {
  const [row] = await sql<Account[]>`select ${columns(sql)} from accounts where account_id = ${accountId}`
  return row
}

/** Why and since when a sign-on provider's answer has suspended an account (ADR 353). */
export type Suspension = NonNullable<ResultOf<typeof consoleOperations.listAccounts>['items'][number]['suspension']>

const suspension = (sql: Sql | Tx) => sql`
  case when suspended_time is not null then json_build_object(
    'reason', suspension_reason, 'claim', suspension_claim, 'since', suspended_time, 'deletionTime', suspension_end) end`

/** An account in the list of accounts. `lastSignIn` is real time in ms. */
export type ListedAccount = Account & {
  email: string | null
  enabled: boolean
  suspension: Suspension | null
  mayCreateProjects: boolean
  secondFactor: boolean
  lastSignIn: number | null
}

/** Returns the statement of a list of accounts. Identifiers are in the order of creation. */
export function listAccountRows(
  sql: Sql,
  {
    text,
    username,
    sort = '-ctime',
    before,
    limit,
  }: {
    text?: string | undefined
    username?: string | undefined
    sort?: string | undefined
    before?: { sortedName: string; accountId: string } | undefined
    limit: number
  },
): Rows<ListedAccount & { sortedName: string }> {
  const { direction, follows } = directionOf(sql, sort)
  const order = sort.endsWith('name') ? sql`lower(name), account_id` : sql`account_id`
  const position = before && (sort.endsWith('name') ? sql`${before.sortedName}, ${before.accountId}` : before.accountId)
  const newest = sql`(select * from accounts order by account_id desc limit ${scannedRows(1)}) accounts`
  return sql<(ListedAccount & { sortedName: string })[]>`
    select ${columns(sql)}, email, enabled, ${suspension(sql)} as suspension, may_create_projects,
      exists (select from account_passkeys p where p.account_id = accounts.account_id)
        or exists (select from account_totp t where t.account_id = accounts.account_id and t.enabled) as second_factor,
      last_sign_in, lower(name) as sorted_name
    from ${text === undefined ? sql`accounts` : newest}
    where ${text === undefined ? sql`true` : containsText(sql, text, sql`username, name, email`)}
      and ${username === undefined ? sql`true` : sql`username = ${username.toLowerCase()}`}
      and ${position === undefined ? sql`true` : sql`(${order}) ${follows} (${position})`}
    order by ${sort.endsWith('name') ? sql`lower(name) ${direction}, account_id` : sql`account_id`} ${direction}
    limit ${limit}`
}

/** Selects accounts that sign in at a provider of this installation, and have no password. */
const signsOn = (sql: Sql | Tx) => sql`
  exists (select from sign_on_providers provider where provider.issuer = a.sign_on_issuer)`

/** Returns whether an account signs in at a provider, and has no password. */
export async function existsSignOnProvider(sql: Sql | Tx, accountId: string): Promise<boolean> {
  const rows = await sql`select from accounts a where account_id = ${accountId} and ${signsOn(sql)}`
  return rows.length > 0
}

/**
 * Returns the active accounts with this lowercase user name or confirmed address that can have a password, at most
 * two.
 */
export async function listAccountsByNameOrEmail(
  sql: Sql,
  nameOrEmail: string,
): Promise<Pick<Account, 'accountId' | 'username'>[]> {
  return sql<Pick<Account, 'accountId' | 'username'>[]>`
    select account_id, username from accounts a
    where (username = ${nameOrEmail} or email = ${nameOrEmail}) and active and email is not null and not ${signsOn(sql)}`
}

/** Returns the confirmed address of an account. */
export async function findEmail(sql: Sql | Tx, accountId: string): Promise<string | undefined> {
  const [row] = await sql<{ email: string | null }[]>`select email from accounts where account_id = ${accountId}`
  return row?.email ?? undefined
}

/** Returns false if another account has the address; the transaction cannot continue then. */
export async function updateEmail(tx: Tx, accountId: string, email: string | null): Promise<boolean> {
  try {
    await tx`update accounts set email = ${email} where account_id = ${accountId}`
    return true
  } catch (error) {
    if (isDatabaseError(error) && error.constraint === 'accounts_email_key') return false
    throw error
  }
}

/** Stores an address to confirm and replaces an earlier one of the account. Times are real time in ms. */
export async function insertEmailConfirmation(
  tx: Tx,
  confirmation: { accountId: string; email: string; tokenHash: Buffer; validUntil: number; ctime: number },
): Promise<void> {
  await tx`
    insert into email_confirmations (account_id, email, token_hash, valid_until, ctime)
    values (${confirmation.accountId}, ${confirmation.email}, ${confirmation.tokenHash}, ${confirmation.validUntil},
      ${confirmation.ctime})
    on conflict (account_id) do update set
      email = excluded.email, token_hash = excluded.token_hash, valid_until = excluded.valid_until,
      ctime = excluded.ctime`
}

export async function findEmailConfirmation(
  sql: Sql | Tx,
  accountId: string,
  now: number,
): Promise<{ email: string; ctime: number } | undefined> {
  const [row] = await sql<{ email: string; ctime: number }[]>`
    select email, ctime from email_confirmations where account_id = ${accountId} and valid_until > ${now}`
  return row
}

/** Deletes the confirmation of an account with this token and returns its address. */
export async function claimEmailConfirmation(
  tx: Tx,
  accountId: string,
  tokenHash: Buffer,
  now: number,
): Promise<string | undefined> {
  const [row] = await tx<{ email: string }[]>`
    delete from email_confirmations
    where account_id = ${accountId} and token_hash = ${tokenHash} and valid_until > ${now} returning email`
  return row?.email
}

export async function deleteEmailConfirmation(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from email_confirmations where account_id = ${accountId}`
}

/** Returns the account with this lowercase username, with its password hash. */
export async function findAccountByUsername(
  sql: Sql,
  username: string,
): Promise<(Account & { password: string }) | undefined> {
  const [row] = await sql<(Account & { password: string })[]>`
    select ${columns(sql)}, password from accounts where username = ${username}`
  return row
}

export async function findPassword(
  sql: Sql,
  accountId: string,
): Promise<Pick<Account, 'username' | 'name'> & { password: string }> {
  const [row] = await sql<[Pick<Account, 'username' | 'name'> & { password: string }]>`
    select username, name, password from accounts where account_id = ${accountId}`
  return row
}

/** An account that is locked. `keepsPasskeys` if it may sign in with a passkey although it is suspended. */
export type LockedAccount = Account & {
  password: string
  enabled: boolean
  suspension: Suspension | null
  keepsPasskeys: boolean
}

/** Returns an account and locks it until the transaction ends. */
export async function lockAccount(tx: Tx, accountId: string): Promise<LockedAccount | undefined> {
  const [row] = await tx<LockedAccount[]>`
    select ${columns(tx)}, password, enabled, ${suspension(tx)} as suspension, suspension_passkeys as keeps_passkeys
    from accounts where account_id = ${accountId} for no key update`
  return row
}

/** Suspends an account, or changes the reason of its suspension; null ends it. */
export async function updateSuspension(
  tx: Tx,
  accountId: string,
  suspended: (Suspension & { keepsPasskeys: boolean }) | null,
): Promise<void> {
  await tx`
    update accounts set
      suspended_time = ${suspended?.since ?? null}, suspension_reason = ${suspended?.reason ?? null},
      suspension_claim = ${suspended?.claim ?? null}, suspension_end = ${suspended?.deletionTime ?? null},
      suspension_passkeys = ${suspended?.keepsPasskeys ?? false}
    where account_id = ${accountId}`
}

/** Returns the accounts whose suspension has ended, with their identity at the provider. */
export async function listEndedSuspensions(
  sql: Sql,
  now: number,
): Promise<{ accountId: string; issuer: string | null }[]> {
  return sql<{ accountId: string; issuer: string | null }[]>`
    select account_id, sign_on_issuer as issuer from accounts
    where suspension_end <= ${now} order by suspension_end limit 1000`
}

/** Returns the number of suspended accounts by reason. */
export async function countSuspended(sql: Sql): Promise<{ reason: Suspension['reason']; count: number }[]> {
  return sql<{ reason: Suspension['reason']; count: number }[]>`
    select suspension_reason as reason, count(*)::int as count from accounts where suspended_time is not null
    group by 1 order by 1`
}

/** Returns false if the account is already in this state. */
export async function updateEnabled(tx: Tx, accountId: string, enabled: boolean): Promise<boolean> {
  const { count } = await tx`
    update accounts set enabled = ${enabled} where account_id = ${accountId} and enabled <> ${enabled}`
  return count === 1
}

/** Locks all administrators, so that they cannot be removed concurrently, and returns the active ones. */
export async function lockAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx<{ accountId: string; active: boolean }[]>`
    select account_id, active from accounts where administrator
    order by account_id for no key update`
  return rows.filter(({ active }) => active).map(({ accountId }) => accountId)
}

/** Returns whether there is another active administrator. */
export async function existsOtherAdministrator(tx: Tx, accountId: string): Promise<boolean> {
  const rows = await tx`select from accounts where administrator and active and account_id <> ${accountId}`
  return rows.length > 0
}

/** Returns whether an operator has allowed the account to create projects. */
export async function findProjectPermission(sql: Sql | Tx, accountId: string): Promise<boolean> {
  const rows = await sql`select from accounts where account_id = ${accountId} and may_create_projects`
  return rows.length > 0
}

/** Returns false if the account does not exist. */
export async function updateProjectPermission(tx: Tx, accountId: string, allowed: boolean): Promise<boolean> {
  const { count } = await tx`update accounts set may_create_projects = ${allowed} where account_id = ${accountId}`
  return count === 1
}

/** Returns false if the username is taken. */
export async function insertAccount(tx: Tx, account: Account & { password: string }): Promise<boolean> {
  const { count } = await tx`
    insert into accounts (account_id, username, name, language, password, administrator, ctime)
    values (
      ${account.accountId}, ${account.username}, ${account.name}, ${account.language}, ${account.password},
      ${account.administrator}, ${account.ctime})
    on conflict (username) do nothing`
  return count === 1
}

/** Updates the given columns. */
export async function updateAccountRow(
  tx: Tx,
  accountId: string,
  change: { name?: string | undefined; language?: string | undefined; password?: string },
): Promise<Account> {
  const [row] = await tx<[Account]>`
    update accounts set
      name = coalesce(${change.name ?? null}, name), language = coalesce(${change.language ?? null}, language),
      password = coalesce(${change.password ?? null}, password)
    where account_id = ${accountId}
    returning ${columns(tx)}`
  return row
}

export async function updateLastSignIn(tx: Tx, accountId: string, now: number): Promise<void> {
  await tx`update accounts set last_sign_in = ${now} where account_id = ${accountId}`
}

/** Returns whether accounts can sign in with a password. */
export async function findPasswordSignIn(sql: Sql | Tx): Promise<boolean> {
  const [row] = await sql<[{ allowed: boolean }]>`select password_sign_in as allowed from platform_settings`
  return row.allowed
}

export async function existsAdministrator(sql: Sql | Tx): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`select exists (select from accounts where administrator) as found`
  return row.found
}

/** Returns the user name of the first administrator who can sign in. */
export async function findAdministratorName(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ username: string }[]>`
    select username from accounts where administrator and active order by account_id limit 1`
  return row?.username
}

/** Prevents concurrent setups through different links. */
export async function lockSetup(tx: Tx): Promise<void> {
  await tx`lock table setup_tokens in exclusive mode`
}

export async function insertSetupToken(sql: Sql, tokenHash: Buffer, now: number): Promise<void> {
  await sql`insert into setup_tokens (token_hash, ctime) values (${tokenHash}, ${now}) on conflict do nothing`
}

export async function existsSetupToken(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx`select from setup_tokens where token_hash = ${tokenHash}`
  return rows.length > 0
}

export async function deleteSetupTokens(sql: Sql | Tx): Promise<void> {
  await sql`delete from setup_tokens`
}

/** Origin of a session. */
interface SessionDevice {
  userAgent: string | null
  address: string | null
}

type ListedSession = ResultOf<typeof consoleOperations.listSessions>[number]

export interface SessionRow {
  accountId: string
  administrator: boolean
  validUntil: number
  ctime: number
  lastUsed: number
  /** True if it was started at a sign-on provider. */
  signOn: boolean
  confirmedAt: number | null
  pending: PendingSignIn | null
}

/** Sessions of an account, and as many sign-ins of it that are pending. */
const maxSessions = 100

/** Starts a session of a locked account, and ends surplus ones. */
export async function insertSession(
  tx: Tx,
  session: {
    tokenHash: Buffer
    accountId: string
    validUntil: number
    ctime: number
    confirmedAt: number | null
    pending: PendingSignIn | null
    signOnProviderId: string | null
  } & SessionDevice,
): Promise<void> {
  await tx`
    insert into account_sessions
      (token_hash, account_id, valid_until, user_agent, address, last_used, confirmed_at, pending, sign_on_provider_id, ctime)
    values (${session.tokenHash}, ${session.accountId}, ${session.validUntil}, ${session.userAgent}, ${session.address},
      ${session.ctime}, ${session.confirmedAt}, ${session.pending}, ${session.signOnProviderId},
      ${session.ctime})`
  await deleteSurplusSessions(tx, session.accountId, session.tokenHash, session.ctime)
}

/**
 * Deletes the sessions of a locked account that have ended, and of more than {@link maxSessions} those used longest
 * ago, but not the one with `tokenHash`. Pending sign-ins are counted separately: anyone who knows the password starts
 * them, and must not end sessions with a second factor.
 */
export async function deleteSurplusSessions(tx: Tx, accountId: string, tokenHash: Buffer, now: number): Promise<void> {
  await tx`
    delete from account_sessions where account_id = ${accountId} and (valid_until <= ${now} or token_hash in (
      select token_hash from (
        select token_hash, row_number() over (
          partition by pending is null
          order by token_hash = ${tokenHash} desc, coalesce(last_used, ctime) desc, token_hash) as place
        from account_sessions where account_id = ${accountId} and valid_until > ${now}
      ) ordered
      where place > ${maxSessions}))`
}

export async function findSession(sql: Sql, tokenHash: Buffer, now: number): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    select account_id, administrator, valid_until, s.ctime, coalesce(last_used, s.ctime) as last_used, confirmed_at,
      sign_on_provider_id is not null as sign_on,
      -- An installation that no longer requires a factor does not wait for one.
      case when pending <> 'enrolment' or (select demand_second_factor from platform_settings) then pending end as pending
    from account_sessions s join accounts using (account_id)
    where token_hash = ${tokenHash} and valid_until > ${now} and enabled
      -- A session that started before the suspension waits for its end.
      and (active or (suspension_passkeys and s.ctime > suspended_time))`
  return row
}

/** Records the use of a session. An unknown address leaves the one of the use before. */
export async function updateSession(
  sql: Sql,
  tokenHash: Buffer,
  use: { validUntil: number; lastUsed: number; address: string | null },
): Promise<void> {
  await sql`
    update account_sessions set valid_until = ${use.validUntil}, last_used = ${use.lastUsed},
      address = coalesce(${use.address}, address)
    where token_hash = ${tokenHash}`
}

/** Records that the account of a session has confirmed its identity, which completes its sign-in. */
export async function updateConfirmation(tx: Tx, tokenHash: Buffer, now: number): Promise<void> {
  await tx`update account_sessions set confirmed_at = ${now}, pending = nullif(pending, 'secondFactor')
    where token_hash = ${tokenHash}`
}

export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx`delete from account_sessions where token_hash = ${tokenHash}`
}

/** Returns the sessions of an account that have not ended, last used first. */
export async function listSessionRows(
  sql: Sql,
  accountId: string,
  now: number,
): Promise<
  (Omit<ListedSession, 'current' | 'browser' | 'system'> & { tokenHash: Buffer; userAgent: string | null })[]
> {
  return sql`
    select session_id, token_hash, user_agent,
      address, ctime, coalesce(last_used, ctime) as last_used, valid_until as expires
    from account_sessions where account_id = ${accountId} and valid_until > ${now}
    order by last_used desc, session_id`
}

export async function deleteSessionById(tx: Tx, accountId: string, sessionId: string): Promise<boolean> {
  const { count } = await tx`
    delete from account_sessions where account_id = ${accountId} and session_id = ${sessionId}`
  return count === 1
}

/** Deletes the sessions of an account except the one with `tokenHash`, and returns their number. */
export async function deleteSessionsExcept(tx: Tx, accountId: string, tokenHash: Buffer | null): Promise<number> {
  const { count } = await tx`
    delete from account_sessions where account_id = ${accountId} and token_hash is distinct from ${tokenHash}`
  return count
}

/** Deletes all tokens and links and all sessions of an account, except the session with `tokenHash`. */
export async function deleteCredentials(tx: Tx, accountId: string, tokenHash: Buffer | null): Promise<void> {
  await deleteSessionsExcept(tx, accountId, tokenHash)
  await tx`delete from account_tokens where account_id = ${accountId}`
  await deletePasswordReset(tx, accountId)
  await deleteEmailConfirmation(tx, accountId)
}

export async function deletePasswordReset(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from password_resets where account_id = ${accountId}`
}

export async function insertToken(
  tx: Tx,
  token: { tokenHash: Buffer; accountId: string; validUntil: number; ctime: number },
): Promise<void> {
  await tx`
    insert into account_tokens (token_hash, account_id, valid_until, ctime)
    values (${token.tokenHash}, ${token.accountId}, ${token.validUntil}, ${token.ctime})`
}

export async function findTokenOwner(
  sql: Sql,
  tokenHash: Buffer,
  now: number,
): Promise<{ accountId: string; administrator: boolean } | undefined> {
  const [row] = await sql<{ accountId: string; administrator: boolean }[]>`
    select account_id, administrator
    from account_tokens join accounts using (account_id)
    where token_hash = ${tokenHash} and valid_until > ${now} and active`
  return row
}

/** Stores a password reset and replaces an earlier one of the account. Times are real time in ms. */
export async function insertPasswordReset(
  tx: Tx,
  reset: { accountId: string; tokenHash: Buffer; madeBy: string | null; validUntil: number; ctime: number },
): Promise<void> {
  await tx`
    insert into password_resets (account_id, token_hash, made_by, valid_until, ctime)
    values (${reset.accountId}, ${reset.tokenHash}, ${reset.madeBy}, ${reset.validUntil}, ${reset.ctime})
    on conflict (account_id) do update set
      token_hash = excluded.token_hash, made_by = excluded.made_by, valid_until = excluded.valid_until,
      ctime = excluded.ctime`
}

/** Returns whether an account has a password reset link that can be used. */
export async function existsPasswordReset(tx: Tx, accountId: string, now: number): Promise<boolean> {
  const rows = await tx`select from password_resets where account_id = ${accountId} and valid_until > ${now}`
  return rows.length > 0
}

/** A password reset link. `maker` is null if it was made with the admin token or requested by mail. */
export interface PasswordReset {
  accountId: string
  username: string
  name: string
  validUntil: number
  maker: { accountId: string; administrator: boolean } | null
}

/**
 * Returns the valid password reset with this token, unless its account or its maker is disabled or suspended, or the
 * account signs in at a provider.
 */
export async function findPasswordReset(
  sql: Sql | Tx,
  tokenHash: Buffer,
  now: number,
): Promise<PasswordReset | undefined> {
  const [row] = await sql<PasswordReset[]>`
    select
      r.account_id, a.username, a.name, r.valid_until,
      case when m.account_id is not null then
        json_build_object('accountId', replace(m.account_id::text, '-', ''), 'administrator', m.administrator)
      end as maker
    from password_resets r join accounts a using (account_id) left join accounts m on m.account_id = r.made_by
    where r.token_hash = ${tokenHash} and r.valid_until > ${now} and a.active and (r.made_by is null or m.active)
      and not ${signsOn(sql)}`
  return row
}

/** Delays after failed attempts: none for `freeAttempts`, then 1 s, doubling up to `maxDelay` ms. */
export interface Backoff {
  freeAttempts: number
  maxDelay: number
  /** Time without a failure after which earlier failures no longer count, in ms. */
  window: number
}

/**
 * Counts an attempt as a failure before its result is known, so that concurrent attempts count too. Returns null, or
 * the time in ms until which attempts are rejected.
 */
export async function upsertFailure(
  sql: Sql,
  subject: Buffer,
  { freeAttempts, maxDelay, window }: Backoff,
  now: number,
): Promise<number | null> {
  const [counted] = await sql`
    insert into sign_in_failures as f (subject, failures, blocked_until, mtime)
    values (${subject}, 1, ${now}, ${now})
    on conflict (subject) do update set
      failures = case when f.mtime < ${now - window} then 1 else f.failures + 1 end,
      blocked_until = case
        when f.mtime < ${now - window} or f.failures < ${freeAttempts} then ${now}::bigint
        else ${now}::bigint + least(1000 * 2 ^ least(f.failures - ${freeAttempts}, 20), ${maxDelay}::float8)::bigint
      end,
      mtime = ${now}
    where f.blocked_until <= ${now}
    returning subject`
  if (counted) return null
  // A statement of its own: the one above may have started before the failures that it has waited for.
  const [failure] = await sql<{ blockedUntil: number }[]>`
    select blocked_until from sign_in_failures where subject = ${subject}`
  // An attempt that has just succeeded has deleted the failures.
  return failure?.blockedUntil ?? now
}

export async function deleteFailures(sql: Sql | Tx, subject: Buffer): Promise<void> {
  await sql`delete from sign_in_failures where subject = ${subject}`
}

/** Removes the failure that `upsertFailure` counted for an attempt that succeeded. */
export async function updateFailure(sql: Sql, subject: Buffer): Promise<void> {
  await sql`update sign_in_failures set failures = greatest(failures - 1, 0), blocked_until = 0 where subject = ${subject}`
}

/** Deletes expired sessions, tokens and password resets, and old failures. */
export async function deleteExpired(sql: Sql, now: number, failuresBefore: number): Promise<void> {
  await sql`delete from account_sessions where valid_until <= ${now}`
  await sql`delete from account_tokens where valid_until <= ${now}`
  await sql`delete from password_resets where valid_until <= ${now}`
  await sql`delete from email_confirmations where valid_until <= ${now}`
  await sql`delete from sign_in_failures where mtime < ${failuresBefore}`
}
