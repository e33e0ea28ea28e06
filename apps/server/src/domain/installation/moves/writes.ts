import { second } from '@souk/contract'
import { quoteIdentifier, quoteIdentifiers } from '../../../kernel/db/identifiers.ts'
import { lockClass } from '../../../kernel/db/lock.ts'
import type { Sql } from '../../../kernel/db/pool.ts'
import type { Session } from '../../../kernel/db/session.ts'
import { listTables } from '../backups/index.ts'
import { listTablesWithTrigger } from './store.ts'

/** Channel that tells servers that a move begins or ends. */
export const movesChannel = 'souk_moves'

/** Second key of the advisory lock of a move. Migration 0096 uses the same number. */
const lockKey = 2
const trigger = 'refuse_writes'

/** Time that a move waits for a transaction of a server to end. */
const lockTimeout = 10 * second
/** Time that a move waits for running jobs to end. */
const jobsTimeout = 12 * second
/** A worker without a heartbeat for this time is dead. */
const heartbeatTimeout = 20 * second

/** The queue of graphile-worker: without it no job starts. */
const jobsTable = 'graphile_worker._private_jobs'

/**
 * Tables that servers write at their start and for reads: versions, heartbeats, counters, the request log, and times of
 * last use. They, or their columns, stay writable. A move loses what is written there after its snapshot.
 */
const writtenByReads: Record<string, 'all' | readonly string[]> = {
  versions: 'all',
  request_log: 'all',
  write_probes: 'all',
  limit_counts: 'all',
  bound_signs: 'all',
  worker_heartbeats: 'all',
  key_ring_processes: 'all',
  account_sessions: ['valid_until', 'last_used', 'address'],
  api_keys: ['last_used_at', 'last_used_from'],
  service_accounts: ['last_used_at', 'last_used_from'],
}

/**
 * Refuses writes of all other sessions from now on, until `session` ends, and lets running transactions and jobs end
 * first. Reads continue (ADR 309).
 * @throws Error if a transaction takes too long; then call `acceptWrites`
 */
export async function refuseWrites(session: Session): Promise<void> {
  await session.run(`set lock_timeout = ${lockTimeout}`)
  await session.run(`select pg_advisory_lock(${lockClass}, ${lockKey})`)
  await session.run(`notify ${movesChannel}`)
  await untilJobsEnded(session)
  // One statement each: a transaction that locks all tables could deadlock with the servers' transactions.
  for (const { name, columns } of await listTables(session)) {
    const statement = createTrigger(name, columns)
    if (statement) await session.run(statement)
  }
  await session.run(`create or replace trigger ${trigger} before insert or update or delete or truncate on ${jobsTable}
    for each statement execute function public.refuse_writes()`)
  await session.run('set lock_timeout = 0')
}

function createTrigger(table: string, columns: readonly string[]): string | undefined {
  const exempt = writtenByReads[table] ?? []
  if (exempt === 'all') return undefined
  const guarded = columns.filter((column) => !exempt.includes(column))
  const update = exempt.length > 0 ? `update of ${quoteIdentifiers(guarded)}` : 'update'
  return `create or replace trigger ${trigger} before insert or ${update} or delete or truncate on ${quoteIdentifier(table)}
    for each statement execute function refuse_writes()`
}

/** Workers stop when they hear of the move. Jobs that take longer are run again, as after a crash. */
async function untilJobsEnded(session: Session): Promise<void> {
  const deadline = performance.now() + jobsTimeout
  const running = `
    select from ${jobsTable} join worker_heartbeats on pool_id = locked_by
    where beat_at > now() - interval '${heartbeatTimeout} milliseconds' limit 1`
  while ((await session.run(running)).length > 0 && performance.now() < deadline) {
    await session.run('select pg_sleep(0.1)')
  }
}

/** Selects the lock of a move that is running. */
const selectMove = `
  select from pg_locks
  where locktype = 'advisory' and classid = ${lockClass} and objid = ${lockKey} and mode = 'ExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())`

/** Returns whether a move of the database is running. */
export async function isMoving(session: Session): Promise<boolean> {
  return (await session.run(selectMove)).length > 0
}

/** Returns whether writes are refused, for a while or for good. */
export async function areWritesRefused(sql: Sql): Promise<boolean> {
  const [row] = await sql.unsafe<{ refused: boolean }[]>(`
    select exists (select from installation where moved_to is not null) or exists (${selectMove}) as refused`)
  return row!.refused
}

/**
 * Removes the triggers of a move that failed or whose process died. Without the lock they refuse nothing, but cost
 * time. One that cannot be removed immediately, because its table is in use, is left to the next start of a server.
 */
export async function acceptWrites(sql: Sql): Promise<void> {
  if (await areWritesRefused(sql)) return
  for (const { schema, name } of await listTablesWithTrigger(sql, trigger)) {
    await sql
      .begin(async (tx) => {
        await tx`set local lock_timeout = '2s'`
        await tx.unsafe(`drop trigger if exists ${trigger} on ${quoteIdentifier(schema)}.${quoteIdentifier(name)}`)
      })
      .catch(() => {})
  }
  await sql.notify(movesChannel, '')
}
