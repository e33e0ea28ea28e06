import { computed } from 'vue'
import { createI18n, useI18n } from 'vue-i18n'
import { isolated } from './isolateBidi.ts'
import { bestLocale, isLocale, type Locale, locales } from './locales.ts'

/** The shape of a feature's texts in another language: the same keys, other words. */
export type Texts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> }

/** Every path to a text: `title`, `empty.text`. */
type Key<T> = {
  [K in keyof T & (string | number)]: T[K] extends string ? `${K}` : `${K}.${Key<T[K]>}`
}[keyof T & (string | number)]

/** Gives the text of a key; `count` chooses the plural form, `values` fill the braces. */
interface Translate<T> {
  (key: Key<T>, values?: Record<string, unknown>): string
  (key: Key<T>, values: Record<string, unknown>, count: number): string
}

/** Where an application has its texts. */
interface Sources {
  /** Those of one feature in one language each, by path; Vite's `import.meta.glob` makes it. */
  files: Record<string, () => Promise<{ default: object }>>
  pathOf(feature: string, locale: Locale): string
  /** Features whose texts are there from the beginning. */
  first: readonly string[]
  /** Under which name the browser keeps the chosen language. */
  remembered: string
}

const arabicForms = ['zero', 'one', 'two', 'few', 'many', 'other']
const arabicPlurals = new Intl.PluralRules('ar')

/** The texts of an application in the languages of Souk: each feature's are loaded when it is shown first. */
export function createTexts({ files, pathOf, first, remembered }: Sources) {
  const i18n = createI18n({
    legacy: false,
    locale: 'en' as Locale,
    fallbackLocale: 'en',
    missingWarn: false,
    fallbackWarn: false,
    messages: {},
    // Arabic texts of a count have six forms, in the order of arabicForms.
    pluralRules: { ar: (count: number) => arabicForms.indexOf(arabicPlurals.select(count)) },
  })
  /** Features whose texts are in use, so that a change of language brings theirs too. */
  const shown = new Set(first)
  const loaded = new Map<string, Promise<void>>()
  const locale = computed(() => i18n.global.locale.value as Locale)
  /** The language that was chosen last; its texts may still be on their way. */
  let wanted: Locale = 'en'

  function load(feature: string, to: Locale): Promise<void> {
    const path = pathOf(feature, to)
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

  /** The language chosen earlier in this browser, where one was. */
  function chosenLocale(): Locale | undefined {
    const chosen = localStorage.getItem(remembered)
    return isLocale(chosen) ? chosen : undefined
  }

  return {
    i18n,
    /** The language that is shown. */
    locale,
    chosenLocale,

    /** The language chosen earlier in this browser, else the browser's own. */
    initialLocale: () => chosenLocale() ?? bestLocale(navigator.languages),

    /** Switches to a language, once all texts on screen are there. */
    async setLocale(to: Locale, remember = true): Promise<void> {
      wanted = to
      try {
        await Promise.all([...shown].map((feature) => load(feature, to)))
      } catch (error) {
        if (wanted === to) wanted = locale.value
        throw error
      }
      // Meanwhile another one may have been chosen.
      if (wanted !== to) return
      i18n.global.locale.value = to
      document.documentElement.lang = to
      document.documentElement.dir = locales[to].dir
      if (remember) localStorage.setItem(remembered, to)
    },

    /** Loads a feature's texts in the current language, and in the one that comes: before its first component is drawn. */
    async showTexts(feature: string): Promise<void> {
      shown.add(feature)
      await Promise.all([locale.value, wanted].map((to) => load(feature, to)))
    },

    /** The texts of a feature; `T` is the type of its English ones. */
    useTexts<T>(feature: string): Translate<T> {
      const t = useI18n({ useScope: 'global' }).t as Plain
      return (key: string, values: Record<string, unknown> = {}, count?: number) => {
        const { dir } = locales[locale.value]
        const filled = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value, dir)]))
        return count === undefined
          ? t(`${feature}.${key}`, filled)
          : t(`${feature}.${key}`, { count, ...filled }, count)
      }
    },
  }
}

type Plain = (key: string, values: Record<string, unknown>, count?: number) => string
