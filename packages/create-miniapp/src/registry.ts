import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The registry of a Souk on this machine. */
export const localRegistry = 'http://localhost:7070/npm/'
const name = '@souk/create-miniapp'

/** Returns the registry that npm installed this package from, or undefined if that is not recorded. */
export async function installedFrom(installation = join(import.meta.dirname, '../../..')): Promise<string | undefined> {
  // npm does not pass registries of scopes on to the programs that it runs, but it records where a package is from,
  // unless the user has set omit-lockfile-registry-resolved. Other package managers have other records.
  const record = await readFile(join(installation, '.package-lock.json'), 'utf8').catch(() => '{}')
  const { packages = {} } = JSON.parse(record) as { packages?: Record<string, { resolved?: string }> }
  const [registry] = packages[`node_modules/${name}`]?.resolved?.split(`${name}/-/`) ?? []
  return registry && /^https?:/.test(registry) ? registry : undefined
}

/** The public registry, and another name of it that Yarn 1 passes. */
const publicRegistries = ['https://registry.npmjs.org/', 'https://registry.yarnpkg.com/']

/**
 * Returns the registry that the user gave npm for all other packages, which npm passes in a variable, unless it is the
 * public one or that of Souk.
 */
export function mirrorOf(registry: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = environment.npm_config_registry?.replace(/\/?$/, '/')
  return given === undefined || [...publicRegistries, registry.replace(/\/?$/, '/')].includes(given) ? undefined : given
}
