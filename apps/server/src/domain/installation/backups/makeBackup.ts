import { SoukError } from '@souk/contract'
import { Session } from '../../../kernel/db/session.ts'
import { formatKeyRing } from '../../../kernel/keyRing.ts'
import { soukVersion } from '../../../kernel/package.ts'
import { masterKeyId } from '../../../kernel/vault.ts'
import { type AddEntry, type Encryption, writeArchive } from './archive.ts'
import { entries, type Figures, formatVersion, type Manifest } from './format.ts'
import { copyJobsTo, copyTableTo, listMigrations, readFigures, readObjects, takeSnapshot } from './tables.ts'

/** Shortest passphrase of a new backup, in characters. Anyone who has the file can try passphrases. */
const minPassphrase = 12
/** Rows are collected into entries of about this size in bytes. */
const partSize = 4 * 1024 * 1024
const lineFeed = 10

/** Receives what is being done: the name of a table, and the bytes of it so far. */
export type Progress = (table: string, bytes: number) => void

export interface BackupOptions extends Encryption {
  /** URL of the database. */
  url: string
  /** File to create. */
  path: string
  /** The key ring, which is stored in the backup. */
  masterKeys: readonly Buffer[]
  progress: Progress
}

/** Contents of a backup. */
interface Backup {
  manifest: Manifest
  figures: Figures
}

/**
 * Writes a backup of the database, from one snapshot, while servers run. It contains the master keys, but no objects of
 * the object storage: the manifest says how many there are.
 * @throws SoukError `backup_passphrase_weak`, `backup_exists`, `backup_unwritable`, `backup_key_wrong`,
 * `installation_moved`
 */
export async function makeBackup(options: BackupOptions): Promise<Backup> {
  const { url, path, passphrase, masterKeys, progress } = options
  if (passphrase.length < minPassphrase) {
    throw new SoukError(
      'backup_passphrase_weak',
      `Use at least ${minPassphrase} characters: anyone who has the file can try passphrases.`,
    )
  }
  const session = await Session.open(url, 'souk backup')
  try {
    const keyIds = masterKeys.map(masterKeyId)
    return await writeArchive(path, options, async (add) => {
      const tables = await takeSnapshot(session)
      const installation = await findInstallation(session)
      if (!keyIds.includes(installation.keyId)) {
        throw new SoukError(
          'backup_key_wrong',
          `The database was encrypted with the master key ${installation.keyId}, but the key ring has ${keyIds.join(', ')}.`,
        )
      }
      const objects = await readObjects(session)
      const manifest: Manifest = {
        format: formatVersion,
        souk: soukVersion,
        ...installation.snapshot,
        tables,
        ...(objects.count > 0 && { objects }),
      }
      await add(entries.manifest, json(manifest))
      await add(entries.keyRing, Buffer.from(formatKeyRing(masterKeys)))
      const figures = await addRows(session, manifest, add, progress)
      await add(entries.figures, json(figures))
      return { manifest, figures }
    })
  } finally {
    await session.close()
  }
}

interface Installation extends Pick<Manifest, 'time' | 'environment'> {
  keyId: string
  movedTo: string | null
}

async function findInstallation(
  session: Session,
): Promise<{ keyId: string; snapshot: Pick<Manifest, 'time' | 'environment' | 'migrations'> }> {
  const [found] = await session.run<Installation>(`
    select key_id as "keyId", environment, floor(extract(epoch from now()) * 1000)::float8 as time,
      to_json(installation) ->> 'moved_to' as "movedTo"
    from installation`)
  if (!found) throw new Error('No server has started with this database yet: there is nothing to back up.')
  if (found.movedTo) throw new SoukError('installation_moved', `Its data is in ${found.movedTo}: back that up.`)
  const migrations = await listMigrations(session)
  return { keyId: found.keyId, snapshot: { time: found.time, environment: found.environment, migrations } }
}

async function addRows(session: Session, { tables }: Manifest, add: AddEntry, progress: Progress): Promise<Figures> {
  const rows: Figures['rows'] = {}
  for (const table of tables) {
    const parts = splitRows(session.copyTo(copyTableTo(table)))
    rows[table.name] = await addParts(`${entries.tablePrefix}${table.name}`, parts, add, (bytes) =>
      progress(table.name, bytes),
    )
  }
  rows.jobs = await addParts(entries.jobs, splitRows(session.copyTo(copyJobsTo)), add, (bytes) =>
    progress(entries.jobs, bytes),
  )
  return { rows, ...(await readFigures(session)) }
}

/** Adds parts as `name/000001`, … Returns the number of rows. */
async function addParts(
  name: string,
  parts: AsyncIterable<Buffer>,
  add: AddEntry,
  onBytes: (bytes: number) => void,
): Promise<number> {
  let rows = 0
  let bytes = 0
  let number = 0
  onBytes(bytes)
  for await (const part of parts) {
    await add(`${name}/${String(++number).padStart(6, '0')}`, part)
    rows += countLines(part)
    bytes += part.length
    onBytes(bytes)
  }
  return rows
}

/**
 * Collects the result of COPY into parts that contain whole rows. A row ends with a line feed and contains no other.
 */
async function* splitRows(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    size += chunk.length
    const end = chunk.lastIndexOf(lineFeed) + 1
    if (size < partSize || end === 0) continue
    const collected = Buffer.concat(chunks)
    const rest = chunk.length - end
    yield collected.subarray(0, size - rest)
    chunks = [chunk.subarray(end)]
    size = rest
  }
  if (size > 0) yield Buffer.concat(chunks)
}

/** Returns the number of rows in a part of a table. */
export function countLines(part: Uint8Array): number {
  let lines = 0
  for (let at = part.indexOf(lineFeed); at >= 0; at = part.indexOf(lineFeed, at + 1)) lines++
  return lines
}

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
