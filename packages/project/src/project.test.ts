import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openProject, projectFiles } from './index.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'souk-project-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function put(path: string, content: string | Uint8Array = '') {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), content)
}

test('finds files by their exact name, and no folders', async () => {
  await put('pages/a/a.vue', '12345')
  await symlink(join(root, 'pages'), join(root, 'link'))
  const files = projectFiles(root)
  expect(files.exists('pages/a/a.vue')).toBe(true)
  expect(files.exists('link/a/a.vue')).toBe(true)
  expect(files.size('pages/a/a.vue')).toBe(5)
  for (const path of [
    'pages/A/a.vue',
    'pages/a/A.vue',
    'pages/a',
    '',
    '.',
    'pages/b/b.vue',
    'pages/a/a.vue/x',
    'a\0b',
    `${'a/'.repeat(100_000)}a.vue`,
  ]) {
    expect([path, files.exists(path), files.size(path)]).toEqual([path, false, undefined])
  }
})

test('accepts paths outside of the project', async () => {
  await put('shared/a.png')
  await put('app/pages.json')
  expect(projectFiles(join(root, 'app')).exists('../shared/a.png')).toBe(true)
  expect(projectFiles(join(root, 'app')).exists('../shared/b.png')).toBe(false)
})

test('finds new files after the cache is cleared', async () => {
  const files = projectFiles(root)
  expect(files.exists('a.vue')).toBe(false)
  await put('a.vue')
  expect(files.exists('a.vue')).toBe(false)
  files.forget()
  expect(files.exists('a.vue')).toBe(true)
  await put('static/icon.png')
  files.forget()
  expect(files.list('.')).toEqual(['a.vue', 'static'])
  expect(files.entries('.')).toEqual([
    { name: 'a.vue', kind: 'file' },
    { name: 'static', kind: 'folder' },
  ])
  expect(files.list('nowhere')).toEqual([])
})

test('opens a project by its folder or pages.json, which may be in src', async () => {
  await put('one/pages.json', '{}')
  await put('two/src/pages.json', '{}')
  expect((await openProject(join(root, 'one'))).file).toBe(join(root, 'one/pages.json'))
  expect((await openProject(join(root, 'one/pages.json'))).file).toBe(join(root, 'one/pages.json'))
  expect((await openProject(join(root, 'two'))).file).toBe(join(root, 'two/src/pages.json'))
  await put('two/pages.json', '{}')
  expect((await openProject(join(root, 'two'))).file).toBe(join(root, 'two/pages.json'))
  await put('two/src/App.vue', '')
  expect((await openProject(join(root, 'two'))).file).toBe(join(root, 'two/src/pages.json'))
})

test('explains why a project cannot be opened', async () => {
  await put('empty/readme.md')
  await put('latin/pages.json', Uint8Array.of(0x7b, 0xe9, 0x7d))
  await expect(openProject(join(root, 'empty'))).rejects.toThrow('There is no pages.json and no src/pages.json in ')
  await expect(openProject(join(root, 'gone'))).rejects.toThrow('gone cannot be read: no such file or directory.')
  await expect(openProject(join(root, 'latin'))).rejects.toThrow('it is not UTF-8')
  await put('a/a.vue', '<template></template>')
  await expect(openProject(join(root, 'a/a.vue'))).rejects.toThrow('a.vue is not a JSON file.')
  // A named pipe would have to be waited for; a device shows the same.
  await mkdir(join(root, 'device'))
  await symlink('/dev/null', join(root, 'device/pages.json'))
  await expect(openProject(join(root, 'device'))).rejects.toThrow('pages.json is not a regular file.')
})

test.each(['app.json', 'miniprogram/app.json', 'src/app.json'])('recognizes WeChat’s %s', async (file) => {
  await put(file, '{ "expo": {} }')
  await expect(openProject(root)).rejects.toThrow('There is no pages.json and no src/pages.json in')
  await put(file, '{ "pages": ["pages/index/index"] }')
  await expect(openProject(root)).rejects.toMatchObject({
    message: expect.stringContaining('native WeChat mini program'),
    advice: expect.stringContaining('/docs/guides/from-wechat'),
  })
})

test('removes the byte order mark from the text and preserves it in the file', async () => {
  await put('pages.json', '\uFEFF{}')
  const project = await openProject(root)
  expect(project.text).toBe('{}')
  await project.write('{"pages": []}')
  expect(await readFile(join(root, 'pages.json'), 'utf8')).toBe('\uFEFF{"pages": []}')
})

test.each([
  [
    { 'package.json': '{ "devDependencies": { "@uni-helper/vite-plugin-uni-pages": "1" } }', 'pages.config.ts': '' },
    'Install it (npm install -D @uni-helper/vite-plugin-uni-pages), add it to the plugins of vite.config, write',
  ],
  [
    { 'vite.config.ts': "import pages from '@uni-helper/vite-plugin-uni-pages'", 'pages.config.ts': '' },
    'Install the packages (npm install), write pages.json with a build (souk build), then try again.',
  ],
  [
    {
      'vite.config.ts': "import pages from '@uni-helper/vite-plugin-uni-pages'",
      'pages.config.ts': '',
      'node_modules/@uni-helper/vite-plugin-uni-pages/package.json': '{}',
    },
    'Write pages.json with a build (souk build), then try again.',
  ],
  [
    {
      'vite.config.ts': "import plugins from './build/plugins'",
      'build/plugins/index.ts': "import '..'\nexport * from './pages.mjs'",
      'build/plugins/pages.mjs': "import '../../vite.config.ts'\nimport pages from '@uni-helper/vite-plugin-uni-pages'",
      'pages.config.ts': '',
    },
    'Install the packages (npm install), write pages.json with a build (souk build), then try again.',
  ],
])('says what writes a missing pages.json, and what to do: %j', async (files, advice) => {
  for (const [path, content] of Object.entries(files)) await put(path, content)
  const error = await openProject(root).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    name: 'ProjectError',
    message: expect.stringMatching(/uni-pages writes it from pages\.config\.ts\.$/),
    advice: expect.stringContaining(advice),
  })
})
