import { categories, type hostOperations, type Language, type ParametersOf, type ResultOf } from '@souk/contract'
import { pageOf, readCursor } from '../../../kernel/db/page.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { CatalogueEntry, Context } from '../../context.ts'
import { getPlatformSettings } from '../../installation/index.ts'
import { listEnabledApps } from '../apps/index.ts'
import { compareIn, nameIn, searchable } from './catalogue.ts'
import { documentVersion } from './policy.ts'
import { hostedPlatforms, listOpenReleases, listTestedAppids, releaseUrl } from './store.ts'

type Operation = typeof hostOperations.listMiniApps
type Result = ResultOf<Operation>

const maxPages = 50

/**
 * Lists the mini apps that a host user can open, by name, with their releases. An app whose releases are all
 * unpublished is listed for its testers only. An app without releases is listed in a sandbox only, where developers
 * open it from their development server.
 */
export async function listMiniApps(
  context: Context<'web'>,
  caller: HostUserCaller,
  parameters: ParametersOf<Operation>,
): Promise<Result> {
  const { appids, query, language = 'en_US', category, recommended, released, limit = 50 } = parameters
  if (appids !== undefined) {
    return { items: await showMiniApps(context, caller, appids.split(',')), next: null, categories: [], pages: [] }
  }
  const [rank, name, appid] = readCursor(parameters.cursor, ['number', 'text', 'string'])
  const [all, tested] = await Promise.all([
    context.catalogue.sortedFor(language),
    listTestedAppids(context.sql, caller.uid),
  ])
  const isReleased = (app: CatalogueEntry) => app.isPublished || tested.has(app.appid)
  const listed = all.filter((app) => {
    if (isReleased(app)) return released !== false
    return released !== true && isInDevelopment(context, app)
  })
  const chosen = listed.filter(
    (app) => (category === undefined || app.category === category) && (!recommended || app.recommended),
  )
  const words = query === undefined ? [] : searchable(query.trim()).split(/\s+/)
  const ranked = rankBySearch(chosen, words)
  const compare = compareIn(language)
  const isAfter = (app: Ranked) =>
    appid === undefined || app.rank > rank || (app.rank === rank && compare(app, { appid, name, names: {} }) > 0)
  const page = pageOf(ranked.filter(isAfter).slice(0, limit + 1), limit, (app) => [
    app.rank,
    nameIn(language, app),
    app.appid,
  ])
  return {
    items: await showMiniApps(
      context,
      caller,
      page.items.map((app) => app.appid),
    ),
    next: page.next,
    categories: categories.filter((each) => listed.some((app) => app.category === each)),
    pages: words.length > 0 && appid === undefined ? findPages(chosen, words, language) : [],
  }
}

/** Returns those of these mini apps that a host user can open, in this order. */
export async function showMiniApps(
  context: Context<'web'>,
  { uid }: HostUserCaller,
  appids: readonly string[],
): Promise<Result['items']> {
  const { settings, web } = context
  const [apps, open, { allowedOrigins }] = await Promise.all([
    listEnabledApps(context, appids),
    listOpenReleases(context.sql, uid, appids),
    getPlatformSettings(context),
  ])
  const byAppid = new Map(apps.map((app) => [app.appid, app]))
  const releasesOf = Map.groupBy(open, ({ appid }) => appid)
  return appids.flatMap((appid) => {
    const found = byAppid.get(appid)
    const opened = releasesOf.get(appid) ?? []
    if (!found || (opened.length === 0 && !isInDevelopment(context, found))) return []
    const { onlyTesters: _, ...app } = found
    const releases = opened.map(({ appid, tabs: _, ...release }) => ({
      ...release,
      url: releaseUrl(web, appid, release.releaseId),
    }))
    const published = hostedPlatforms.flatMap((platform) =>
      releases.filter((each) => each.stage === 'published' && each.platform === platform),
    )
    const release = published[0] ?? null
    const shown = opened.find(({ releaseId }) => releaseId === release?.releaseId) ?? opened[0]
    const version = documentVersion({ settings, web, allowedOrigins, domains: app.domains })
    return [{ ...app, tabs: shown?.tabs ?? [], documentVersion: version, release, releases }]
  })
}

/** Returns whether users of a sandbox may open a mini app that has no release for them. */
const isInDevelopment = ({ settings }: Context, { onlyTesters }: Pick<CatalogueEntry, 'onlyTesters'>) =>
  settings.sandbox && !onlyTesters

type Ranked = CatalogueEntry & { rank: number }

/** Returns the mini apps that a search finds, first those whose name begins with what was searched for. */
function rankBySearch(apps: readonly CatalogueEntry[], words: readonly string[]): Ranked[] {
  const query = words.join(' ')
  const found = apps.filter(({ appid, searched }) => appid === query || words.every((word) => searched.includes(word)))
  const isNamed = ({ searchedNames }: CatalogueEntry) => searchedNames.some((name) => name.startsWith(query))
  return [
    ...found.filter(isNamed).map((app) => ({ ...app, rank: 0 })),
    ...found.filter((app) => !isNamed(app)).map((app) => ({ ...app, rank: 1 })),
  ]
}

/** Returns the tabs whose titles contain all words. */
function findPages(apps: readonly CatalogueEntry[], words: readonly string[], language: Language): Result['pages'] {
  const isFound = ({ searched }: CatalogueEntry['tabs'][number]) =>
    searched.some((title) => words.every((word) => title.includes(word)))
  return apps
    .flatMap(({ appid, name, names, iconUrl, tabs }) =>
      tabs.filter(isFound).map(({ path, title, titles }) => {
        const own = Object.entries(titles).find(([tag]) => primary(tag) === primary(language))
        return { appid, name, names, iconUrl, path, title: own?.[1] ?? title }
      }),
    )
    .slice(0, maxPages)
}

const primary = (language: string) => language.split(/[-_]/)[0]
