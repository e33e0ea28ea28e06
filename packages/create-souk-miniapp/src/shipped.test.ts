import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'

/** What a new project installs from the registry, which sees nothing of this repository but what its packages ship. */

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

const installed = new Set(ours(read('create-souk-miniapp/template').devDependencies))
for (const folder of installed) for (const needed of ours(read(folder).dependencies)) installed.add(needed)
installed.add('create-souk-miniapp')

describe.each([...installed])('%s', (folder) => {
  const { name, files, exports = {}, bin = {}, dependencies = {} } = read(folder)
  const isShipped = (path: string) => files.some((each) => path === each || path.startsWith(`${each}/`))
  /** A compiled file by its source, since not every clone has compiled it. */
  const isThere = (path: string) =>
    [path, path.replace(/^dist\/(.*?)(?:\.d\.ts|\.js)$/, 'src/$1.ts')].some((each) =>
      existsSync(join(packages, folder, each)),
    )

  test('ships what it offers', () => {
    const offered = [...Object.values(bin), ...Object.values(exports).flatMap(targets)]
      .map((target) => target.replace(/^\.\//, ''))
      .filter((target) => !target.includes('*'))
    expect(offered.length).toBeGreaterThan(0)
    expect(offered.filter((target) => !isShipped(target) || !isThere(target))).toEqual([])
  })

  test('installs what it imports', () => {
    const imported = globSync('src/**/*.{ts,vue}', { cwd: join(packages, folder) })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => importsOf(file, readFileSync(join(packages, folder, file), 'utf8')))
      .filter((source) => !/^(?:\.|node:|virtual:)/.test(source))
    const wanting = imported.filter((source) => {
      const [, owner, path] = /^((?:@[^/]+\/)?[^/]+)(.*)/.exec(source)!
      if (owner === name || !Object.hasOwn(dependencies, owner!)) return true
      return owner!.startsWith('@souk/') && !offers(read(owner!.slice('@souk/'.length)), `.${path}`)
    })
    expect(wanting).toEqual([])
  })
})

/** Other conditions than that of this repository. */
const targets = (target: Target): string[] =>
  typeof target === 'string'
    ? [target]
    : Object.entries(target).flatMap(([condition, path]) => (condition === 'souk-source' ? [] : [path]))

const offers = ({ exports = {} }: Package, path: string) =>
  Object.keys(exports).some((key) => new RegExp(`^${key.replaceAll('.', '\\.').replace('*', '.+')}$`).test(path))

/** What is there when the code runs: types are gone by then. */
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
