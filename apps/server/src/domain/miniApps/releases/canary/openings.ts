import { type hostOperations, type ParametersOf, type ReleasePlatform, type ResultOf, SoukError } from '@souk/contract'
import type { HostUserCaller } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { showMiniApps } from '../listMiniApps.ts'
import { hostedPlatforms, releaseUrl } from '../store.ts'
import { isInAudience } from './audience.ts'
import { findRunningCanary, updateFailures, upsertOpening } from './store.ts'

type Operations = typeof hostOperations

/**
 * Returns a mini app with the release to open: the published one for the preferred platform or else another one that
 * hosts draw, or in its place the canary that the user is part of. While a canary runs, the opening is counted.
 * @throws SoukError `app_not_found`
 */
export async function openMiniApp(
  context: Context<'web'>,
  caller: HostUserCaller,
  { appid, platform, language, system }: ParametersOf<Operations['openMiniApp']>,
): Promise<ResultOf<Operations['openMiniApp']>> {
  const [app] = await showMiniApps(context, caller, [appid])
  if (!app) throw new SoukError('app_not_found')
  const preferred: ReleasePlatform[] = [...(platform === undefined ? [] : [platform]), ...hostedPlatforms]
  const published = preferred.flatMap((each) =>
    app.releases.filter((release) => release.stage === 'published' && release.platform === each),
  )[0]
  const found = published && (await findRunningCanary(context.sql, { appid, platform: published.platform }))
  if (!found) return { ...app, release: published ?? null, canary: false }
  const { uid } = caller
  const { canaryId, releaseId, version, ...audience } = found
  const isCanary = isInAudience(canaryId, audience, { uid, language, system })
  await upsertOpening(context.sql, { canaryId, uid, isCanary }).catch((error: unknown) => {
    // Users can open mini apps while the database refuses writes.
    context.log.warn({ err: error, canaryId }, 'cannot count an opening of a canary')
  })
  if (!isCanary) return { ...app, release: published, canary: false }
  const url = releaseUrl(context.web, appid, releaseId)
  const release = { releaseId, url, platform: published.platform, version, stage: 'published' } as const
  return { ...app, release, canary: true }
}

/** Counts a failure of an opening if the release is part of a canary or compared with one. */
export async function reportOpening(
  context: Context,
  { uid }: HostUserCaller,
  { appid, releaseId, failure }: ParametersOf<Operations['reportOpening']>,
): Promise<ResultOf<Operations['reportOpening']>> {
  await updateFailures(context.sql, { appid, releaseId, uid, failure })
  return true
}
