import { createTexts } from '@souk/web'
import type common from './locales/en.ts'

export type { Texts } from '@souk/web'

/** `locales/` in this folder contains shared texts; every feature folder has its own `locales/`. */
export const { findText, initialLocale, locale, setLocale, showTexts, useTexts } = createTexts({
  files: import.meta.glob<{ default: object }>(['./locales/*.ts', '../*/locales/*.ts']),
  pathOf: (feature, locale) => (feature === 'common' ? `./locales/${locale}.ts` : `../${feature}/locales/${locale}.ts`),
  initial: ['common'],
  fonts: {
    'zh-CN': () => import('@souk/design/fonts/chinese.css'),
    ar: () => import('@souk/design/fonts/arabic.css'),
  },
  storageKey: 'souk.host.language',
})

/** Returns the translation function for shared texts. */
export const useCommon = () => useTexts<typeof common>('common')
