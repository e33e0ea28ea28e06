import { expect, test } from 'vitest'
import { isolated } from './isolateBidi.ts'

test('what is written in the other direction is kept together, and nothing else is touched', () => {
  expect(isolated('1.0.0+c5ec2038', 'rtl')).toBe('\u20681.0.0+c5ec2038\u2069')
  expect(isolated('مقهى 24!', 'ltr')).toBe('\u2068مقهى 24!\u2069')
  expect(isolated('小明', 'rtl')).toBe('\u2068小明\u2069')
  for (const same of ['Souk Coffee', '小明', '1,234', '']) expect(isolated(same, 'ltr')).toBe(same)
  for (const same of ['مقهى', '1,234', '٣', '']) expect(isolated(same, 'rtl')).toBe(same)
  expect(isolated(7, 'rtl')).toBe(7)
})
