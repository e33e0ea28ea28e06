import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../editors/vscode')
const readJson = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))

test('the VS Code extension starts this server as its manifest declares', () => {
  const manifest = readJson('package.json')
  // A file may be opened without a folder.
  expect(manifest.activationEvents).toEqual(['workspaceContains:**/pages.json', 'onLanguage:jsonc'])
  expect(manifest.contributes.languages).toEqual([{ id: 'jsonc', filenames: ['pages.json'] }])
  for (const file of [manifest.main, ...manifest.files])
    expect([file, existsSync(join(folder, file))]).toEqual([file, true])

  const program = readFileSync(join(folder, manifest.main), 'utf8')
  const modules = [...program.matchAll(/require(?:\.resolve)?\('([^']+)'\)/g)].map(([, name]) => name!)
  const packages = modules.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]).filter((name) => name !== 'vscode')
  expect(packages.sort()).toEqual(Object.keys(manifest.dependencies).sort())
  for (const name of program.matchAll(/settings\.get\('(\w+)'\)/g)) {
    expect(Object.keys(manifest.contributes.configuration.properties)).toContain(`souk.pages.${name[1]}`)
  }

  // The extension requires the file that is built from main.ts, so `exports` must not hide it.
  const server = join('../../packages/language-server')
  expect(manifest.dependencies['@souk/language-server']).toBe(`file:${server}`)
  const { name, bin, exports } = readJson(join(server, 'package.json'))
  expect(modules).toContain(`${name}/${bin['souk-language-server']}`)
  expect(exports).toBeUndefined()
  expect(existsSync(join(folder, server, 'src/main.ts'))).toBe(true)
})

test('the extension is not a workspace, so the root installs without it', () => {
  const root = readJson('../../package.json')
  expect(root.workspaces.filter((folder: string) => folder.startsWith('editors'))).toEqual([])
  expect(readFileSync(join(folder, '../../package-lock.json'), 'utf8')).not.toContain('vscode-languageclient')
})
