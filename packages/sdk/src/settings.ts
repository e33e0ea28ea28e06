/** @throws TypeError */
export function requireText(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(
      `${name} is ${value === '' ? 'empty' : String(value)}; is the setting that it comes from there?`,
    )
  }
  if (/^\s|\s$/.test(value)) {
    throw new TypeError(`${name} has white space or a line break around it; trim it where it is read`)
  }
}

/** The address in front of `prefix`, without a slash at the end. @throws TypeError */
export function readBaseUrl(baseUrl: unknown, prefix: string): string {
  requireText('baseUrl', baseUrl)
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new TypeError(`baseUrl must be an http or https address, such as http://localhost:7070, not ${baseUrl}`)
  }
  const { search, hash, pathname } = new URL(baseUrl)
  if (search || hash || pathname.includes(prefix)) {
    throw new TypeError(`baseUrl must be the address in front of ${prefix}, without a query, not ${baseUrl}`)
  }
  return baseUrl.replace(/\/+$/, '')
}
