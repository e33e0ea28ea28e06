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
    first: ['common'],
    remembered: '',
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

test('texts come by feature, fill in their values, count, and keep together what reads the other way', async () => {
  expect(await shown('en')).toBe('<p>From 1.0.0+c5; 2 files; Shop</p>')
  expect(await shown('ar')).toBe('<p>من \u20681.0.0+c5\u2069; ملفان; متجر</p>')
})

test('a feature that is shown while the language changes has its texts in both; of two choices the last counts', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  let arrive = () => {}
  const held = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const slow = { ...files, 'common.ar': () => held.then(files['common.ar']) }
  const { i18n, locale, setLocale, showTexts } = createTexts({
    files: slow,
    pathOf: (feature, locale) => `${feature}.${locale}`,
    first: ['common'],
    remembered: '',
  })
  const changing = setLocale('ar', false)
  await showTexts('shop')
  arrive()
  await changing
  expect(locale.value).toBe('ar')
  expect(['en', 'ar'].map((language) => i18n.global.te('shop.name', language as 'en'))).toEqual([true, true])

  const back = setLocale('en', false)
  await Promise.all([setLocale('ar', false), back])
  expect(locale.value).toBe('ar')
})

test('texts that are not there are told at once', async () => {
  const texts = createTexts({ files, pathOf: (feature) => feature, first: [], remembered: '' })
  await expect(texts.showTexts('nowhere')).rejects.toThrow('nowhere is missing')
})
