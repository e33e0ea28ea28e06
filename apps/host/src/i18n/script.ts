import { isLocale, locales } from '@souk/web'

/**
 * Returns the `lang` and `dir` attributes for a message, independent of the language of the host. The text decides the
 * direction of a language that the host does not know.
 */
export function scriptOf(language: string): { lang: string; dir: 'ltr' | 'rtl' | 'auto' } {
  const lang = Object.keys(locales).find((name) => isLocale(name) && locales[name].language === language)
  return isLocale(lang) ? { lang, dir: locales[lang].dir } : { lang: language.replaceAll('_', '-'), dir: 'auto' }
}
