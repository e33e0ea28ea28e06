import type { Json } from '@souk/pages'
import type { Appearances, Change } from '@souk/shell/config'
import type { Configuration } from './configuration.ts'

/** The configuration of a project in its other theme and in its languages; `dark` only if it follows the device. */
export interface OtherConfigurations {
  dark: Configuration | undefined
  languages: ReadonlyMap<string, Configuration>
}

/** Adds what differs in dark mode and in each language to the app and to each page (ADR 105). */
export function withAppearances(base: Configuration, { dark, languages }: OtherConfigurations): Configuration {
  const appearancesOf = (
    partOf: (configuration: Configuration) => object | undefined,
  ): { appearances?: Appearances } => {
    const changes = (other: Configuration) => changesBetween(partOf(base) as Json, partOf(other) as Json)
    const inDark = dark ? changes(dark) : []
    const texts = [...languages].map(([language, other]) => [language, changes(other)] as const)
    const appearances: Appearances = {
      ...(inDark.length > 0 && { dark: inDark }),
      // A language without differences counts too: it may be the closest one.
      ...(texts.some(([, found]) => found.length > 0) && { languages: Object.fromEntries(texts) }),
    }
    return Object.keys(appearances).length > 0 ? { appearances } : {}
  }
  return {
    app: { ...base.app, ...appearancesOf(({ app }) => app) },
    pages: base.pages.map((page, index) => ({ ...page, ...appearancesOf(({ pages }) => pages[index]) })),
  }
}

function changesBetween(base: Json | undefined, other: Json | undefined, path: Change[0] = []): Change[] {
  if (JSON.stringify(base) === JSON.stringify(other)) return []
  if (other === undefined) return [[path]]
  if (!isContainer(base) || !isContainer(other) || Array.isArray(base) !== Array.isArray(other)) return [[path, other]]
  if (Array.isArray(base) && Array.isArray(other)) {
    if (base.length !== other.length) return [[path, other]]
    return base.flatMap((item, index) => changesBetween(item, other[index], [...path, index]))
  }
  const [before, after] = [base as { [key: string]: Json }, other as { [key: string]: Json }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => changesBetween(before[key], after[key], [...path, key]))
}

const isContainer = (value: Json | undefined): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null
