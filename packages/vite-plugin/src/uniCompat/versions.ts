import { dirname, join } from 'node:path'
import { tryPackage } from '../packageJson.ts'

/**
 * Packages that a project may import without installing them, with the dependencies of this package that it gets, one
 * for each major version. The first is the oldest for Vue 3; projects that do not list the package get it.
 */
const sources = { pinia: ['pinia'], 'vue-i18n': ['vue-i18n', 'vue-i18n-10'], vuex: ['vuex'] } as const

export type BroughtPackage = keyof typeof sources
export const broughtPackages: readonly BroughtPackage[] = Object.keys(sources) as BroughtPackage[]

/** The version of a package that a build of the project uses. */
interface Choice {
  /** The dependency of this package; undefined for the package that the project has installed. */
  readonly source?: string
  /** Set if package.json does not list the package. */
  readonly isUnlisted?: true
  /** A difference to package.json that may matter. */
  readonly warning?: string
  /** The reason why no version can be used. */
  readonly error?: string
}

/** Returns what the project in a folder gets for an import. The package that it has installed takes precedence. */
export function chooseVersion(folder: string, name: BroughtPackage): Choice {
  const [first] = sources[name]
  const versions = sources[name].map(ownVersion).join(' and ')
  const isForVue2 = (range: string) => Number(/\d+/.exec(range)?.[0]) < majorOf(ownVersion(first))
  const range = listedRange(folder, name)
  const installed = installedVersion(folder, name)
  if (installed !== undefined) {
    if (isForVue2(installed))
      return {
        error: `The installed ${name} ${installed} is made for Vue 2. Souk brings along ${versions}: remove it.`,
      }
    if (range === undefined || includesMajor(range, majorOf(installed)) !== false) return {}
    return { warning: `package.json lists ${name} ${range}, but the build uses ${installed}, which is installed.` }
  }
  if (range === undefined) return { source: first, isUnlisted: true }
  const source = sources[name].find((each) => includesMajor(range, majorOf(ownVersion(each))))
  if (source !== undefined) return { source }
  const listed = `package.json lists ${name} ${range}, which is`
  if (includesMajor(range, 0) === undefined)
    return { source: first, warning: `${listed} not installed. The build uses ${ownVersion(first)}.` }
  if (isForVue2(range))
    return { error: `${listed} made for Vue 2. Souk brings along ${versions}: change package.json.` }
  return { error: `${listed} not installed. Souk brings along ${versions}. Run npm install, or change package.json.` }
}

/** Returns the error if package.json lists a Vue that pages cannot run on. There is one Vue, whatever is installed. */
export function vueError(folder: string): string | undefined {
  const range = listedRange(folder, 'vue')
  const own = ownVersion('vue')
  if (range === undefined || includesMajor(range, majorOf(own)) !== false) return undefined
  const major = majorOf(own)
  return `package.json lists vue ${range}. Souk runs Vue ${own}: change the project to Vue ${major}, and list vue ^${major}.`
}

/** Compilers and tools that take part in a build without being imported by a page. */
export const toolPackages = ['less', 'vite'] as const

/**
 * Returns the version of a tool that a build uses, and the one that package.json lists, if they differ in the major
 * version. The project's Less is used if it is installed, its Vite never.
 */
export function otherTool(
  folder: string,
  name: (typeof toolPackages)[number],
): { listed: string; used: string } | undefined {
  const listed = listedRange(folder, name)
  const used = ownVersion(name)
  if (listed === undefined || includesMajor(listed, majorOf(used)) !== false) return undefined
  return name !== 'vite' && installedVersion(folder, name) ? undefined : { listed, used }
}

/** Returns the range of a package in package.json. */
function listedRange(folder: string, name: string): string | undefined {
  const found = tryPackage(join(folder, 'package.json'))
  const groups = [found.dependencies, found.devDependencies, found.optionalDependencies, found.peerDependencies]
  return groups.map((each) => each?.[name]).find((each) => typeof each === 'string')
}

/** Returns the version of a package that is installed for a folder, in it or above. */
export function installedVersion(folder: string, name: string): string | undefined {
  // Not all packages export their package.json.
  const { version } = tryPackage(join(folder, 'node_modules', name, 'package.json'))
  const above = dirname(folder)
  return version ?? (above === folder ? undefined : installedVersion(above, name))
}

const ownVersion = (name: string): string => installedVersion(import.meta.dirname, name)!

const majorOf = (version: string): number => Number.parseInt(version, 10)

/**
 * Checks if a range of package.json includes versions of a major version. Returns undefined if this cannot be told, as
 * for tags and addresses.
 */
export function includesMajor(range: string, major: number): boolean | undefined {
  // ReDoS: the developer's own file.
  const hyphen = /(\S+)\s+-\s+/g
  const alternatives = range
    .replace(/^npm:.+@/, '')
    .split('||')
    .map((each) =>
      each
        .replace(hyphen, '>=$1 <=')
        .replace(/([<>=~^])\s+/g, '$1')
        .trim()
        .split(/\s+/),
    )
  const results = alternatives.map((comparators) => {
    const each = comparators.map((comparator) => comparatorIncludes(comparator, major))
    return each.includes(undefined) ? undefined : each.every(Boolean)
  })
  return results.includes(true) || (results.includes(undefined) ? undefined : false)
}

function comparatorIncludes(comparator: string, major: number): boolean | undefined {
  if (/^(?:[*xX](?:\.[*xX])*)?$/.test(comparator)) return true
  const [, operator, number, rest] = /^(<=?|>=?|[~^=]?)v?(\d+)((?:[.+-].*)?)$/.exec(comparator) ?? []
  if (number === undefined) return undefined
  const limit = Number(number)
  if (operator!.startsWith('>')) return major >= limit
  // `<11` and `<11.0.0` exclude 11.
  if (operator === '<') return major < limit || (major === limit && /[1-9]/.test(rest!))
  return operator === '<=' ? major <= limit : major === limit
}
