/** The parts of the window that are used here. */
export interface BrowserWindow {
  readonly history: Pick<History, 'state' | 'go' | 'pushState' | 'replaceState'>
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>
  addEventListener(type: 'popstate', listener: (event: { state: unknown }) => void): void
}

/** Returns how the address bar shows an address: that of the launch page without its path, as in uni-app. */
function shownUrl(url: string, launch: string): string {
  const path = `/${launch}`
  return url === path || url.startsWith(`${path}?`) ? `/${url.slice(path.length)}` : url
}

/** Returns true if the address bar shows this address, for the launch page with its path or without. */
export function isShown(url: string, launch: string, { location }: BrowserWindow): boolean {
  return [url, shownUrl(url, launch)].includes(location.hash.slice(1))
}

/**
 * Returns the addresses that were open before a reload, lowest first; undefined if the address was edited or nothing
 * was open.
 */
export function restoredUrls(launch: string, browser: BrowserWindow = window): string[] | undefined {
  const urls = urlsFromState(browser.history.state)
  return urls && isShown(urls.at(-1)!, launch, browser) ? urls : undefined
}

/** Writes the addresses into an entry of the history; its URL is the last one. */
export function writeEntry(
  method: 'pushState' | 'replaceState',
  urls: string[],
  launch: string,
  browser: BrowserWindow = window,
): void {
  const { history, location } = browser
  const url = urls.at(-1)!
  // A link with the path of the launch page stays as it was written.
  const isKept = method === 'replaceState' && isShown(url, launch, browser)
  const hash = isKept ? location.hash : `#${shownUrl(url, launch)}`
  history[method]({ souk: urls }, '', location.pathname + location.search + hash)
}

/** Returns the addresses stored in the state of an entry. */
export function urlsFromState(state: unknown): string[] | undefined {
  const urls = (state as { souk?: unknown } | null)?.souk
  return Array.isArray(urls) && urls.length > 0 ? urls : undefined
}
