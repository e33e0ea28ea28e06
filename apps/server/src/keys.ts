import { randomBytes } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictToOwner } from './kernel/filePermissions.ts'
import { newToken } from './kernel/id.ts'
import type { Logger } from './kernel/log.ts'

/** Makes the secret files of the data directory readable by their owner only. */
export async function restrictSecretFiles(dataDir: string, log: Logger): Promise<void> {
  for (const name of ['admin-token', 'master-key', 'demo.json']) await restrictToOwner(join(dataDir, name), 0o600, log)
}

/** Returns the admin token of the command line. Creates it at the first start, readable by the owner only. */
export async function loadAdminToken(dataDir: string): Promise<string> {
  return (await readOrCreate(join(dataDir, 'admin-token'), () => newToken('souk_admin'))).trim()
}

/**
 * Returns the master key (32 bytes), which encrypts app secrets and signs access tokens. Creates it at the first start,
 * readable by the owner only. Back it up: without it the secrets are lost. Servers with one database share it.
 */
export async function loadMasterKey(dataDir: string): Promise<Buffer> {
  const text = (await readOrCreate(join(dataDir, 'master-key'), () => randomBytes(32).toString('hex'))).trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${join(dataDir, 'master-key')} must contain 64 hexadecimal digits`)
  return Buffer.from(text, 'hex')
}

/**
 * Returns the token of the link that creates the first administrator. It stays the same until it is used, so a restart
 * prints the same link.
 */
export async function loadSetupToken(dataDir: string): Promise<string> {
  return (await readOrCreate(join(dataDir, 'setup-token'), () => newToken('souk_setup'))).trim()
}

/** Deletes the token after its link was used, here or on a server with the same database. */
export async function deleteSetupToken(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'setup-token'), { force: true })
}

async function readOrCreate(file: string, create: () => string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const handle = await open(file, 'wx', 0o600)
  try {
    const value = `${create()}\n`
    await handle.writeFile(value)
    await handle.sync()
    return value
  } finally {
    await handle.close()
  }
}
