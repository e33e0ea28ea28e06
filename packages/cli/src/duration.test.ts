import { day } from '@souk/contract'
import { expect, test } from 'vitest'
import { formatDuration, formatRelative, parseDuration } from './duration.ts'

test.each([
  ['250ms', 250],
  ['90s', 90_000],
  ['15m', 900_000],
  ['2h', 7_200_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
  ['1d2h3m4s5ms', 93_784_005],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', '2', '2 h', 'h', '-2h', '2h!', '2H', '0s', '1e3s', '99999999999999999d'])(
  'refuses %j as a duration',
  (text) => {
    expect(() => parseDuration(text)).toThrow('Use a duration such as')
  },
)

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [5_400_000, '1 h 30 min'],
  [day, '1 d'],
  [86_460_000, '1 d'],
  [90_061_000, '1 d 1 h'],
])('%i ms reads %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('formats a time relative to now', () => {
  expect([0, -5000, -day, 7_190_000].map((distance) => formatRelative(1e12 + distance, 1e12))).toEqual([
    'now',
    '5 s ago',
    '1 d ago',
    'in 2 h',
  ])
})
