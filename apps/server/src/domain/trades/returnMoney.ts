import { transactionFlow } from '@souk/contract'
import type { Context } from '../context.ts'
import { providerNamed } from './providers/index.ts'
import { type AttemptKey, findMoneyReturn, insertEvent, lockTrade, markReturned } from './store.ts'

/**
 * The job `returnMoney`: gives money that a trade could not take back at the provider. Repeating it does nothing more.
 *
 * @throws Error while the provider has not given it back, so that the job runs again.
 */
export async function returnMoney(context: Context, key: AttemptKey): Promise<void> {
  const owed = await findMoneyReturn(context.sql, key)
  if (owed?.state !== 'owed') return
  const { provider, attemptId, amount, currency } = owed

  const result = await providerNamed(context, provider).refund(attemptId, amount, currency)
  if (result.kind === 'refused')
    throw new Error(`${provider} refuses to return the money of ${attemptId}: ${result.reason}`)
  if (result.kind === 'pending') throw new Error(`${provider} has not returned the money of ${attemptId} yet`)

  await context.sql.begin(async (tx) => {
    await lockTrade(tx, key)
    const now = context.clock.now()
    if (!(await markReturned(tx, key, now))) return
    const detail = { transactionFlow: transactionFlow.income, attemptId, amount, currency }
    await insertEvent(tx, key, { time: now, event: 'moneyReturned', detail })
  })
}
