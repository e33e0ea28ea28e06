import type { Sql } from './pool.ts'

/** A version of Souk at the position of the schema that it needs. A version in development has several. */
export interface SchemaVersion {
  version: string
  lastMigration: string
}

/** A version that ran on the database. Times in ms. */
export interface VersionRecord extends SchemaVersion {
  firstStart: number
  lastStart: number
}

/** Creates the table of versions. It is not a migration, since a server reads it before it checks the schema. */
export async function createVersions(sql: Sql): Promise<void> {
  await sql`
    create table if not exists versions (
      version text not null,
      last_migration text not null,
      first_start timestamptz not null default now(),
      last_start timestamptz not null default now(),
      primary key (version, last_migration)
    )`
}

/** Records that a version starts on the database. */
export async function upsertVersion(sql: Sql, { version, lastMigration }: SchemaVersion): Promise<void> {
  await sql`
    insert into versions (version, last_migration) values (${version}, ${lastMigration})
    on conflict (version, last_migration) do update set last_start = now()`
}

/** Returns whether a version has migrated the database. */
export async function existsVersion(sql: Sql, { version, lastMigration }: SchemaVersion): Promise<boolean> {
  const rows = await sql`select from versions where version = ${version} and last_migration = ${lastMigration}`
  return rows.length > 0
}

/** Returns the versions that ran on the database, the one that started last first. */
export async function listVersionRecords(sql: Sql): Promise<VersionRecord[]> {
  return sql<VersionRecord[]>`
    select version, last_migration,
      (extract(epoch from first_start) * 1000)::float8 as first_start,
      (extract(epoch from last_start) * 1000)::float8 as last_start
    from versions order by last_start desc, last_migration desc`
}
