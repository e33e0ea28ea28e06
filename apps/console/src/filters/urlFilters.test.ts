import { expect, test } from 'vitest'
import { flagFilter, numberFilter, oneOf, someOf, textFilter } from './urlFilters.ts'

test('what a filter writes into the address it reads again', () => {
  expect(someOf([1, 2, 3]).read(someOf([1, 2, 3]).write([3, 1]))).toEqual([1, 3])
  expect(numberFilter.read(numberFilter.write(1_795_158_844_606))).toBe(1_795_158_844_606)
  expect(flagFilter.read(flagFilter.write(false))).toBe(false)
})

test('what somebody has written into the address by hand and means nothing is no filter', () => {
  expect(someOf([1, 2]).read('7,x')).toBeUndefined()
  expect(someOf([1, 2]).read('2,7')).toEqual([2])
  expect(numberFilter.read('-1')).toBeUndefined()
  expect(oneOf(['a', 'b']).read('c')).toBeUndefined()
  expect(textFilter(/^[0-9]+$/).read("1'; drop")).toBeUndefined()
  expect(flagFilter.read('yes')).toBeUndefined()
})
