import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { minute, second } from '@souk/contract'
import { Logger, runMigrations } from 'graphile-worker'
import { packageFolder, soukVersion } from '../package.ts'
import { type AppliedMigration, OldSchemaError, withBaseline } from './baseline.ts'
import { migrationLimits } from './limits.ts'
import { lockClass } from './lock.ts'
import { connect, type Sql, writableHost } from './pool.ts'
import { DatabaseStartError, orAborted } from './starting.ts'
import { createVersions, existsVersion, listVersionRecords, type SchemaVersion, upsertVersion } from './versions.ts'
import { openWorkerPool } from './workerPool.ts'

const migrationsFolder = join(packageFolder, 'migrations')
const lockKey = 1

/**
 * Shorter than the second after which PostgreSQL looks for deadlocks: a request that waits for a migration, which waits
 * for the request, is not canceled.
 */
const lockTimeout = '200ms'
const repeatInterval = second / 4
/** Time for which a migration is repeated because its locks are in use, ms. */
const repeatLimit = 10 * minute
/** Interval in which a server looks whether another process has migrated the database, ms. */
const pollInterval = second

interface Migration extends AppliedMigration {
  text: string
}

/** The advisory lock that servers hold while they migrate: class and key. */
export const migrationLock = [lockClass, lockKey] as const

interface MigrateOptions {
  folder?: string
  version?: string
  /** Name of the last migration to apply. Default: all. */
  upTo?: string
  signal?: AbortSignal
}

/**
 * Migrates the database to this release: the job queue's tables, then `migrations/NNNN_*.sql` in order, each in its
 * own transaction. Servers that start concurrently take turns (ADR 5). Servers of the previous version continue to run
 * on the migrated schema (ADR 299).
 * @returns the names of the migrations applied now
 * @throws DatabaseStartError naming the version that migrated the database, if it is newer, or the version that has to
 * start first, if it is too old; nothing was changed
 * @throws Error naming the file if an applied migration was changed, or if one fails
 * @throws the signal's reason; the current migration is rolled back
 */
export async function migrate(
  url: string,
  { folder = migrationsFolder, version = soukVersion, upTo, signal }: MigrateOptions = {},
): Promise<string[]> {
  const sql = connect(url, { max: 1, applicationName: 'souk migrations', limits: migrationLimits })
  const migrateInTurn = async () => {
    const all = await readMigrations(folder)
    const selected = upTo === undefined ? all : all.filter(({ name }) => name <= upTo)
    // A session lock, since each migration has its own transaction. It ends with the only connection.
    await sql`select pg_advisory_lock(${lockClass}, ${lockKey})`
    await replaceByBaseline(sql, all)
    await migrateQueue(url)
    const own = { version, lastMigration: selected.at(-1)?.name ?? 'none' }
    const names = await applyMissing(sql, selected, own)
    await upsertVersion(sql, own)
    return names
  }
  try {
    return await orAborted(migrateInTurn(), signal)
  } finally {
    await sql.end(signal?.aborted ? { timeout: 0 } : {})
  }
}

/**
 * Waits until another process has migrated the database to this release, and changes nothing.
 * @param onWait called once if the database has not been migrated yet
 * @throws what `onWait` throws; DatabaseStartError if a newer version has migrated the database, or it is too old;
 * Error if an applied migration was changed; the signal's reason
 */
export async function waitForMigrations(
  url: string,
  onWait: () => void,
  { folder = migrationsFolder, version = soukVersion, signal }: Omit<MigrateOptions, 'upTo'> = {},
): Promise<void> {
  const wanted = await readMigrations(folder)
  const own = { version, lastMigration: wanted.at(-1)?.name ?? 'none' }
  const sql = connect(url, { max: 1, applicationName: 'souk migrations' })
  // The record of the version is the last step of `migrate`, after the tables of the job queue.
  const isMigrated = async () =>
    (await hasMigrationTables(sql)) &&
    (await listMissing(sql, wanted, own)).length === 0 &&
    (await existsVersion(sql, own))
  try {
    for (let isFirst = true; !(await orAborted(isMigrated(), signal)); isFirst = false) {
      if (isFirst) onWait()
      await orAborted(wait(pollInterval), signal)
    }
  } finally {
    await sql.end(signal?.aborted ? { timeout: 0 } : {})
  }
}

/** Creates and changes the tables of the job queue. */
async function migrateQueue(url: string): Promise<void> {
  const pgPool = openWorkerPool(await writableHost(url), { max: 1, limits: migrationLimits, onError: () => {} })
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => {}) })
  } finally {
    await pgPool.end()
  }
}

