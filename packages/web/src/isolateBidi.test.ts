import { expect, test } from 'vitest'
import { isolateBidi } from './isolateBidi.ts'

test('isolates text of the opposite direction and leaves other values unchanged', () => {
  expect(isolateBidi('1.0.0+c5ec2038', 'rtl')).toBe('\u20681.0.0+c5ec2038\u2069')
  expect(isolateBidi('مقهى 24!', 'ltr')).toBe('\u2068مقهى 24!\u2069')
  expect(isolateBidi('小明', 'rtl')).toBe('\u2068小明\u2069')
  for (const same of ['Souk Coffee', '小明', '1,234', '']) expect(isolateBidi(same, 'ltr')).toBe(same)
  for (const same of ['مقهى', '1,234', '٣', '']) expect(isolateBidi(same, 'rtl')).toBe(same)
  expect(isolateBidi(7, 'rtl')).toBe(7)
})

test('removes characters that would change the direction of the text around a value', () => {
  expect(isolateBidi('Tea\u202e House\u2069', 'ltr')).toBe('Tea House')
  expect(isolateBidi('مقهى\u2069\u2067', 'ltr')).toBe('\u2068مقهى\u2069')
  expect(isolateBidi('of \u2068مقهى\u2069', 'ltr')).toBe('\u2068of \u2068مقهى\u2069\u2069')
})
