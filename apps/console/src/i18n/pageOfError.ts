import type { Locale } from '@souk/web'

/** Folders of the documentation by language. */
const folders: Record<Locale, string> = { en: '', 'zh-CN': 'zh/', ar: 'ar/' }

/** Returns the address of the page about an error in a language. */
export const pageOfError = (code: string, locale: Locale): string => `/docs/${folders[locale]}errors/${code}`