/**
 * Replaces the rows of the migrations before the baseline by its row, so that backups, moves and later versions find
 * the same list in every database. The table of versions still says which ones ran on it.
 */
async function replaceByBaseline(sql: Sql, own: Migration[]): Promise<void> {
  const [table] = await sql<{ exists: boolean }[]>`select to_regclass('migrations') is not null as exists`
  if (!table?.exists) return
  const applied = await listApplied(sql)
  const replaced = toBaseline(applied, own)
  if (replaced === applied) return
  await sql.begin(async (tx) => {
    await tx`delete from migrations`
    for (const { name, checksum } of replaced) {
      await tx`insert into migrations (name, checksum) values (${name}, ${checksum})`
    }
  })
}

/** @throws DatabaseStartError naming the version that has to start first, if the database is too old */
function toBaseline(applied: AppliedMigration[], own: Migration[]): AppliedMigration[] {
  try {
    return withBaseline(applied, own)
  } catch (error) {
    if (!(error instanceof OldSchemaError)) throw error
    throw new DatabaseStartError(`${error.message}. Nothing was changed.`, { cause: error })
  }
}

async function applyMissing(sql: Sql, wanted: Migration[], own: SchemaVersion): Promise<string[]> {
  await sql`
    create table if not exists migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`
  await createVersions(sql)
  const missing = await listMissing(sql, wanted, own)
  for (const migration of missing) await apply(sql, migration)
  return missing.map(({ name }) => name)
}

async function hasMigrationTables(sql: Sql): Promise<boolean> {
  const [tables] = await sql<{ exist: boolean }[]>`
    select to_regclass('migrations') is not null and to_regclass('versions') is not null as exist`
  return tables!.exist
}

/**
 * Returns the migrations that the database lacks.
 * @throws DatabaseStartError if it has newer ones, or is too old; Error if an applied one was changed
 */
async function listMissing(sql: Sql, wanted: Migration[], own: SchemaVersion): Promise<Migration[]> {
  const applied = toBaseline(await listApplied(sql), wanted)
  for (const [index, { name, checksum }] of applied.entries()) {
    const file = wanted[index]
    if (file?.name !== name) throw await newerSchema(sql, applied.at(-1)!.name, own)
    if (file.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it was applied. Restore the file and add a new migration for the change.`,
      )
    }
  }

  return wanted.slice(applied.length)
}

async function listApplied(sql: Sql): Promise<AppliedMigration[]> {
  return sql<AppliedMigration[]>`select name, checksum from migrations order by name`
}

/** Applies a migration, and retries while requests and jobs hold locks that it needs. */
async function apply(sql: Sql, { name, text, checksum }: Migration): Promise<void> {
  for (const deadline = Date.now() + repeatLimit; ; await wait(repeatInterval)) {
    try {
      await sql.begin(async (tx) => {
        await tx.unsafe(`set local lock_timeout = '${lockTimeout}'`)
        await tx.unsafe(text)
        await tx`insert into migrations (name, checksum) values (${name}, ${checksum})`
      })
      return
    } catch (error) {
      const { code, message } = error as Error & { code?: string }
      const isInUse = code === '55P03' || code === '40P01'
      if (isInUse && Date.now() < deadline) continue
      throw new Error(`Migration ${name} failed and was rolled back: ${message}`, { cause: error })
    }
  }
}

/** Names the version that migrated the database, unless that ended before it was recorded. */
async function newerSchema(sql: Sql, lastMigration: string, own: SchemaVersion): Promise<DatabaseStartError> {
  const found = (await listVersionRecords(sql)).find((record) => record.lastMigration === lastMigration)
  return new DatabaseStartError(
    `The database was migrated to ${lastMigration} by ${found ? `Souk ${found.version}` : 'a newer version of Souk'}. ` +
      `This is Souk ${own.version}, whose last migration is ${own.lastMigration}, and cannot use it. ` +
      `Start ${found ? `Souk ${found.version}` : 'that version'} or a newer one, or restore a backup from before the upgrade.`,
  )
}

/** Returns the migrations of this release in order. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  const doubled = names.find((name, index) => name.slice(0, 4) === names[index - 1]?.slice(0, 4))
  if (doubled) throw new Error(`Two migrations have the same number as ${doubled}.`)
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Returns the first migration of a database that this release does not have, if there is one. */
export async function findUnknownMigration(
  applied: readonly AppliedMigration[],
): Promise<AppliedMigration | undefined> {
  const ownMigrations = await readMigrations()
  return applied.find(({ name, checksum }, index) => {
    const own = ownMigrations[index]
    return own?.name !== name || own.checksum !== checksum
  })
}
