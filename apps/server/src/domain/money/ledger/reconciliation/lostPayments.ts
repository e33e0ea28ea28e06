import { day as oneDay } from '@souk/contract'
import type { Context } from '../../../context.ts'
import { type PaidPayment, ProviderUnavailable, providerOfAttempt } from '../../payments/index.ts'
import { type Difference, listLost, type ReconciliationRow } from './store.ts'

/**
 * Finds payments that the provider captured for a merchant on a day, but whose attempts Souk does not know, for
 * example because they were made after the backup that was restored. Their metadata names the mini app. Returns
 * undefined if the provider cannot list its payments now.
 */
export async function findLostPayments(
  context: Context<'egress' | 'vault'>,
  { appid, account, day }: Pick<ReconciliationRow, 'appid' | 'account' | 'day'>,
): Promise<(Difference & { appid: string })[] | undefined> {
  const [, providerAccountId] = /^provider:([0-9a-f]{32})$/.exec(account) ?? []
  if (providerAccountId === undefined) return []
  const provider = await providerOfAttempt(context, { providerAccountId, provider: account })
  let listed: PaidPayment[]
  try {
    listed = (await provider.listPaid?.({ from: day, to: day + oneDay })) ?? []
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    context.log.warn({ account, day, reason: error.message }, 'cannot list the payments of a provider')
    return undefined
  }
  const lost = await listLost(context.sql, appid, listed)
  return lost.map(({ attemptId, tradeNo, payNo, amount, currency }) => ({
    appid,
    attemptId,
    tradeNo,
    difference: 'lost',
    booked: null,
    bookedCurrency: null,
    told: amount,
    toldCurrency: currency,
    repaired: false,
    detail: payNo,
  }))
}
