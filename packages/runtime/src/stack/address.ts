/** A page and what it is given. */
export interface Address {
  /** From the project root, without a slash in front. */
  path: string
  query: Record<string, string>
}

/**
 * Reads a `url` as pages write it: from the root with a slash in front, else relative to the page that it is used on. Segments `.` and `..` are resolved;
 * those that lead beyond the root are dropped.
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

/** `a=1&b=%20`, decoded; of two with the same name the last one counts. */
function parseQuery(query: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    // A name such as __proto__ is one like any other.
    Object.defineProperty(found, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return found
}

/** A percent sign that encodes nothing stands for itself. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** With a slash in front: what `parseUrl` reads back. */
export function formatUrl({ path, query }: Address): string {
  const parts = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return `/${path}${parts.length > 0 ? `?${parts.join('&')}` : ''}`
}
