import type { Language } from '@souk/contract'
import type { Locale } from '@souk/web'

interface Script {
  lang: Locale
  dir: 'ltr' | 'rtl'
}

/** Returns the text direction and font of messages in this language. */
const scripts = {
  zh_CN: { lang: 'zh-CN', dir: 'ltr' },
  en_US: { lang: 'en', dir: 'ltr' },
  ar_SA: { lang: 'ar', dir: 'rtl' },
} as const satisfies Record<Language, Script>

export function scriptOf(language: string): Script {
  return language in scripts ? scripts[language as Language] : scripts.en_US
}

/** Message language that matches the console's language. */
export function messageLanguage(locale: string): Language {
  return (Object.keys(scripts) as Language[]).find((name) => scripts[name].lang === locale) ?? 'en_US'
}

export function isColour(text: string): boolean {
  return /^[0-9A-Fa-f]{6}$/.test(text)
}
