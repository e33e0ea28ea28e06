import type { Context } from '../../context.ts'
import { insertOpenedTrade } from './store.ts'

/** Records that a cashier shows a trade. Only logs a failure, since the cashier works while writes are refused. */
export async function recordOpenedTrade({ sql, clock, log }: Context, tradeNo: string): Promise<void> {
  try {
    await insertOpenedTrade(sql, tradeNo, clock.real())
  } catch (error) {
    log.debug({ reason: (error as Error).message }, 'cannot record that a trade was opened')
  }
}
