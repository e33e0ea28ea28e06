import { hour } from '@souk/contract'
import { newId } from '../../../../../kernel/id.ts'
import { type Expected, longText, replace, within } from '../expected.ts'

export const expected: Expected = {
  behavior: {
    whenUnpaid: 'expired',
    whenChallengeFails: undefined,
    payableAfterCancel: false,
    reportsRefunds: true,
    listsPayments: true,
  },
  rejectedOrder: { order: { amount: 100_000_000 }, reason: 26 },
  // A decline is final when the page has expired. Until then the payer can try another card.
  declined: (pay, expire) => [
    { title: 'a card', reason: 27, apply: expire(pay('declined')) },
    { title: 'no money', reason: 27, apply: expire(pay('insufficientFunds')) },
    { title: 'wallet A', order: { payMethod: 1 }, reason: 1, apply: expire(pay('walletUnavailable')) },
    { title: 'wallet A, its token', order: { payMethod: 1 }, reason: 4, apply: expire(pay('walletToken')) },
    { title: 'wallet B', order: { payMethod: 2 }, reason: 11, apply: expire(pay('walletUnavailable')) },
    { title: 'wallet B, its token', order: { payMethod: 2 }, reason: 10, apply: expire(pay('walletToken')) },
  ],
  lifetime: 25 * hour,
  alterations: {
    'another attempt': (key, value) => (/^(attemptId|client_reference_id)$/.test(key) ? newId() : value),
    'no attempt': (key, value) => (/^(attemptId|client_reference_id)$/.test(key) ? undefined : value),
    'a setup': (key, value) => (key === 'object' && value === 'payment_intent' ? 'setup_intent' : value),
    'an authorization': (key, value) => (key === 'status' && value === 'succeeded' ? 'requires_capture' : value),
    'a long ID': replace('id', longText),
    'an ID that is not text': replace('id', 1),
    'a negative amount': replace('amount_received', -1),
    'a fraction of a cent': replace('amount_received', 12.5),
    'an amount as text': replace('amount_received', '1250'),
    'a long currency': replace('currency', longText),
    'no currency': replace('currency', undefined),
  },
  refundAlterations: {
    'another amount': within('object', 'refund', { amount: 1 }),
    'another currency': within('object', 'refund', { currency: 'usd' }),
    'another refund': within('object', 'refund', { metadata: { refundNo: newId() } }),
    'another payment': within('object', 'refund', { payment_intent: 'pi_other' }),
    'a charge': within('object', 'refund', { object: 'charge' }),
  },
  queryRequest: 'GET /v1/checkout/sessions/pay_1',
  absences: [],
  reportsFailedRefunds: true,
  declineReason: null,
  statusAfterLeaving: 1,
}
