import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'

/** Checks the packages that a new project installs from the registry, which contain published files only. */

interface Package {
  name: string
  files: string[]
  exports?: Record<string, Target>
  bin?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
type Target = string | Record<string, string>

const packages = join(import.meta.dirname, '../..')
const read = (path: string): Package => JSON.parse(readFileSync(join(packages, path, 'package.json'), 'utf8'))
const ours = (dependencies: Record<string, string> = {}) =>
  Object.keys(dependencies).flatMap((name) => (name.startsWith('@souk/') ? [name.slice('@souk/'.length)] : []))

const installed = new Set(ours(read('create-miniapp/template').devDependencies))
for (const folder of installed) for (const needed of ours(read(folder).dependencies)) installed.add(needed)
installed.add('create-miniapp')

describe.each([...installed])('%s', (folder) => {
  const { name, files, exports = {}, bin = {}, dependencies = {} } = read(folder)
  const isShipped = (path: string) => files.some((each) => path === each || path.startsWith(`${each}/`))
  /** Checks that a file exists, or its source: it may not be compiled yet. */
  const exists = (path: string) =>
    [path, path.replace(/^dist\/(.*?)(?:\.d\.ts|\.js)$/, 'src/$1.ts')].some((each) =>
      existsSync(join(packages, folder, each)),
    )

  test('publishes the files of its exports and binaries', () => {
    const targetFiles = [...Object.values(bin), ...Object.values(exports).flatMap(targets)]
      .map((target) => target.replace(/^\.\//, ''))
      .flatMap((target) => (target.includes('*') ? globSync(target, { cwd: join(packages, folder) }) : [target]))
    expect(targetFiles.length).toBeGreaterThan(0)
    expect(targetFiles.filter((target) => !isShipped(target) || !exists(target))).toEqual([])
  })

  test('declares the packages that it imports', () => {
    const imported = globSync('src/**/*.{ts,vue}', { cwd: join(packages, folder) })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => importsOf(file, readFileSync(join(packages, folder, file), 'utf8')))
      .filter((source) => !/^(?:\.|node:|virtual:)/.test(source))
    const missing = imported.filter((source) => {
      const [, owner, path] = /^((?:@[^/]+\/)?[^/]+)(.*)/.exec(source)!
      if (owner === name || !Object.hasOwn(dependencies, owner!)) return true
      return owner!.startsWith('@souk/') && !isExported(read(owner!.slice('@souk/'.length)), `.${path}`)
    })
    expect(missing).toEqual([])
  })
})

test('npm asks about no install script in a new project', () => {
  const { devDependencies = {}, allowScripts } = read('create-miniapp/template') as Package & { allowScripts: object }
  const lock = JSON.parse(readFileSync(join(packages, '../package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const found = new Set<string>()
  const visit = (name: string, from: string) => {
    const path = placeOf(lock.packages, name, from)
    if (path === undefined || found.has(path)) return
    found.add(path)
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[path]!
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) visit(needed, path)
  }
  for (const name of Object.keys(devDependencies)) visit(name, '')
  const scripted = [...found].filter((path) => lock.packages[path]!.hasInstallScript)
  const names = new Set(scripted.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)))
  expect(allowScripts).toEqual(Object.fromEntries([...names].map((name) => [name, false])))
})

interface Locked {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  hasInstallScript?: boolean
  link?: boolean
  resolved?: string
}

/** Returns where npm has put a dependency of the package in the folder `from`; undefined if it is not installed. */
function placeOf(locked: Record<string, Locked>, name: string, from: string): string | undefined {
  const place = join(from, 'node_modules', name)
  const { link, resolved } = locked[place] ?? {}
  if (link) return resolved
  if (locked[place]) return place
  return from === '' ? undefined : placeOf(locked, name, from.includes('/') ? join(from, '..') : '')
}

/** Returns the targets of all conditions except `souk-source`, which is for this repository only. */
test('the guides name the versions of Node that a new project requires', () => {
  const guides = ['mini-apps', 'command-line', 'requirements'].map((name) => `docs/guides/${name}.md`)
  const { engines } = JSON.parse(readFileSync(join(packages, 'create-miniapp/template/package.json'), 'utf8'))
  expect(engines.node).toBe('^20.19.0 || >=22.12.0')
  for (const guide of guides) {
    const text = readFileSync(join(packages, '..', guide), 'utf8')
    expect(text.replaceAll(/\s+/g, ' '), guide).toContain('Node 20.19, or 22.12 or newer')
  }
})

const targets = (target: Target): string[] =>
  typeof target === 'string'
    ? [target]
    : Object.entries(target).flatMap(([condition, path]) => (condition === 'souk-source' ? [] : [path]))

const isExported = ({ exports = {} }: Package, path: string) =>
  Object.keys(exports).some((key) => new RegExp(`^${key.replaceAll('.', '\\.').replace('*', '.+')}$`).test(path))

/** Returns the imported modules, without type-only imports. */
function importsOf(file: string, content: string): string[] {
  const text = file.endsWith('.vue') ? (/<script[^>]*>([\s\S]*?)<\/script>/.exec(content)?.[1] ?? '') : content
  const { staticImports, staticExports, dynamicImports } = parseSync('source.ts', text).module
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, source] = /^'([^']+)'$/.exec(text.slice(start, end)) ?? []
      return source === undefined ? [] : [source]
    }),
  ]
}
