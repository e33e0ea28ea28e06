import { rm } from 'node:fs/promises'
import { type Config, ConfigError } from './config.ts'
import {
  existsInstallation,
  existsObject,
  findMoveProblem,
  listNeededKeyIds,
  upsertInstallation,
} from './domain/installation/index.ts'
import type { Sql } from './kernel/db/pool.ts'
import { readKeyRing } from './kernel/keyRing.ts'
import { Vault } from './kernel/vault.ts'
import { keyRingFile, loadKeyRing } from './keys.ts'

/**
 * Loads the master keys of a server, or creates one for a new installation, and compares them with the database. A key
 * that was created is deleted if another server was first, so that it cannot be mistaken for the installation's.
 *
 * @throws ConfigError, SecretFileError naming the difference and the remedy
 */
export async function openVault(
  sql: Sql,
  config: Pick<Config, 'dataDir' | 'environment' | 'masterKeys'>,
): Promise<Vault> {
  const { dataDir, masterKeys } = config
  const file = keyRingFile(dataDir)
  const isNewRing = !masterKeys && readKeyRing(file).length === 0
  if (!masterKeys) await loadKeyRing(dataDir, { mayCreate: !(await existsInstallation(sql)) })
  const vault = new Vault(() => masterKeys ?? readKeyRing(file))
  try {
    await checkInstallation(sql, config, vault)
    return vault
  } catch (error) {
    if (isNewRing && error instanceof ConfigError) await rm(file, { force: true })
    throw error
  }
}

/**
 * Records environment and master key at the first start and compares them at each later one (ADR 64): a sandbox cannot
 * become live with its mock users and test payments, and no server starts without the master keys that are in use, or
 * on a database whose data has moved.
 *
 * @throws ConfigError naming the difference and the remedy
 */
export async function checkInstallation(
  sql: Sql,
  { environment }: Pick<Config, 'environment'>,
  vault: Vault,
): Promise<void> {
  const moved = await findMoveProblem(sql)
  if (moved) throw new ConfigError(moved)
  const found = await upsertInstallation(sql, { environment, keyId: vault.keyId })
  if (found.environment !== environment) {
    throw new ConfigError(
      `This database belongs to a ${found.environment} installation, but SOUK_ENVIRONMENT is ${environment}. ` +
        'The environment of an installation cannot change: use another database, or correct SOUK_ENVIRONMENT.',
    )
  }
  const needed = await listNeededKeyIds(sql, found.keyId)
  const missing = needed.filter((keyId) => !vault.keyIds.includes(keyId))
  if (missing.length > 0) {
    throw new ConfigError(
      `This database was encrypted with the master key ${missing.join(', ')}, but the key ring has ` +
        `${vault.keyIds.join(', ')}. Set SOUK_MASTER_KEY to the keys of the installation’s other servers, or restore its ` +
        'file master-key. If they are lost, souk keys recover replaces them.',
    )
  }
  vault.use(found.keyId)
}

/**
 * Refuses to start without the object storage that files are in.
 * @throws ConfigError
 */
export async function checkStorage(sql: Sql, { objectStorage }: Pick<Config, 'objectStorage'>): Promise<void> {
  if (objectStorage || !(await existsObject(sql))) return
  throw new ConfigError(
    'Files of this installation are in an object storage. Set SOUK_S3_URL and its keys, and run souk storage move database ' +
      'first to do without it.',
  )
}
