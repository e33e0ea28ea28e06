import { languages } from '@souk/contract'
import { bestLocale, locales } from '@souk/web'
import { expect, test } from 'vitest'
import { scriptOf } from './script.ts'

test('supports every message language with its writing direction', () => {
  expect(
    Object.values(locales)
      .map(({ language }) => language)
      .sort(),
  ).toEqual([...languages].sort())
  expect(languages.map((language) => scriptOf(language).dir === 'rtl')).toEqual(
    languages.map((language) => language === 'ar_SA'),
  )
})

test('leaves the direction of other languages to the text', () => {
  expect(scriptOf('fa_IR')).toEqual({ lang: 'fa-IR', dir: 'auto' })
})

test('chooses the first supported language of the browser, or English', () => {
  expect(bestLocale(['fr-FR', 'ar-EG', 'en'])).toBe('ar')
  expect(bestLocale(['zh-TW'])).toBe('zh-CN')
  expect(bestLocale(['fr'])).toBe('en')
  expect(bestLocale([])).toBe('en')
})
