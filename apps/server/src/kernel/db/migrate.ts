import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import { LOCK_CLASS } from './lock.ts'
import { connect, type Sql } from './pool.ts'
import { orAborted } from './starting.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url))
const LOCK_KEY = 1

interface Migration {
  name: string
  text: string
  checksum: string
}

/**
 * Brings the database to the state this release needs: the job queue's tables, then `migrations/NNNN_*.sql` in order, each in a
 * transaction of its own. Servers that start together take turns (ADR 3).
 * @returns the names of the migrations that were applied now.
 * @throws Error that names the file, when an applied migration was changed, removed or comes from a newer Souk, or when one
 * fails; the signal's reason, and then the migration under way is rolled back.
 */
export async function migrate(
  url: string,
  { folder = MIGRATIONS, signal }: { folder?: string; signal?: AbortSignal } = {},
): Promise<string[]> {
  const sql = connect(url, { max: 1, applicationName: 'souk migrations' })
  const bringUp = async () => {
    const wanted = await readMigrations(folder)
    // A session lock, because every migration has its own transaction. It ends with this only connection.
    await sql`select pg_advisory_lock(${LOCK_CLASS}, ${LOCK_KEY})`
    await runMigrations({ connectionString: await writableHost(url), logger: new Logger(() => () => {}) })
    return applyMissing(sql, wanted)
  }
  try {
    return await orAborted(bringUp(), signal)
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
        `The database holds migration ${name}, which this Souk does not have in that place${file ? ` (it has ${file.name})` : ''}. ` +
          'It was written by a newer or another version: start that one.',
      )
    }
    if (file.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it had been applied. Restore the file and put the change into a new migration.`,
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
  if (doubled) throw new Error(`Two migrations have the number of ${doubled}.`)
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * The one host of `url` that takes writes now, as a URL of its own: graphile-worker's driver knows no list of hosts.
 * A URL with one host comes back as it is.
 */
export async function writableHost(url: string): Promise<string> {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  if (!hosts.includes(',')) return url
  const candidates = hosts.split(',').map((host) => `${before}${host}${after}`)
  const answers = await Promise.all(candidates.map(takesWrites))
  const found = candidates[answers.indexOf(true)]
  if (found === undefined) throw new Error(`None of the database's hosts (${hosts}) takes writes.`)
  return found
}

async function takesWrites(url: string): Promise<boolean> {
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
