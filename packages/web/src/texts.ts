import { readonly, shallowReactive, shallowRef } from 'vue'
import { formatterOf } from './formatterOf.ts'
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
 * Values of the arguments of a message, by name. These numbers are formatted by the message, so that its words agree
 * with them; others are passed as formatted texts.
 */
type Values = Record<string, unknown> & {
  [Name in 'count' | 'days' | 'number' | 'min' | 'max' | 'length' | 'minutes']?: number
}

/** Returns the text of a key, an ICU message (ADR 404), filled with values. */
type Translate<T> = (key: Key<T>, values?: Values) => string

/** Location of the texts of an application. */
interface Sources {
  /**
   * Modules by path, one per feature and language, as returned by Vite's `import.meta.glob`. The build compiles their
   * messages.
   */
  files: Record<string, () => Promise<{ default: object }>>
  pathOf(feature: string, locale: Locale): string
  /** Features whose texts are loaded at startup. */
  initial: readonly string[]
  /** Load the font rules of a language. */
  fonts?: Partial<Record<Locale, () => Promise<unknown>>>
  /** Key of the chosen language in localStorage. */
  storageKey: string
}

/** An argument of a compiled message. One with `forms` selects one of them by plural category or number, `=0`. */
type Argument = [name: string, kind?: number, forms?: Record<string, Message>]
/** A message as icu-minify compiles it: texts, arguments, and 0 for the number of the plural form around it. */
type Message = string | 0 | (string | 0 | Argument)[]

/**
 * Fills a message with its values. An argument without a value stays empty. `{count, number}` is formatted in the
 * language; `{uid}` is not, since it may be the number of something.
 */
function fillIn(message: Message, tag: string, values: Values, around?: unknown): string {
  const numberOf = (value: unknown) =>
    typeof value === 'number' ? formatterOf(Intl.NumberFormat, tag, {}).format(value) : String(value ?? '')
  return [message]
    .flat()
    .map((node) => {
      if (typeof node === 'string') return node
      if (node === 0) return numberOf(around)
      const [name, kind, forms] = node
      const value = values[name]
      if (!forms) return kind === undefined ? String(value ?? '') : numberOf(value)
      const form = forms[`=${value}`] ?? forms[formatterOf(Intl.PluralRules, tag, {}).select(value as number)]
      return fillIn(form as Message, tag, values, value)
    })
    .join('')
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

  function find(feature: string, key: string, from: Locale): Message | undefined {
    let found: unknown = texts.get(pathOf(feature, from))
    for (const name of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[name]
    return typeof found === 'string' || Array.isArray(found) ? (found as Message) : undefined
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
  function findText(feature: string, key: string, values: Values = {}): string | undefined {
    for (const from of [locale.value, 'en'] as const) {
      const message = find(feature, key, from)
      if (message !== undefined) return fillIn(message, locales[from].intl, values)
    }
    return undefined
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
      return (key: string, values: Values = {}) => {
        const isolated = isolateValues(values, locales[locale.value].dir)
        return findText(feature, key, isolated) ?? `${feature}.${key}`
      }
    },
  }
}
