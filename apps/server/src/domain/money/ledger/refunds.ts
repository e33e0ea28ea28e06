import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { appidsEverOf } from '../../miniApps/index.ts'
import { findTradeByTradeNo, lockTrade, tradeNotFound } from '../trades/index.ts'
import { oweRefund } from './oweRefund.ts'
import { findRefundByRefundNo, isReturned, listRefundRows, type Refund } from './refunds.store.ts'
import { toRefundView } from './refundView.ts'

type Operations = typeof consoleOperations

/**
 * Refunds a succeeded trade fully or partly, up to the remaining amount. Repeating a refundNo returns the existing
 * refund. The job `returnMoney` makes the refund at the provider.
 *
 * @throws SoukError `trade_not_found`, `trade_archived`, `trade_not_refundable`, `refund_too_large`, `refund_conflict`
 */
export async function refundTrade(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['refundTrade']>,
): Promise<ResultOf<Operations['refundTrade']>> {
  const { refundNo = newId(), note } = input
  const found = await findTradeByTradeNo(context.sql, input.tradeNo)
  if (!found) throw await tradeNotFound(context, input.tradeNo)
  const { appid, tradeNo } = found
  const projectId = (await context.apps.find(appid))?.projectId

  return context.sql.begin(async (tx) => {
    const trade = (await lockTrade(tx, found))!
    const existing = await findRefundByRefundNo(tx, refundNo)
    if (existing) return resolveRepeated(existing, tradeNo, input.amount)
    const requested = { refundNo, note, amount: input.amount, outRefundNo: null, notifyUrl: null }
    const refund = await oweRefund(context, tx, trade, requested)
    if (!refund) throw new SoukError('refund_conflict')
    const { amount, currency } = refund
    await audit(context, tx, caller, {
      action: 'trade.refund',
      subject: tradeNo,
      projectId,
      detail: { refundNo, amount, currency, reason: note },
    })
    return toRefundView(refund)
  })
}

/** Lists the refunds of a project. @throws SoukError `app_not_found` */
export async function searchRefunds(
  context: Context,
  _caller: ConsoleCaller,
  input: ParametersOf<Operations['searchRefunds']>,
): Promise<ResultOf<Operations['searchRefunds']>> {
  const { projectId, appid, state, initiator, sort, cursor, ...page } = input
  const appids = await appidsEverOf(context, projectId, appid)
  const [ctime, refundNo] = readCursor(cursor, ['number', 'id'])
  const before = ctime === undefined ? undefined : { ctime, refundNo }
  return readPage(context.sql, page, {
    list: (part) => listRefundRows(context.sql, appids, { state, initiator, sort, ...part }),
    before,
    keyOf: (row) => [row.ctime, row.refundNo],
    isSummed: isReturned(context.sql),
  })
}

/** Returns the existing refund if this request repeats it. @throws SoukError `refund_conflict` */
function resolveRepeated(existing: Refund, tradeNo: string, amount: number | undefined) {
  const same =
    existing.tradeNo === tradeNo &&
    existing.initiator === 'operator' &&
    existing.outRefundNo === null &&
    (amount ?? existing.amount) === existing.amount
  if (same) return toRefundView(existing)
  throw new SoukError('refund_conflict')
}
