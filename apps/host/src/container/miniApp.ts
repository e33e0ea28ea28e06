import type { AppManifest } from '@souk/runtime/host'
import { call, type Result } from '../api/client.ts'
import { isSandbox } from '../api/session.ts'
import { miniApps, readMiniApps } from '../home/miniApps.ts'
import type { platforms } from '../shell/device.ts'
import { developmentServer } from './developmentServer.ts'
import type { OpenMiniApp } from './openMiniApps.ts'

type Platform = (typeof platforms)[number]
type Listed = Result<'listMiniApps'>[number]
export type Release = Listed['releases'][number]

/** A mini app with everything needed to open it. */
export interface ResolvedMiniApp {
  app: Listed
  /** Null for a development server. */
  release: Release | null
  /** Base URL of its files, with a trailing slash. */
  folder: string
  manifest: AppManifest
}

/** Keys under `failures` in the message files. */
type Failure = 'missing' | 'unreleased' | 'unknownRelease' | 'manifest' | 'server'

export class OpenError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure)
    this.failure = failure
  }
}

/**
 * Resolves a mini app among those that the user may open.
 *
 * @throws OpenError
 * @throws Problem
 */
export async function resolveMiniApp(
  {
    appid,
    releaseId,
    preview,
    stage,
    server,
  }: Pick<OpenMiniApp, 'appid' | 'releaseId' | 'preview' | 'stage' | 'server'>,
  platform: Platform,
): Promise<ResolvedMiniApp> {
  if (releaseId !== undefined && preview !== undefined) {
    const app = await call('getPreview', { appid, releaseId, preview })
    const release = app.releases[0]!
    return { app, release, folder: release.url, manifest: await fetchManifest(release.url) }
  }
  const app = (await readMiniApps()).find((each) => each.appid === appid)
  if (!app) throw new OpenError('missing')
  if (server !== undefined) {
    const folder = isSandbox ? developmentServer(server) : undefined
    if (folder === undefined) throw new OpenError('server')
    return { app, release: null, folder, manifest: await fetchManifest(folder) }
  }
  const isChosen = releaseId !== undefined || stage !== undefined
  // The newest release is first.
  const release = isChosen
    ? app.releases.find((each) => (releaseId === undefined ? each.stage === stage : each.releaseId === releaseId))
    : currentRelease(app, platform)
  if (!release) throw new OpenError(isChosen ? 'unknownRelease' : 'unreleased')
  return { app, release, folder: release.url, manifest: await fetchManifest(release.url) }
}

/** Returns true if the current release has changed since the mini app was opened. */
export function isOutdated({ app, release }: ResolvedMiniApp, platform: Platform): boolean {
  const listed = miniApps.value?.find(({ appid }) => appid === app.appid)
  return release?.releaseId !== (listed && currentRelease(listed, platform))?.releaseId
}

/**
 * Returns the published release, preferably for the selected platform; for testers without one, the newest test
 * version.
 */
function currentRelease({ release, releases }: Listed, platform: Platform): Release | undefined {
  return (
    releases.find((each) => each.platform === platform && each.stage === 'published') ??
    release ??
    releases.find(usesHost)
  )
}

/** False for H5 builds, which draw their own bars and do not use the host. */
const usesHost = ({ platform }: Release) => platform !== 'H5'

async function fetchManifest(folder: string): Promise<AppManifest> {
  try {
    const response = await fetch(`${folder}souk-app.json`)
    if (response.ok) return (await response.json()) as AppManifest
  } catch {
    // The server is down or returned something that is not a manifest.
  }
  throw new OpenError('manifest')
}
