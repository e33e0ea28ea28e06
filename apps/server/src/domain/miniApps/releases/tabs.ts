import { languageTagPattern } from '@souk/contract'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** A tab of a release. `titles` has those that differ from `title`, by language tag. */
export interface Tab {
  path: string
  title: string
  titles: Record<string, string>
}

const maxTabs = 10
const maxLanguages = 20
const Title = Type.String({ minLength: 1, maxLength: 64, pattern: /^[^\p{Cc}\p{Cs}]*$/u.source })
const title = Compile(Title)
const languageTag = Compile(Type.String({ pattern: languageTagPattern, maxLength: 35 }))

/** The part of souk-app.json with the tabs and their texts in other languages (ADR 105). */
const TabBar = Type.Object({
  tabBar: Type.Object({
    list: Type.Array(Type.Object({ pagePath: Type.String(), text: Type.Optional(Type.Unknown()) })),
  }),
  appearances: Type.Optional(
    Type.Object({
      languages: Type.Optional(
        Type.Record(Type.String(), Type.Array(Type.Array(Type.Unknown(), { minItems: 1, maxItems: 2 }))),
      ),
    }),
  ),
})
const tabBar = Compile(TabBar)

/**
 * Returns the tabs that users can search for: they open without parameters, and their texts say what they are. A
 * tab without a usable text is left out, and a manifest without a readable tab bar has none.
 *
 * @param app `app` of souk-app.json
 * @param paths the paths of its pages
 */
export function readTabs(app: unknown, paths: readonly string[]): Tab[] {
  if (!tabBar.Check(app)) return []
  const pagePaths = new Set(paths)
  const texts = textsByLanguage(app)
  return app.tabBar.list.slice(0, maxTabs).flatMap(({ pagePath, text }, index) => {
    if (!pagePaths.has(pagePath) || !title.Check(text)) return []
    const titles = texts.flatMap(([language, changed]) => {
      const translated = changed.get(index)
      return translated === undefined || translated === text ? [] : [[language, translated]]
    })
    return [{ path: pagePath, title: text, titles: Object.fromEntries(titles) }]
  })
}

/** Returns the texts of tabs by language and index. */
function textsByLanguage(app: Static<typeof TabBar>): [language: string, texts: Map<number, string>][] {
  return Object.entries(app.appearances?.languages ?? {})
    .filter(([language]) => languageTag.Check(language))
    .slice(0, maxLanguages)
    .map(([language, changes]) => [language, new Map(changes.flatMap(([path, value]) => textOfTab(path, value)))])
}

function textOfTab(path: unknown, value: unknown): [number, string][] {
  if (!Array.isArray(path) || path.length !== 4) return []
  const [bar, list, index, key] = path as unknown[]
  const isText = bar === 'tabBar' && list === 'list' && key === 'text' && typeof index === 'number'
  return isText && title.Check(value) ? [[index, value]] : []
}
