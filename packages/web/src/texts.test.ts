import { expect, onTestFinished, test, vi } from 'vitest'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createTexts } from './texts.ts'

const files = Object.fromEntries(
  Object.entries({
    'common.en': { from: 'From {version}', files: '{count} file | {count} files' },
    'common.ar': {
      from: 'من {version}',
      files: 'لا ملفات | ملف واحد | ملفان | {count} ملفات | {count} ملفًا | {count} ملف',
    },
    'shop.en': { name: 'Shop' },
    'shop.ar': { name: 'متجر' },
  }).map(([path, texts]) => [path, async () => ({ default: texts })]),
)
type Common = { from: string; files: string }

async function shown(to: 'en' | 'ar'): Promise<string> {
  const texts = createTexts({
    files,
    pathOf: (feature, locale) => `${feature}.${locale}`,
    initial: ['common'],
    storageKey: '',
  })
  texts.i18n.global.locale.value = to
  await Promise.all([texts.showTexts('common'), texts.showTexts('shop')])
  const app = createSSRApp({
    setup() {
      const t = texts.useTexts<Common>('common')
      const shop = texts.useTexts<{ name: string }>('shop')
      return () => h('p', [t('from', { version: '1.0.0+c5' }), t('files', {}, 2), shop('name')].join('; '))
    },
  })
  return renderToString(app.use(texts.i18n))
}

test('loads texts by feature, fills in values, selects plurals and isolates text of the opposite direction', async () => {
  expect(await shown('en')).toBe('<p>From 1.0.0+c5; 2 files; Shop</p>')
  expect(await shown('ar')).toBe('<p>من \u20681.0.0+c5\u2069; ملفان; متجر</p>')
})

test('loads a feature in both languages during a language change; the last choice wins', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  let release = () => {}
  const blocked = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = { ...files, 'common.ar': () => blocked.then(files['common.ar']) }
  const { i18n, locale, setLocale, showTexts } = createTexts({
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
  expect(['en', 'ar'].map((language) => i18n.global.te('shop.name', language as 'en'))).toEqual([true, true])

  const back = setLocale('en', false)
  await Promise.all([setLocale('ar', false), back])
  expect(locale.value).toBe('ar')
})

test('rejects an unknown feature', async () => {
  const texts = createTexts({ files, pathOf: (feature) => feature, initial: [], storageKey: '' })
  await expect(texts.showTexts('nowhere')).rejects.toThrow('nowhere is missing')
})
