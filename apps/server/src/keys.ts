import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SoukError } from '@souk/contract'
import type { FullContext } from './domain/context.ts'
import { restrictToOwner } from './kernel/filePermissions.ts'
import { newToken } from './kernel/id.ts'
import { formatKeyRing, readKeyRing, writeKeyRing } from './kernel/keyRing.ts'
import type { Logger } from './kernel/log.ts'
import { readSecretFile, SecretFileError, writeSecretFile } from './kernel/secretFile.ts'

const secretFileNames = ['admin-token', 'master-key', 'setup-token', 'demo.json'] as const

/** Makes the secret files of the data directory readable by their owner only. */
export async function restrictSecretFiles(dataDir: string, log: Logger): Promise<void> {
  for (const name of secretFileNames) await restrictToOwner(join(dataDir, name), 0o600, log)
}

/** Returns access to the admin token of a data directory, readable by the owner only. */
export function adminTokenIn(dataDir: string): FullContext['adminToken'] {
  const file = join(dataDir, 'admin-token')
  return {
    file,
    read: () => (existsSync(file) ? readToken(file, 'souk_admin') : undefined),
    write: (token) => writeSecretFile(file, `${token}\n`),
    delete: () => rm(file, { force: true }),
  }
}

/**
 * Returns the key ring of the data directory, whose keys encrypt secrets and sign access tokens. Creates one with a new
 * key if `mayCreate`. Back it up: without it the secrets are lost. Servers with one database have the same keys.
 *
 * @param mayCreate false if the database contains secrets already, which a new key could not decrypt
 * @throws SecretFileError
 */
export async function loadKeyRing(dataDir: string, { mayCreate }: { mayCreate: boolean }): Promise<Buffer[]> {
  const path = keyRingFile(dataDir)
  const stored = readKeyRing(path)
  if (stored.length > 0) return stored
  if (!mayCreate) {
    throw new SecretFileError(
      `${path} is missing or empty, but the database has secrets encrypted with it. ` +
        'Restore it from a backup, or set SOUK_MASTER_KEY to the keys of this installation. If they are lost, souk keys ' +
        'recover replaces them.',
    )
  }
  const ring = [randomBytes(32)]
  await writeKeyRing(path, ring)
  return ring
}

/**
 * Writes the key ring of a backup. Returns a function that deletes the file.
 * @throws SoukError `restore_not_empty` if the directory has other keys; SecretFileError
 */
export async function createKeyRing(dataDir: string, keys: readonly Buffer[]): Promise<() => Promise<void>> {
  const path = keyRingFile(dataDir)
  const stored = readKeyRing(path)
  if (stored.length === 0) {
    await writeKeyRing(path, keys)
    return () => rm(path, { force: true })
  }
  if (formatKeyRing(stored) === formatKeyRing(keys)) return async () => {}
  throw new SoukError('restore_not_empty', `${path} has other keys. Restore into an empty data directory.`)
}

/** Returns the path of the key ring in a data directory. */
export function keyRingFile(dataDir: string): string {
  return join(dataDir, 'master-key')
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

/** Loads a token, or creates one if the file is missing or empty: nothing depends on its value. */
async function loadToken(path: string, prefix: string): Promise<string> {
  const stored = readToken(path, prefix)
  if (stored !== '') return stored
  const token = newToken(prefix)
  await writeSecretFile(path, `${token}\n`)
  return token
}

/** @throws SecretFileError */
function readToken(path: string, prefix: string): string {
  const stored = readSecretFile(path)
  // ReDoS: the prefix is one of two words of this file.
  if (stored === '' || new RegExp(`^${prefix}_[\\w-]{43}$`).test(stored)) return stored
  throw new SecretFileError(
    `${path} is damaged: it must contain ${prefix}_ and 43 letters, digits, _ and -, but its ${stored.length} ` +
      'characters do not match. Restore it from a backup, or delete it: the next start creates a new one.',
  )
}
