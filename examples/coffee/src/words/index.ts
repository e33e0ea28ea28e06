import { computed, ref } from 'vue'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

const languages = { en, zh, ar }

/** The language in use. */
export const language = ref<keyof typeof languages>('en')

export const words = computed(() => languages[language.value])

/** Switches to the language of a BCP 47 tag, or to English if it is not supported. */
export function setLanguage(tag: string): void {
  const [base = ''] = tag.split('-')
  language.value = base in languages ? (base as keyof typeof languages) : 'en'
  document.documentElement.lang = language.value
  document.documentElement.dir = language.value === 'ar' ? 'rtl' : 'ltr'
}

/** Formats an amount in cents, in Arabic with Latin digits like the rest of the app. */
export function money(amount: number, currency: string): string {
  const locale = language.value === 'ar' ? 'ar-u-nu-latn' : language.value
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100)
}
