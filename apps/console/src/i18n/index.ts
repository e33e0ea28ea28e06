import { createTexts, type Problem } from '@souk/web'
import type common from './locales/en.ts'

export type { Texts } from '@souk/web'

/** `./locales` holds the texts that pages share; each page has its own `locales`. */
export const { findText, chosenLocale, initialLocale, locale, setLocale, showTexts, useTexts } = createTexts({
  files: import.meta.glob<{ default: object }>(['./locales/*.ts', '../pages/*/locales/*.ts']),
  pathOf: (page, locale) => (page === 'common' ? `./locales/${locale}.ts` : `../pages/${page}/locales/${locale}.ts`),
  initial: ['common'],
  fonts: {
    'zh-CN': () => import('@souk/design/fonts/chinese.css'),
    ar: () => import('@souk/design/fonts/arabic.css'),
  },
  storageKey: 'souk.language',
})

/** Returns the title of a problem in the current language, or the server's message for one without a title. */
export const problemTitle = ({ code, message }: Problem) => findText('common', `problems.${code}`) ?? message

/** Returns the texts that pages share. */
export const useCommon = () => useTexts<typeof common>('common')
