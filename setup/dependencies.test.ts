import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Dependency {
  /** The folder of the package.json, `.` for the root. */
  folder: string
  name: string
  range: string
}

function listDependencies(): Dependency[] {
  const { workspaces } = JSON.parse(read('package.json'))
  const manifests: string[] = workspaces.flatMap((folder: string) => globSync(`${folder}/package.json`, { cwd: root }))
  return ['package.json', ...manifests].flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path))
    const all: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies }
    return Object.entries(all).map(([name, range]) => ({ folder: dirname(path), name, range }))
  })
}

/** Returns whether knip ignores the dependency, because no source imports it. */
function isIgnored({ folder, name }: Dependency): boolean {
  const patterns: string[] = JSON.parse(read('knip.json')).workspaces[folder]?.ignoreDependencies ?? []
  return patterns.some((pattern) => new RegExp(`^${pattern}$`).test(name))
}

const majorOf = (range: string) => /\d+/.exec(range)?.[0]

test('CONTRIBUTING.md has the reason for each preview, alias, second major version and package that no source imports', () => {
  const all = listDependencies()
  const hasOtherMajor = ({ name, range }: Dependency) =>
    all.some((other) => other.name === name && majorOf(other.range) !== majorOf(range))
  const needed = all.filter(
    (each) =>
      !each.name.startsWith('@souk/') &&
      (/-(?:alpha|beta|rc)\b/.test(each.range) ||
        each.range.startsWith('npm:') ||
        hasOtherMajor(each) ||
        isIgnored(each)),
  )
  const [, section] = read('CONTRIBUTING.md').split('\n## Dependencies\n')
  const given = [...section!.matchAll(/^\| (`.*?) \| (.*?) \| .+ \|$/gm)].flatMap(([, names, folder]) =>
    [...names!.matchAll(/`(.*?)`/g)].map(([, name]) => `${name} in ${folder}`),
  )
  const namesOf = (dependencies: Dependency[]) =>
    dependencies.map(({ name, folder }) => `${name} in ${folder === '.' ? 'the root' : folder}`)
  expect(given).toEqual(expect.arrayContaining(namesOf(needed)))
  // Others may have a reason too.
  expect(namesOf(all)).toEqual(expect.arrayContaining(given))
})
