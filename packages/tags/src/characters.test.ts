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

/** Text of the field before, the text with what was typed or pasted, and the text that the field accepts. */
test.each([
  // Numbers, and the beginnings of them.
  ['', '-', '-'],
  ['', '12', '12'],
  ['-', '-12', '-12'],
  ['-12', '-12.', '-12.'],
  ['-12.', '-12.5', '-12.5'],
  ['', '-12.5', '-12.5'],
  ['', '.5', '.5'],
  ['5', '', ''],
  ['-5', '-', '-'],
  ['', '007', '007'],
  // Exponents.
  ['', '12e3', '12e3'],
  ['', '1.5E-3', '1.5E-3'],
  ['12e3', '12e', '12e'],
  ['12e', '12', '12'],
  ['12', '12e', '12'],
  // Typed characters that are not allowed.
  ['123', '12a3', '123'],
  ['12', '12a', '12'],
  ['12', '1-2', '12'],
  ['-5', '--5', '-5'],
  ['5', '5-', '5'],
  ['1.5', '1.5.', '1.5'],
  ['1.52', '1.5.2', '1.52'],
  ['1.5', '1.5,', '1.5'],
  ['1234', '12 34', '1234'],
  ['1234', '1,234', '1234'],
  // Pasted texts that contain one number.
  ['7', '$12.50', '12.50'],
  ['7', ' 12 px', '12'],
  ['7', '+5', '5'],
  ['7', '−5 °C', '-5'],
  ['', '1,234.50', '1234.50'],
  ['', '1.234,50', '1234.50'],
  ['', '1 234,5', '1234.5'],
  ['', "1'234", '1234'],
  ['', '-1,234,567', '-1234567'],
  ['', '1.234.567', '1234567'],
  ['', '1,5', '1.5'],
  ['', ',', '.'],
  // Pasted texts that do not.
  ['7', 'abc', '7'],
  ['7', '12a3', '7'],
  ['7', '1.5.2', '7'],
  ['7', '1,2,3', '7'],
  ['7', '2026-11-28', '7'],
  ['7', '10:30', '7'],
  ['', '12 34', ''],
  // Digits and signs of other scripts.
  ['', '١٢٫٥', '12.5'],
  ['', '١٬٢٣٤٫٥', '1234.5'],
  ['', '۱۲۳', '123'],
  ['', '१२', '12'],
  ['', '１２．５', '12.5'],
  ['', '𝟗', '9'],
])('a field for numbers with %j changes %j to %j', (previous, text, accepted) => {
  expect(keepNumber(text, previous)).toBe(accepted)
})

test('accepts what it has accepted, and never a number that the text does not contain', () => {
  const characters = ['1', '23', '456', '.', ',', '-', 'e', ' ', 'a']
  const texts = ['']
  for (let length = 0; length < 4; length++)
    texts.push(...texts.slice(-(characters.length ** length)).flatMap((text) => characters.map((each) => text + each)))
  for (const text of texts) {
    const accepted = keepNumber(text, '')
    expect(keepNumber(accepted, accepted)).toBe(accepted)
    // The digits are those of the text, all of them.
    if (accepted !== '') expect(accepted.replace(/\D/g, '')).toBe(text.replace(/\D/g, ''))
    // A character between digits that is left out groups three of them.
    if (/\d[^\d.,e ]+\d/.test(text)) expect(accepted).toBe('')
  }
})
