/** The host shows a web page for this path unless the mini app has such a page (open-api §4.3, sendActivity). */
const webViewPage = 'pages/webview/webview'

/** Splits a page path with query, as in `link` and `path` of messages. */
export function parsePage(page: string): { path: string; query: Record<string, string> } {
  const [, path = '', search = ''] = /^\/?([^?]*)\??(.*)$/s.exec(page) ?? []
  return { path, query: Object.fromEntries(new URLSearchParams(search)) }
}

/** Returns the URL that the host shows for a page; undefined if the mini app has the page. */
export function webViewUrl(page: string, pages: readonly { path: string }[]): string | undefined {
  const { path, query } = parsePage(page)
  return path === webViewPage && !pages.some((each) => each.path === path) ? (query.src ?? '') : undefined
}
