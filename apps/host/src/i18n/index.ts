import { createTexts } from '@souk/web'
import type common from './locales/en.ts'

export type { Texts } from '@souk/web'

/** `locales/` here holds what features share; every feature folder has a `locales/` of its own. */
export const { i18n, initialLocale, locale, setLocale, showTexts, useTexts } = createTexts({
  files: import.meta.glob<{ default: object }>(['./locales/*.ts', '../*/locales/*.ts']),
  pathOf: (feature, locale) => (feature === 'common' ? `./locales/${locale}.ts` : `../${feature}/locales/${locale}.ts`),
  first: ['common'],
  remembered: 'souk.host.language',
})

/** The texts that features share. */
export const useCommon = () => useTexts<typeof common>('common')
