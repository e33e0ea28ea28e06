import { chmod, stat } from 'node:fs/promises'
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
