import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

// Found by its manifest, because the packed server is one file at another depth.
const manifest = findPackageJSON(import.meta.url)!

/** The folder of `@souk/server`. */
export const packageFolder = dirname(manifest)

/** The version of this Souk. */
export const soukVersion: string = JSON.parse(readFileSync(manifest, 'utf8')).version

/**
 * Returns the `User-Agent` of all requests to others, such as `Souk/1.4.0 (+https://souk.example.com/docs/)`. Firewalls
 * drop requests without one, and operators of receivers find out who sends them.
 * @param publicUrl of this installation
 */
export function userAgentOf(publicUrl?: string): string {
  return publicUrl === undefined ? `Souk/${soukVersion}` : `Souk/${soukVersion} (+${publicUrl}/docs/)`
}

/** True if this is a clone of the repository, and not the packed server. */
export const runsFromSources = import.meta.filename.endsWith('.ts')
