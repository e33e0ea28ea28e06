import { isLocale, type Locale, locales } from '@souk/web'

/** How a message in a language of the open API is set, whatever language the host is in. */
export function scriptOf(language: string): { lang: Locale; dir: 'ltr' | 'rtl' } {
  const lang = Object.keys(locales).find((name) => isLocale(name) && locales[name].language === language)
  return isLocale(lang) ? { lang, dir: locales[lang].dir } : { lang: 'en', dir: 'ltr' }
}
