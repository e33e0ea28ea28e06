import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { day, SoukError } from '@souk/contract'
import { findExpired, type Retention } from './retention.ts'

/** A backup in a folder, by its name. */
interface NamedBackup {
  path: string
  /** When it was started, ms. */
  time: number
  /** The master key of the installation at that time. */
  keyId: string
}

const namePattern = /^souk-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{16})\.age$/
const draftSuffix = '.part'

/** A draft that was not written for so long was left by a command that was killed. */
const maxDraftAge = day

/** Returns the name of a backup in a folder. The master key tells installations apart that use the same folder. */
export function nameBackup(time: number, keyId: string): string {
  return `souk-${new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${keyId}.age`
}

/** Returns undefined for any other name, also for one with an impossible time. */
function parseName(name: string): Pick<NamedBackup, 'time' | 'keyId'> | undefined {
  const [, year, month, date, hours, minutes, seconds, keyId] = namePattern.exec(name) ?? []
  if (keyId === undefined) return undefined
  const time = Date.parse(`${year}-${month}-${date}T${hours}:${minutes}:${seconds}Z`)
  return nameBackup(Number.isNaN(time) ? 0 : time, keyId) === name ? { time, keyId } : undefined
}

/** Lists the complete backups in a folder, by the names that `nameBackup` gives them. */
export async function listBackups(folder: string): Promise<NamedBackup[]> {
  const files = await listFiles(folder)
  return files.flatMap((name) => {
    const parsed = parseName(name)
    return parsed ? [{ path: join(folder, name), ...parsed }] : []
  })
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw new SoukError('backup_unreadable', `${folder}: ${error.message}.`)
  })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

export interface Pruning {
  /** All master keys that the installation has had. */
  keyIds: readonly string[]
  /** Time in the name of a backup that was just read completely. */
  newest: number
  retention: Retention
  /** Real time, ms. */
  now: number
}

/**
 * Deletes the backups of an installation that the retention does not keep, and drafts that were left behind. All other
 * files stay. Returns the deleted paths.
 * @throws SoukError `backup_unwritable`
 */
export async function pruneBackups(folder: string, { keyIds, newest, retention, now }: Pruning): Promise<string[]> {
  const own = (await listBackups(folder)).filter(({ keyId }) => keyIds.includes(keyId))
  const expired = findExpired(own, newest, retention).map(({ path }) => path)
  const deleted: string[] = []
  for (const path of [...expired, ...(await listOldDrafts(folder, keyIds, now))]) {
    await rm(path).catch((error: NodeJS.ErrnoException) => {
      // Another command was faster.
      if (error.code === 'ENOENT') return
      throw new SoukError(
        'backup_unwritable',
        `The new backup is complete, but ${path} cannot be deleted: ${error.message}.`,
      )
    })
    deleted.push(path)
  }
  return deleted
}

async function listOldDrafts(folder: string, keyIds: readonly string[], now: number): Promise<string[]> {
  const old: string[] = []
  for (const name of await listFiles(folder)) {
    if (!name.endsWith(draftSuffix)) continue
    const parsed = parseName(name.slice(0, -draftSuffix.length))
    if (!parsed || !keyIds.includes(parsed.keyId)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now - found.mtimeMs > maxDraftAge) old.push(path)
  }
  return old
}
