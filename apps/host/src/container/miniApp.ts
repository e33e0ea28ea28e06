import type { hostOperations, ParametersOf } from '@souk/contract'
import type { AppManifest, Device } from '@souk/runtime/host'
import { Problem } from '@souk/web'
import { call, type Result } from '../api/client.ts'
import { isSandbox } from '../api/session.ts'
import { miniApps, readMiniApps } from '../home/miniApps.ts'
import type { platforms } from '../shell/device.ts'
import { developmentServer } from './developmentServer.ts'
import type { OpenMiniApp } from './openMiniApps.ts'

type Platform = (typeof platforms)[number]
type Listed = Result<'listMiniApps'>[number]
type Opener = Pick<Device, 'os' | 'language'> & { platform: Platform }
export type Release = Listed['releases'][number]

/** A mini app with everything needed to open it. */
export interface ResolvedMiniApp {
  app: Listed
  /** Null for a development server. */
  release: Release | null
  /** Base URL of its files, with a trailing slash. */
  folder: string
  manifest: AppManifest
  /** The published release at the opening, in whose place `release` may be a canary. */
  published: Release | undefined
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
  { os: system, language, platform }: Opener,
): Promise<ResolvedMiniApp> {
  if (releaseId !== undefined && preview !== undefined) {
    const app = await call('getPreview', { appid, releaseId, preview })
    const release = app.releases[0]!
    return { app, release, folder: release.url, manifest: await fetchManifest(release.url), published: undefined }
  }
  const isChosen = releaseId !== undefined || stage !== undefined
  if (!isChosen && server === undefined) {
    // What `isOutdated` compares with later. One that was read before is new enough if it has the same release.
    const list = readMiniApps()
    list.catch(() => {})
    const listed = miniApps.value?.find((each) => each.appid === appid)
    const expected = listed && currentRelease(listed, platform)
    // At once, because the server seldom chooses another release.
    const expectedManifest = expected && fetchManifest(expected.url)
    expectedManifest?.catch(() => {})
    const app = await openMiniApp({ appid, platform, language, system })
    // Testers of a mini app that is not published get the newest test version.
    const release = app.release ?? app.releases.find(usesHost)
    if (!release) throw new OpenError('unreleased')
    const published =
      app.releases.find((each) => each.stage === 'published' && each.platform === release.platform) ?? release
    if (published.releaseId !== expected?.releaseId) await list
    return {
      app,
      release,
      folder: release.url,
      manifest: await (release.url === expected?.url ? expectedManifest! : fetchManifest(release.url)),
      published,
    }
  }
  const app = (await readMiniApps()).find((each) => each.appid === appid)
  if (!app) throw new OpenError('missing')
  if (server !== undefined) {
    const folder = isSandbox ? developmentServer(server) : undefined
    if (folder === undefined) throw new OpenError('server')
    return { app, release: null, folder, manifest: await fetchManifest(folder), published: undefined }
  }
  // The newest release is first.
  const release = app.releases.find((each) =>
    releaseId === undefined ? each.stage === stage : each.releaseId === releaseId,
  )
  if (!release) throw new OpenError('unknownRelease')
  return { app, release, folder: release.url, manifest: await fetchManifest(release.url), published: undefined }
}

/** Asks the server which release to open: the published one, or a canary. @throws OpenError, Problem */
async function openMiniApp(
  input: ParametersOf<(typeof hostOperations)['openMiniApp']>,
): Promise<Result<'openMiniApp'>> {
  try {
    return await call('openMiniApp', input)
  } catch (error) {
    if (error instanceof Problem && error.code === 'app_not_found') throw new OpenError('missing')
    throw error
  }
}

/** Reports a release that did not start to the server, so that a canary can halt. */
export function reportFailedLaunch({ app, release }: ResolvedMiniApp): void {
  if (!release) return
  // Without a connection there is nothing to compare.
  call('reportOpening', { appid: app.appid, releaseId: release.releaseId, failure: 'launch' }).catch(() => {})
}

/** Returns true if the published release has changed since the mini app was opened. */
export function isOutdated({ app, published }: ResolvedMiniApp, platform: Platform): boolean {
  const listed = miniApps.value?.find(({ appid }) => appid === app.appid)
  return published?.releaseId !== (listed && currentRelease(listed, platform))?.releaseId
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

/** Returns false for H5 builds, which draw their own bars and do not use the host. */
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
