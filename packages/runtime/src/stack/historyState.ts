/** The parts of the window that are used here. */
export interface BrowserWindow {
  readonly history: Pick<History, 'state' | 'go' | 'pushState' | 'replaceState'>
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>
  addEventListener(type: 'popstate', listener: (event: { state: unknown }) => void): void
}

/**
 * Returns the addresses that were open before a reload, lowest first; undefined if the address was edited or nothing
 * was open.
 */
export function restoredUrls({ history, location }: BrowserWindow = window): string[] | undefined {
  const urls = urlsFromState(history.state)
  return urls?.at(-1) === location.hash.slice(1) ? urls : undefined
}

/** Writes the addresses into an entry of the history; its URL is the last one. */
export function writeEntry(
  method: 'pushState' | 'replaceState',
  urls: string[],
  { history, location }: BrowserWindow = window,
): void {
  history[method]({ souk: urls }, '', `${location.pathname}${location.search}#${urls.at(-1)}`)
}

/** Returns the addresses stored in the state of an entry. */
export function urlsFromState(state: unknown): string[] | undefined {
  const urls = (state as { souk?: unknown } | null)?.souk
  return Array.isArray(urls) && urls.length > 0 ? urls : undefined
}
