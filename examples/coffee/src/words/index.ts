import { computed, ref } from 'vue'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { zh } from './zh.ts'

const languages = { en, zh, ar }

/** One of those that the app speaks. */
export const language = ref<keyof typeof languages>('en')

export const words = computed(() => languages[language.value])

/** Takes over the user's language, given as BCP 47 has it. */
export function speak(tag: string): void {
  const [base = ''] = tag.split('-')
  language.value = base in languages ? (base as keyof typeof languages) : 'en'
  document.documentElement.lang = language.value
  document.documentElement.dir = language.value === 'ar' ? 'rtl' : 'ltr'
}

/** An amount in cents, for people. One kind of digits throughout, also in Arabic. */
export function money(amount: number, currency: string): string {
  const locale = language.value === 'ar' ? 'ar-u-nu-latn' : language.value
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100)
}
