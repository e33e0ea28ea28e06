import type { Sql } from '../../kernel/db/pool.ts'

/** Settings of the database; `time` is its clock in ms, `version` its major version. */
interface DatabaseSettings {
  version: number
  fsync: string
  synchronousCommit: string
  fullPageWrites: string
  time: number
}

export async function findDatabaseSettings(sql: Sql): Promise<DatabaseSettings> {
  const [row] = await sql<[DatabaseSettings]>`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('full_page_writes') as "fullPageWrites",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as time`
  return row
}

export async function countAdministrators(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from accounts where administrator and enabled`
  return row.count
}

export async function countProviderAccounts(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from provider_accounts where enabled`
  return row.count
}
