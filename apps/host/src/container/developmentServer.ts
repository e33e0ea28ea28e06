/** Host names of this device. Other names could resolve to a foreign server. */
const loopbackHosts = ['localhost', '127.0.0.1']

/**
 * Returns the base URL of a development server on this device (as printed by `souk dev`), with a trailing slash;
 * undefined for any other URL.
 */
export function developmentServer(text: string): string | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || !loopbackHosts.includes(url.hostname) || url.username || url.password)
    return undefined
  return new URL('/', url).href
}
