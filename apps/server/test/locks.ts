import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../src/kernel/db/pool.ts'

/** Waits until this many connections to the database wait for a lock. */
export async function untilWaiting(sql: Sql, connections: number): Promise<void> {
  for (;;) {
    const rows = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (rows.length >= connections) return
    await wait(2)
  }
}
