import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { soukFolders } from '../packages.ts'
import { mentions } from './mentions.ts'

const packages = join(import.meta.dirname, '../../..')
const { transform } = mentions() as unknown as {
  transform: { handler(code: string, id: string): { code: string } | undefined }
}

/** Returns packages of Souk with those that they need. */
function needed(names: readonly string[]): string[] {
  const others = names.flatMap((name) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
    return Object.keys(dependencies).flatMap((each) => (each.startsWith('@souk/') ? [each.slice(6)] : []))
  })
  const all = [...new Set([...names, ...others])]
  return all.length === names.length ? all : needed(all)
}

test('files of a mini app load the parts of the runtime that they mention, and files of Souk none', () => {
  const code = 'api.reportEvent({})'
  expect(transform.handler(code, '/shop/src/pages/home/home.vue')?.code).toBe(
    `import '@souk/runtime/neu/objects';${code}`,
  )
  // What is compiled with a mini app: the folders that the build knows, and what they need.
  const names = needed(soukFolders.map((folder) => basename(folder)).filter((name) => name !== 'vite-plugin'))
  expect(names.length).toBeGreaterThan(soukFolders.length)
  const files = globSync(`{${names.join()}}/src/**/*.{ts,vue}`, { cwd: packages })
  expect(files.length).toBeGreaterThan(100)
  const loading = files.filter((file) => {
    const path = join(packages, file)
    return transform.handler(readFileSync(path, 'utf8'), path) !== undefined
  })
  expect(loading).toEqual([])
})
