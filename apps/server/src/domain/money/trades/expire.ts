import type { Tx } from '../../../kernel/db/pool.ts'
import type { Context } from '../../context.ts'
import { decide } from './machine.ts'
import { existsTradeToExpire, lockTrade, lockTradesToExpire, type Trade } from './store.ts'
import { applyTransition } from './transition.ts'

const batchSize = 500

/** Recurring job: expires every due trade that has no attempt in flight. */
export async function expireTrades(context: Context): Promise<void> {
  const { sql, clock } = context
  // One statement instead of a transaction if nothing is due, which is most of the time.
  while (await existsTradeToExpire(sql, clock.now())) {
    const found = await sql.begin(async (tx) => {
      const trades = await lockTradesToExpire(tx, clock.now(), batchSize)
      for (const trade of trades) await expireLockedIfDue(context, tx, trade)
      return trades.length
    })
    if (found < batchSize) return
  }
}

/** Expires a trade if that is due, and returns its current state. */
export async function expireIfDue(context: Context, trade: Trade): Promise<Trade> {
  if (decide(trade, { kind: 'timedOut', now: context.clock.now() }).kind === 'none') return trade
  return context.sql.begin(async (tx) => expireLockedIfDue(context, tx, (await lockTrade(tx, trade))!))
}

/** Expires a due trade that the caller's transaction has locked. */
export async function expireLockedIfDue(context: Context, tx: Tx, trade: Trade): Promise<Trade> {
  const decision = decide(trade, { kind: 'timedOut', now: context.clock.now() })
  return decision.kind === 'transition' ? applyTransition(context, tx, trade, decision) : trade
}
