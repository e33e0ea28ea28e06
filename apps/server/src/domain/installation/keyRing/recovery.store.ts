import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { sealedColumns } from '../../../kernel/sealedColumns.ts'

/** Lost master keys and what is sealed with them. */
export interface Losses {
  keyIds: string[]
  /** Mini apps and event endpoints, which get new secrets. */
  apps: { appid: string; name: string }[]
  eventEndpoints: { endpointId: string; url: string }[]
  /** Accounts at payment providers, which are disabled until their secrets are entered again. */
  providerAccounts: { providerAccountId: string; name: string; provider: string }[]
  /** Sign-on providers and clients of issuers, which are removed. */
  signOnProviders: { name: string; issuer: string; clientId: string }[]
  issuerClients: { issuer: string; clientId: string }[]
  /** User names of accounts whose one-time codes are removed. */
  oneTimeCodes: string[]
  /** Number of waiting mails, which are marked as failed. */
  mails: number
}

export async function listLosses(sql: Sql | Tx, keyIds: string[]): Promise<Losses> {
  const isLost = sql`key_id = any(${keyIds})`
  const codes = await sql<{ username: string }[]>`
    select username from account_totp join accounts using (account_id) where ${isLost} order by username`
  const [{ mails }] = await sql<[{ mails: number }]>`select count(*)::int as mails from mails where ${isLost}`
  return {
    keyIds,
    apps: await sql<Losses['apps']>`
      select appid, name from apps where appid in (select appid from app_secrets where ${isLost}) order by appid`,
    eventEndpoints: await sql<Losses['eventEndpoints']>`
      select endpoint_id, url from event_endpoints
      where endpoint_id in (select endpoint_id from event_secrets where ${isLost}) order by endpoint_id`,
    providerAccounts: await sql<Losses['providerAccounts']>`
      select provider_account_id, name, provider from provider_accounts
      where ${isLost} order by name`,
    signOnProviders: await sql<Losses['signOnProviders']>`
      select name, issuer, client_id from sign_on_providers where ${isLost} order by name`,
    issuerClients: await sql<Losses['issuerClients']>`
      select issuer, client_id from issuer_clients join issuers using (issuer_id) where ${isLost}
      order by issuer`,
    oneTimeCodes: codes.map(({ username }) => username),
    mails,
  }
}

/** Deletes sign-on providers, clients of issuers and one-time codes. */
export async function deleteLost(tx: Tx, keyIds: string[]): Promise<void> {
  await tx`delete from sign_on_providers where key_id = any(${keyIds})`
  await tx`delete from issuer_clients where key_id = any(${keyIds})`
  await tx`delete from account_totp where key_id = any(${keyIds})`
  await tx`delete from unreadable_values where key_id = any(${keyIds})`
}

/** Disables accounts at payment providers. */
export async function updateProviderAccountsToDisabled(tx: Tx, keyIds: string[], now: number): Promise<void> {
  await tx`update provider_accounts set enabled = false, mtime = ${now} where key_id = any(${keyIds})`
}

/** Marks waiting mails as failed. */
export async function updateMailsToFailed(tx: Tx, keyIds: string[], now: number): Promise<void> {
  await tx`
    update mails set state = 'failed', key_id = null, ciphertext = null, error = 'Its master key was lost.', mtime = ${now}
    where key_id = any(${keyIds})`
}

/** Marks a key as neither replaced nor retired. */
export async function updateKeyToUsable(tx: Tx, keyId: string): Promise<void> {
  await tx`update master_keys set replaced_at = null, retired_at = null where key_id = ${keyId}`
}

/** Secrets of which an owner can have several. */
export type SecretName = 'app secret' | 'event secret'

/** Deletes a secret. `key` is its primary key as text. */
export async function deleteSecret(tx: Tx, name: SecretName, key: string[]): Promise<void> {
  // SQL: names of `sealedColumns`.
  await tx.unsafe(`delete from ${sealedColumns[name].table} where ${rowOf(name)}`, key)
}

/** Lets a secret be valid until it is replaced. */
export async function updateSecretToUnlimited(tx: Tx, name: SecretName, key: string[]): Promise<void> {
  // SQL: names of `sealedColumns`.
  await tx.unsafe(`update ${sealedColumns[name].table} set valid_until = null where ${rowOf(name)}`, key)
}

function rowOf(name: SecretName): string {
  const [ownerColumn, secretColumn] = Object.keys(sealedColumns[name].key)
  return `${ownerColumn}::text = $1 and ${secretColumn}::text = $2`
}
