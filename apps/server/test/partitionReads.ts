import type { Sql } from '../src/kernel/db/pool.ts'

/**
 * Returns a function that lists the partitions of a table that were read by any means since its last call. Statistics
 * of a session are complete once it has reported them, so `sql` has one connection.
 */
export function watchPartitions(sql: Sql, table: string): () => Promise<string[]> {
  let before = new Map<string, number>()
  return async () => {
    await sql`select pg_stat_force_next_flush()`
    const rows = await sql<{ name: string; scans: number }[]>`
      select relname::text as name, (seq_scan + coalesce(idx_scan, 0))::float8 as scans from pg_stat_user_tables
      where relid in (select inhrelid from pg_inherits where inhparent = ${table}::regclass) order by 1`
    const read = rows.filter(({ name, scans }) => scans > (before.get(name) ?? 0)).map(({ name }) => name)
    before = new Map(rows.map(({ name, scans }) => [name, scans]))
    return read
  }
}
