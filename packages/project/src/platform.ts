import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { defaultPlatform, type Platform, platforms } from '@souk/pages'

/** A platform, and what has decided it: an option, the variable SOUK_PLATFORM, package.json, or nothing. */
export interface PlatformChoice {
  readonly platform: Platform
  readonly source: 'option' | 'variable' | 'package' | 'default'
}

/** A variable or a package.json names a platform that does not exist; the message can be shown to users. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
}

/**
 * Returns the platform that a project is developed, built and uploaded for: the option, else the variable
 * SOUK_PLATFORM, else `souk.platform` of package.json, else the default.
 *
 * @param path absolute path of the project's folder or of its pages.json
 * @throws PlatformError if the variable or package.json names another platform
 */
export function choosePlatform(path: string, option: Platform | undefined): PlatformChoice {
  if (option !== undefined) return { platform: option, source: 'option' }
  const variable = platformOfVariable()
  if (variable !== undefined) return { platform: variable, source: 'variable' }
  const file = join(packageFolder(path), 'package.json')
  const written = platformIn(file)
  if (written === undefined) return { platform: defaultPlatform, source: 'default' }
  return { platform: parsed(written, `souk.platform of ${file}`), source: 'package' }
}

/** Returns the platform in the variable SOUK_PLATFORM; undefined if it is not set. @throws PlatformError */
export function platformOfVariable(): Platform | undefined {
  const name = process.env.SOUK_PLATFORM
  return name ? parsed(name, 'SOUK_PLATFORM') : undefined
}

function parsed(written: unknown, place: string): Platform {
  const found = platforms.find((platform) => platform === written)
  if (found !== undefined) return found
  throw new PlatformError(`${place} is ${JSON.stringify(written)}; expected one of: ${platforms.join(', ')}.`)
}

/** Returns the folder of package.json, which is above pages.json in `src`. */
function packageFolder(path: string): string {
  const folder = /\.json[5c]?$/i.test(path) ? dirname(path) : path
  const above = dirname(folder)
  return basename(folder) === 'src' && existsSync(join(above, 'package.json')) ? above : folder
}

function platformIn(file: string): unknown {
  try {
    const { souk } = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as { souk?: { platform?: unknown } }
    return souk?.platform
  } catch {
    // A mini app does not need one, and the build names syntax errors.
    return undefined
  }
}
