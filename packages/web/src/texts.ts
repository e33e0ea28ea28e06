import { readonly, shallowReactive, shallowRef } from 'vue'
import { isolateBidi } from './isolateBidi.ts'
import { bestLocale, isLocale, type Locale, locales } from './locales.ts'
import { readStored, writeStored } from './stored.ts'

/** Type of a feature's texts in another language: the same keys with other strings. */
export type Texts<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> }

/** Path to a text: `title`, `empty.text`. */
type Key<T> = {
  [K in keyof T & (string | number)]: T[K] extends string ? `${K}` : `${K}.${Key<T[K]>}`
}[keyof T & (string | number)]

/**
 * Returns the text of a key. `values` fill the placeholders `{name}`, `count` selects one of the plural forms that
 * ` | ` separates. `{'@'}` is a literal.
 */
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
  /** Load the font rules of a language. */
  fonts?: Partial<Record<Locale, () => Promise<unknown>>>
  /** Key of the chosen language in localStorage. */
  storageKey: string
}

const arabicForms = ['zero', 'one', 'two', 'few', 'many', 'other']
const arabicPlurals = new Intl.PluralRules('ar')

/** Returns the plural form of a text. Arabic has six, English "one | many" or "none | one | many", Chinese one. */
function pluralForm(text: string, count: number, locale: Locale): string {
  const forms = text.split(' | ')
  if (locale === 'ar') return forms[arabicForms.indexOf(arabicPlurals.select(count))] ?? text
  if (forms.length > 2) return forms[Math.min(count, 2)] as string
  return (count === 1 ? forms[0] : forms.at(-1)) as string
}

/** Replaces the placeholders of a text, and its literals. Placeholders without a value stay empty. */
export function fillIn(text: string, values: Record<string, unknown>): string {
  return text.replace(/\{(?:(\w+)|'([^']*)')\}/g, (_, name: string | undefined, literal: string) =>
    name === undefined ? literal : String(values[name] ?? ''),
  )
}

/** Creates the texts of all features and languages, each loaded once. */
function createTextFiles({ files, pathOf }: Pick<Sources, 'files' | 'pathOf'>) {
  /** Loaded texts by the path of their module. */
  const texts = shallowReactive(new Map<string, object>())
  const loaded = new Map<string, Promise<void>>()

  function load(feature: string, to: Locale): Promise<void> {
    const path = pathOf(feature, to)
    const file = files[path]
    if (!file) throw new Error(`${path} is missing`)
    let loading = loaded.get(path)
    if (!loading) {
      loading = file().then((module) => void texts.set(path, module.default))
      loading.catch(() => loaded.delete(path))
      loaded.set(path, loading)
    }
    return loading
  }

  function find(feature: string, key: string, from: Locale): string | undefined {
    let found: unknown = texts.get(pathOf(feature, from))
    for (const name of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[name]
    return typeof found === 'string' ? found : undefined
  }

  return { load, find }
}

function storedLocale(storageKey: string): Locale | undefined {
  const stored = readStored(storageKey)
  return isLocale(stored) ? stored : undefined
}

/** Isolates the values of a text, so that they do not change its direction. */
function isolateValues(values: Record<string, unknown>, dir: 'ltr' | 'rtl'): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolateBidi(value, dir)]))
}

/** Creates the translations of an application. Each feature's texts are loaded when it is first shown. */
export function createTexts({ initial, fonts = {}, storageKey, ...sources }: Sources) {
  const locale = shallowRef<Locale>('en')
  const { load, find } = createTextFiles(sources)
  /** Features in use; a language change loads their texts. */
  const shown = new Set(initial)
  /** Language chosen last; its texts may still be loading. */
  let requested: Locale = 'en'

  /** Returns a text in the current language, or else in English; undefined if there is none with this key. */
  function findText(
    feature: string,
    key: string,
    values: Record<string, unknown> = {},
    count?: number,
  ): string | undefined {
    const translated = find(feature, key, locale.value)
    const text = translated ?? find(feature, key, 'en')
    if (text === undefined) return undefined
    if (count === undefined) return fillIn(text, values)
    return fillIn(pluralForm(text, count, translated === undefined ? 'en' : locale.value), { count, ...values })
  }

  return {
    /** Current language. */
    locale: readonly(locale),
    findText,
    /** Returns the language stored in this browser, if any. */
    chosenLocale: () => storedLocale(storageKey),

    /** Returns the stored language, or the best match for the browser's languages. */
    initialLocale: () => storedLocale(storageKey) ?? bestLocale(navigator.languages),

    /** Switches to a language after the texts in use and its font rules are loaded. */
    async setLocale(to: Locale, remember = true): Promise<void> {
      requested = to
      try {
        await Promise.all([...[...shown].map((feature) => load(feature, to)), fonts[to]?.()])
      } catch (error) {
        if (requested === to) requested = locale.value
        throw error
      }
      // Another language may have been chosen in the meantime.
      if (requested !== to) return
      locale.value = to
      document.documentElement.lang = to
      document.documentElement.dir = locales[to].dir
      if (remember) writeStored(storageKey, to)
    },

    /** Loads a feature's texts in the current and the requested language; call it before the feature is rendered. */
    async showTexts(feature: string): Promise<void> {
      shown.add(feature)
      await Promise.all([locale.value, requested].map((to) => load(feature, to)))
    },

    /** Returns the translation function of a feature; `T` is the type of its English texts. */
    useTexts<T>(feature: string): Translate<T> {
      return (key: string, values: Record<string, unknown> = {}, count?: number) => {
        const isolated = isolateValues(values, locales[locale.value].dir)
        return findText(feature, key, isolated, count) ?? `${feature}.${key}`
      }
    },
  }
}
