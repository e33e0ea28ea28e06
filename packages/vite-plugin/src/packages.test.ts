import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const packages = join(import.meta.dirname, '../..')

function dependenciesOf(name: string): string[] {
  return Object.keys(JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')).dependencies ?? {})
}

/** Returns the packages of Souk that a package needs, and those that these need. */
function neededBy(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const each of dependenciesOf(name)) if (each.startsWith('@souk/')) neededBy(each.slice(6), found)
  return found
}

/** Installs this package as pnpm does: each package in a folder of its own, beside links to what it needs. */
function installed(): { folderOf: (name: string) => string; file: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'souk-pnpm-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const folderOf = (name: string) => join(folder, `node_modules/.pnpm/@souk+${name}@1.0.0/node_modules/@souk/${name}`)
  for (const name of neededBy('vite-plugin')) {
    for (const each of ['package.json', 'src'])
      cpSync(join(packages, name, each), join(folderOf(name), each), { recursive: true })
    for (const each of dependenciesOf(name)) {
      const link = join(folderOf(name), '../..', each)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(each.startsWith('@souk/') ? folderOf(each.slice(6)) : join(packages, '../node_modules', each), link)
    }
  }
  // Node does not run TypeScript of packages.
  const file = join(folderOf('vite-plugin'), 'src/packages.js')
  writeFileSync(file, stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'packages.ts'), 'utf8')))
  return { folderOf, file }
}

test('knows the packages of Souk in the folders of pnpm', async () => {
  const { folderOf, file } = installed()
  const { isDependencyOfSouk, isSoukFile } = await import(pathToFileURL(file).href)
  const names = [...neededBy('runtime')]
  expect(names).toEqual(expect.arrayContaining(['contract', 'pages', 'shell', 'tags']))
  const isKnown = (path: string) => isSoukFile(path) || isDependencyOfSouk(path)
  expect(names.filter((name) => !isKnown(join(folderOf(name), 'src/a.ts')))).toEqual([])
  expect(isKnown('/shop/node_modules/@souk/contract-other/src/a.ts')).toBe(false)
})
