import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { check, pagesTypes, readPages } from '@souk/pages'
import { openProject } from '@souk/project'
import { release } from '@souk/vite-plugin'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CreateError, create as createFrom } from './create.ts'
import { installedFrom, mirrorOf } from './registry.ts'

const registry = 'https://souk.example/npm/'
const create = (path: string) => createFrom(path, registry)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-create-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('creates a project without diagnostics that builds for all platforms', async () => {
  const project = await create(join(folder, 'My App'))
  expect(JSON.parse(await readFile(join(project, 'package.json'), 'utf8')).name).toBe('my-app')
  expect(await readFile(join(project, '.gitignore'), 'utf8')).toContain('node_modules')
  const { text, files } = await openProject(project)
  expect(check(readPages(text), { files })).toEqual([])
  for (const platform of ['H5', 'App', 'Mini App'] as const) {
    const { files: built } = await release({ project, platform })
    expect(built.map(({ path }) => path)).toContain('static/home.png')
  }
})

test('names the registry of its packages', async () => {
  const project = await create(join(folder, 'my-app'))
  expect(await readFile(join(project, '.npmrc'), 'utf8')).toBe(`@souk:registry=${registry}\n`)
  expect(await readFile(join(project, '.yarnrc.yml'), 'utf8')).toContain(`npmRegistryServer: '${registry}'`)
  await expect(createFrom(join(folder, 'other'), 'souk.example')).rejects.toThrow('souk.example is not a registry')
})

test('names a mirror of the public registry', async () => {
  const project = await createFrom(join(folder, 'my-app'), registry, 'http://mirror.example/npm')
  const lines = `@souk:registry=${registry}\nregistry=http://mirror.example/npm/\n`
  expect(await readFile(join(project, '.npmrc'), 'utf8')).toBe(lines)
  const yarn = await readFile(join(project, '.yarnrc.yml'), 'utf8')
  expect(yarn).toContain("\nnpmRegistryServer: 'http://mirror.example/npm/'\n")
  expect(yarn).toContain("unsafeHttpWhitelist:\n  - 'mirror.example'\n")
  await expect(createFrom(join(folder, 'other'), registry, 'mirror')).rejects.toThrow('mirror is not a registry')
})

test('refuses a password in the address of a registry without showing it', async () => {
  const error = await createFrom(join(folder, 'my-app'), registry, 'https://layla:tea4two@npm.example/').catch(
    (refused: Error) => refused,
  )
  expect(error).toBeInstanceOf(CreateError)
  expect(String(error)).toContain('the registry npm.example contains a password')
  expect(String(error)).not.toContain('tea4two')
  expect(await readdir(folder)).toEqual([])
})

test('the mirror is the registry that npm was given, unless it is the public one or that of Souk', () => {
  const given = (npm_config_registry?: string) => mirrorOf(registry, { npm_config_registry })
  expect(given('https://mirror.example/npm')).toBe('https://mirror.example/npm/')
  for (const other of [
    undefined,
    'https://registry.npmjs.org/',
    'https://registry.yarnpkg.com',
    registry.slice(0, -1),
  ]) {
    expect(given(other)).toBeUndefined()
  }
})

test('the registry is the one that npm recorded, otherwise the one that served the package, otherwise unknown', async () => {
  const installation = join(folder, 'node_modules')
  const installed = join(installation, '@souk/create-miniapp')
  await mkdir(installed, { recursive: true })
  const record = (resolved?: string) => ({ packages: { 'node_modules/@souk/create-miniapp': { resolved } } })
  const write = (value: object) => writeFile(join(installation, '.package-lock.json'), JSON.stringify(value))
  const served = 'https://served.example/npm/'
  for (const [address, expected] of [
    [undefined, undefined],
    [served, served],
  ]) {
    if (address) await writeFile(join(installed, 'registry.json'), JSON.stringify({ registry: address }))
    await write(record(`${registry}@souk/create-miniapp/-/create-miniapp-0.2.0.tgz`))
    expect(await installedFrom(installed)).toBe(registry)
    for (const other of [record(), record('file:../create-miniapp'), {}]) {
      await write(other)
      expect(await installedFrom(installed)).toBe(expected)
    }
  }
  expect(await installedFrom(join(folder, 'nowhere'))).toBeUndefined()
})

test('routes.d.ts matches pages.json', async () => {
  const project = await create(join(folder, 'my-app'))
  const { text } = await openProject(project)
  expect(await readFile(join(project, 'routes.d.ts'), 'utf8')).toBe(pagesTypes(readPages(text)))
})

/**
 * Returns the type errors of a project, one per line. The project uses this repository's packages from source; errors
 * in packages that are published compiled are ignored.
 */
