import { chmod, stat } from 'node:fs/promises'
import type { Logger } from './log.ts'

/** Closes a file or folder to other users again, as after a backup was restored without its modes, and says so. */
export async function restrictToOwner(path: string, mode: number, log: Logger): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found || (found.mode & 0o777 & ~mode) === 0) return
  const was = (found.mode & 0o777).toString(8)
  try {
    await chmod(path, mode)
    log.warn({ path, was }, 'other users could open this; closed it to them')
  } catch (error) {
    log.warn({ path, was, code: (error as NodeJS.ErrnoException).code }, 'other users can open this; close it to them')
  }
}
