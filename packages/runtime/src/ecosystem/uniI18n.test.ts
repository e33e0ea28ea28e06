import { expect, test } from 'vitest'
import { initVueI18n } from './uniI18n.ts'

const messages = {
  en: { hello: 'Hello {name}', only: 'Only English' },
  'zh-Hans': { hello: '{name}，你好' },
}

test.each([
  ['zh-CN', 'Layla，你好'],
  ['zh_CN', 'Layla，你好'],
  ['en-GB', 'Hello Layla'],
  ['', 'Hello Layla'],
  ['not a tag', 'Hello Layla'],
])('translates for the locale "%s", or for the fallback', (locale, text) => {
  expect(initVueI18n(locale, messages).t('hello', { name: 'Layla' })).toBe(text)
})

test('falls back to another locale for a missing key, then to the key', () => {
  const { t, setLocale, getLocale } = initVueI18n(messages, 'zh-Hans')
  expect([t('only'), t('nothing')]).toEqual(['Only English', 'nothing'])
  setLocale('en-US')
  expect([getLocale(), t('hello')]).toEqual(['en', 'Hello {name}'])
})
