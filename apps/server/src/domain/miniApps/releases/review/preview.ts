import {
  type consoleOperations,
  type hostOperations,
  hour,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import { issueToken, readToken, type TokenUse } from '../../../../kernel/signedToken.ts'
import type { ConsoleCaller, HostUserCaller } from '../../../caller.ts'
import type { Context } from '../../../context.ts'
import { audit, getPlatformSettings } from '../../../installation/index.ts'
import { listEnabledApps } from '../../apps/index.ts'
import { documentVersion } from '../policy.ts'
import { listReleaseRows, releaseUrl } from '../store.ts'

/** Long enough to review a release, short enough for links that remain in browsers and chats. */
const lifetime = 8 * hour

const tokenUse = (appid: string, releaseId: string): TokenUse => ({
  use: 'releasePreview',
  boundTo: `${appid} ${releaseId}`,
})

/**
 * Creates a token with which any host user opens one release in any stage. Reviewers need not be testers.
 * @throws SoukError `release_not_found`
 */
export async function createPreview(
  context: Context<'vault' | 'web'>,
  caller: ConsoleCaller,
  { appid, releaseId }: ParametersOf<(typeof consoleOperations)['createPreview']>,
): Promise<ResultOf<(typeof consoleOperations)['createPreview']>> {
  const [[release], app] = await Promise.all([listReleaseRows(context, appid, releaseId), context.apps.find(appid)])
  if (!release || !app) throw new SoukError('release_not_found')
  const { projectId } = app
  const { platform, version } = release
  await context.sql.begin((tx) =>
    audit(context, tx, caller, {
      action: 'release.preview',
      subject: appid,
      projectId,
      detail: { releaseId, platform, version },
    }),
  )
  const validUntil = context.clock.real() + lifetime
  return { preview: issueToken(context, tokenUse(appid, releaseId), lifetime), validUntil }
}

/**
 * Returns a mini app with the release that a token opens.
 * @throws SoukError `release_not_found`, also for an expired token
 */
export async function getPreview(
  context: Context<'vault' | 'web'>,
  _caller: HostUserCaller,
  { appid, releaseId, preview }: ParametersOf<(typeof hostOperations)['getPreview']>,
): Promise<ResultOf<(typeof hostOperations)['getPreview']>> {
  const isValid = readToken(context, tokenUse(appid, releaseId), preview) !== undefined
  const [release] = isValid ? await listReleaseRows(context, appid, releaseId) : []
  const found = release && (await listEnabledApps(context, [appid]))[0]
  if (!release || !found) throw new SoukError('release_not_found', 'The preview is invalid or has expired.')
  const { onlyTesters: _, ...app } = found
  const { platform, version, stage } = release
  const { settings, web } = context
  const { allowedOrigins } = await getPlatformSettings(context)
  return {
    ...app,
    tabs: [],
    documentVersion: documentVersion({ settings, web, allowedOrigins, domains: app.domains }),
    release: null,
    releases: [{ releaseId, url: releaseUrl(web, appid, releaseId), platform, version, stage }],
  }
}
