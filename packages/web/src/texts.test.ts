import { expect, onTestFinished, test, vi } from 'vitest'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createTexts } from './texts.ts'

const files = Object.fromEntries(
  Object.entries({
    'common.en': { from: 'From {version}', files: '{count} file | {count} files', at: "{'@'} {missing}home" },
    'common.ar': {
      at: "{'@'} {missing}home",
      from: 'من {version}',
      files: 'لا ملفات | ملف واحد | ملفان | {count} ملفات | {count} ملفًا | {count} ملف',
    },
    'shop.en': { name: 'Shop' },
    'shop.ar': { name: 'متجر' },
  }).map(([path, texts]) => [path, async () => ({ default: texts })]),
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
      const counted = [0, 1, 2, 3].map((count) => t('files', {}, count)).join(', ')
      return () => h('p', [t('from', { version: '1.0.0+c5' }), counted, t('at'), shop('name')].join('; '))
    },
  })
  return renderToString(app)
}

test('loads texts by feature, fills in values, selects plurals and isolates text of the opposite direction', async () => {
  expect(await shown('en')).toBe('<p>From 1.0.0+c5; 0 files, 1 file, 2 files, 3 files; @ home; Shop</p>')
  expect(await shown('ar')).toBe('<p>من \u20681.0.0+c5\u2069; لا ملفات, ملف واحد, ملفان, 3 ملفات; @ home; متجر</p>')
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
