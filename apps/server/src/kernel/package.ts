import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

// Found by its manifest, because the packed server is one file at another depth.
const manifest = findPackageJSON(import.meta.url)!

/** The folder of `@souk/server`. */
export const packageFolder = dirname(manifest)

/** The version of this Souk. */
export const soukVersion: string = JSON.parse(readFileSync(manifest, 'utf8')).version

/** True if this is a clone of the repository, and not the packed server. */
export const runsFromSources = import.meta.filename.endsWith('.ts')
