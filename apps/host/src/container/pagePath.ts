import { webViewPage, webViewUrl } from '@souk/contract'

/** Splits a page path with query, as in `link` and `path` of messages. */
export function parsePage(page: string): { path: string; query: Record<string, string> } {
  const [, path = '', search = ''] = /^\/?([^?]*)\??(.*)$/s.exec(page) ?? []
  return { path, query: Object.fromEntries(new URLSearchParams(search)) }
}

/** Returns the URL that the host shows for a page (open-api §4.3); undefined if the mini app has the page. */
export function hostedUrl(page: string, pages: readonly { path: string }[]): string | undefined {
  return pages.some(({ path }) => path === webViewPage) ? undefined : webViewUrl(page)
}
