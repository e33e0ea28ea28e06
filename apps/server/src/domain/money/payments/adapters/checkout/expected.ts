import { hour } from '@souk/contract'
import { newId } from '../../../../../kernel/id.ts'
import { type Expected, longText, replace, within } from '../expected.ts'

export const expected: Expected = {
  behavior: {
    whenUnpaid: 'expired',
    whenChallengeFails: 24,
    payableAfterCancel: true,
    reportsRefunds: true,
    listsPayments: true,
  },
  rejectedOrder: { order: { currency: 'riyal' as 'SAR' }, reason: 25 },
  declined: (pay) => [
    { title: 'a card', reason: 24, apply: pay('declined') },
    { title: 'an expired card', reason: 24, apply: pay('expiredCard') },
    { title: 'wallet A, not offered', order: { payMethod: 1 }, reason: 1, apply: pay('walletUnavailable') },
    { title: 'wallet A, its token', order: { payMethod: 1 }, reason: 4, apply: pay('walletToken') },
    { title: 'wallet B, not offered', order: { payMethod: 2 }, reason: 11, apply: pay('walletUnavailable') },
    { title: 'wallet B, its token', order: { payMethod: 2 }, reason: 10, apply: pay('walletToken') },
    { title: 'wallet A, no money', order: { payMethod: 1 }, reason: 24, apply: pay('insufficientFunds') },
  ],
  lifetime: 25 * hour,
  alterations: {
    'another reference': replace('reference', newId()),
    'no reference': replace('reference', undefined),
    'an authorization': replace('status', 'Authorized'),
    'a long ID': replace('id', longText),
    'an ID that is not text': replace('id', 1),
    'a negative amount': replace('total_captured', -1),
    'a fraction of a cent': replace('total_captured', 12.5),
    'an amount as text': replace('total_captured', '1250'),
    'a long currency': replace('currency', longText),
    'no currency': replace('currency', undefined),
  },
  refundAlterations: {
    'another amount': within('type', 'Refund', { amount: 1 }),
    'another refund': within('type', 'Refund', { reference: newId() }),
    'a capture': within('type', 'Refund', { type: 'Capture' }),
  },
  queryRequest: 'GET /payments',
  // A later payment still counts, or is refunded.
  absences: ['an error 404'],
  reportsFailedRefunds: true,
  declineReason: 24,
  statusAfterLeaving: 1,
}
