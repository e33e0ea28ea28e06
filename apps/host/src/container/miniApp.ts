import type { AppManifest } from '@souk/runtime/host'
import type { Result } from '../api/client.ts'
import { isSandbox } from '../api/session.ts'
import { miniApps, readMiniApps } from '../home/miniApps.ts'
import type { platforms } from '../shell/device.ts'
import { developmentServer } from './developmentServer.ts'
import type { OpenMiniApp } from './openMiniApps.ts'

type Platform = (typeof platforms)[number]
type Listed = Result<'listMiniApps'>[number]
export type Release = Listed['releases'][number]

/** A mini app with all that is needed to open it. */
export interface Found {
  app: Listed
  /** Null: it comes from a development server. */
  release: Release | null
  /** Where its files are, with a slash at its end. */
  folder: string
  manifest: AppManifest
}

/** Why a mini app cannot be opened: keys of the texts. */
type Failure = 'missing' | 'unreleased' | 'unknownRelease' | 'manifest' | 'server'

export class NotOpened extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure)
    this.failure = failure
  }
}

/**
 * Finds what is to be opened, among what the server says the user may open.
 *
 * @throws NotOpened
 * @throws Problem what the server refused
 */
export async function findMiniApp(
  { appid, releaseId, server }: Pick<OpenMiniApp, 'appid' | 'releaseId' | 'server'>,
  platform: Platform,
): Promise<Found> {
  const app = (await readMiniApps()).find((each) => each.appid === appid)
  if (!app) throw new NotOpened('missing')
  if (server !== undefined) {
    const folder = isSandbox ? developmentServer(server) : undefined
    if (folder === undefined) throw new NotOpened('server')
    return { app, release: null, folder, manifest: await manifestIn(folder) }
  }
  const release =
    releaseId === undefined ? current(app, platform) : app.releases.find((each) => each.releaseId === releaseId)
  if (!release) throw new NotOpened(releaseId === undefined ? 'unreleased' : 'unknownRelease')
  return { app, release, folder: release.url, manifest: await manifestIn(release.url) }
}

/** Whether the server has said meanwhile that its users get another release by now, or none. */
export function isOutdated({ app, release }: Found, platform: Platform): boolean {
  const listed = miniApps.value?.find(({ appid }) => appid === app.appid)
  return release?.releaseId !== (listed && current(listed, platform))?.releaseId
}

/** The published one, for the platform that the device bar says where there is one; for testers of what is not published, their newest. */
function current({ release, releases }: Listed, platform: Platform): Release | undefined {
  return (
    releases.find((each) => each.platform === platform && each.stage === 'published') ??
    release ??
    releases.find(isHeld)
  )
}

/** A build for H5 draws its own bars, and knows no host. */
const isHeld = ({ platform }: Release) => platform !== 'H5'

async function manifestIn(folder: string): Promise<AppManifest> {
  try {
    const answer = await fetch(`${folder}souk-app.json`)
    if (answer.ok) return (await answer.json()) as AppManifest
  } catch {
    // Nobody answers there, or something else than a manifest.
  }
  throw new NotOpened('manifest')
}
