import { expect, test } from 'vitest'
import { partsOf } from './namedTrades.ts'

test('words with a digit may be numbers of trades', () => {
  expect(partsOf('I paid coffee-0002. Where is it?').numbers).toEqual(['coffee-0002'])
  expect(partsOf('Order #A17/2, twice: A17').numbers).toEqual(['A17'])
  expect(partsOf('支付了coffee-0003，没有收到').numbers).toEqual(['coffee-0003'])
  expect(partsOf('No order, 2 cups').numbers).toEqual([])
})

test('the parts are the whole text', () => {
  const text = 'coffee-0001 and\ncoffee-0002'
  expect(partsOf(text).parts).toEqual(['', 'coffee-0001', ' and\n', 'coffee-0002', ''])
})

test('only a few numbers are looked up', () => {
  expect(partsOf('a01 a02 a03 a04 a05 a06 a01').numbers).toEqual(['a01', 'a02', 'a03', 'a04', 'a05'])
})
