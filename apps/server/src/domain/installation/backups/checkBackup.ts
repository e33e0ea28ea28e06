import { SoukError } from '@souk/contract'
import { entries, type Figures, type Manifest } from './format.ts'
import { countLines, type Progress } from './makeBackup.ts'
import { readBackup } from './readBackup.ts'

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
 * Reads a whole backup and compares it with its figures, so that nothing is written from one that is damaged. Its
 * tables, columns, partitions and sequences have names of the schema; `restoreBackup` compares them with the tables.
 * @throws SoukError `backup_unreadable`, `backup_damaged`, `backup_passphrase_wrong`, `backup_version_unsupported`
 */
export async function checkBackup(path: string, passphrase: string, progress: Progress): Promise<CheckedBackup> {
  let manifest: Manifest | undefined
  let figures: Figures | undefined
  let masterKeys: Buffer[] | undefined
  const found = new Map<string, number>()
  const bytes = new Map<string, number>()
  for await (const part of readBackup(path, passphrase)) {
    if ('manifest' in part) manifest = part.manifest
    else if ('masterKeys' in part) masterKeys = part.masterKeys
    else if ('figures' in part) figures = part.figures
    else {
      const { table, rows } = part
      for await (const chunk of rows) {
        found.set(table, (found.get(table) ?? 0) + countLines(chunk))
        bytes.set(table, (bytes.get(table) ?? 0) + chunk.length)
      }
      progress(table, bytes.get(table) ?? 0)
    }
  }
  if (!manifest || !masterKeys || !figures) throw incomplete(path, 'its last entry is missing')
  for (const name of [...manifest.tables.map((table) => table.name), entries.jobs]) {
    const [count, wanted] = [found.get(name) ?? 0, figures.rows[name]]
    if (count !== wanted) throw incomplete(path, `${name} has ${count} rows instead of ${wanted}`)
  }
  return { path, passphrase, manifest, figures, masterKeys }
}

const incomplete = (path: string, reason: string) =>
  new SoukError('backup_damaged', `${path} is incomplete: ${reason}. Use another copy of it.`)
