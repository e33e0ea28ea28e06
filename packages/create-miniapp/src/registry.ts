import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const name = '@souk/create-miniapp'

/**
 * Returns the registry that this package was installed from, or undefined if that is not recorded: where it came from
 * as npm recorded it, and otherwise the address that the Souk that served the package has written into it.
 *
 * @param folder the folder of this package
 */
export async function installedFrom(folder = join(import.meta.dirname, '..')): Promise<string | undefined> {
  // npm does not pass registries of scopes on to the programs that it runs. It records where a package is from, unless
  // the user has set omit-lockfile-registry-resolved. Other package managers have other records.
  const { packages } = await readJson<{ packages: Record<string, { resolved?: string }> }>(
    join(folder, '../../.package-lock.json'),
  )
  const [recorded] = packages?.[`node_modules/${name}`]?.resolved?.split(`${name}/-/`) ?? []
  if (recorded && /^https?:/.test(recorded)) return recorded
  const { registry } = await readJson<{ registry: string }>(join(folder, 'registry.json'))
  return registry
}

/** Returns the contents of a file; an empty object if there is none. */
const readJson = async <T>(path: string): Promise<Partial<T>> =>
  JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))

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
