import { type Platform, platforms } from './diagnostic.ts'
import type { Files } from './files.ts'
import { type Manifest, manifestFile, readManifest, type Theme, type ThemeSettings } from './manifest.ts'
import { type Node, valueAt } from './parse/nodes.ts'
import { parse } from './parse/parse.ts'

export const localeFolder = 'locale'

/** A file with named values. */
type NamedValues = {
  readonly values: ReadonlyMap<string, string>
  /** True if the file cannot be parsed completely. */
  readonly isBroken: boolean
}

/** A theme file with its values; these are undefined if it does not exist. */
type ThemeNames = ThemeSettings & { readonly values: { readonly [theme in Theme]: NamedValues } | undefined }

/** Values that a pages.json refers to by name: `@name` of theme.json, `%key%` of the files in `locale` (ADR 105). */
export type Names = Pick<Manifest, 'app' | 'title' | 'language' | 'fallbackLanguage' | 'networkTimeout'> & {
  readonly themes: Readonly<Record<Platform, ThemeNames>>
  /** Values by language, as the files are named. */
  readonly locales: ReadonlyMap<string, NamedValues>
}

/** Reads the named values of a project; undefined if its files cannot be read. */
export function readNames({ read, list }: Files): Names | undefined {
  if (read === undefined) return undefined
  const { themes, ...settings } = readManifest(read(manifestFile))
  const languages = (list?.(localeFolder) ?? []).flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? [])
  const withValues = (settings: ThemeSettings): ThemeNames => {
    const text = read(settings.file)
    const values = text === undefined ? undefined : { light: valuesOf(text, 'light'), dark: valuesOf(text, 'dark') }
    return { ...settings, values }
  }
  return {
    themes: Object.fromEntries(platforms.map((each) => [each, withValues(themes[each])])) as Names['themes'],
    locales: new Map(languages.map((each) => [each, valuesOf(read(`${localeFolder}/${each}.json`) ?? '')])),
    ...settings,
  }
}

/** Returns whether a file of the project, changed in any way, can change what names stand for. */
export function definesNames(path: string, names: Names | undefined): boolean {
  if (path === manifestFile || /^locale\/[\w-]+\.json$/.test(path)) return true
  return names !== undefined && Object.values(names.themes).some(({ file }) => file === path)
}

/** Returns whether a platform looks different in light and dark mode. */
export const followsDevice = ({ only, values }: ThemeNames): boolean => only === undefined && values !== undefined

/** Groups the platforms on which all names have the same values. */
export function groupByNames(names: Names | undefined): readonly (readonly Platform[])[] {
  if (names === undefined) return [platforms]
  const groups = new Map<string, Platform[]>()
  for (const platform of platforms) {
    const { file, only, values } = names.themes[platform]
    const key = JSON.stringify([file, values && only])
    const group = groups.get(key)
    if (group) group.push(platform)
    else groups.set(key, [platform])
  }
  return [...groups.values()]
}

function valuesOf(text: string, part?: Theme): NamedValues {
  const { root, findings } = parse(text.replace(/^\uFEFF/, ''))
  const values = new Map<string, string>()
  const collect = (node: Node | undefined, prefix: string): void => {
    if (node?.kind !== 'object') return
    for (const { key, value } of node.properties) {
      if (value.kind === 'string') values.set(prefix + key.value, value.value)
      else collect(value, `${prefix}${key.value}.`)
    }
  }
  collect(part === undefined ? root : valueAt(root, part), '')
  return { values, isBroken: findings.length > 0 }
}

const plain = (name = '') => name.replaceAll('_', '-').toLowerCase()

/** Lists the keys of manifest.json that name a language without a file; none if there are no files at all. */
export function languagesWithoutFile({ locales, language, fallbackLanguage }: Names): [key: string, name: string][] {
  const known = [...locales.keys()].map(plain)
  const base = (name: string) => plain(name).split('-')[0]
  const isKnown = (name: string) => known.some((each) => base(each) === base(name))
  const found: [key: string, name: string][] = []
  if (language !== undefined && !isKnown(language)) found.push(['locale', language])
  // Unlike the language of the app or the device, it has no relatives.
  if (fallbackLanguage !== undefined && !known.includes(plain(fallbackLanguage)))
    found.push(['fallbackLocale', fallbackLanguage])
  return known.length > 0 ? found : []
}

/**
 * Returns the languages to look a text up in, nearest first: the language itself, or that of manifest.json, the same
 * script or base language, the fallback of manifest.json, then English, Chinese, and the others in alphabetical order.
 */
export function languagesFor(
  shown: string | undefined,
  { locales, language: ofApp, fallbackLanguage = ofApp }: Names,
): string[] {
  const known = [...locales.keys()].sort()
  const preferred = plain(shown ?? ofApp)
  const [base = ''] = preferred.split('-')
  const script = base !== 'zh' ? base : /hant|tw|hk|mo/.test(preferred) ? 'zh-hant' : 'zh-hans'
  const order = [preferred, script, base, plain(fallbackLanguage), 'en', 'zh-hans', 'zh-hant']
  const rank = (name: string) => {
    const found = order.findIndex((each) => each !== '' && plain(name) === each)
    const isRelative = base !== '' && plain(name).startsWith(`${base}-`)
    return isRelative && (found < 0 || found > 2) ? 2.5 : found < 0 ? order.length : found
  }
  return known
    .map((name) => ({ name, at: rank(name) }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
}
