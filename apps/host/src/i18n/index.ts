import { bestLocale, isLocale, type Locale, locales } from '@souk/web'
import { computed } from 'vue'
import { createI18n, useI18n } from 'vue-i18n'
import type common from './messages/en.ts'

/** The shape of a feature's texts in another language: the same keys, other words. */
export type Texts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> }

/** Every path to a text: `title`, `empty.text`. */
export type Key<T> = {
  [K in keyof T & (string | number)]: T[K] extends string ? `${K}` : `${K}.${Key<T[K]>}`
}[keyof T & (string | number)]

/** Gives the text of a key; `count` chooses the plural form, `values` fill the braces. */
export interface Translate<T> {
  (key: Key<T>, values?: Record<string, unknown>): string
  (key: Key<T>, values: Record<string, unknown>, count: number): string
}

/** `messages/` here holds what features share; every feature folder has a `messages/` of its own. */
const files = import.meta.glob<{ default: object }>(['./messages/*.ts', '../*/messages/*.ts'])

const arabicForms = ['zero', 'one', 'two', 'few', 'many', 'other']
const arabicPlurals = new Intl.PluralRules('ar')

export const i18n = createI18n({
  legacy: false,
  locale: 'en' as Locale,
  fallbackLocale: 'en',
  missingWarn: false,
  fallbackWarn: false,
  messages: {},
  // Arabic texts of a count have six forms, in the order of arabicForms.
  pluralRules: { ar: (count: number) => arabicForms.indexOf(arabicPlurals.select(count)) },
})

const remembered = 'souk.host.language'
/** Features whose texts are in use, so that a change of language brings theirs too. */
const shown = new Set<string>(['common'])
const loaded = new Map<string, Promise<void>>()

/** The language that is shown. */
export const locale = computed(() => i18n.global.locale.value as Locale)
/** It as the open API writes it. */
export const language = computed(() => locales[locale.value].language)

/** The language chosen earlier in this browser, else the browser's own. */
export function initialLocale(): Locale {
  const chosen = localStorage.getItem(remembered)
  return isLocale(chosen) ? chosen : bestLocale(navigator.languages)
}

/** Switches the host to a language, once all texts on screen are there. */
export async function setLocale(to: Locale, remember = true): Promise<void> {
  await Promise.all([...shown].map((feature) => load(feature, to)))
  i18n.global.locale.value = to
  document.documentElement.lang = to
  document.documentElement.dir = locales[to].dir
  if (remember) localStorage.setItem(remembered, to)
}

/** Loads a feature's texts in the current language: before its first component is drawn. */
export async function showTexts(feature: string): Promise<void> {
  shown.add(feature)
  await load(feature, locale.value)
}

/** The texts of the folder `src/<feature>`; `T` is the type of its English ones. */
export function useTexts<T>(feature: string): Translate<T> {
  const t = useI18n({ useScope: 'global' }).t as Plain
  return (key: string, values: Record<string, unknown> = {}, count?: number) =>
    count === undefined ? t(`${feature}.${key}`, values) : t(`${feature}.${key}`, { count, ...values }, count)
}

/** The texts that features share. */
export function useCommon(): Translate<typeof common> {
  return useTexts<typeof common>('common')
}

type Plain = (key: string, values: Record<string, unknown>, count?: number) => string

function load(feature: string, to: Locale): Promise<void> {
  const path = feature === 'common' ? `./messages/${to}.ts` : `../${feature}/messages/${to}.ts`
  const file = files[path]
  if (!file) throw new Error(`${path} is missing`)
  let loading = loaded.get(path)
  if (!loading) {
    loading = file().then((texts) => i18n.global.mergeLocaleMessage(to, { [feature]: texts.default }))
    loading.catch(() => loaded.delete(path))
    loaded.set(path, loading)
  }
  return loading
}
