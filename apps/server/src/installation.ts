import { type Config, ConfigError } from './config.ts'
import type { Vault } from './kernel/crypto.ts'
import type { Sql } from './kernel/db/pool.ts'

/** Returns whether no server has started with this database yet, so that it contains nothing encrypted. */
export async function isNewInstallation(sql: Sql): Promise<boolean> {
  const [found] = await sql`select from installation`
  return found === undefined
}

/**
 * Records environment and master key at the first start and compares them at each later one (ADR 64): a sandbox cannot
 * become live with its mock users and test payments, and no server starts with a key that cannot decrypt the secrets.
 *
 * @throws ConfigError naming the difference and the remedy
 */
export async function checkInstallation(sql: Sql, { environment }: Config, vault: Vault): Promise<void> {
  await sql`
    insert into installation (environment, key_id) values (${environment}, ${vault.keyId}) on conflict do nothing`
  const [found] = await sql<{ environment: string; keyId: string }[]>`
    select environment, key_id as "keyId" from installation`
  if (found!.environment !== environment) {
    throw new ConfigError(
      `This database belongs to a ${found!.environment} installation, but SOUK_ENVIRONMENT is ${environment}. ` +
        'The environment of an installation cannot change: use another database, or correct SOUK_ENVIRONMENT.',
    )
  }
  if (found!.keyId !== vault.keyId) {
    throw new ConfigError(
      `This database was encrypted with the master key ${found!.keyId}, but the current one is ${vault.keyId}. ` +
        'Set SOUK_MASTER_KEY to the key of the installation’s other servers, or restore its file master-key.',
    )
  }
}
