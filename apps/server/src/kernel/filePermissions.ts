import { chmod, type FileHandle, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from './log.ts'

/** Removes the permissions of other users, for example after a backup was restored without modes, and logs it. */
export async function restrictToOwner(path: string, mode: number, log: Logger): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found || (found.mode & 0o777 & ~mode) === 0) return
  const was = (found.mode & 0o777).toString(8)
  try {
    await chmod(path, mode)
    log.warn({ path, was }, 'removed the permissions of other users')
  } catch (error) {
    log.warn({ path, was, code: (error as NodeJS.ErrnoException).code }, 'other users have permissions; remove them')
  }
}

/**
 * Gives a file or folder that root has created at `path` to the owner of the folder that contains it. Commands such as
 * `souk restore` run as root, and the server, which reads what they write, as another user.
 */
export async function giveToFolderOwner(file: FileHandle, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  // In a container, root may lack the capability. Then the server runs as root, too.
  await file.chown(uid, gid).catch(() => undefined)
}
