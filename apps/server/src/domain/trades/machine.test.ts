import { declineReasons, type TransactionStatus, transactionStatus } from '@souk/contract'
import { describe, expect, test } from 'vitest'
import { decide, paymentFailCode, type TradeFacts, type Trigger } from './machine.ts'

const now = 1_000_000
const processing: TradeFacts = {
  transactionStatus: 1,
  amount: 1250,
  currency: 'SAR',
  timeExpire: now,
  attemptInFlight: null,
}
const paying: TradeFacts = { ...processing, attemptInFlight: 'a' }
const triggers: Trigger[] = [
  { kind: 'confirmed', amount: 1250, currency: 'SAR' },
  { kind: 'declined', failReasonType: 24 },
  { kind: 'timedOut', now },
  { kind: 'canceled' },
  { kind: 'closed' },
]

describe('from processing', () => {
  test('a confirm of the same amount and currency succeeds', () => {
    for (const trade of [processing, paying]) {
      expect(decide(trade, { kind: 'confirmed', amount: 1250, currency: 'SAR' })).toEqual({
        kind: 'moves',
        to: 2,
        failReasonType: -1,
        callback: true,
      })
    }
  })

  test('a confirm of another amount or currency never succeeds', () => {
    for (const money of [
      { amount: 1249, currency: 'SAR' },
      { amount: 1251, currency: 'SAR' },
      { amount: 1250, currency: 'USD' },
    ]) {
      expect(decide(paying, { kind: 'confirmed', ...money })).toEqual({ kind: 'stays', because: 'mismatch' })
    }
  })

  test.each(declineReasons)('a decline with %i fails with that reason', (failReasonType) => {
    expect(decide(paying, { kind: 'declined', failReasonType })).toEqual({
      kind: 'moves',
      to: 3,
      failReasonType,
      callback: true,
    })
  })

  test('the time passes: expired with 21, unless it has not come or an attempt is in flight', () => {
    expect(decide(processing, { kind: 'timedOut', now })).toEqual({
      kind: 'moves',
      to: 4,
      failReasonType: 21,
      callback: true,
    })
    expect(decide(processing, { kind: 'timedOut', now: now - 1 })).toEqual({ kind: 'stays', because: 'notDue' })
    expect(decide(paying, { kind: 'timedOut', now })).toEqual({ kind: 'stays', because: 'attemptInFlight' })
  })

  test('the payer cancels: canceled without a reason; the merchant closes: closed with 22 and no callback', () => {
    expect(decide(processing, { kind: 'canceled' })).toEqual({
      kind: 'moves',
      to: 5,
      failReasonType: -1,
      callback: true,
    })
    expect(decide(processing, { kind: 'closed' })).toEqual({
      kind: 'moves',
      to: 6,
      failReasonType: 22,
      callback: false,
    })
    for (const kind of ['canceled', 'closed'] as const) {
      expect(decide(paying, { kind })).toEqual({ kind: 'stays', because: 'attemptInFlight' })
    }
  })
})

test('no trigger leads out of 2 to 6', () => {
  for (const status of Object.values(transactionStatus).filter((each) => each !== 1)) {
    for (const trigger of triggers) {
      for (const trade of [processing, paying]) {
        expect(decide({ ...trade, transactionStatus: status }, trigger)).toEqual({ kind: 'stays', because: 'final' })
      }
    }
  }
})

test('a payment is refused with the reason of the state', () => {
  const refusals: [TransactionStatus, number | null][] = [
    [1, null],
    [2, 20],
    [3, 27],
    [4, 21],
    [5, 22],
    [6, 22],
  ]
  for (const [status, code] of refusals) {
    expect(paymentFailCode({ ...processing, transactionStatus: status })).toBe(code)
  }
  expect(paymentFailCode(paying)).toBe(23)
})
