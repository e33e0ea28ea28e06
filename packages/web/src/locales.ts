/**
 * The languages of Souk's web applications, each by its own name. `language` is how the open API and its messages write it, `intl` decides
 * numbers, dates and money (ADR 220).
 */
export const locales = {
  'zh-CN': { name: '简体中文', dir: 'ltr', language: 'zh_CN', intl: 'zh-CN' },
  en: { name: 'English', dir: 'ltr', language: 'en_US', intl: 'en' },
  ar: { name: 'العربية', dir: 'rtl', language: 'ar_SA', intl: 'ar-u-ca-gregory-nu-latn' },
} as const

export type Locale = keyof typeof locales

export function isLocale(name: unknown): name is Locale {
  return typeof name === 'string' && Object.hasOwn(locales, name)
}

/** The first of the wished languages that there is, else English. */
export function bestLocale(wished: readonly string[]): Locale {
  for (const wish of wished) {
    const found = Object.keys(locales).find((name) => name.split('-')[0] === wish.toLowerCase().split('-')[0])
    if (isLocale(found)) return found
  }
  return 'en'
}
