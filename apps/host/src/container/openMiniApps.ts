import type { Referrer } from '@souk/contract/bridge'

/** An open mini app, visible or in the background. */
export interface OpenMiniApp {
  /** Changing the key restarts the mini app. */
  key: number
  appid: string
  /** Undefined for the current release. */
  releaseId: string | undefined
  /** Token that opens `releaseId` although the user is not a tester. */
  preview: string | undefined
  /** Stage whose newest release is opened instead of the current release. */
  stage: 'development' | 'review' | undefined
  /** URL of a development server to load instead of a release. */
  server: string | undefined
  /** First page, as path with query; undefined for the launch page. */
  page: string | undefined
  /** The mini app that has opened it. */
  referrer: Referrer | undefined
  /** Set if the user has opened a card of it, with what the card passes to the page, as JSON. */
  card: { extraData?: string } | undefined
  /** Visit counter; the most recently visible mini app has the highest. */
  lastSeen: number
}

/** Appearance of the device that the visible mini app requests. */
export interface Appearance {
  name: string
  /** Text style of the status bar; undefined for the host's default. */
  textStyle: 'black' | 'white' | undefined
  orientation: 'auto' | 'portrait' | 'landscape'
}

/** Navigation to a mini app. If everything else is omitted, an open instance is reused as it is. */
export type Visit = Pick<OpenMiniApp, 'appid'> &
  Partial<Pick<OpenMiniApp, 'releaseId' | 'preview' | 'stage' | 'server' | 'page' | 'referrer' | 'card'>>

/** Returns the stage that a query parameter names; undefined if it names none. */
export function stageIn(value: unknown): OpenMiniApp['stage'] {
  return value === 'development' || value === 'review' ? value : undefined
}

/** Maximum number of open mini apps; the least recently visible one is closed first. */
export const maxOpen = 3

/**
 * Returns the open mini apps after a visit. The order is stable, because moving an iframe in the document reloads it.
 * Each mini app has at most one instance, so that instances cannot overwrite each other's storage.
 */
export function afterVisit(open: readonly OpenMiniApp[], visit: Visit): OpenMiniApp[] {
  const { appid, releaseId, preview, stage, server, page, referrer, card } = visit
  const lastSeen = Math.max(0, ...open.map((each) => each.lastSeen)) + 1
  const existing = open.find((each) => each.appid === appid)
  const isDifferent =
    (releaseId !== undefined && releaseId !== existing?.releaseId) ||
    (stage !== undefined && stage !== existing?.stage) ||
    (server !== undefined && server !== existing?.server)
  if (existing && !isDifferent && page === undefined && referrer?.extraData === undefined && !card)
    return open.map((each) => (each === existing ? { ...each, lastSeen } : each))

  const key = Math.max(0, ...open.map((each) => each.key)) + 1
  const from = isDifferent || !existing ? { releaseId, preview, stage, server } : existing
  const others = open.filter((each) => each !== existing)
  const oldest = Math.min(...others.map((each) => each.lastSeen))
  const staying = others.length < maxOpen ? others : others.filter((each) => each.lastSeen !== oldest)
  const chosen = { releaseId: from.releaseId, preview: from.preview, stage: from.stage, server: from.server }
  return [...staying, { key, appid, ...chosen, page, referrer, card, lastSeen }]
}
