import { bestLocale, isLocale, type Locale, locales } from '@souk/web'
import { createI18n, useI18n } from 'vue-i18n'
import type common from './messages/en.ts'

/** The shape of a page's texts in another language: the same keys, other words. */
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

const commonFiles = import.meta.glob<{ default: object }>('./messages/*.ts')
const pageFiles = import.meta.glob<{ default: object }>('../pages/*/messages/*.ts')
const vuetifyFiles = import.meta.glob<{ default: object }>('./vuetify/*.ts')

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

const remembered = 'souk.language'
/** Pages whose texts are in use, so that a change of language brings theirs too. */
const pagesShown = new Set<string>()
const loaded = new Map<string, Promise<void>>()

/** The language chosen earlier in this browser, where one was. */
export function chosenLocale(): Locale | undefined {
  const chosen = localStorage.getItem(remembered)
  return isLocale(chosen) ? chosen : undefined
}

/** The language chosen earlier in this browser, else the browser's own. */
export function initialLocale(): Locale {
  return chosenLocale() ?? bestLocale(navigator.languages)
}

/** Switches the console to a language, once all texts on screen are there. */
export async function setLocale(locale: Locale, remember = true): Promise<void> {
  await Promise.all([loadCommon(locale), ...[...pagesShown].map((page) => loadPage(page, locale))])
  i18n.global.locale.value = locale
  document.documentElement.lang = locale
  document.documentElement.dir = locales[locale].dir
  if (remember) localStorage.setItem(remembered, locale)
}

/** Loads a page's texts in the current language; the router does so before it shows the page. */
export async function showPageTexts(page: string): Promise<void> {
  pagesShown.add(page)
  await loadPage(page, i18n.global.locale.value as Locale)
}

/** The texts of the folder `src/pages/<page>`; `T` is the type of its English ones. */
export function useTexts<T>(page: string): Translate<T> {
  const { t } = useI18n({ useScope: 'global' })
  return under<T>(t as Plain, `${page}.`)
}

/** The texts that pages share. */
export function useCommon(): Translate<typeof common> {
  return useTexts<typeof common>('common')
}

type Plain = (key: string, values: Record<string, unknown>, count?: number) => string

function under<T>(t: Plain, prefix: string): Translate<T> {
  return (key: string, values: Record<string, unknown> = {}, count?: number) =>
    count === undefined ? t(prefix + key, values) : t(prefix + key, { count, ...values }, count)
}

async function loadCommon(locale: Locale): Promise<void> {
  await Promise.all([
    load(commonFiles, `./messages/${locale}.ts`, locale, 'common'),
    load(vuetifyFiles, `./vuetify/${locale}.ts`, locale, '$vuetify'),
  ])
}

async function loadPage(page: string, locale: Locale): Promise<void> {
  await load(pageFiles, `../pages/${page}/messages/${locale}.ts`, locale, page)
}

function load(
  files: Record<string, () => Promise<{ default: object }>>,
  path: string,
  locale: Locale,
  under: string,
): Promise<void> {
  const file = files[path]
  if (!file) return Promise.resolve()
  let loading = loaded.get(path)
  if (!loading) {
    loading = file().then((texts) => i18n.global.mergeLocaleMessage(locale, { [under]: texts.default }))
    loading.catch(() => loaded.delete(path))
    loaded.set(path, loading)
  }
  return loading
}
