import { createTexts } from '@souk/web'
import type common from './messages/en.ts'

export type { Texts } from '@souk/web'

/** `messages/` here holds what features share; every feature folder has a `messages/` of its own. */
export const { i18n, initialLocale, locale, setLocale, showTexts, useTexts } = createTexts({
  files: import.meta.glob<{ default: object }>(['./messages/*.ts', '../*/messages/*.ts']),
  pathOf: (feature, locale) =>
    feature === 'common' ? `./messages/${locale}.ts` : `../${feature}/messages/${locale}.ts`,
  first: ['common'],
  remembered: 'souk.host.language',
})

/** The texts that features share. */
export const useCommon = () => useTexts<typeof common>('common')
