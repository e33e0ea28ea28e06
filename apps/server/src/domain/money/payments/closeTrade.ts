import { type openOperations, type ParametersOf, type ResultOf, SoukError, transactionStatus } from '@souk/contract'
import type { AppCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { describeStatus, findTrade, tradeNotFound } from '../trades/index.ts'
import { withdrawForCaller } from './withdraw.ts'

type CloseTrade = typeof openOperations.tradeclose

/**
 * Closes a trade (open-api §4.3). Closing a closed trade succeeds. If a payment succeeds at the same moment, the trade
 * ends in exactly one of the two states, and a payment that came too late is refunded.
 *
 * @throws SoukError `trade_not_found`, `trade_archived`, `trade_not_processing` naming the state, `payment_in_flight`
 * if the provider does not cancel the attempt, `unavailable` if it cannot be reached
 */
export async function closeTrade(
  context: Context<'egress' | 'ledger' | 'vault'>,
  { app }: AppCaller,
  input: Pick<ParametersOf<CloseTrade>, 'tradeNo'>,
): Promise<ResultOf<CloseTrade>> {
  const found = await findTrade(context.sql, { appid: app.appid, tradeNo: input.tradeNo })
  if (!found) throw await tradeNotFound(context, input.tradeNo)

  const { transactionStatus: status } = await withdrawForCaller(context, found, 'merchant')
  if (status === transactionStatus.closed) return true
  if (status === transactionStatus.processing) {
    throw new SoukError(
      'payment_in_flight',
      'The provider has not canceled the payment; query the trade for its result.',
    )
  }
  throw new SoukError('trade_not_processing', `The trade ${describeStatus(status)}.`, {
    data: { transactionStatus: status },
  })
}
