import { lockClass } from '../../../kernel/db/lock.ts'
import type { Sql } from '../../../kernel/db/pool.ts'

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
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('full_page_writes') as full_page_writes,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as time`
  return row
}

/** The role of the server, and what it may do beyond its own objects. */
interface Role {
  name: string
  rights: string[]
}

export async function findRole(sql: Sql): Promise<Role> {
  const [role] = await sql<[Role]>`
    select rolname::text as name, array_remove(array[
        case when rolsuper then 'superuser' end, case when rolcreaterole then 'create roles' end,
        case when rolreplication then 'replication' end, case when rolbypassrls then 'bypass row security' end,
        case when pg_has_role(oid, 'pg_execute_server_program', 'member') then 'run programs' end,
        case when pg_has_role(oid, 'pg_read_server_files', 'member') then 'read files' end,
        case when pg_has_role(oid, 'pg_write_server_files', 'member') then 'write files' end
      ], null) as rights
    from pg_roles where rolname = current_user`
  // A superuser is a member of every role.
  return role.rights.includes('superuser') ? { ...role, rights: ['superuser'] } : role
}

/**
 * Up to this key, locks of this class are those of migrations, moves and partitions; others are of data directories.
 */
const lastOwnKey = 3

/** A limit of PostgreSQL for connections. */
export interface ConnectionLimit {
  /** What has the limit. */
  kind: 'server' | 'role' | 'database'
  /** Name of the role or database. */
  name: string
  /** Connections that users other than superusers can open. */
  available: number
  /** Open connections that count against the limit, also those of poolers and other programs. */
  open: number
}

/** Use of the connections of the database. */
interface ConnectionFigures {
  /** Server processes with a locked data directory; at least this one. */
  processes: number
  limits: ConnectionLimit[]
  /** True if waits for locks and idle transactions are limited. */
  limitsLocks: boolean
}

export async function findConnectionFigures(sql: Sql): Promise<ConnectionFigures> {
  const [figures] = await sql<[ConnectionFigures]>`
    with limits (kind, name, available, open) as (
      values (
        'server',
        '',
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int,
        (select sum(numbackends) from pg_stat_database)::int)
      union all
      select 'role', rolname::text, rolconnlimit,
        (select count(*) from pg_stat_activity where usesysid = pg_roles.oid)::int
      from pg_roles where rolname = session_user and rolconnlimit >= 0 and not rolsuper
      union all
      select 'database', datname::text, datconnlimit, numbackends
      from pg_database join pg_stat_database using (datname) where datname = current_database() and datconnlimit >= 0
    )
    select
      greatest(1, (select count(*) from pg_locks
        where locktype = 'advisory' and classid = ${lockClass} and objid > ${lastOwnKey} and granted
          and database = (select oid from pg_database where datname = current_database())))::int as processes,
      (select json_agg(limits) from limits) as limits,
      current_setting('lock_timeout') <> '0' and current_setting('idle_in_transaction_session_timeout') <> '0'
        as limits_locks`
  return figures
}

/** Returns the number of processes that run jobs. Each writes a heartbeat every few seconds. */
export async function countWorkers(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from worker_heartbeats where beat_at > now() - interval '1 minute'`
  return row.count
}

export async function countAdministrators(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from accounts where administrator and active`
  return row.count
}

export async function countProviderAccounts(sql: Sql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from provider_accounts where enabled`
  return row.count
}

/** Returns whether the database archives its write-ahead log, and the last attempt succeeded. */
export async function findArchiving(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ archiving: boolean }]>`
    select current_setting('archive_mode') <> 'off' and last_archived_time is not null
      and (last_failed_time is null or last_failed_time < last_archived_time) as archiving
    from pg_stat_archiver`
  return row.archiving
}
