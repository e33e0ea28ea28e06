import { isLocale, type Locale, locales } from '@souk/web'

/** Returns the `lang` and `dir` attributes for a message, independent of the language of the host. */
export function scriptOf(language: string): { lang: Locale; dir: 'ltr' | 'rtl' } {
  const lang = Object.keys(locales).find((name) => isLocale(name) && locales[name].language === language)
  return isLocale(lang) ? { lang, dir: locales[lang].dir } : { lang: 'en', dir: 'ltr' }
}
