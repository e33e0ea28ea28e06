import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './projectConfig.ts'

/** Declarations of the events that a mini app reports, in the folder of pages.json. */
export const customEventsFile = 'custom-events.json'

/**
 * Reads the declarations of the events that a mini app reports, by name; none without the file. The server checks them.
 * @throws ConfigError if the file is not a JSON object
 */
export function readCustomEvents(root: string): object {
  const file = join(root, customEventsFile)
  if (!existsSync(file)) return {}
  let found: unknown
  try {
    found = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError(`${file} is not JSON: ${(error as Error).message}`)
  }
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found
  throw new ConfigError(`${file} must be an object with a declaration for each name.`)
}
