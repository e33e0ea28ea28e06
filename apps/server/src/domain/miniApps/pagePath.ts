import { SoukError, webViewPage, webViewUrl, withoutLeadingSlash } from '@souk/contract'
import { isHttpUrl } from '../../kernel/httpUrl.ts'

/** Segments and an optional query, without a scheme or a leading slash. */
const pagePathPattern = /^[^\s/?#\\:]+(?:\/[^\s/?#\\:]+)*(?:\?\S*)?$/
/** `.` and `..`, also percent-encoded, since a host may decode the path. */
const dotSegment = /^(?:\.|%2e){1,2}$/i

/** Describes a valid path; follows the name of a parameter in an error message. */
const pagePathRule =
  'must be a page path such as pages/index/index, or pages/webview/webview?src=<url> with a URL that starts with http:// or https://'

/**
 * Returns whether a message can open the path (`link` and `path`, open-api §4.3): a page such as `pages/index/index`
 * with an optional query, or `pages/webview/webview?src=<url>` with an absolute http or https URL.
 */
function isPagePath(path: string): boolean {
  if (!pagePathPattern.test(path)) return false
  const mark = path.indexOf('?')
  const page = mark === -1 ? path : path.slice(0, mark)
  if (page.split('/').some((segment) => dotSegment.test(segment))) return false
  const url = webViewUrl(path)
  return url === undefined || isHttpUrl(url)
}

/** Maximum number of pages listed in an error. */
const maxListedPages = 5

/**
 * Returns the path of a page without its leading slash. Rejects a path that a message cannot open: an invalid one, or a
 * page that the mini app does not have. `pages` is null if the pages are not known. The web view always exists.
 *
 * @throws SoukError `parameter_invalid`, naming `parameter`
 */
export function readPagePath(parameter: string, given: string, pages: readonly string[] | null | undefined): string {
  const path = withoutLeadingSlash(given)
  const data = { parameters: [parameter] }
  if (!isPagePath(path)) throw new SoukError('parameter_invalid', `${parameter} ${pagePathRule}.`, { data })
  const [page = ''] = path.split('?')
  if (!pages || page === webViewPage || pages.includes(page)) return path
  const listed = pages.slice(0, maxListedPages).join(', ')
  throw new SoukError(
    'parameter_invalid',
    `${parameter} must name a page of the mini app; its pages are ${listed}${pages.length > maxListedPages ? ' and more' : ''}.`,
    { data },
  )
}
