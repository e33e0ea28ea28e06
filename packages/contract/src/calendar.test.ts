import { expect, test } from 'vitest'
import { Calendar } from './calendar.ts'
import { hour } from './time.ts'

test.each([
  ['UTC', 0, '2030-03-10', '2030-03-10T23:30'],
  ['Asia/Riyadh', 180, '2030-03-11', '2030-03-11T02:30'],
  ['Asia/Kolkata', 330, '2030-03-11', '2030-03-11T05:00'],
  ['America/New_York', -240, '2030-03-10', '2030-03-10T19:30'],
])('days and times are those of %s', (zone, offset, day, local) => {
  const calendar = new Calendar(zone)
  const time = Date.UTC(2030, 2, 10, 23, 30)
  expect(calendar.utcOffset(time)).toBe(offset)
  expect(calendar.dayName(time)).toBe(day)
  expect(calendar.localTime(time)).toBe(local)
  expect(calendar.timeAt(local)).toBe(time)
  expect(calendar.localTime(calendar.midnight(time))).toBe(`${day}T00:00`)
})

test('days with 23 and 25 hours are one day', () => {
  const calendar = new Calendar('America/New_York')
  const before = calendar.timeAt('2030-03-10T00:00')
  expect(calendar.addDays(before, 1) - before).toBe(23 * hour)
  expect(calendar.localTime(calendar.addDays(before + 1000, 1))).toBe('2030-03-11T00:00')
  const localDay = (text: string, count: number) => calendar.localTime(calendar.addDays(calendar.timeAt(text), count))
  expect(localDay('2030-11-03T12:00', 1)).toBe('2030-11-04T00:00')
  expect(localDay('2030-11-04T12:00', -1)).toBe('2030-11-03T00:00')
  expect(calendar.timeAt('')).toBeNaN()
})

test('refuses unknown time zones', () => {
  expect(() => new Calendar('Asia/Atlantis')).toThrow(RangeError)
})
