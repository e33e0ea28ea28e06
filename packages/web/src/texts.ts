import { computed } from 'vue'
import { createI18n, useI18n } from 'vue-i18n'
import { isolateBidi } from './isolateBidi.ts'
import { bestLocale, isLocale, type Locale, locales } from './locales.ts'

/** Type of a feature's texts in another language: the same keys with other strings. */
export type Texts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> }

/** Path to a text: `title`, `empty.text`. */
type Key<T> = {
  [K in keyof T & (string | number)]: T[K] extends string ? `${K}` : `${K}.${Key<T[K]>}`
}[keyof T & (string | number)]

/** Returns the text of a key. `values` fill the placeholders, `count` selects the plural form. */
interface Translate<T> {
  (key: Key<T>, values?: Record<string, unknown>): string
  (key: Key<T>, values: Record<string, unknown>, count: number): string
}

/** Location of the texts of an application. */
interface Sources {
  /** Modules by path, one per feature and language, as returned by Vite's `import.meta.glob`. */
  files: Record<string, () => Promise<{ default: object }>>
  pathOf(feature: string, locale: Locale): string
  /** Features whose texts are loaded at startup. */
  initial: readonly string[]
  /** Key of the chosen language in localStorage. */
  storageKey: string
}

const arabicForms = ['zero', 'one', 'two', 'few', 'many', 'other']
const arabicPlurals = new Intl.PluralRules('ar')

/** Creates the translations of an application. Each feature's texts are loaded when it is first shown. */
export function createTexts({ files, pathOf, initial, storageKey }: Sources) {
  const i18n = createI18n({
    legacy: false,
    locale: 'en' as Locale,
    fallbackLocale: 'en',
    missingWarn: false,
    fallbackWarn: false,
    messages: {},
    // Arabic has six plural forms, in the order of arabicForms.
    pluralRules: { ar: (count: number) => arabicForms.indexOf(arabicPlurals.select(count)) },
  })
  /** Features in use; a language change loads their texts. */
  const shown = new Set(initial)
  const loaded = new Map<string, Promise<void>>()
  const locale = computed(() => i18n.global.locale.value as Locale)
  /** Language chosen last; its texts may still be loading. */
  let requested: Locale = 'en'

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

  /** Returns the language stored in this browser, if any. */
  function chosenLocale(): Locale | undefined {
    const chosen = localStorage.getItem(storageKey)
    return isLocale(chosen) ? chosen : undefined
  }

  return {
    i18n,
    /** Current language. */
    locale,
    chosenLocale,

    /** Returns the stored language, or the best match for the browser's languages. */
    initialLocale: () => chosenLocale() ?? bestLocale(navigator.languages),

    /** Switches to a language after the texts in use are loaded. */
    async setLocale(to: Locale, remember = true): Promise<void> {
      requested = to
      try {
        await Promise.all([...shown].map((feature) => load(feature, to)))
      } catch (error) {
        if (requested === to) requested = locale.value
        throw error
      }
      // Another language may have been chosen in the meantime.
      if (requested !== to) return
      i18n.global.locale.value = to
      document.documentElement.lang = to
      document.documentElement.dir = locales[to].dir
      if (remember) localStorage.setItem(storageKey, to)
    },

    /** Loads a feature's texts in the current and the requested language; call it before the feature is rendered. */
    async showTexts(feature: string): Promise<void> {
      shown.add(feature)
      await Promise.all([locale.value, requested].map((to) => load(feature, to)))
    },

    /** Returns the translation function of a feature; `T` is the type of its English texts. */
    useTexts<T>(feature: string): Translate<T> {
      const t = useI18n({ useScope: 'global' }).t as Plain
      return (key: string, values: Record<string, unknown> = {}, count?: number) => {
        const { dir } = locales[locale.value]
        const filled = Object.fromEntries(
          Object.entries(values).map(([name, value]) => [name, isolateBidi(value, dir)]),
        )
        return count === undefined
          ? t(`${feature}.${key}`, filled)
          : t(`${feature}.${key}`, { count, ...filled }, count)
      }
    },
  }
}

type Plain = (key: string, values: Record<string, unknown>, count?: number) => string
