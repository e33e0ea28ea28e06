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
  /** Lets a developer inspect it on the phone: the code of `createInspection`. */
  inspect?: string
}

/**
 * Returns the link to a mini app, a page of it, or one of its releases in the host application. Phones open it from a
 * QR code.
 *
 * @param origin of the server, which serves the host application at /host/
 */
export function miniAppLink(origin: string, { appid, page, releaseId, preview, stage, inspect }: LinkTarget): string {
  const chosen = { page, release: releaseId, preview, stage: releaseId ? undefined : stage }
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
