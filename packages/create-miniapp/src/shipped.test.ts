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
      .filter((target) => !target.includes('*'))
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

/** Returns the targets of all conditions except `souk-source`, which is for this repository only. */
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
