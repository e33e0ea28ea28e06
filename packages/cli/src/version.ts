import { createRequire } from 'node:module'

/** The version of this command, which is that of the server of the same release. */
export const { version }: { version: string } = createRequire(import.meta.url)('../package.json')

/** Returns the `User-Agent` of requests for the Souk at `serverUrl`, in the form that the server uses. */
export function userAgentOf(serverUrl: string): string {
  return `Souk/${version} (+${serverUrl}/docs/)`
}
