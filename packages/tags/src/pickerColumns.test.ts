import { expect, test } from 'vitest'
import { captionOf, dateChoices, dateText, parseDate, parseTime, timeChoices, timeText } from './pickerColumns.ts'

const now = [2026, 8, 14]

test('parses and formats dates and times', () => {
  expect(parseTime('7:05')).toEqual([7, 5])
  expect(parseTime('noon')).toBeUndefined()
  expect(timeText([7, 5])).toBe('07:05')
  expect(parseDate('2024-2-9')).toEqual([2024, 2, 9])
  expect(parseDate('2024/02')).toEqual([2024, 2])
  expect(parseDate('')).toBeUndefined()
  expect(dateText([2024, 2, 9])).toBe('2024-02-09')
})

test('limits days to the month, including leap years', () => {
  const days = (parts: number[]) => dateChoices(parts, now, 'day').columns[2]!.length
  expect(days([2024, 2, 1])).toBe(29)
  expect(days([2026, 2, 1])).toBe(28)
  expect(days([2026, 4, 1])).toBe(30)
  expect(dateChoices([2026, 2, 31], now, 'day').parts).toEqual([2026, 2, 28])
})

test('allows exactly the dates between start and end', () => {
  const at = (parts: number[]) => dateChoices(parts, now, 'day', '2025-11-20', '2026-02-10')
  expect(at([2020, 1, 1]).parts).toEqual([2025, 11, 20])
  expect(at([2030, 1, 1]).parts).toEqual([2026, 1, 1])
  expect(at([2030, 12, 31]).parts).toEqual([2026, 2, 10])
  expect(at([2025, 12, 1]).columns.map((column) => [column[0], column.at(-1)])).toEqual([
    [2025, 2026],
    [11, 12],
    [1, 31],
  ])
  expect(at([2026, 2, 1]).columns[2]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('`fields` determines the number of columns', () => {
  expect(dateChoices([2026, 5], now, 'month').parts).toEqual([2026, 5])
  expect(dateChoices([2026, 5, 3], now, 'year')).toMatchObject({ parts: [2026] })
  expect(dateChoices([2026], now, 'year').columns[0]).toHaveLength(201)
})

test('limits minutes in the first and last hour only', () => {
  expect(timeChoices([9, 0], '09:30', '17:15')).toMatchObject({ parts: [9, 30] })
  expect(timeChoices([17, 50], '09:30', '17:15').parts).toEqual([17, 15])
  expect(timeChoices([12, 0], '09:30', '17:15').columns[1]).toHaveLength(60)
})

test('an end before the start leaves only the start', () => {
  expect(timeChoices([12, 0], '10:00', '09:00')).toMatchObject({ parts: [10, 0] })
})

test('shows a choice or one of its fields', () => {
  expect(captionOf('a', undefined)).toBe('a')
  expect(captionOf({ name: 'a' }, 'name')).toBe('a')
  expect(captionOf(null, 'name')).toBe('')
})
