/** A mini app that is open, in sight or behind. */
export interface OpenMiniApp {
  /** Another one: it begins anew. */
  key: number
  appid: string
  /** Undefined: the current one. */
  releaseId: string | undefined
  /** Address of a development server that it comes from instead of a release. */
  server: string | undefined
  /** Path of the page that it began with, with its query; undefined: its launch page. */
  page: string | undefined
  /** Counts up: who was in sight last has the highest. */
  seen: number
}

/** What the mini app in sight makes of the device. */
export interface Look {
  name: string
  /** Of the status bar; undefined: as on the host's own pages. */
  textStyle: 'black' | 'white' | undefined
  orientation: 'auto' | 'portrait' | 'landscape'
}

/** What somebody went to. Without a release, a server or a page, whatever is open of the mini app will do. */
export type Visit = Pick<OpenMiniApp, 'appid'> & Partial<Pick<OpenMiniApp, 'releaseId' | 'server' | 'page'>>

/** So many stay open; the one that was out of sight longest is closed for another. */
export const mostOpen = 3

/**
 * What is open after a visit, in the order of opening: those that stay keep their places, since a frame that is moved within its document
 * begins anew. Of one mini app there is one at a time, which keeps its storage whole.
 */
export function afterVisit(open: readonly OpenMiniApp[], visit: Visit): OpenMiniApp[] {
  const { appid, releaseId, server, page } = visit
  const seen = Math.max(0, ...open.map((each) => each.seen)) + 1
  const known = open.find((each) => each.appid === appid)
  const isOther =
    (releaseId !== undefined && releaseId !== known?.releaseId) || (server !== undefined && server !== known?.server)
  if (known && !isOther && page === undefined) return open.map((each) => (each === known ? { ...each, seen } : each))

  const key = Math.max(0, ...open.map((each) => each.key)) + 1
  const from = isOther || !known ? { releaseId, server } : known
  const others = open.filter((each) => each !== known)
  const oldest = Math.min(...others.map((each) => each.seen))
  const staying = others.length < mostOpen ? others : others.filter((each) => each.seen !== oldest)
  return [...staying, { key, appid, releaseId: from.releaseId, server: from.server, page, seen }]
}
