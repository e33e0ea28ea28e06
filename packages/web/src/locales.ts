/**
 * Languages of Souk's web applications. `name` is in the language itself, `language` is the code in the open API, and
 * `intl` is the tag for numbers, dates and money (ADR 224).
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

/** Returns the first supported language of `preferred`, or English. */
export function bestLocale(preferred: readonly string[]): Locale {
  for (const tag of preferred) {
    const found = Object.keys(locales).find((name) => name.split('-')[0] === tag.toLowerCase().split('-')[0])
    if (isLocale(found)) return found
  }
  return 'en'
}
