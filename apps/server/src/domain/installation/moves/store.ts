import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** What an installation knows of its moves. */
interface MoveState {
  /** The database that it has moved to; null if it has not. */
  movedTo: string | null
  /** True until a move to this database is complete. */
  isArriving: boolean
}

export async function findMoveState(sql: Sql): Promise<MoveState | undefined> {
  const [state] = await sql<MoveState[]>`select moved_to, is_arriving from installation`
  return state
}

/** Locks the installation, and returns where it has moved to. */
export async function lockMovedTo(tx: Tx): Promise<string | null | undefined> {
  const [found] = await tx<{ movedTo: string | null }[]>`select moved_to from installation for update`
  return found?.movedTo
}

/** Makes the table of the installation writable, and forgets where it has moved to. */
export async function updateToUnmoved(tx: Tx): Promise<void> {
  await tx`drop trigger if exists refuse_writes on installation`
  await tx`update installation set moved_to = null`
}

export async function updateToArrived(tx: Tx): Promise<void> {
  await tx`update installation set is_arriving = false`
}

/** Returns whether a server has started since the last entry of the audit log with this action. */
export async function existsStartSince(sql: Sql, action: string): Promise<boolean> {
  const [row] = await sql<[{ started: boolean }]>`
    select
      extract(epoch from max(last_start)) * 1000 > (select max(time) from audit_log where action = ${action}) as started
    from versions`
  return row.started
}

export async function listTablesWithTrigger(sql: Sql, trigger: string): Promise<{ schema: string; name: string }[]> {
  return sql<{ schema: string; name: string }[]>`
    select nspname::text as schema, relname::text as name
    from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_namespace on pg_namespace.oid = relnamespace
    where tgname = ${trigger}`
}
