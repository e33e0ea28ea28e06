import { expect, test } from 'vitest'
import { flagFilter, numberFilter, oneOf, searchFilter, someOf, textFilter } from './urlFilters.ts'

test('filters read the values that they write', () => {
  expect(someOf([1, 2, 3]).read(someOf([1, 2, 3]).write([3, 1]))).toEqual([1, 3])
  expect(numberFilter.read(numberFilter.write(1_795_158_844_606))).toBe(1_795_158_844_606)
  expect(flagFilter.read(flagFilter.write(false))).toBe(false)
})

test('a text that is too long to search for is cut', () => {
  expect(searchFilter.read(searchFilter.write('x'.repeat(70)))).toBe('x'.repeat(64))
})

test('filters ignore invalid values in the query string', () => {
  expect(someOf([1, 2]).read('7,x')).toBeUndefined()
  expect(someOf([1, 2]).read('2,7')).toEqual([2])
  expect(numberFilter.read('-1')).toBeUndefined()
  expect(oneOf(['a', 'b']).read('c')).toBeUndefined()
  expect(textFilter(/^[0-9]+$/).read("1'; drop")).toBeUndefined()
  expect(flagFilter.read('yes')).toBeUndefined()
})
