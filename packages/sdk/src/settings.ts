import { shownUrl } from '@souk/contract/url'

/** @throws TypeError */
export function requireText(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(`${name} is ${value === '' ? 'empty' : String(value)}; check the setting that it is read from`)
  }
  if (/^\s|\s$/.test(value)) {
    throw new TypeError(`${name} has surrounding white space or a line break; trim it where it is read`)
  }
}

/** Validates the URL before `prefix` and removes a trailing slash. @throws TypeError */
export function readBaseUrl(baseUrl: unknown, prefix: string): string {
  requireText('baseUrl', baseUrl)
  const url = parseUrl(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl must be an http or https URL such as http://localhost:7070, not ${shownUrl(baseUrl)}`)
  }
  const { username, password, search, hash, pathname } = url
  // fetch refuses them with an error that contains the password and the signed request.
  if (username || password) throw new TypeError('baseUrl contains a user name or a password, which Souk does not use')
  if (search || hash || pathname.includes(prefix)) {
    throw new TypeError(`baseUrl must be the URL before ${prefix}, without a query, not ${shownUrl(baseUrl)}`)
  }
  return baseUrl.replace(/(?<!\/)\/+$/, '')
}

/** Node 18.0 has no `URL.canParse`. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
