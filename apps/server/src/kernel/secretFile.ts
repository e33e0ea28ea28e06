import { readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { giveToFolderOwner } from './filePermissions.ts'

/** A file that cannot be used. The message names the file, the problem and the remedy. */
export class SecretFileError extends Error {}

/**
 * Returns the content of a file without surrounding white space, or an empty string if the file is missing: earlier
 * versions left an empty file when the disk was full or the server crashed at its first start.
 *
 * Synchronous, because decrypting a value may have to read the key ring again.
 *
 * @throws SecretFileError if the file cannot be read
 */
export function readSecretFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new SecretFileError(`${path} cannot be read: ${message}. Run Souk as the owner of the file.`)
  }
}

/**
 * Writes a file that only its owner, that of the folder, can read, and replaces an existing one. After a crash or on a
 * full disk, the path has either the complete new content or what it had before.
 *
 * @throws SecretFileError if the file cannot be written
 */
export async function writeSecretFile(path: string, content: string): Promise<void> {
  const draft = `${path}.new`
  try {
    // A crash may have left a draft, with other permissions.
    await rm(draft, { force: true })
    const file = await open(draft, 'wx', 0o600)
    try {
      await giveToFolderOwner(file, path)
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    await syncDirectory(dirname(path))
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    const { message } = error as Error
    throw new SecretFileError(
      `${path} cannot be written: ${message}. Free disk space or correct the permissions, then start Souk again.`,
    )
  }
}

/** Flushes a directory to disk, so that renames in it survive a crash. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
