import { minute } from '@souk/contract'
import { newId } from '../../../../../kernel/id.ts'
import { type Expected, longText, replace, within } from '../expected.ts'

export const expected: Expected = {
  behavior: {
    whenUnpaid: 'expired',
    whenChallengeFails: 6,
    payableAfterCancel: true,
    reportsRefunds: false,
    listsPayments: false,
  },
  rejectedOrder: { order: { currency: 'riyal' as 'SAR' }, reason: 5 },
  declined: (pay) => [
    { title: 'a card', reason: 5, apply: pay('declined') },
    { title: 'an error', reason: 5, apply: pay('processingError') },
    { title: '3-D Secure', reason: 6, apply: pay('challengeFailed') },
  ],
  lifetime: 21 * minute,
  alterations: {
    'another cart': replace('cart_id', newId()),
    'no cart': replace('cart_id', undefined),
    'a refund': replace('tran_type', 'Refund'),
    'an authorization': replace('tran_type', 'Auth'),
    'no type': replace('tran_type', undefined),
    'a long reference': replace('tran_ref', longText),
    'a reference that is not text': replace('tran_ref', 1),
    'a negative amount': replace('tran_total', '-1'),
    'a fraction of a cent': replace('tran_total', '12.505'),
    'a long amount': replace('tran_total', '1'.repeat(100_000)),
    'a long currency': replace('tran_currency', longText),
  },
  refundAlterations: {
    'another amount': replace('cart_amount', '0.01'),
    'another currency': replace('cart_currency', 'USD'),
    'another refund': within('tran_type', 'Refund', { cart_id: `refund-${newId()}` }),
    'a sale': within('tran_type', 'Refund', { tran_type: 'Sale' }),
  },
  queryRequest: 'POST /payment/query',
  absences: ['an empty list'],
  reportsFailedRefunds: false,
  declineReason: 5,
  statusAfterLeaving: 5,
}
