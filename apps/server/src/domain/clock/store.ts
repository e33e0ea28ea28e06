import type { Sql, Tx } from '../../kernel/db/pool.ts'

/** How far the installation's clock is ahead of real time, ms. */
export async function readOffset(sql: Sql): Promise<number> {
  const [row] = await sql<{ offset: number }[]>`select offset_ms as "offset" from sandbox_clock`
  return row?.offset ?? 0
}

/** Adds to the offset and gives the new one; the row is locked until the transaction ends. */
export async function addToOffset(tx: Tx, forward: number): Promise<number> {
  const [row] = await tx<{ offset: number }[]>`
    insert into sandbox_clock (offset_ms) values (${forward})
    on conflict (only_row) do update set offset_ms = sandbox_clock.offset_ms + excluded.offset_ms
    returning offset_ms as "offset"`
  return row!.offset
}

/** Back to real time. */
export async function resetOffset(tx: Tx): Promise<number> {
  await tx`
    insert into sandbox_clock (offset_ms) values (0)
    on conflict (only_row) do update set offset_ms = 0`
  return 0
}
