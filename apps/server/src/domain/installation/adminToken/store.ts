import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** The admin token of the installation. */
export interface AdminTokenState {
  enabled: boolean
  /** SHA-256 of the token; null before the first start. */
  hash: Buffer | null
}

export async function findState(sql: Sql | Tx): Promise<AdminTokenState> {
  const [row] = await sql<[AdminTokenState]>`
    select admin_token_enabled as enabled, admin_token_hash as hash from platform_settings`
  return row
}

/** Returns the state and locks it, so that processes that start at the same time agree on one token. */
export async function lockState(tx: Tx): Promise<AdminTokenState> {
  await tx`select from platform_settings for no key update`
  return findState(tx)
}

export async function updateState(tx: Tx, { enabled, hash }: AdminTokenState): Promise<void> {
  await tx`update platform_settings set admin_token_enabled = ${enabled}, admin_token_hash = ${hash}`
}

/** Deletes the hash of the token. The next start of a server stores another one. */
export async function deleteAdminToken(tx: Tx): Promise<void> {
  await tx`update platform_settings set admin_token_hash = null`
}

/** Returns whether there is an administrator who can sign in, and keeps it until the transaction ends. */
export async function lockAdministrator(tx: Tx): Promise<boolean> {
  const rows = await tx`select from accounts where administrator and active limit 1 for share`
  return rows.length > 0
}
