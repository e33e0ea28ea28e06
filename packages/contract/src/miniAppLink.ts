import { readCardData } from './cards.ts'

/** Target of a link to the host application. */
export interface LinkTarget {
  appid: string
  /** Page path with its query, such as `pages/menu/menu?id=3`; the launch page if absent. */
  page?: string
  /** A release that the user may open; the published one if absent. */
  releaseId?: string
  /** Opens `releaseId` although the user may not: the token of `createPreview`. */
  preview?: string
  /** Opens the newest release of this stage instead, so that the link stays valid after the next upload. */
  stage?: 'development' | 'review'
  /** Set if it is the link of a card, with what the card passes to the page, as JSON, or nothing. */
  card?: { extraData: string }
  /** Lets a developer inspect it on the phone: the code of `createInspection`. */
  inspect?: string
}

/**
 * Returns the link to a mini app, a page of it, or one of its releases in the host application. Phones open it from a
 * QR code.
 *
 * @param origin of the server, which serves the host application at /host/
 */
export function miniAppLink(origin: string, target: LinkTarget): string {
  const { appid, page, releaseId, preview, stage, card, inspect } = target
  const ofCard = card && { from: 'card', extraData: card.extraData }
  const chosen = { page, release: releaseId, preview, stage: releaseId ? undefined : stage, ...ofCard }
  const query = Object.entries(chosen).flatMap(([name, value]) => (value ? `${name}=${encodeURIComponent(value)}` : []))
  const path = `${origin}/host/apps/${encodeURIComponent(appid)}`
  // Browsers do not send the fragment, so that the code is in no log.
  const fragment = inspect ? `#inspect=${encodeURIComponent(inspect)}` : ''
  return [path, ...(query.length > 0 ? [query.join('&')] : [])].join('?') + fragment
}

/** Returns whether a link names the device that opens it, so that a phone cannot open it. */
export function isLocalLink(link: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?:[:/]|$)/.test(link)
}

/**
 * Returns what the link of a card passes to the page; undefined if it is the link of no card. Anyone can write a link:
 * data that is not JSON, or too long, is left out.
 */
export function cardOfLink({ from, extraData }: Readonly<Record<string, unknown>>): { extraData?: string } | undefined {
  if (from !== 'card') return undefined
  const data = readCardData(extraData)
  return data === undefined ? {} : { extraData: data }
}
