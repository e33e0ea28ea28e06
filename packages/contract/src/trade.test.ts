import { expect, test } from 'vitest'
import { amountStrWithYuan, centsOf, maxAmount } from './trade.ts'

test.each([
  ['0', 0],
  ['12', 1200],
  ['12.5', 1250],
  ['12.05', 1205],
  ['0.29', 29],
  ['999999999.99', maxAmount],
])('%s in the major unit are %i cents', (amount, cents) => {
  expect(centsOf(amount)).toBe(cents)
  expect(centsOf(amountStrWithYuan(cents))).toBe(cents)
})
