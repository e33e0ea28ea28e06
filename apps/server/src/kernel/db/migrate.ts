import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import { lockClass } from './lock.ts'
import { connect, type Sql } from './pool.ts'
import { orAborted } from './starting.ts'

const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url))
const lockKey = 1

interface Migration {
  name: string
  text: string
  checksum: string
}

/**
 * Migrates the database to this release: the job queue's tables, then `migrations/NNNN_*.sql` in order, each in its own
 * transaction. Servers that start concurrently take turns (ADR 3).
 * @returns the names of the migrations applied now
 * @throws Error naming the file if an applied migration was changed or is unknown, or if one fails
 * @throws the signal's reason; the current migration is rolled back
 */
export async function migrate(
  url: string,
  { folder = migrationsFolder, signal }: { folder?: string; signal?: AbortSignal } = {},
): Promise<string[]> {
  const sql = connect(url, { max: 1, applicationName: 'souk migrations' })
  const migrateInTurn = async () => {
    const wanted = await readMigrations(folder)
    // A session lock, since each migration has its own transaction. It ends with the only connection.
    await sql`select pg_advisory_lock(${lockClass}, ${lockKey})`
    await runMigrations({ connectionString: await writableHost(url), logger: new Logger(() => () => {}) })
    return applyMissing(sql, wanted)
  }
  try {
    return await orAborted(migrateInTurn(), signal)
  } finally {
    await sql.end(signal?.aborted ? { timeout: 0 } : {})
  }
}

async function applyMissing(sql: Sql, wanted: Migration[]): Promise<string[]> {
  await sql`
    create table if not exists migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`
  const applied = await sql<{ name: string; checksum: string }[]>`select name, checksum from migrations order by name`

  applied.forEach(({ name, checksum }, index) => {
    const file = wanted[index]
    if (file?.name !== name) {
      throw new Error(
        `The database has migration ${name}, but this version of Souk has ${file?.name ?? 'none'} in its place. ` +
          'Start the version that migrated the database.',
      )
    }
    if (file.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it was applied. Restore the file and add a new migration for the change.`,
      )
    }
  })

  const missing = wanted.slice(applied.length)
  for (const { name, text, checksum } of missing) {
    try {
      await sql.begin(async (tx) => {
        await tx.unsafe(text).simple()
        await tx`insert into migrations (name, checksum) values (${name}, ${checksum})`
      })
    } catch (error) {
      throw new Error(`Migration ${name} failed and was rolled back: ${(error as Error).message}`, { cause: error })
    }
  }
  return missing.map(({ name }) => name)
}

async function readMigrations(folder: string): Promise<Migration[]> {
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

/**
 * Returns `url` reduced to the host that accepts writes, because graphile-worker's driver does not support several
 * hosts.
 */
export async function writableHost(url: string): Promise<string> {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  if (!hosts.includes(',')) return url
  const candidates = hosts.split(',').map((host) => `${before}${host}${after}`)
  const writable = await Promise.all(candidates.map(isWritable))
  const found = candidates[writable.indexOf(true)]
  if (found === undefined) throw new Error(`None of the database's hosts (${hosts}) accepts writes.`)
  return found
}

async function isWritable(url: string): Promise<boolean> {
  const sql = connect(url, { max: 1 })
  try {
    const [row] = await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`
    return row?.standby === false
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}
