import { expect, onTestFinished, test, vi } from 'vitest'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { compileTexts } from '../build/texts.ts'
import { createTexts } from './texts.ts'

const files = Object.fromEntries(
  Object.entries({
    'common.en': {
      from: 'From {version} of user {uid}',
      files: '{count, plural, one {# file} other {# files}} of {max, number}',
      at: '@ {missing}home',
    },
    'common.ar': {
      at: '@ {missing}home',
      from: 'من {version} {uid}',
      files:
        '{count, plural, zero {لا ملفات} one {ملف واحد} two {ملفان} few {# ملفات} many {# ملفًا} other {# ملف}} من {max, number}',
    },
    'shop.en': { name: 'Shop' },
    'shop.ar': { name: 'متجر' },
  }).map(([path, texts]) => [path, async () => ({ default: compileTexts(texts) })]),
)
type Common = { from: string; files: string; at: string }

async function shown(to: 'en' | 'ar'): Promise<string> {
  const texts = createTexts({
    files,
    pathOf: (feature, locale) => `${feature}.${locale}`,
    initial: ['common'],
    storageKey: '',
  })
  vi.stubGlobal('document', { documentElement: {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  await texts.showTexts('shop')
  await texts.setLocale(to, false)
  const app = createSSRApp({
    setup() {
      const t = texts.useTexts<Common>('common')
      const shop = texts.useTexts<{ name: string }>('shop')
      const counted = [0, 1, 2, 3, 1011].map((count) => t('files', { count, max: 2000 })).join(', ')
      return () =>
        h(
          'p',
          [t('from', { version: '1.0.0+c5', uid: 10025 }), counted, t('at', { missing: undefined }), shop('name')].join(
            '; ',
          ),
        )
    },
  })
  return renderToString(app)
}

test('loads texts by feature, fills in values and numbers, selects plurals and isolates text of the opposite direction', async () => {
  expect(await shown('en')).toBe(
    '<p>From 1.0.0+c5 of user 10025; 0 files of 2,000, 1 file of 2,000, 2 files of 2,000, 3 files of 2,000, 1,011 files of 2,000; @ home; Shop</p>',
  )
  expect(await shown('ar')).toBe(
    '<p>من \u20681.0.0+c5\u2069 10025; لا ملفات من 2,000, ملف واحد من 2,000, ملفان من 2,000, 3 ملفات من 2,000, 1,011 ملفًا من 2,000; @ home; متجر</p>',
  )
})

test('loads a feature in both languages during a language change; the last choice wins', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { promise: blocked, resolve: release } = Promise.withResolvers<void>()
  const slow = { ...files, 'common.ar': () => blocked.then(files['common.ar']) }
  const { findText, locale, setLocale, showTexts } = createTexts({
    files: slow,
    pathOf: (feature, locale) => `${feature}.${locale}`,
    initial: ['common'],
    storageKey: '',
  })
  const changing = setLocale('ar', false)
  await showTexts('shop')
  release()
  await changing
  expect(locale.value).toBe('ar')
  expect(findText('shop', 'name')).toBe('متجر')

  const back = setLocale('en', false)
  await Promise.all([setLocale('ar', false), back])
  expect(locale.value).toBe('ar')
  await setLocale('en', false)
  expect([findText('shop', 'name'), findText('shop', 'none')]).toEqual(['Shop', undefined])
})

test('rejects an unknown feature', async () => {
  const texts = createTexts({ files, pathOf: (feature) => feature, initial: [], storageKey: '' })
  await expect(texts.showTexts('nowhere')).rejects.toThrow('nowhere is missing')
})
