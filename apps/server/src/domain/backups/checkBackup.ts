import { text } from 'node:stream/consumers'
import { SoukError } from '@souk/contract'
import { findUnknownMigration } from '../../kernel/db/migrate.ts'
import { parseKeyRing } from '../../kernel/keyRing.ts'
import { type Entry, readArchive } from './archive.ts'
import { entries, type Figures, formatVersion, type Manifest } from './format.ts'
import { countLines, type Progress } from './makeBackup.ts'

/** A backup that is complete and that this version of Souk can restore. */
export interface CheckedBackup {
  path: string
  passphrase: string
  manifest: Manifest
  figures: Figures
  /** The key ring, 32 bytes each. */
  masterKeys: Buffer[]
}

/**
 * Reads a whole backup and compares it with its figures, so that nothing is written from one that is damaged.
 * @throws SoukError `backup_unreadable`, `backup_damaged`, `backup_passphrase_wrong`, `backup_version_unsupported`
 */
export async function checkBackup(path: string, passphrase: string, progress: Progress): Promise<CheckedBackup> {
  let manifest: Manifest | undefined
  let figures: Figures | undefined
  let masterKeys: Buffer[] | undefined
  const rows: Figures['rows'] = {}
  for await (const entry of readArchive(path, passphrase)) {
    if (figures) throw incomplete(path, `${entry.name} follows the last entry`)
    if (!manifest) {
      if (entry.name !== entries.manifest) throw incomplete(path, `it starts with ${entry.name}`)
      manifest = await readJson<Manifest>(entry)
      await checkVersion(path, manifest)
      for (const { name } of manifest.tables) rows[name] = 0
      rows[entries.jobs] = 0
    } else if (entry.name === entries.keyRing) masterKeys = parseKeyRing(await text(entry.content))
    else if (entry.name === entries.figures) figures = await readJson<Figures>(entry)
    else await countRowsOf(entry, rows, progress)
  }
  if (!manifest || !masterKeys || !figures) throw incomplete(path, 'its last entry is missing')
  const wrong = Object.keys(rows).find((name) => rows[name] !== figures.rows[name])
  if (wrong) throw incomplete(path, `${wrong} has ${rows[wrong]} rows instead of ${figures.rows[wrong]}`)
  return { path, passphrase, manifest, figures, masterKeys }
}

/** Returns the table of an entry such as `tables/trades/000001`, or `jobs`. */
export const tableOf = ({ name }: Pick<Entry, 'name'>) => name.replace(entries.tablePrefix, '').replace(/\/\d+$/, '')

async function countRowsOf(entry: Entry, rows: Figures['rows'], progress: Progress): Promise<void> {
  const table = tableOf(entry)
  let bytes = 0
  for await (const part of entry.content) {
    rows[table] = (rows[table] ?? 0) + countLines(part)
    bytes += part.length
  }
  progress(table, bytes)
}

/** Tables are defined by the migrations, so the backup must have the first ones of this version. */
async function checkVersion(path: string, { format, souk, migrations }: Manifest): Promise<void> {
  const unsupported = (reason: string) =>
    new SoukError('backup_version_unsupported', `${path} was made by Souk ${souk}: ${reason}`)
  if (format > formatVersion) {
    throw unsupported(`its format is ${format}, and this version reads ${formatVersion}. Restore it with that version.`)
  }
  const unknown = await findUnknownMigration(migrations)
  if (unknown) {
    throw unsupported(
      `this version does not have its migration ${unknown.name}. Restore it with that version or a newer one.`,
    )
  }
}

async function readJson<T>({ content }: Entry): Promise<T> {
  return JSON.parse(await text(content)) as T
}

const incomplete = (path: string, reason: string) =>
  new SoukError('backup_damaged', `${path} is incomplete: ${reason}. Use another copy of it.`)
