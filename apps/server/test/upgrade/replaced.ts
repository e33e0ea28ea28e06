import { migrate } from '../../src/kernel/db/migrate.ts'
import type { Sql } from '../../src/kernel/db/pool.ts'
import { emptyDatabase, type FreshDatabase } from '../database.ts'
import replaced from './replacedMigrations.json' with { type: 'json' }

const checksums = new Map(Object.entries(replaced))

export const baseline = '0200_baseline.sql'

/** Creates a database as it was after the last migration that the baseline replaces. */
export async function databaseBeforeBaseline(): Promise<FreshDatabase> {
  const database = await emptyDatabase()
  await migrate(database.url, { upTo: baseline })
  await setApplied(database.sql, Object.keys(replaced))
  return database
}

/** Makes a migrated database one that has these migrations, which the baseline replaces. */
export async function setApplied(sql: Sql, names: readonly string[]): Promise<void> {
  await sql`delete from migrations`
  await sql`delete from versions`
  for (const name of names) {
    await sql`insert into migrations (name, checksum) values (${name}, ${checksums.get(name) ?? '0'.repeat(64)})`
  }
}

/** Returns the names of the migrations of a database, in order. */
export async function listApplied(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`select name from migrations order by name`
  return rows.map(({ name }) => name)
}
