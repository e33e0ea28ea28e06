import { readFileSync } from 'node:fs'
import { ConfigError } from './projectConfig.ts'

/** Reads a package.json, which may start with a byte order mark. @throws if it cannot be read, or is not valid JSON */
export const readPackage = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))

/** The part of a package.json that a build reads. */
interface Package {
  version?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  sideEffects?: boolean | string[]
  /** Listing in uni-app's market of components. */
  dcloudext?: unknown
}

/** Reads a package.json. Returns an empty object if there is none. @throws ConfigError if it is not valid JSON */
export function findPackage(file: string): Package {
  try {
    return readPackage(file) as Package
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    if (error instanceof SyntaxError) throw new ConfigError(`${file} is not valid JSON: ${error.message}`)
    throw error
  }
}

/** Reads a package.json. Returns an empty object if there is none, or if it cannot be read. */
export function tryPackage(file: string): Package {
  try {
    return Object(readPackage(file))
  } catch {
    return {}
  }
}
