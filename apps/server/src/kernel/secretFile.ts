import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file that cannot be used. The message names the file, the problem and the remedy. */
export class SecretFileError extends Error {}

/** A file that holds one secret. */
export interface SecretFile {
  path: string
  /** Matches the content without surrounding white space. */
  pattern: RegExp
  /** Describes `pattern` in errors. */
  allowed: string
  /** What to do with a damaged file. */
  remedy: string
}

/**
 * Returns the secret in a file, or `undefined` if the file is missing or empty. Earlier versions left an empty file
 * when the disk was full or the server crashed at its first start.
 *
 * @throws SecretFileError if the file cannot be read or is damaged
 */
export async function readSecretFile({ path, pattern, allowed, remedy }: SecretFile): Promise<string | undefined> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new SecretFileError(`${path} cannot be read: ${error.message}. Run Souk as the owner of the file.`)
  })
  const secret = content.trim()
  if (secret === '') return undefined
  if (pattern.test(secret)) return secret
  throw new SecretFileError(
    `${path} is damaged: it must contain ${allowed}, but its ${secret.length} characters do not match. ${remedy}`,
  )
}

/**
 * Writes a file that only its owner can read, and replaces an existing one. After a crash or on a full disk, the path
 * has either the complete new content or what it had before.
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

/** Makes renamed files of a directory permanent. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
