import { type openOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { AppCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { checkNotifyUrl, findTrade, lockTrade, tradeNotFound } from '../trades/index.ts'
import { oweRefund } from './oweRefund.ts'
import { findRefundByOutRefundNo, type Refund } from './refunds.store.ts'

type RequestRefund = typeof openOperations.refund
type Input = Omit<ParametersOf<RequestRefund>, 'appid' | 'timestamp' | 'sign'>
type Requested = Pick<Refund, 'tradeNo' | 'amount' | 'note' | 'notifyUrl'> & { outRefundNo: string }

/**
 * Refunds a succeeded trade fully or partly at the request of the mini app's backend (ADR 409). Repeating an
 * outRefundNo with the same content returns the same refundNo. The job `returnMoney` makes the refund at the provider.
 *
 * @throws SoukError `trade_not_found`, `trade_archived`, `notify_url_refused`, `out_refund_no_conflict`,
 *   `trade_not_refundable`, `refund_too_large`
 */
export async function requestRefund(
  context: Context<'egress'>,
  { app }: AppCaller,
  { outRefundNo, amount, reason: note = '', ...input }: Input,
): Promise<ResultOf<RequestRefund>> {
  const found = await findTrade(context.sql, { appid: app.appid, tradeNo: input.tradeNo })
  if (!found) throw await tradeNotFound(context, input.tradeNo)
  const { tradeNo, merchantId } = found
  const notifyUrl = input.notifyUrl || null
  const requested = { tradeNo, outRefundNo, amount, note, notifyUrl }

  return context.sql.begin(async (tx) => {
    const trade = (await lockTrade(tx, found))!
    const existing = await findRefundByOutRefundNo(tx, merchantId, outRefundNo)
    if (existing) return resolveRepeated(existing, requested)
    if (notifyUrl !== null) checkNotifyUrl(notifyUrl, context.egress, app.callbackHosts)
    const refund = await oweRefund(context, tx, trade, requested)
    if (refund) return { outRefundNo, refundNo: refund.refundNo }
    // A concurrent refund of another trade, which is not locked here, has used the outRefundNo.
    return resolveRepeated((await findRefundByOutRefundNo(tx, merchantId, outRefundNo))!, requested)
  })
}

/** Returns the numbers of the existing refund if this request repeats it. @throws SoukError `out_refund_no_conflict` */
function resolveRepeated(existing: Refund, requested: Requested): ResultOf<RequestRefund> {
  const compared = { tradeNo: 'tradeNo', amount: 'amount', note: 'reason', notifyUrl: 'notifyUrl' } as const
  const names = Object.keys(compared) as (keyof typeof compared)[]
  const fields = names.filter((name) => existing[name] !== requested[name]).map((name) => compared[name])
  if (fields.length === 0) return { outRefundNo: requested.outRefundNo, refundNo: existing.refundNo }
  throw new SoukError(
    'out_refund_no_conflict',
    `The existing refund was requested with different values for ${fields.join(', ')}.`,
    { data: { parameters: fields } },
  )
}
