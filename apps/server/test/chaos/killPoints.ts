import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../../src/kernel/db/pool.ts'
import type { Stage } from './proxy.ts'

/** Where a tap stands: before the providers, before the merchant's backend, before the server. */
export type Place = 'providers' | 'receiver' | 'front'

/**
 * Where a life ends. A tap's points are reached with the `nth` request that comes by; `lost` says whether what was on its way is
 * lost with the server. `writing` is reached when a transaction is about to write to the table, `committed` with the `nth` commit
 * that announces something.
 */
export type Point =
  | { name: string; kind: 'tap'; place: Place; stage: Stage; nth: number; lost: boolean; after: number }
  | { name: string; kind: 'writing'; table: string }
  | { name: string; kind: 'committed'; nth: number }
  | { name: string; kind: 'moment'; after: number }

const tables = ['ledger_entries', 'trade_events', 'callbacks', 'refunds', 'payment_attempts', 'callback_attempts']

/** Chooses where a life ends. */
export function drawPoint(random: () => number): Point {
  const count = 1 + Math.floor(random() * 8)
  const lost = random() < 0.5
  const tap = (name: string, place: Place, stage: Stage, after = 0): Point => {
    const nth = place === 'front' ? count * 2 : count
    return { name, kind: 'tap', place, stage, nth, lost, after }
  }
  const drawn = random()
  if (drawn < 0.14) return tap('before the provider is asked', 'providers', 'asked')
  if (drawn < 0.3) return tap('after the provider has acted', 'providers', 'acted')
  if (drawn < 0.42) return tap('with the provider’s answer', 'providers', 'answered', random() * 8)
  if (drawn < 0.58) {
    const table = tables[Math.floor(random() * tables.length)]!
    return { name: 'before the commit', kind: 'writing', table }
  }
  if (drawn < 0.68) return { name: 'after the commit', kind: 'committed', nth: count * 2 }
  if (drawn < 0.76) return tap('before the callback arrives', 'receiver', 'asked')
  if (drawn < 0.84) return tap('after the callback was taken', 'receiver', 'acted')
  if (drawn < 0.92) return tap('before the reply', 'front', 'acted')
  return { name: 'at any moment', kind: 'moment', after: random() * 1_000 }
}

/**
 * Waits until a transaction of somebody wants to write to the table, which it cannot as long as this one holds it; calls `reached`
 * then, and lets go. Gives up when `signal` is aborted.
 */
export async function whenWriting(
  sql: Sql,
  table: string,
  signal: AbortSignal,
  reached: () => Promise<void>,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`lock table ${table} in share mode`)
    while (!signal.aborted) {
      const waiting = await tx`
        select from pg_locks where relation = ${table}::text::regclass and not granted and pid <> pg_backend_pid() limit 1`
      if (waiting.length > 0) return reached()
      await wait(2)
    }
  })
}
