/** What stands for this device itself; no name that somebody else could answer to. */
const loopback = ['localhost', '127.0.0.1']

/**
 * The folder that a development server on this device serves a mini app from, with a slash at its end; undefined where the text
 * names anything else. `souk dev` shows such an address.
 */
export function developmentServer(text: string): string | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || !loopback.includes(url.hostname) || url.username || url.password) return undefined
  return new URL('/', url).href
}
