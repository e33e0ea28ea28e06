import { createTexts } from '@souk/web'
import type common from './messages/en.ts'

export type { Texts } from '@souk/web'

/** `messages/` here holds what pages share; every page has a `messages/` of its own. Vuetify looks for its own texts under `$vuetify`. */
export const { i18n, chosenLocale, initialLocale, locale, setLocale, showTexts, useTexts } = createTexts({
  files: import.meta.glob<{ default: object }>(['./messages/*.ts', './vuetify/*.ts', '../pages/*/messages/*.ts']),
  pathOf(page, locale) {
    if (page === 'common') return `./messages/${locale}.ts`
    return page === '$vuetify' ? `./vuetify/${locale}.ts` : `../pages/${page}/messages/${locale}.ts`
  },
  first: ['common', '$vuetify'],
  remembered: 'souk.language',
})

/** The texts that pages share. */
export const useCommon = () => useTexts<typeof common>('common')
