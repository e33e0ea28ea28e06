import { type consoleOperations, maxClockMoves, type ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

type ClockMove = ResultOf<typeof consoleOperations.getClock>['moves'][number]

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

/** Remembers that the clock has this offset since a real time, and forgets all but the last `maxClockMoves` moves. */
export async function insertMove(tx: Tx, { time, offset }: ClockMove): Promise<void> {
  await tx`insert into sandbox_clock_moves (moved_time, offset_ms) values (${time}, ${offset})`
  await tx`
    delete from sandbox_clock_moves
    where move_id <= (select max(move_id) from sandbox_clock_moves) - ${maxClockMoves}`
}

/** Lists the moves of the clock, oldest first. */
export async function listMoves(sql: Sql | Tx): Promise<ClockMove[]> {
  return sql<ClockMove[]>`
    select moved_time as time, offset_ms as "offset" from sandbox_clock_moves order by move_id`
}

/** Returns the time of the database's clock in ms. */
export async function findDatabaseTime(sql: Sql): Promise<number> {
  const [row] = await sql<[{ time: number }]>`select extract(epoch from clock_timestamp())::float8 * 1000 as time`
  return row.time
}
