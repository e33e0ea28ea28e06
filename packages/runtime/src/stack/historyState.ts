/** Of the window, what is needed here. */
export interface BrowserWindow {
  readonly history: Pick<History, 'state' | 'go' | 'pushState' | 'replaceState'>
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>
  addEventListener(type: 'popstate', listener: (event: { state: unknown }) => void): void
}

/** The addresses that were open before a reload, lowest first; undefined where the address was edited since, or nothing was open. */
export function restoredUrls({ history, location }: BrowserWindow = window): string[] | undefined {
  const urls = urlsFromState(history.state)
  return urls?.at(-1) === location.hash.slice(1) ? urls : undefined
}

/** The entry where the browser is becomes that of the last of these addresses. */
export function writeEntry(
  method: 'pushState' | 'replaceState',
  urls: string[],
  { history, location }: BrowserWindow = window,
): void {
  history[method]({ souk: urls }, '', `${location.pathname}${location.search}#${urls.at(-1)}`)
}

/** What an entry of the history says of the pages up to its own. */
export function urlsFromState(state: unknown): string[] | undefined {
  const urls = (state as { souk?: unknown } | null)?.souk
  return Array.isArray(urls) && urls.length > 0 ? urls : undefined
}
