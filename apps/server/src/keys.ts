import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictToOwner } from './kernel/filePermissions.ts'
import { newToken } from './kernel/id.ts'
import type { Logger } from './kernel/log.ts'
import { readSecretFile, type SecretFile, SecretFileError, writeSecretFile } from './kernel/secretFile.ts'

const secretFileNames = ['admin-token', 'master-key', 'setup-token', 'demo.json'] as const

/** Makes the secret files of the data directory readable by their owner only. */
export async function restrictSecretFiles(dataDir: string, log: Logger): Promise<void> {
  for (const name of secretFileNames) await restrictToOwner(join(dataDir, name), 0o600, log)
}

/**
 * Returns the admin token of the command line. Creates it at the first start, readable by the owner only.
 * @throws SecretFileError
 */
export async function loadAdminToken(dataDir: string): Promise<string> {
  return loadToken(join(dataDir, 'admin-token'), 'souk_admin')
}

/**
 * Returns the master key (32 bytes), which encrypts app secrets and signs access tokens. Creates it if `mayCreate`,
 * readable by the owner only. Back it up: without it the secrets are lost. Servers with one database share it.
 *
 * @param mayCreate false if the database contains secrets already, which a new key could not decrypt
 * @throws SecretFileError
 */
export async function loadMasterKey(dataDir: string, { mayCreate }: { mayCreate: boolean }): Promise<Buffer> {
  const remedy = 'Restore it from a backup, or set SOUK_MASTER_KEY to the key of this installation.'
  const path = join(dataDir, 'master-key')
  const stored = await readSecretFile({ path, pattern: /^[0-9a-f]{64}$/i, allowed: '64 hexadecimal digits', remedy })
  if (stored !== undefined) return Buffer.from(stored, 'hex')
  if (!mayCreate) {
    throw new SecretFileError(`${path} is missing or empty, but the database has secrets encrypted with it. ${remedy}`)
  }
  const key = randomBytes(32)
  await writeSecretFile(path, `${key.toString('hex')}\n`)
  return key
}

/**
 * Returns the token of the link that creates the first administrator. It stays the same until it is used, so a restart
 * prints the same link.
 * @throws SecretFileError
 */
export async function loadSetupToken(dataDir: string): Promise<string> {
  return loadToken(join(dataDir, 'setup-token'), 'souk_setup')
}

/** Deletes the token after its link was used, here or on a server with the same database. */
export async function deleteSetupToken(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'setup-token'), { force: true })
}

/** Nothing depends on the value of a token, so an empty file gets a new one. */
async function loadToken(path: string, prefix: string): Promise<string> {
  const file: SecretFile = {
    path,
    // ReDoS: the prefix is one of two words of this file.
    pattern: new RegExp(`^${prefix}_[\\w-]{43}$`),
    allowed: `${prefix}_ and 43 letters, digits, _ and -`,
    remedy: 'Restore it from a backup, or delete it: the next start creates a new one.',
  }
  const stored = await readSecretFile(file)
  if (stored !== undefined) return stored
  const token = newToken(prefix)
  await writeSecretFile(path, `${token}\n`)
  return token
}
