import { isWebAddress } from './webAddress.ts'

/** Segments and an optional query; nothing before them, so neither a scheme nor a slash. */
const PAGE_PATH = /^[^\s/?#\\:]+(?:\/[^\s/?#\\:]+)*(?:\?\S*)?$/
/** `.` and `..`, also escaped: whoever opens the page may decode it. */
const DOTS = /^(?:\.|%2e){1,2}$/i
const WEB_VIEW = 'pages/webview/webview'

/** What `isPagePath` asks for, to stand after a parameter's name. */
export const pagePathRule =
  'must be a page path without a slash before it, such as pages/index/index, or ' +
  'pages/webview/webview?src=<url>, its src an absolute http or https address, percent-encoded'

/**
 * Whether a message can lead there (`link` and `path`, open-api §4.3): a page such as `pages/index/index`, with a query or
 * without, or `pages/webview/webview?src=<url>` with an absolute http or https address.
 */
export function isPagePath(path: string): boolean {
  if (!PAGE_PATH.test(path)) return false
  const mark = path.indexOf('?')
  const page = mark === -1 ? path : path.slice(0, mark)
  if (page.split('/').some((segment) => DOTS.test(segment))) return false
  if (page !== WEB_VIEW) return true
  return isWebAddress(new URLSearchParams(path.slice(page.length)).get('src') ?? '')
}
