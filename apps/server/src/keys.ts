import { randomBytes } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictToOwner } from './kernel/filePermissions.ts'
import { newToken } from './kernel/id.ts'
import type { Logger } from './kernel/log.ts'

/** Sees to it that only the owner can read what is secret in the data directory, whatever has become of the modes. */
export async function closeKeys(dataDir: string, log: Logger): Promise<void> {
  for (const name of ['admin-token', 'master-key', 'demo.json']) await restrictToOwner(join(dataDir, name), 0o600, log)
}

/** The token with which the operator's command line signs in: made at the first start, readable by the owner only. */
export async function keepAdminToken(dataDir: string): Promise<string> {
  return (await keep(join(dataDir, 'admin-token'), () => newToken('souk_admin'))).trim()
}

/**
 * The key that seals app secrets and signs access tokens, 32 bytes: made at the first start, readable by the owner
 * only. Without it the sealed secrets are lost, so it belongs into the backup; servers that share a database share it.
 */
export async function keepMasterKey(dataDir: string): Promise<Buffer> {
  const text = (await keep(join(dataDir, 'master-key'), () => randomBytes(32).toString('hex'))).trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${join(dataDir, 'master-key')} must hold 64 hexadecimal digits`)
  return Buffer.from(text, 'hex')
}

/**
 * The token of the link that creates the first administrator, readable by the owner only: one for as long as it has not been
 * used, so that a restart prints the same link.
 */
export async function keepSetupToken(dataDir: string): Promise<string> {
  return (await keep(join(dataDir, 'setup-token'), () => newToken('souk_setup'))).trim()
}

/** The link has been used, here or at a server with the same database. */
export async function dropSetupToken(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'setup-token'), { force: true })
}

async function keep(file: string, make: () => string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const handle = await open(file, 'wx', 0o600)
  try {
    const value = `${make()}\n`
    await handle.writeFile(value)
    await handle.sync()
    return value
  } finally {
    await handle.close()
  }
}
