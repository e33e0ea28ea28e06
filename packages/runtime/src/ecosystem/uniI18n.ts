/*
 * The part of @dcloudio/uni-i18n that components use. The ecosystem's IDE adds that package to projects that do not
 * list it.
 */

type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>
type Values = Readonly<Record<string, unknown>> | readonly unknown[]

interface I18n {
  t(key: string, values?: Values): string
  add(locale: string, messages: Readonly<Record<string, string>>): void
  getLocale(): string
  setLocale(locale: string): void
}

/**
 * Returns functions that translate keys.
 *
 * @param fallback locale of keys that the current locale lacks
 */
export function initVueI18n(first: string | Messages, second: string | Messages = {}, fallback = 'en'): I18n {
  const [written, messages] = typeof first === 'string' ? [first, second as Messages] : [undefined, first]
  const all = new Map(Object.entries(messages))
  let locale = localeOf(written ?? (typeof second === 'string' ? second : navigator.language), [...all.keys()])
  return {
    t: (key, values = {}) => fillIn(all.get(locale)?.[key] ?? all.get(fallback)?.[key] ?? key, values),
    add: (name, added) => void all.set(name, { ...all.get(name), ...added }),
    getLocale: () => locale,
    setLocale: (name) => {
      locale = localeOf(name, [...all.keys()])
    },
  }
}

/** Returns the known locale for a language tag: `zh-Hans` for `zh-CN`. */
function localeOf(tag: string, known: readonly string[]): string {
  if (known.includes(tag)) return tag
  const [valid] = localesIn(tag.replaceAll('_', '-'))
  if (valid === undefined) return tag
  const { language, script } = new Intl.Locale(valid).maximize()
  return [`${language}-${script}`, language].find((each) => known.includes(each)) ?? tag
}

/** Returns the tag in canonical form; nothing if it is not well-formed, such as the empty string. */
function localesIn(tag: string): string[] {
  try {
    return Intl.getCanonicalLocales(tag)
  } catch {
    return []
  }
}

const fillIn = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String((values as Record<string, unknown>)[name] ?? whole))