async function typeErrors(project: string): Promise<string[]> {
  const root = join(import.meta.dirname, '../../..')
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'))
  const check = [join(root, 'setup/vueTypes.cjs'), '--customConditions', 'souk-source', relative(root, project)]
  const { stdout } = await promisify(execFile)(process.execPath, check).catch((error: { stdout: string }) => error)
  return stdout.split('\n').filter((line) => /^\S/.test(line) && !/^packages\/(?:contract|pages)\//.test(line))
}

test('type checks tags, neu and routes', async () => {
  const project = await create(join(folder, 'my-app'))
  await mkdir(join(project, 'pages/more'))
  await writeFile(
    join(project, 'pages/more/right.vue'),
    `<script setup lang="ts">
import { ref } from 'vue'
import type { TabUrl } from '@/routes'
const text = ref('')
const home: TabUrl = '/pages/index/index'
const typed = (event: CustomEvent<{ value: string }>) => void (text.value = event.detail.value)
</script>
<template>
  <view class="a" hover-class="b" :hover-start-time="20" @tap="neu.switchTab({ url: home })">
    <block v-if="text"><text>{{ text }}</text></block>
    <input v-model="text" confirm-type="send" @input="typed" />
    <picker mode="date" :value="text" @change="(event) => (text = event.detail.value)"><text>{{ text }}</text></picker>
    <button type="primary" @tap="neu.showToast({ title: text })">a</button>
    <img src="/static/home.png" alt="" />
  </view>
</template>
`,
  )
  await writeFile(
    join(project, 'pages/more/wrong.vue'),
    `<script setup lang="ts">
import type { PageUrl } from '@/routes'
const nowhere: PageUrl = '/pages/nowhere/nowhere'
neu.showToats({ title: nowhere })
</script>
<template>
  <view>
    <input confirm-type="nothing" />
    <view :hover-start-time="{}" />
    <button @tap="neu.showTost()">a</button>
  </view>
</template>
`,
  )
  expect(await typeErrors(project)).toEqual([
    expect.stringMatching(/wrong\.vue\(3,.*TS2322: Type '"\/pages\/nowhere\/nowhere"'/),
    expect.stringMatching(/wrong\.vue\(4,.*TS2551: .*Did you mean 'showToast'/),
    expect.stringMatching(/wrong\.vue\(8,.*TS2322: Type '"nothing"'/),
    expect.stringMatching(/wrong\.vue\(9,.*TS2322: Type '{}'/),
    expect.stringMatching(/wrong\.vue\(10,.*TS2551: .*Did you mean 'showToast'/),
  ])
})

test('accepts an empty folder with a git repository', async () => {
  await mkdir(join(folder, 'a/.git'), { recursive: true })
  expect(await readdir(await create(join(folder, 'a')))).toContain('pages.json')
})

test('does not overwrite existing files', async () => {
  await mkdir(join(folder, 'a'))
  await writeFile(join(folder, 'a/notes.txt'), '')
  await writeFile(join(folder, 'file'), '')
  await expect(create(join(folder, 'a'))).rejects.toThrow('is not empty')
  await expect(create(join(folder, 'file'))).rejects.toThrow('is a file')
  await expect(create(join(folder, 'file/app'))).rejects.toThrow(CreateError)
  await expect(create(join(folder, 'a'.repeat(300)))).rejects.toThrow('cannot be created: ENAMETOOLONG')
  await expect(create(join(folder, '中'))).rejects.toBeInstanceOf(CreateError)
  expect(await readdir(join(folder, 'a'))).toEqual(['notes.txt'])
})

test('refuses an empty folder that cannot be written', async () => {
  // For root too, since the paths of the files in this folder are longer than a path may be.
  const deep = join(folder, `${'a'.repeat(99)}/`.repeat(41)).slice(0, 4090)
  await mkdir(deep, { recursive: true })
  await expect(create(deep)).rejects.toBeInstanceOf(CreateError)
})

test('the command prints the next steps or an error', async () => {
  const main = join(import.meta.dirname, 'main.ts')
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [main, ...args], { cwd: folder }).then(
      ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
      ({ code, stderr }) => ({ code, text: stderr as string }),
    )
  const from = ['--registry', registry]
  expect(await run('new-app', ...from)).toMatchObject({ code: 0, text: expect.stringContaining('cd new-app') })
  expect(await run('my shop', ...from)).toMatchObject({ code: 0, text: expect.stringContaining('cd "my shop"') })
  expect(await run('new-app', ...from)).toMatchObject({
    code: 1,
    text: expect.stringContaining('new-app is not empty'),
  })
  expect(await run('guessed')).toMatchObject({ code: 1, text: expect.stringContaining('such as --registry http') })
  expect(await run()).toMatchObject({
    code: 2,
    text: expect.stringContaining('npm create @souk/miniapp@latest <folder>'),
  })
  expect(await run('shop', ...from)).toMatchObject({ code: 0, text: expect.stringContaining(registry) })
  expect(await run('shop2', '--nothing')).toMatchObject({ code: 2 })
})
