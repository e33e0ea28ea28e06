/** Where the host shows a web page by itself, unless the mini app has a page of this name (open-api §4.3, sendActivity). */
const webViewPage = 'pages/webview/webview'

/** A page with its query, as `link` and `path` of messages have it, in its parts. */
export function startOf(page: string): { path: string; query: Record<string, string> } {
  const [, path = '', search = ''] = /^\/?([^?]*)\??(.*)$/s.exec(page) ?? []
  return { path, query: Object.fromEntries(new URLSearchParams(search)) }
}

/** The web address that the host is to show for a page; undefined where it is the mini app's. */
export function webAddressOf(page: string, pages: readonly { path: string }[]): string | undefined {
  const { path, query } = startOf(page)
  return path === webViewPage && !pages.some((each) => each.path === path) ? (query.src ?? '') : undefined
}
