import { day, hour, minute, second } from '@souk/contract/time'
import { expect, test } from 'vitest'
import { formatTime, relativeTime } from './format.ts'
import { formatterOf } from './formatterOf.ts'

test('no line breaks between a time and its day period', () => {
  const time = Date.UTC(2026, 10, 29, 19, 4, 5)
  const inLanguage = (language: string) =>
    formatTime(new Intl.DateTimeFormat(language, { timeStyle: 'medium', timeZone: 'UTC' }), time)
  expect(inLanguage('ar')).toBe('7:04:05\u00a0م')
  expect(inLanguage('en')).toBe('7:04:05\u202fPM')
  expect(inLanguage('zh-CN')).toBe('19:04:05')
})

test('formatters are kept by class, language and options', () => {
  const options: Intl.DateTimeFormatOptions = { timeStyle: 'medium', timeZone: 'UTC' }
  const kept = formatterOf(Intl.DateTimeFormat, 'en', options)
  expect(formatterOf(Intl.DateTimeFormat, 'en', { ...options })).toBe(kept)
  expect(formatterOf(Intl.DateTimeFormat, 'en', { ...options, timeZone: 'Asia/Riyadh' }).format(0)).not.toBe(
    kept.format(0),
  )
  expect(formatterOf(Intl.DateTimeFormat, 'ar', options).format(0)).not.toBe(kept.format(0))
  expect(formatterOf(Intl.DateTimeFormat, 'en', {}).format(0)).not.toBe('0')
  expect(formatterOf(Intl.NumberFormat, 'en', {}).format(0)).toBe('0')
})

test('a relative time is in the unit that it rounds to', () => {
  const ago = (span: number, tag = 'en') => relativeTime(tag, 0, span)
  expect(ago(0)).toBe('now')
  expect(ago(59.4 * second)).toBe('59 seconds ago')
  expect(ago(59.6 * second)).toBe('1 minute ago')
  expect(ago(59.4 * minute)).toBe('59 minutes ago')
  expect(ago(59.6 * minute)).toBe('1 hour ago')
  expect(ago(59.6 * minute, 'zh-CN')).toBe('1小时前')
  expect(ago(59.6 * minute, 'ar')).toBe('قبل ساعة واحدة')
  expect(ago(23.6 * hour)).toBe('yesterday')
  expect(ago(6.6 * day)).toBe('last week')
  expect(ago(360 * day)).toBe('last year')
  expect(relativeTime('en', 59.6 * minute, 0)).toBe('in 1 hour')
  expect(ago(91 * minute)).toBe('2 hours ago')
})
