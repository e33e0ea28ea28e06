import { expect, test } from 'vitest'
import { searchedOptions } from './searchedOptions.ts'

const options = (titles: string[]) => titles.map((title) => ({ value: title, title }))
const shown = (typed: string, isSearching: boolean, found: string[], more: string[] = []) =>
  searchedOptions(typed, { found: options(found), isSearching, more: options(more) })
    .filter(({ hidden }) => !hidden)
    .map(({ title }) => title)

test('what the server finds is shown, whatever it is found by', () => {
  expect(shown('demoapp0001', false, ['Tea'])).toEqual(['Tea'])
  expect(shown('', false, ['Tea', 'Coffee'])).toEqual(['Tea', 'Coffee'])
})

test('until the server has answered, only options that match are shown', () => {
  expect(shown(' TEA', true, ['Tea', 'Coffee'])).toEqual(['Tea'])
})

test('a chosen option is shown only if it matches', () => {
  expect(shown('tea', false, ['Tea'], ['Coffee'])).toEqual(['Tea'])
  expect(shown('', false, ['Tea'], ['Coffee'])).toEqual(['Coffee', 'Tea'])
})
