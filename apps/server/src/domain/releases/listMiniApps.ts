import type { hostOperations, ResultOf } from '@souk/contract'
import { listEnabledApps } from '../apps/index.ts'
import type { HostUserCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { listOpenReleases, releaseUrl } from './store.ts'

type Listed = ResultOf<typeof hostOperations.listMiniApps>

/** What a host draws bars around, in the order in which it is chosen. */
const held = ['Mini App', 'App'] as const

/**
 * The mini apps that a host user can open, by name, each with its releases. One that has releases and has published none is
 * there for its testers only; one without any is there without something to open.
 */
export async function listMiniApps(context: Context, { uid }: HostUserCaller): Promise<Listed> {
  const [apps, open] = await Promise.all([listEnabledApps(context), listOpenReleases(context.sql, uid)])
  const byApp = Map.groupBy(open, ({ appid }) => appid)
  return apps
    .map(({ onlyTesters, ...app }) => ({ app, onlyTesters, found: byApp.get(app.appid) ?? [] }))
    .filter(({ onlyTesters, found }) => !onlyTesters || found.length > 0)
    .map(({ app, found }) => {
      const releases = found.map(({ appid, ...release }) => ({ ...release, url: releaseUrl(appid, release.releaseId) }))
      const published = held.flatMap((platform) =>
        releases.filter((each) => each.stage === 'published' && each.platform === platform),
      )
      return { ...app, release: published[0] ?? null, releases }
    })
}
