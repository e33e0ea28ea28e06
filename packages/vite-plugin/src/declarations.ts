import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './projectConfig.ts'

/**
 * Reads a file of declarations in the folder of pages.json, by name; none without the file.
 * @throws ConfigError if the file is not a JSON object
 */
export function readDeclarations(root: string, name: string): object {
  const file = join(root, name)
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
