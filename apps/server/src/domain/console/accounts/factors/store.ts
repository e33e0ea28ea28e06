import type { consoleOperations, IdentityMethod, PendingSignIn, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../../kernel/db/pool.ts'
import type { SealContext } from '../../../../kernel/sealedColumns.ts'
import type { Sealed } from '../../../../kernel/vault.ts'
import { existsSignOnProvider } from '../store.ts'

type Passkey = ResultOf<typeof consoleOperations.getFactors>['passkeys'][number]

/** A passkey with what its verification needs. */
export interface StoredPasskey {
  passkeyId: string
  accountId: string
  username: string
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

/** Factors of an account. */
export interface Factors {
  passkeys: number
  totp: boolean
  recoveryCodes: number
  /** True if the installation requires a second factor. */
  required: boolean
}

export async function findFactors(sql: Sql | Tx, accountId: string): Promise<Factors> {
  const [row] = await sql<[Factors]>`
    select
      (select count(*)::int from account_passkeys where account_id = ${accountId}) as passkeys,
      exists (select from account_totp where account_id = ${accountId} and enabled) as totp,
      (select count(*)::int from account_recovery_codes where account_id = ${accountId}) as recovery_codes,
      (select demand_second_factor from platform_settings) as required`
  return row
}

export const hasFactor = ({ passkeys, totp }: Factors): boolean => passkeys > 0 || totp

/** Returns how an account can confirm its identity, preferred method first. */
export async function listConfirmationMethods(sql: Sql | Tx, accountId: string): Promise<IdentityMethod[]> {
  const factors = await findFactors(sql, accountId)
  const signOn = await existsSignOnProvider(sql, accountId)
  const methods: Record<IdentityMethod, boolean> = {
    signOn,
    passkey: factors.passkeys > 0,
    code: factors.totp,
    recoveryCode: factors.recoveryCodes > 0,
    password: !signOn && !hasFactor(factors),
  }
  return (Object.keys(methods) as IdentityMethod[]).filter((method) => methods[method])
}

/** Returns what a sign-in without a second factor lacks. */
export async function findPending(tx: Tx, accountId: string): Promise<PendingSignIn | null> {
  const factors = await findFactors(tx, accountId)
  if (hasFactor(factors)) return 'secondFactor'
  return factors.required ? 'enrolment' : null
}

const passkeyColumns = (sql: Sql | Tx) => sql`
  passkey_id, name, ctime, last_used`

export async function listPasskeyRows(sql: Sql | Tx, accountId: string): Promise<Passkey[]> {
  return sql<Passkey[]>`
    select ${passkeyColumns(sql)} from account_passkeys where account_id = ${accountId} order by ctime, passkey_id`
}

/** Returns the credential ids of an account's passkeys. */
export async function listCredentials(
  sql: Sql | Tx,
  accountId: string,
): Promise<Pick<StoredPasskey, 'credentialId' | 'transports'>[]> {
  return sql<Pick<StoredPasskey, 'credentialId' | 'transports'>[]>`
    select credential_id, transports from account_passkeys where account_id = ${accountId}`
}

export async function findPasskey(sql: Sql | Tx, credentialId: string): Promise<StoredPasskey | undefined> {
  const [row] = await sql<StoredPasskey[]>`
    select passkey_id, account_id, username, credential_id, public_key, counter, transports
    from account_passkeys join accounts using (account_id) where credential_id = ${credentialId}`
  return row
}

/** Returns undefined if another passkey has the same credential id. */
export async function insertPasskey(
  tx: Tx,
  passkey: Omit<StoredPasskey, 'username'> & { name: string; ctime: number },
): Promise<Passkey | undefined> {
  const [row] = await tx<Passkey[]>`
    insert into account_passkeys
      (passkey_id, account_id, credential_id, public_key, counter, transports, name, ctime)
    values (${passkey.passkeyId}, ${passkey.accountId}, ${passkey.credentialId}, ${passkey.publicKey},
      ${passkey.counter}, ${passkey.transports}, ${passkey.name}, ${passkey.ctime})
    on conflict (credential_id) do nothing
    returning ${passkeyColumns(tx)}`
  return row
}

export async function updatePasskeyName(
  tx: Tx,
  accountId: string,
  passkeyId: string,
  name: string,
): Promise<Passkey | undefined> {
  const [row] = await tx<Passkey[]>`
    update account_passkeys set name = ${name} where account_id = ${accountId} and passkey_id = ${passkeyId}
    returning ${passkeyColumns(tx)}`
  return row
}

/** Records a use. Returns false if another request has used the same or a higher count of signatures. */
export async function updatePasskeyUse(sql: Sql, passkeyId: string, counter: number, now: number): Promise<boolean> {
  const { count } = await sql`
    update account_passkeys set counter = ${counter}, last_used = ${now}
    where passkey_id = ${passkeyId} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`
  return count === 1
}

export async function deletePasskey(tx: Tx, accountId: string, passkeyId: string): Promise<boolean> {
  const { count } = await tx`
    delete from account_passkeys where account_id = ${accountId} and passkey_id = ${passkeyId}`
  return count === 1
}

/** The secret of an authenticator app. Times are ms of real time. */
interface Totp {
  sealed: Sealed
  enabled: boolean
  ctime: number
  lastUsed: number | null
}

export async function findTotp(sql: Sql | Tx, accountId: string): Promise<Totp | undefined> {
  const [row] = await sql<(Omit<Totp, 'sealed'> & Sealed)[]>`
    select key_id, ciphertext, enabled, ctime, last_used
    from account_totp where account_id = ${accountId}`
  if (!row) return undefined
  const { keyId, ciphertext, ...rest } = row
  return { ...rest, sealed: { keyId, ciphertext } }
}

/**
 * Stores a secret that is not enabled, and replaces an earlier one. Returns false if the account has an enabled one.
 */
export async function insertTotp(tx: Tx, accountId: string, sealed: Sealed, now: number): Promise<boolean> {
  const { count } = await tx`
    insert into account_totp (account_id, key_id, ciphertext, enabled, last_step, ctime)
    values (${accountId}, ${sealed.keyId}, ${sealed.ciphertext}, false, 0, ${now})
    on conflict (account_id) do update set
      key_id = excluded.key_id, ciphertext = excluded.ciphertext, last_step = 0, ctime = excluded.ctime
    where not account_totp.enabled`
  return count === 1
}

/** Records the use of the code of a time step, and enables the secret. Returns false if it has been used. */
export async function updateTotpUse(tx: Tx, accountId: string, step: number, now: number): Promise<boolean> {
  const { count } = await tx`
    update account_totp set enabled = true, last_step = ${step}, last_used = ${now}
    where account_id = ${accountId} and last_step < ${step}`
  return count === 1
}

/** Returns false if the account has no enabled secret. */
export async function deleteTotp(tx: Tx, accountId: string): Promise<boolean> {
  const { count } = await tx`delete from account_totp where account_id = ${accountId} and enabled`
  return count === 1
}

export function totpContext(accountId: string): SealContext {
  return `totp secret ${accountId}`
}

export async function updateRecoveryCodes(tx: Tx, accountId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx`delete from account_recovery_codes where account_id = ${accountId}`
  for (const hash of hashes) {
    await tx`insert into account_recovery_codes (account_id, code_hash) values (${accountId}, ${hash})`
  }
}

/** Consumes a recovery code. Returns false if there is none with this hash. */
export async function deleteRecoveryCode(sql: Sql, accountId: string, hash: Buffer): Promise<boolean> {
  const { count } = await sql`
    delete from account_recovery_codes where account_id = ${accountId} and code_hash = ${hash}`
  return count === 1
}

/** Deletes all factors of an account. */
export async function deleteFactors(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from account_totp where account_id = ${accountId}`
  await tx`delete from account_passkeys where account_id = ${accountId}`
  await tx`delete from account_recovery_codes where account_id = ${accountId}`
}

/**
 * Completes the session that has enrolled a factor. Other sessions of the account that wait for an enrolment wait for
 * the new factor instead. Returns false if this has happened to the session itself.
 */
export async function updateSessionsAfterEnrolment(
  tx: Tx,
  accountId: string,
  tokenHash: Buffer,
  now: number,
): Promise<boolean> {
  const { count } = await tx`
    update account_sessions set pending = null, confirmed_at = ${now}
    where token_hash = ${tokenHash} and pending is distinct from 'secondFactor'`
  await tx`
    update account_sessions set pending = 'secondFactor', confirmed_at = null
    where account_id = ${accountId} and pending = 'enrolment'`
  return count === 1
}

/** Returns false if the challenge was used before. */
export async function insertUsedChallenge(sql: Sql, hash: Buffer, validUntil: number): Promise<boolean> {
  const { count } = await sql`
    insert into used_challenges (challenge_hash, valid_until) values (${hash}, ${validUntil}) on conflict do nothing`
  return count === 1
}

export async function deleteExpiredChallenges(sql: Sql, now: number): Promise<void> {
  await sql`delete from used_challenges where valid_until <= ${now}`
}
