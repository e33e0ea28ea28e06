import { expect, test } from 'vitest'
import { decodeEntities, keepNumber, replaceSpaces } from './characters.ts'

test('replaces blanks by the named space and leaves line breaks', () => {
  expect(replaceSpaces('a  b\nc', 'ensp')).toBe('a\u2002\u2002b\nc')
  expect(replaceSpaces('a b', 'emsp')).toBe('a\u2003b')
  expect(replaceSpaces('a b', 'nbsp')).toBe('a\u00a0b')
  expect(replaceSpaces('a b', undefined)).toBe('a b')
})

test('decodes entities once and leaves unknown ones', () => {
  expect(decodeEntities('&lt;a&gt;&nbsp;&amp;lt; &copy; &constructor; &')).toBe('<a>\u00a0&lt; &copy; &constructor; &')
})

test.each([
  ['12a3', 'number', '123'],
  ['1.5', 'number', '15'],
  ['-12', 'number', '-12'],
  ['1-2', 'number', '12'],
  ['1.5.2', 'digit', '1.52'],
  ['.5', 'digit', '.5'],
  ['1,5', 'digit', '1.5'],
  ['1.5,', 'digit', '1.5'],
  ['1,234.50', 'digit', '1234.50'],
  ['1,234,567', 'digit', '1234567'],
  ['1.', 'digit', '1.'],
  ['', 'digit', ''],
  ['١٢٫٥', 'digit', '12.5'],
  ['۱۲۳', 'number', '123'],
  ['१२', 'number', '12'],
  ['１２．５', 'digit', '12.5'],
  ['𝟗', 'number', '9'],
] as const)('converts %j in a field of type %s to %j', (text, type, expected) => {
  expect(keepNumber(text, type)).toBe(expected)
})
