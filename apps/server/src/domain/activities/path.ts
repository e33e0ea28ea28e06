import { isWebAddress } from '../webAddress.ts'

/** Segments and an optional query; nothing before them, so neither a scheme nor a slash. */
const PAGE_PATH = /^[^\s/?#\\:]+(?:\/[^\s/?#\\:]+)*(?:\?\S*)?$/
const WEB_VIEW = 'pages/webview/webview'

/**
 * Whether an activity message can lead there: a page such as `pages/index/index`, with a query or without, or
 * `pages/webview/webview?src=<url>` with an absolute http or https address (open-api §4.3).
 */
export function isActivityPath(path: string): boolean {
  if (!PAGE_PATH.test(path)) return false
  const mark = path.indexOf('?')
  const page = mark === -1 ? path : path.slice(0, mark)
  if (page.split('/').some((segment) => segment === '.' || segment === '..')) return false
  if (page !== WEB_VIEW) return true
  return isWebAddress(new URLSearchParams(path.slice(page.length)).get('src') ?? '')
}
