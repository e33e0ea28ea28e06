/** The languages of the console, each by its own name. `intl` decides numbers, dates and money (ADR 224). */
export const locales = {
  'zh-CN': { name: '简体中文', dir: 'ltr', intl: 'zh-CN' },
  en: { name: 'English', dir: 'ltr', intl: 'en' },
  ar: { name: 'العربية', dir: 'rtl', intl: 'ar-u-ca-gregory-nu-latn' },
} as const

export type Locale = keyof typeof locales

export function isLocale(name: unknown): name is Locale {
  return typeof name === 'string' && Object.hasOwn(locales, name)
}

/** The first of the wished languages that the console speaks, else English. */
export function bestLocale(wished: readonly string[]): Locale {
  for (const wish of wished) {
    const found = Object.keys(locales).find((name) => name.split('-')[0] === wish.toLowerCase().split('-')[0])
    if (isLocale(found)) return found
  }
  return 'en'
}
