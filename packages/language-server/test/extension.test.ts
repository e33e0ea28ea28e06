import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from './client.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const source = join(root, 'editors/vscode')
const minute = 60_000

let folder: string
let files: Record<string, Uint8Array>
/** The manifest of the packed extension. */
let manifest: {
  main: string
  icon: string
  activationEvents: string[]
  contributes: { languages: object[]; configuration: { properties: object } }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-extension-'))
  const { stdout } = await run(process.execPath, [join(root, 'setup/packExtension.mjs'), folder])
  files = unzipSync(await readFile(stdout.trim()))
  manifest = JSON.parse(read('package.json'))
}, 5 * minute)

afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Reads a file of the extension. */
const read = (path: string) => strFromU8(files[`extension/${path.replace(/^\.\//, '')}`]!)

test('the packed extension has its manifest, programs, licenses, changelog and icon, and nothing else', () => {
  expect(Object.keys(files).sort()).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/THIRD-PARTY-LICENSES.txt',
    'extension/changelog.md',
    'extension/dist/extension.cjs',
    'extension/dist/server.mjs',
    'extension/icon.png',
    'extension/package.json',
    'extension/readme.md',
  ])
  expect(strFromU8(files['extension.vsixmanifest']!)).toContain('Id="souk-pages-json" Version="0.2.0" Publisher="souk"')
  // A file may be opened without a folder.
  expect(manifest.activationEvents).toEqual(['workspaceContains:**/pages.json', 'onLanguage:jsonc'])
  expect(manifest.contributes.languages).toEqual([{ id: 'jsonc', filenames: ['pages.json'] }])
  expect(manifest).not.toHaveProperty('devDependencies')
  expect(read('changelog.md')).toContain('## [Unreleased]')
  expect(read('THIRD-PARTY-LICENSES.txt')).toMatch(/^vscode-languageclient \d.*?Permission is hereby granted/ms)
  // The first bytes of a PNG.
  expect([...files[`extension/${manifest.icon}`]!.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
})

test('the entry needs no module but that of VS Code, and reads settings of the manifest', async () => {
  const modules = [...read(manifest.main).matchAll(/\brequire\([`"']([^`"']+)[`"']\)/g)].map(([, name]) => name!)
  expect(modules).toContain('vscode')
  expect(modules.filter((name) => name !== 'vscode' && !isBuiltin(name))).toEqual([])
  const program = await readFile(join(source, 'extension.js'), 'utf8')
  for (const [, name] of program.matchAll(/settings\.get\('(\w+)'\)/g)) {
    expect(Object.keys(manifest.contributes.configuration.properties)).toContain(`souk.pages.${name}`)
  }
})

test('the packed language server starts in a folder without packages, and reports errors', async () => {
  const program = join(folder, 'installed', dirname(manifest.main), 'server.mjs')
  await mkdir(dirname(program), { recursive: true })
  await writeFile(program, read('dist/server.mjs'))
  const client = await Client.start(undefined, { targets: {}, provideFormatter: false }, [program])
  // VS Code has its own formatter of JSON.
  expect(client.server.capabilities.documentFormattingProvider).toBe(false)
  const open = await client.open(
    '{ "pages": [{ "path": "pages/home/home" }], "globalStyle": { "enablePullDownRefresh": "true" } }',
  )
  expect((await open.diagnostics()).map(({ code }) => code)).toContain('type-wrong')
  expect(await client.stop()).toBe(0)
})

test('the extension is not a workspace, so the root installs without it', async () => {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  expect(workspaces.filter((path) => path.startsWith('editors'))).toEqual([])
  expect(await readFile(join(root, 'package-lock.json'), 'utf8')).not.toContain('vscode-languageclient')
})
