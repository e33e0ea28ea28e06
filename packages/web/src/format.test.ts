import { expect, test } from 'vitest'
import { formatTime } from './format.ts'

test('no line breaks between a time and its day period', () => {
  const time = Date.UTC(2026, 10, 29, 19, 4, 5)
  const inLanguage = (language: string) =>
    formatTime(new Intl.DateTimeFormat(language, { timeStyle: 'medium', timeZone: 'UTC' }), time)
  expect(inLanguage('ar')).toBe('7:04:05\u00a0م')
  expect(inLanguage('en')).toBe('7:04:05\u202fPM')
  expect(inLanguage('zh-CN')).toBe('19:04:05')
})
