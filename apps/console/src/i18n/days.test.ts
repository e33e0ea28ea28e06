import { hour } from '@souk/contract'
import { expect, test, vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => null, setItem() {}, removeItem() {} })
const { addDays, dayName, localTime, midnight, timeAt, utcOffset } = await import('./days.ts')
const { setTimeZone } = await import('./timeZone.ts')

test.each([
  ['UTC', 0, '2030-03-10', '2030-03-10T23:30'],
  ['Asia/Riyadh', 180, '2030-03-11', '2030-03-11T02:30'],
  ['Asia/Kolkata', 330, '2030-03-11', '2030-03-11T05:00'],
  ['America/New_York', -240, '2030-03-10', '2030-03-10T19:30'],
])('days and times are those of %s', (zone, offset, day, local) => {
  setTimeZone(zone)
  const time = Date.UTC(2030, 2, 10, 23, 30)
  expect(utcOffset(time)).toBe(offset)
  expect(dayName(time)).toBe(day)
  expect(localTime(time)).toBe(local)
  expect(timeAt(local)).toBe(time)
  expect(localTime(midnight(time))).toBe(`${day}T00:00`)
})

test('days with 23 and 25 hours are one day', () => {
  setTimeZone('America/New_York')
  const before = timeAt('2030-03-10T00:00')
  expect(addDays(before, 1) - before).toBe(23 * hour)
  expect(localTime(addDays(before + 1000, 1))).toBe('2030-03-11T00:00')
  expect(localTime(addDays(timeAt('2030-11-03T12:00'), 1))).toBe('2030-11-04T00:00')
  expect(localTime(addDays(timeAt('2030-11-04T12:00'), -1))).toBe('2030-11-03T00:00')
  expect(timeAt('')).toBeNaN()
})
