import { SoukError } from '@souk/contract'
import { isHttpUrl } from './httpUrl.ts'

/** Segments and an optional query; nothing before them, so neither a scheme nor a slash. */
const PAGE_PATH = /^[^\s/?#\\:]+(?:\/[^\s/?#\\:]+)*(?:\?\S*)?$/
/** `.` and `..`, also escaped: whoever opens the page may decode it. */
const DOTS = /^(?:\.|%2e){1,2}$/i
const WEB_VIEW = 'pages/webview/webview'

/** What `isPagePath` asks for, to stand after a parameter's name. */
const pagePathRule =
  'must be a page path without a slash before it, such as pages/index/index, or ' +
  'pages/webview/webview?src=<url>, its src an absolute http or https address, percent-encoded'

/**
 * Whether a message can lead there (`link` and `path`, open-api §4.3): a page such as `pages/index/index`, with a query or
 * without, or `pages/webview/webview?src=<url>` with an absolute http or https address.
 */
function isPagePath(path: string): boolean {
  if (!PAGE_PATH.test(path)) return false
  const mark = path.indexOf('?')
  const page = mark === -1 ? path : path.slice(0, mark)
  if (page.split('/').some((segment) => DOTS.test(segment))) return false
  if (page !== WEB_VIEW) return true
  return isHttpUrl(new URLSearchParams(path.slice(page.length)).get('src') ?? '')
}

/** Pages that an error names at most. */
const mostNamed = 5

/**
 * Refuses a path where a message cannot lead: one that is none, or names a page that the mini app has not. `pages` is null while
 * its pages are not known; the web view is there always.
 *
 * @throws SoukError `parameter_invalid`, naming `parameter`
 */
export function checkPagePath(parameter: string, path: string, pages: readonly string[] | null | undefined): void {
  const data = { parameters: [parameter] }
  if (!isPagePath(path)) throw new SoukError('parameter_invalid', `${parameter} ${pagePathRule}.`, { data })
  const [page = ''] = path.split('?')
  if (!pages || page === WEB_VIEW || pages.includes(page)) return
  const named = pages.slice(0, mostNamed).join(', ')
  throw new SoukError(
    'parameter_invalid',
    `${parameter} must name a page of the mini app; its release has ${named}${pages.length > mostNamed ? ' and more' : ''}.`,
    { data },
  )
}
