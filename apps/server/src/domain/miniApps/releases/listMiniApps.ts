import type { hostOperations, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { getPlatformSettings } from '../../installation/index.ts'
import { listEnabledApps } from '../apps/index.ts'
import { documentVersion } from './policy.ts'
import { listOpenReleases, releaseUrl } from './store.ts'

type Listed = ResultOf<typeof hostOperations.listMiniApps>

/** Platforms that a host opens with its own bars, in order of preference. */
export const hostedPlatforms = ['Mini App', 'App'] as const

/**
 * Lists the mini apps that a host user can open, by name, with their releases. An app whose releases are all
 * unpublished is listed for its testers only. An app without releases is listed in a sandbox only, where developers
 * open it from their development server. `appid` limits the list to one.
 */
export async function listMiniApps(
  context: Context<'web'>,
  { uid }: HostUserCaller,
  { appid }: { appid?: string } = {},
): Promise<Listed> {
  const { settings, web } = context
  const [apps, open, { allowedOrigins }] = await Promise.all([
    listEnabledApps(context, appid),
    listOpenReleases(context.sql, uid, appid),
    getPlatformSettings(context),
  ])
  const byApp = Map.groupBy(open, ({ appid }) => appid)
  return apps
    .map(({ onlyTesters, ...app }) => ({ app, onlyTesters, found: byApp.get(app.appid) ?? [] }))
    .filter(({ onlyTesters, found }) => found.length > 0 || (settings.sandbox && !onlyTesters))
    .map(({ app, found }) => {
      const releases = found.map(({ appid, tabs: _, ...release }) => ({
        ...release,
        url: releaseUrl(web, appid, release.releaseId),
      }))
      const published = hostedPlatforms.flatMap((platform) =>
        releases.filter((each) => each.stage === 'published' && each.platform === platform),
      )
      const release = published[0] ?? null
      const shown = found.find(({ releaseId }) => releaseId === release?.releaseId) ?? found[0]
      const version = documentVersion({ settings, web, allowedOrigins, domains: app.domains })
      return { ...app, tabs: shown?.tabs ?? [], documentVersion: version, release, releases }
    })
}
