/** The page of every mini app that shows a URL in a web view (open-api §4.3, sendActivity). */
export const webViewPage = 'pages/webview/webview'

/** Returns a page path of a message without its leading slash, if it has one. */
export function withoutLeadingSlash(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path
}

/**
 * Returns the URL in `pages/webview/webview?src=<url>`; an empty text if there is none, and undefined for other pages.
 * A URL that is not percent-encoded takes the whole rest, with each `&` and `#` in it.
 */
export function webViewUrl(path: string): string | undefined {
  const [page = '', ...rest] = withoutLeadingSlash(path).split('?')
  if (page !== webViewPage) return undefined
  const query = rest.join('?')
  if (/^src=https?:\/\//i.test(query)) return query.slice('src='.length)
  const source = query.split('&').find((parameter) => parameter.startsWith('src='))
  return decode(source?.slice('src='.length) ?? '')
}

/** Decodes a value of a query string; an invalid one is empty. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return ''
  }
}
