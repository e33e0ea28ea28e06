import type { Tx } from '../../kernel/db/pool.ts'
import type { Context } from '../context.ts'
import { decide } from './machine.ts'
import { lockTrade, lockTradesToExpire, type Trade } from './store.ts'
import { applyTransition } from './transition.ts'

const batch = 500

/** The sweep: expires every trade whose time has come and that has no attempt in flight, at most 500 in a transaction. */
export async function expireTrades(context: Context): Promise<void> {
  for (;;) {
    const found = await context.sql.begin(async (tx) => {
      const trades = await lockTradesToExpire(tx, context.clock.now(), batch)
      for (const trade of trades) await expireLockedIfDue(context, tx, trade)
      return trades.length
    })
    if (found < batch) return
  }
}

/** The trade as it stands now: where its time has come since it was last written, it is expired before anyone sees it. */
export async function expireIfDue(context: Context, trade: Trade): Promise<Trade> {
  if (decide(trade, { kind: 'timedOut', now: context.clock.now() }).kind === 'stays') return trade
  return context.sql.begin(async (tx) => expireLockedIfDue(context, tx, (await lockTrade(tx, trade))!))
}

/** The same for a trade that the caller's transaction holds. */
export async function expireLockedIfDue(context: Context, tx: Tx, trade: Trade): Promise<Trade> {
  const verdict = decide(trade, { kind: 'timedOut', now: context.clock.now() })
  return verdict.kind === 'moves' ? applyTransition(context, tx, trade, verdict) : trade
}
