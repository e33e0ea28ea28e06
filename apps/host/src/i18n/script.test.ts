import { languages } from '@souk/contract'
import { bestLocale, locales } from '@souk/web'
import { expect, test } from 'vitest'
import { scriptOf } from './script.ts'

test('the host speaks every language that messages can have, and sets each in its own direction', () => {
  expect(
    Object.values(locales)
      .map(({ language }) => language)
      .sort(),
  ).toEqual([...languages].sort())
  expect(languages.map((language) => scriptOf(language).dir === 'rtl')).toEqual(
    languages.map((language) => language === 'ar_SA'),
  )
})

test('of the languages that a browser wishes for, the first that the host speaks counts', () => {
  expect(bestLocale(['fr-FR', 'ar-EG', 'en'])).toBe('ar')
  expect(bestLocale(['zh-TW'])).toBe('zh-CN')
  expect(bestLocale(['fr'])).toBe('en')
  expect(bestLocale([])).toBe('en')
})
