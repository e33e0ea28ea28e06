import { SoukError } from '@souk/contract'
import { type AppliedMigration, OldSchemaError, withBaseline } from '../../../kernel/db/baseline.ts'
import { findUnknownMigration, readMigrations } from '../../../kernel/db/migrate.ts'
import { parseKeyRing } from '../../../kernel/keyRing.ts'
import { soukVersion } from '../../../kernel/package.ts'
import { type Entry, readArchive } from './archive.ts'
import { entries, type Figures, formatVersion, type Manifest } from './format.ts'
import { parseFigures, parseManifest, parseVersion } from './parseBackup.ts'

/** Limits of entries that are held in memory, bytes. Rows are not. */
const maxJson = 4 * 1024 * 1024
const maxKeyRing = 64 * 1024

/** A part of a backup, in order: the manifest, the keys, rows of tables and jobs, and at last the figures. */
export type Part =
  | { manifest: Manifest }
  /** 32 bytes each. */
  | { masterKeys: Buffer[] }
  /** Rows of a table, or of `jobs`. They must be read before the next part. */
  | { table: string; rows: AsyncIterable<Uint8Array> }
  | { figures: Figures }

/**
 * Reads the parts of a backup. Refuses entries other than those that `makeBackup` writes, or in another order.
 * @throws SoukError `backup_unreadable`, `backup_damaged`, `backup_passphrase_wrong`, `backup_version_unsupported`
 */
export async function* readBackup(path: string, passphrase: string): AsyncGenerator<Part> {
  let schema: { manifest: Manifest; names: ReadonlySet<string> } | undefined
  let expected: EntryNames | undefined
  for await (const entry of readArchive(path, passphrase)) {
    const { name } = entry
    if (!schema || !expected) {
      if (name !== entries.manifest) throw invalid(path, `it starts with ${shown(name)}`)
      schema = await readManifest(path, entry)
      expected = new EntryNames(schema.manifest)
      yield { manifest: schema.manifest }
      continue
    }
    if (expected.isComplete) throw invalid(path, `${shown(name)} follows the last entry`)
    const table = expected.next(name)
    if (table === undefined) throw invalid(path, `the entry ${shown(name)} is not expected there`)
    const { manifest, names } = schema
    if (name === entries.keyRing) yield { masterKeys: await readKeys(path, entry) }
    else if (name === entries.figures) {
      yield { figures: await readJson(path, entry, async (value) => parseFigures(value, manifest, names)) }
    } else yield { table, rows: entry.content }
  }
  if (!expected?.isComplete) throw invalid(path, 'its last entry is missing')
}

/** The names that the entries after the manifest must have, in order. */
class EntryNames {
  readonly #sources: string[]
  /** Entry of the last source; `number` of those that consist of several. */
  #at = -1
  #number = 0

  constructor({ tables }: Manifest) {
    const prefixed = tables.map(({ name }) => `${entries.tablePrefix}${name}`)
    this.#sources = [entries.keyRing, ...prefixed, entries.jobs, entries.figures]
  }

  get isComplete(): boolean {
    return this.#at === this.#sources.length - 1
  }

  /** Returns the table that an entry belongs to, or undefined if it may not be there. */
  next(name: string): string | undefined {
    const number = String(this.#number + 1).padStart(6, '0')
    if (this.#at > 0 && name === `${this.#sources[this.#at]}/${number}`) this.#number++
    else {
      // Tables without rows have no entry.
      const isSingle = (source: string) => source === entries.keyRing || source === entries.figures
      const at = this.#sources.findIndex((source) => name === (isSingle(source) ? source : `${source}/000001`))
      const isNext = at > this.#at && !(this.#at < 0 && at > 0)
      if (!isNext) return undefined
      this.#at = at
      this.#number = 1
    }
    return this.#sources[this.#at]!.replace(entries.tablePrefix, '')
  }
}

/** Returns the manifest, and the words that can be names in its schema. */
async function readManifest(path: string, entry: Entry): Promise<{ manifest: Manifest; names: Set<string> }> {
  return readJson(path, entry, async (value) => {
    const version = parseVersion(value)
    const migrations = await checkVersion(path, version)
    const names = await listNames(migrations.length)
    return { manifest: { ...parseManifest(value, names), migrations }, names }
  })
}

/**
 * Tables are defined by the migrations, so the backup must have the first ones of this version, or all that the
 * baseline replaces. Returns them as those of this version.
 */
async function checkVersion(
  path: string,
  { format, souk, migrations }: Pick<Manifest, 'format' | 'souk' | 'migrations'>,
): Promise<AppliedMigration[]> {
  const unsupported = (reason: string) =>
    new SoukError('backup_version_unsupported', `${path} was made by Souk ${souk}: ${reason}`)
  if (format > formatVersion) {
    throw unsupported(
      `its format is ${format}, and this is Souk ${soukVersion}, which reads ${formatVersion}. Restore it with that version.`,
    )
  }
  let applied: AppliedMigration[]
  try {
    applied = withBaseline(migrations, await readMigrations())
  } catch (error) {
    if (!(error instanceof OldSchemaError)) throw error
    throw unsupported(`${error.reason}. Restore it with Souk ${error.version} first.`)
  }
  const unknown = await findUnknownMigration(applied)
  if (unknown) {
    throw unsupported(
      `this is Souk ${soukVersion}, which does not have its migration ${unknown.name}. Restore it with that version or ` +
        'a newer one.',
    )
  }
  return applied
}

/** Returns the words of the first migrations. Every name in their schema is one. */
async function listNames(migrations: number): Promise<Set<string>> {
  const applied = (await readMigrations()).slice(0, migrations)
  // The runner creates the table of versions.
  const own = ['versions', 'version', 'last_migration', 'first_start', 'last_start']
  return new Set([...own, ...applied.flatMap(({ text }) => text.match(/\b[a-z_]\w*/g) ?? [])])
}

async function readKeys(path: string, entry: Entry): Promise<Buffer[]> {
  const content = await readContent(path, entry, maxKeyRing)
  try {
    const keys = parseKeyRing(content.toString('latin1'))
    if (keys.length > 0) return keys
  } catch (error) {
    throw invalid(path, `${entry.name}: ${(error as Error).message}`)
  }
  throw invalid(path, `${entry.name} has no keys`)
}

async function readJson<T>(path: string, entry: Entry, parse: (value: unknown) => Promise<T>): Promise<T> {
  const content = await readContent(path, entry, maxJson)
  try {
    return await parse(JSON.parse(content.toString()))
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) {
      throw invalid(path, `${entry.name}: ${error.message}`)
    }
    throw error
  }
}

async function readContent(path: string, { name, content }: Entry, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of content) {
    size += part.length
    if (size > limit) throw invalid(path, `${name} has more than ${limit} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Returns the name of an entry as it can be printed. */
const shown = (name: string) => JSON.stringify(name.slice(0, 100))

const invalid = (path: string, reason: string) =>
  new SoukError('backup_damaged', `${path} is not a complete backup: ${reason}. Use another copy of it.`)
