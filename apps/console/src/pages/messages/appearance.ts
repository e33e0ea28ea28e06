import type { Language } from '@souk/contract'
import type { Locale } from '@souk/web'

interface Script {
  lang: string
  dir: 'ltr' | 'rtl' | 'auto'
}

const scripts = {
  zh_CN: { lang: 'zh-CN', dir: 'ltr' },
  en_US: { lang: 'en', dir: 'ltr' },
  ar_SA: { lang: 'ar', dir: 'rtl' },
} as const satisfies Record<Language, Script & { lang: Locale }>

/** Returns the text direction and language of a message; the text decides the direction of other languages. */
export function scriptOf(language: string): Script {
  const tag = language.replaceAll('_', '-')
  return language in scripts ? scripts[language as Language] : { lang: tag, dir: 'auto' }
}

/** Returns the message language that matches the console's language. */
export function messageLanguage(locale: string): Language {
  return (Object.keys(scripts) as Language[]).find((name) => scripts[name].lang === locale) ?? 'en_US'
}

export function isColor(text: string): boolean {
  return /^[0-9A-Fa-f]{6}$/.test(text)
}
