import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** Returns how far the clock of the installation is ahead of real time, in ms. */
export async function findOffset(sql: Sql): Promise<number> {
  const [row] = await sql<{ offset: number }[]>`select offset_ms as "offset" from sandbox_clock`
  return row?.offset ?? 0
}

/** Adds to the offset and returns the new one. Locks the row until the transaction ends. */
export async function upsertOffset(tx: Tx, forward: number): Promise<number> {
  const [row] = await tx<{ offset: number }[]>`
    insert into sandbox_clock (offset_ms) values (${forward})
    on conflict (only_row) do update set offset_ms = sandbox_clock.offset_ms + excluded.offset_ms
    returning offset_ms as "offset"`
  return row!.offset
}

/** Resets the clock to real time. */
export async function upsertZeroOffset(tx: Tx): Promise<number> {
  await tx`
    insert into sandbox_clock (offset_ms) values (0)
    on conflict (only_row) do update set offset_ms = 0`
  return 0
}

/** Returns the time of the database's clock in ms. */
export async function findDatabaseTime(sql: Sql): Promise<number> {
  const [row] = await sql<[{ time: number }]>`select extract(epoch from clock_timestamp())::float8 * 1000 as time`
  return row.time
}
