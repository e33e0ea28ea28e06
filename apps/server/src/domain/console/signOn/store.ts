import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** A sign-on provider. The client secret is encrypted; without one, Souk is a public client. */
export type SignOnProvider = Omit<ResultOf<typeof consoleOperations.addSignOnProvider>, 'hasSecret' | 'redirectUrl'> & {
  keyId: string | null
  ciphertext: Buffer | null
}

/** An account as its provider knows it. */
export interface Identity {
  issuer: string
  subject: string
}

const columns = (sql: Sql | Tx) => sql`
  provider_id, name, issuer, client_id, key_id, ciphertext, scopes,
  groups_claim, roles, suspension_days, ctime`

export async function listProviders(sql: Sql | Tx): Promise<SignOnProvider[]> {
  return sql<SignOnProvider[]>`select ${columns(sql)} from sign_on_providers order by ctime, provider_id`
}

export async function findProvider(sql: Sql | Tx, providerId: string): Promise<SignOnProvider | undefined> {
  const [row] = await sql<SignOnProvider[]>`
    select ${columns(sql)} from sign_on_providers where provider_id = ${providerId}`
  return row
}

/** Returns the provider with this issuer. */
export async function findProviderOfIssuer(sql: Sql | Tx, issuer: string): Promise<SignOnProvider | undefined> {
  const [row] = await sql<SignOnProvider[]>`select ${columns(sql)} from sign_on_providers where issuer = ${issuer}`
  return row
}

/** Locks a provider, so that the first sign-in of an account creates it once. Returns false if it was removed. */
export async function lockProvider(tx: Tx, providerId: string): Promise<boolean> {
  const rows = await tx`select from sign_on_providers where provider_id = ${providerId} for no key update`
  return rows.length > 0
}

/** Serializes additions of providers until the transaction ends, so that they count each other. */
export async function lockAdditions(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('sign_on_providers'))`
}

/** Returns false if there is one of this issuer. */
export async function insertProvider(tx: Tx, provider: SignOnProvider): Promise<boolean> {
  const { count } = await tx`
    insert into sign_on_providers
      (provider_id, name, issuer, client_id, key_id, ciphertext, scopes, groups_claim, roles, suspension_days, ctime)
    values (${provider.providerId}, ${provider.name}, ${provider.issuer}, ${provider.clientId}, ${provider.keyId},
      ${provider.ciphertext}, ${provider.scopes}, ${provider.groupsClaim}, ${tx.json(provider.roles)},
      ${provider.suspensionDays}, ${provider.ctime})
    on conflict do nothing`
  return count === 1
}

/** Deletes a provider with the sessions of its accounts. */
export async function deleteProvider(tx: Tx, providerId: string): Promise<void> {
  await tx`delete from sign_on_providers where provider_id = ${providerId}`
}

/** Returns the id of the account with this identity. */
export async function findAccountId(sql: Sql | Tx, { issuer, subject }: Identity): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`
    select account_id from accounts
    where sign_on_issuer = ${issuer} and sign_on_subject = ${subject}`
  return row?.accountId
}

export async function updateIdentity(tx: Tx, accountId: string, { issuer, subject }: Identity): Promise<void> {
  await tx`
    update accounts set sign_on_issuer = ${issuer}, sign_on_subject = ${subject} where account_id = ${accountId}`
}

export async function updateAdministrator(tx: Tx, accountId: string, administrator: boolean): Promise<void> {
  await tx`update accounts set administrator = ${administrator} where account_id = ${accountId}`
}

/** Returns the issuers among these at which an administrator has signed on. */
export async function listIssuersOfAdministrators(sql: Sql | Tx, issuers: readonly string[]): Promise<string[]> {
  const rows = await sql<{ issuer: string }[]>`
    select distinct sign_on_issuer as issuer from accounts
    where administrator and active and sign_on_issuer = any(${issuers as string[]})`
  return rows.map(({ issuer }) => issuer)
}
