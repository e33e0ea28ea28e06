/** The path and query of a page. */
export interface Address {
  /** Path from the project root, without leading slash. */
  path: string
  /** Values of the query, as texts. */
  query: Record<string, string>
}

/**
 * Parses the `url` of a page: from the root with a leading slash, otherwise relative to the page `from`. Resolves the
 * segments `.` and `..`, and ignores `..` beyond the root.
 */
export function parseUrl(url: string, from = ''): Address {
  const [rest = ''] = url.split('#')
  const mark = rest.indexOf('?')
  const written = mark < 0 ? rest : rest.slice(0, mark)
  const segments = written.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const segment of written.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return { path: segments.join('/'), query: mark < 0 ? {} : parseQuery(rest.slice(mark + 1)) }
}

/** Parses and decodes `a=1&b=%20`. The last of two equal names wins. */
function parseQuery(query: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    // Allow names such as __proto__.
    Object.defineProperty(found, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return found
}

/** Decodes a text; an invalid percent sign is literal. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** Formats an address with a leading slash; the inverse of `parseUrl`. */
export function formatUrl({ path, query }: Address): string {
  const parts = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return `/${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}`
}

/** Returns the normalized address. Without a path it is the page `launch`, as in uni-app: `/?a=1`. */
export function addressOr(launch: string, url: string): string {
  const { path, query } = parseUrl(url)
  return formatUrl({ path: path || launch, query })
}
