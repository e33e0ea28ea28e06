import type { Language } from '@souk/contract'
import type { Locale } from '../../i18n/locales.ts'

interface Script {
  lang: Locale
  dir: 'ltr' | 'rtl'
}

/** How the host application sets a message of this language. */
const scripts = {
  zh_CN: { lang: 'zh-CN', dir: 'ltr' },
  en_US: { lang: 'en', dir: 'ltr' },
  ar_SA: { lang: 'ar', dir: 'rtl' },
} as const satisfies Record<Language, Script>

export function scriptOf(language: string): Script {
  return language in scripts ? scripts[language as Language] : scripts.en_US
}

/** The language of messages that is the console's own. */
export function messageLanguage(locale: string): Language {
  return (Object.keys(scripts) as Language[]).find((name) => scripts[name].lang === locale) ?? 'en_US'
}

export function isColour(text: string): boolean {
  return /^[0-9A-Fa-f]{6}$/.test(text)
}

/** Black or white, whichever can be read better on this colour (six hexadecimal digits): never below 4.5 to 1. */
export function inkOn(colour: string): string {
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000000' : '#ffffff'
}
