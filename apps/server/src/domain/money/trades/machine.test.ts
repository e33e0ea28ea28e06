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

describe('a processing trade', () => {
  test('succeeds on a confirm of the same amount and currency', () => {
    for (const trade of [processing, paying]) {
      expect(decide(trade, { kind: 'confirmed', amount: 1250, currency: 'SAR' })).toEqual({
        kind: 'transition',
        to: 2,
        failReasonType: -1,
        callback: true,
      })
    }
  })

  test('does not succeed on a confirm of another amount or currency', () => {
    for (const money of [
      { amount: 1249, currency: 'SAR' },
      { amount: 1251, currency: 'SAR' },
      { amount: 1250, currency: 'USD' },
    ]) {
      expect(decide(paying, { kind: 'confirmed', ...money })).toEqual({ kind: 'none', reason: 'mismatch' })
    }
  })

  test.each(declineReasons)('fails with reason %i on a decline', (failReasonType) => {
    expect(decide(paying, { kind: 'declined', failReasonType })).toEqual({
      kind: 'transition',
      to: 3,
      failReasonType,
      callback: true,
    })
  })

  test('expires with 21 when due, unless an attempt is in flight', () => {
    expect(decide(processing, { kind: 'timedOut', now })).toEqual({
      kind: 'transition',
      to: 4,
      failReasonType: 21,
      callback: true,
    })
    expect(decide(processing, { kind: 'timedOut', now: now - 1 })).toEqual({ kind: 'none', reason: 'notDue' })
    expect(decide(paying, { kind: 'timedOut', now })).toEqual({ kind: 'none', reason: 'attemptInFlight' })
  })

  test('is canceled by the payer without a reason, and closed by the merchant with 22 and no callback', () => {
    expect(decide(processing, { kind: 'canceled' })).toEqual({
      kind: 'transition',
      to: 5,
      failReasonType: -1,
      callback: true,
    })
    expect(decide(processing, { kind: 'closed' })).toEqual({
      kind: 'transition',
      to: 6,
      failReasonType: 22,
      callback: false,
    })
    for (const kind of ['canceled', 'closed'] as const) {
      expect(decide(paying, { kind })).toEqual({ kind: 'none', reason: 'attemptInFlight' })
    }
  })
})

test('final states never change', () => {
  for (const status of Object.values(transactionStatus).filter((each) => each !== 1)) {
    for (const trigger of triggers) {
      for (const trade of [processing, paying]) {
        expect(decide({ ...trade, transactionStatus: status }, trigger)).toEqual({ kind: 'none', reason: 'final' })
      }
    }
  }
})

test('rejects a payment with the code of the state', () => {
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
