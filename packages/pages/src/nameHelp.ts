import { nameKindOf } from './interpret.ts'
import type { Theme } from './manifest.ts'
import { localeFolder, type Names } from './names.ts'
import type { Attribute } from './rules/attributes.ts'

/** A name of theme.json or `locale`, as pages.json refers to it, and what it stands for. */
type NameHelp = { readonly written: string; readonly meaning: string }

/** Lists the names that a value of an attribute can be. */
export function namesFor({ name, shapes }: Attribute, names: Names): NameHelp[] {
  if (!shapes.some(({ is }) => is === 'text')) return []
  const kind = nameKindOf(name)
  if (kind === 'text') return keysOf(names).map((key) => ({ written: `%${key}%`, meaning: textsOf(key, names) }))
  if (kind !== 'theme') return []
  return themeNames(names).map((each) => ({ written: `@${each}`, meaning: themesOf(each, names) }))
}

/** Returns in Markdown what a name stands for in each theme or language; undefined if the value is not a known name. */
export function nameNote(value: string, names: Names): string | undefined {
  const themed = value.startsWith('@') && themeNames(names).find((each) => value === `@${each}`)
  if (themed) return `\`${value}\`: ${themesOf(themed, names)}`
  const keys = keysOf(names).filter((key) => value.includes(`%${key}%`))
  return keys.length === 0 ? undefined : keys.map((key) => `\`%${key}%\`: ${textsOf(key, names)}`).join('\n\n')
}

const themes: readonly Theme[] = ['light', 'dark']

const keysOf = ({ locales }: Names): string[] => [
  ...new Set([...locales.values()].flatMap(({ values }) => [...values.keys()])),
]

const themeNames = (names: Names): string[] => [
  ...new Set(
    Object.values(names.themes).flatMap(({ values }) =>
      themes.flatMap((theme) => [...(values?.[theme].values.keys() ?? [])]),
    ),
  ),
]

/** Platforms may have different theme files. */
function themesOf(name: string, names: Names): string {
  const files = new Map(Object.values(names.themes).map(({ file, values }) => [file, values]))
  return [...files]
    .flatMap(([file, values]) => {
      const found = themes.flatMap((theme) => {
        const value = values?.[theme].values.get(name)
        return value === undefined ? [] : [`${theme} ${code(value)}`]
      })
      return found.length > 0 ? [`${found.join(', ')} (${file})`] : []
    })
    .join('; ')
}

function textsOf(key: string, { locales }: Names): string {
  const found = [...locales].flatMap(([language, { values }]) => {
    const text = values.get(key)
    return text === undefined ? [] : [`${language} ${code(text)}`]
  })
  return `${found.join(', ')} (${localeFolder}/*.json)`
}

/** Formats a value as inline code, which ends at a backtick. */
const code = (value: string): string => `\`${value.replace(/[`\r\n]+/g, ' ').slice(0, 100)}\``
