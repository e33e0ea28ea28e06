import { type Config, ConfigError } from './config.ts'
import type { Vault } from './kernel/crypto.ts'
import type { Sql } from './kernel/db/pool.ts'

/**
 * Records at the first start what the installation is, and holds every later start to it (ADR 64): a sandbox never
 * becomes live with its mock users and rehearsed payments in it, and no server runs with a master key that cannot open
 * the secrets.
 *
 * @throws ConfigError that says what differs and what to do
 */
export async function holdToInstallation(sql: Sql, { environment }: Config, vault: Vault): Promise<void> {
  await sql`
    insert into installation (environment, key_id) values (${environment}, ${vault.keyId}) on conflict do nothing`
  const [found] = await sql<{ environment: string; keyId: string }[]>`
    select environment, key_id as "keyId" from installation`
  if (found!.environment !== environment) {
    throw new ConfigError(
      `This database belongs to an installation that is ${found!.environment}, and SOUK_ENVIRONMENT says ${environment}. ` +
        'An installation stays what it is: use another database, or set SOUK_ENVIRONMENT accordingly.',
    )
  }
  if (found!.keyId !== vault.keyId) {
    throw new ConfigError(
      `This database was sealed with the master key ${found!.keyId}, and the one at hand is ${vault.keyId}. ` +
        'Set SOUK_MASTER_KEY to the key of the installation’s other servers, or bring back its file master-key.',
    )
  }
}
