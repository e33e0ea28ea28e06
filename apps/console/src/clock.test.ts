import { day, hour, minute } from '@souk/contract'
import { expect, test } from 'vitest'
import { realTimeAt } from './clock.ts'

const start = Date.UTC(2026, 10, 28, 12)
// Moved by a day at 12:00, and reset at 13:00; it is 14:00.
const moves = [
  { time: start, offset: day },
  { time: start + hour, offset: 0 },
]
const now = start + 2 * hour
const at = (time: number) => realTimeAt(time, moves, now) - start

test('times from before the first move, and after a reset, are real', () => {
  expect(at(start - 5 * minute)).toBe(-5 * minute)
  expect(at(start + hour + minute)).toBe(hour + minute)
  expect(realTimeAt(start, [], now)).toBe(start)
})

test('a time of the moved clock is the real time at which it was shown', () => {
  expect(at(start + day + 30 * minute)).toBe(30 * minute)
})

test('a time that the clock jumped over is the time of the jump', () => {
  const once = moves.slice(0, 1)
  expect(realTimeAt(start + 20 * hour, once, now)).toBe(start)
})

test('a time to come is reached with the present offset', () => {
  expect(realTimeAt(start + day + 5 * hour, moves.slice(0, 1), now)).toBe(start + 5 * hour)
  expect(at(start + 5 * day)).toBe(5 * day)
})
