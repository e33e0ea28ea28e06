import { appidPattern, type hostOperations, type ParametersOf } from '@souk/contract'
import type { AppManifest, Device } from '@souk/host-view'
import { Problem } from '@souk/web'
import { call, type Result } from '../api/client.ts'
import { isSandbox } from '../api/session.ts'
import { knownMiniApps, readMiniApp } from '../home/miniApps.ts'
import type { platforms } from '../shell/device.ts'
import { developmentServer } from './developmentServer.ts'
import type { OpenMiniApp } from './openMiniApps.ts'

type Platform = (typeof platforms)[number]
type Listed = Result<'listMiniApps'>['items'][number]
type Opener = Pick<Device, 'os' | 'language'> & { platform: Platform }
export type Release = Listed['releases'][number]

/** A mini app with everything needed to open it. */
export interface ResolvedMiniApp {
  app: Listed
  /** Null for a development server. */
  release: Release | null
  /** Base URL of its files, with a trailing slash. */
  folder: string
  /** URL of its document. */
  document: string
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

/** A mini app that is being opened. */
export interface Launch {
  /**
   * The release to expect, from the list of mini apps; undefined if the list has none. Its manifest draws the bars, but
   * its frame may be neither answered nor shown until `chosen` has the same release.
   */
  expected: Promise<ResolvedMiniApp | undefined>
  /** @throws OpenError, Problem */
  chosen: Promise<ResolvedMiniApp>
}

type Choice = Pick<OpenMiniApp, 'appid' | 'releaseId' | 'preview' | 'stage' | 'server'>

/** Opens the current release of a mini app, which the server chooses, or the one that the user has chosen. */
export function launchMiniApp(choice: Choice, opener: Opener): Launch {
  const { appid, releaseId, stage, server } = choice
  // It comes from an address, which may contain anything.
  if (!appidPattern.test(appid))
    return { expected: Promise.resolve(undefined), chosen: Promise.reject(new OpenError('missing')) }
  if (releaseId !== undefined || stage !== undefined || server !== undefined)
    return { expected: Promise.resolve(undefined), chosen: resolveChoice(choice) }
  return launchCurrent(appid, opener)
}

function launchCurrent(appid: string, { os: system, language, platform }: Opener): Launch {
  const listed = knownMiniApps.value.get(appid)
  const release = listed && currentRelease(listed, platform)
  const choose = async () => {
    const opening = openMiniApp({ appid, platform, language, system })
    // What `isOutdated` compares with later. One that was read before is new enough if it has the same release.
    const list = listed ? undefined : readMiniApp(appid)
    list?.catch(() => {})
    const app = await opening
    // Testers of a mini app that is not published get the newest test version.
    const chosen = app.release ?? app.releases.find(usesHost)
    if (!chosen) throw new OpenError('unreleased')
    const published =
      app.releases.find((each) => each.stage === 'published' && each.platform === chosen.platform) ?? chosen
    if (published.releaseId !== release?.releaseId) await (list ?? readMiniApp(appid))
    return {
      app,
      release: chosen,
      ...locationOf(app, chosen),
      manifest: await readManifest(chosen.url),
      published,
    }
  }
  return { expected: resolveExpected(listed, release), chosen: choose() }
}

async function resolveExpected(app?: Listed, release?: Release): Promise<ResolvedMiniApp | undefined> {
  if (!app || !release) return undefined
  // The server may choose another release, whose manifest can be read.
  const manifest = await readManifest(release.url).catch(() => undefined)
  // An H5 build does not wait until its host accepts it.
  if (!manifest || !usesHost(release)) return undefined
  return { app, release, ...locationOf(app, release), manifest, published: release }
}

/** Resolves a release, a stage or a development server among those that the user may open. */
async function resolveChoice({ appid, releaseId, preview, stage, server }: Choice): Promise<ResolvedMiniApp> {
  if (releaseId !== undefined && preview !== undefined) {
    const app = await call('getPreview', { appid, releaseId, preview })
    const release = app.releases[0]!
    const manifest = await readManifest(release.url)
    return { app, release, ...locationOf(app, release), manifest, published: undefined }
  }
  const app = await readMiniApp(appid)
  if (!app) throw new OpenError('missing')
  if (server !== undefined) {
    const folder = isSandbox ? developmentServer(server) : undefined
    if (folder === undefined) throw new OpenError('server')
    const manifest = await fetchManifest(folder)
    return { app, release: null, folder, document: `${folder}index.html`, manifest, published: undefined }
  }
  // The newest release is first.
  const release = app.releases.find((each) =>
    releaseId === undefined ? each.stage === stage : each.releaseId === releaseId,
  )
  if (!release) throw new OpenError('unknownRelease')
  const manifest = await readManifest(release.url)
  return { app, release, ...locationOf(app, release), manifest, published: undefined }
}

/** Returns where the files of a release are. */
function locationOf({ documentVersion }: Listed, { url }: Release): Pick<ResolvedMiniApp, 'folder' | 'document'> {
  return { folder: url, document: `${url}index.html?v=${documentVersion}` }
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
  const listed = knownMiniApps.value.get(app.appid)
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

/** Loads what a mini app is opened with, so that its frame can start immediately. */
export function preloadMiniApp(appid: string, platform: Platform): void {
  const listed = knownMiniApps.value.get(appid)
  const release = listed && currentRelease(listed, platform)
  if (release) readManifest(release.url).catch(() => {})
}

/** Manifests of releases by folder. They do not change. */
const manifests = new Map<string, Promise<AppManifest>>()

function readManifest(folder: string): Promise<AppManifest> {
  let manifest = manifests.get(folder)
  if (!manifest) {
    manifest = fetchManifest(folder)
    manifests.set(folder, manifest)
    // Read again when it is opened again.
    manifest.catch(() => manifests.delete(folder))
  }
  return manifest
}

async function fetchManifest(folder: string): Promise<AppManifest> {
  try {
    const response = await fetch(`${folder}souk-app.json`)
    if (response.ok) return (await response.json()) as AppManifest
  } catch {
    // The server is down or returned something that is not a manifest.
  }
  throw new OpenError('manifest')
}
