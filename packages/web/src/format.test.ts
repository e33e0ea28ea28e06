import { expect, test } from 'vitest'
import { formatTime, formatterOf } from './format.ts'

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
