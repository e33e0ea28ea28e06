import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '../../src/kernel/db/pool.ts'
import type { RequestPhase } from './proxy.ts'

/** The targets of proxied requests: fake providers, the merchant's backend, the server. */
export type ProxyTarget = 'providers' | 'receiver' | 'front'

/**
 * A point at which a server is killed. `request`: at a phase of the `nth` request to a target; `lost` says whether that
 * request is lost as well. `beforeCommit`: when a transaction is about to write to a table. `afterCommit`: after the
 * `nth` commit with a notification. `time`: after a delay in ms.
 */
export type KillPoint =
  | {
      name: string
      kind: 'request'
      target: ProxyTarget
      phase: RequestPhase
      nth: number
      lost: boolean
      delay: number
    }
  | { name: string; kind: 'beforeCommit'; table: string }
  | { name: string; kind: 'afterCommit'; nth: number }
  | { name: string; kind: 'time'; delay: number }

const tables = ['ledger_entries', 'trade_events', 'callbacks', 'refunds', 'payment_attempts', 'callback_attempts']

/** Chooses a random kill point. */
export function randomKillPoint(random: () => number): KillPoint {
  const count = 1 + Math.floor(random() * 8)
  const lost = random() < 0.5
  const request = (name: string, target: ProxyTarget, phase: RequestPhase, delay = 0): KillPoint => {
    const nth = target === 'front' ? count * 2 : count
    return { name, kind: 'request', target, phase, nth, lost, delay }
  }
  const value = random()
  if (value < 0.14) return request('before the provider receives a request', 'providers', 'received')
  if (value < 0.3) return request('after the provider has acted', 'providers', 'executed')
  if (value < 0.42) return request('after the provider’s response', 'providers', 'answered', random() * 8)
  if (value < 0.58) {
    const table = tables[Math.floor(random() * tables.length)]!
    return { name: 'before a commit', kind: 'beforeCommit', table }
  }
  if (value < 0.68) return { name: 'after a commit', kind: 'afterCommit', nth: count * 2 }
  if (value < 0.76) return request('before a callback arrives', 'receiver', 'received')
  if (value < 0.84) return request('after a callback was processed', 'receiver', 'executed')
  if (value < 0.92) return request('before a response', 'front', 'executed')
  return { name: 'at a random time', kind: 'time', delay: random() * 1_000 }
}

/** Locks a table until another transaction waits to write to it, then calls `reached`. `signal` aborts the wait. */
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
