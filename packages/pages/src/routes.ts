import { type PagesConfig, variantFor } from './config.ts'
import { type Platform, platforms } from './diagnostic.ts'
import { trimPath } from './model.ts'
import { tabPaths } from './resolve/resolve.ts'

/** A page, the platforms that have it, and the platforms on which a tab opens it. */
export type Route = {
  readonly path: string
  readonly platforms: readonly Platform[]
  readonly tabOn: readonly Platform[]
}

/** Lists every page of every build, in file order. */
export function routes(config: PagesConfig): Route[] {
  const found = new Map<string, { platforms: Set<Platform>; tabOn: Set<Platform> }>()
  for (const { model, platforms: seenBy } of config.variants) {
    for (const path of model.byPath.keys()) {
      if (path === '') continue
      const route = found.get(path) ?? { platforms: new Set(), tabOn: new Set() }
      found.set(path, route)
      for (const platform of seenBy) {
        route.platforms.add(platform)
        if (tabPaths(model).has(path)) route.tabOn.add(platform)
      }
    }
  }
  const inOrder = (set: ReadonlySet<Platform>) => platforms.filter((platform) => set.has(platform))
  return [...found].map(([path, route]) => ({ path, platforms: inOrder(route.platforms), tabOn: inOrder(route.tabOn) }))
}

/**
 * Generates a TypeScript module with the routes of the project. `navigateTo` takes pages that are not tabs, with or
 * without a query; `switchTab` takes tabs only (pages-json §2.7). A page that is a tab on some platforms only is in
 * both types.
 */
export function pagesTypes(config: PagesConfig): string {
  const all = routes(config)
  const tabs = all.filter(({ tabOn }) => tabOn.length > 0)
  const others = all.filter(({ tabOn, platforms: on }) => tabOn.length < on.length)
  const launch = variantFor(config, 'H5').model.pages[0]?.path
  return `${[
    '// The routes of this project. Generated from pages.json by `souk pages types`; do not edit.',
    '',
    '/** Pages of tabs, which only `switchTab` opens. */',
    union('TabPath', tabs),
    '',
    '/** All other pages. */',
    union('PagePath', others),
    '',
    `/** The launch page. */\nexport type LaunchPath = ${launch ? literal(launch) : 'never'}`,
    '',
    'export type Route = PagePath | TabPath',
    '/** The `url` of `navigateTo` and `redirectTo`. */',
    `export type PageUrl = PagePath | \`\${PagePath}?\${string}\``,
    '',
    '/** The `url` of `switchTab`, without a query. */\nexport type TabUrl = TabPath',
    '',
    '/** The `url` of `reLaunch`, which opens any page. */',
    `export type AnyUrl = Route | \`\${Route}?\${string}\``,
  ].join('\n')}\n`
}

const literal = (path: string) => JSON.stringify(`/${trimPath(path)}`)

function union(name: string, all: readonly Route[]): string {
  if (all.length === 0) return `export type ${name} = never`
  return `export type ${name} =\n${all.map(({ path }) => `  | ${literal(path)}`).join('\n')}`
}
