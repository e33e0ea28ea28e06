import { canonicalString, openOperations } from '@souk/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalPairs } from './canonicalPairs.ts'

const names = Object.keys(openOperations.trade.parameters.properties)

test('splits a canonical string into pairs, including empty values', () => {
  const parameters = { appid: 'a23456789012345', amount: '940', description: '', currency: 'USD', timestamp: '17' }
  expect(canonicalPairs(canonicalString(Object.entries(parameters), '******'), names)).toEqual([
    { name: 'amount', value: '940' },
    { name: 'appid', value: 'a23456789012345' },
    { name: 'currency', value: 'USD' },
    { name: 'description', value: '' },
    { name: 'secret', value: '******' },
    { name: 'timestamp', value: '17' },
  ])
})

test('keeps a value that looks like a pair out of order', () => {
  const text = 'amount=1appid=adescription=for amount=5secret=***'
  expect(canonicalPairs(text, names).map(({ value }) => value)).toEqual(['1', 'a', 'for amount=5', '***'])
})

test('preserves every character of any text', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.constantFrom(...names)), (text, chosen) => {
      const whole = chosen.map((name) => `${name}=`).join(text) + text
      const written = canonicalPairs(whole, names).map(({ name, value }) => (name ? `${name}=${value}` : value))
      expect(written.join('')).toBe(whole)
    }),
  )
})
