import { expect, onTestFinished, test, vi } from 'vitest'
import { migrate, release, serve, VueVersionError } from '../src/index.ts'
import { withBrowser } from './browser.ts'
import { hostRelease } from './hostRelease.ts'
import { type Files, projectOf, textOf } from './project.ts'

const browser = withBrowser()

/** A project that shows the version of vue-i18n, and a text of it. */
const project = (dependencies: object, more: Files = {}): Files => ({
  'package.json': { dependencies },
  'pages.json': { pages: [{ path: 'pages/index' }] },
  'main.js': `import { createSSRApp } from 'vue'
import { createI18n } from 'vue-i18n'
import App from './App.vue'
export function createApp() {
  const app = createSSRApp(App)
  app.use(createI18n({ locale: 'en', messages: { en: { word: 'Hello' } } }))
  return { app }
}`,
  'App.vue': '<script>export default {}</script>',
  'pages/index.vue': `<script setup>
import { VERSION } from 'vue-i18n'
</script>
<template><text id="shown">{{ VERSION }} {{ $t('word') }}</text></template>`,
  ...more,
})

const fake = (path: string, version: string, code: string) => ({
  [`node_modules/${path}/package.json`]: { name: path.split('/').at(-1), version, type: 'module', main: 'index.js' },
  [`node_modules/${path}/index.js`]: code,
})

const installed = (version: string) =>
  fake(
    'vue-i18n',
    version,
    `export const VERSION = '${version}'
export const createI18n = () => ({ install: (app) => { app.config.globalProperties.$t = () => 'installed' } })`,
  )

/** Builds a project, and returns the warnings. */
async function warningsOf(folder: string): Promise<string> {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warned.mockRestore())
  await release({ project: folder, platform: 'H5' })
  return warned.mock.calls.flat().join('\n')
}

const changesOf = async (folder: string) =>
  (await migrate({ project: folder })).findings.filter(({ section }) => section !== 'differs')

test.each([
  ['not listed', {}, {}, /^9\.\d+\.\d+ Hello$/, /vue-i18n is not installed, because uni-app's IDE brings it along/],
  ['listed as ^9.1.9', { 'vue-i18n': '^9.1.9' }, {}, /^9\.\d+\.\d+ Hello$/, /^$/],
  ['listed as 10.0.4', { 'vue-i18n': '10.0.4' }, {}, /^10\.\d+\.\d+ Hello$/, /^$/],
  [
    'listed as latest',
    { 'vue-i18n': 'latest' },
    {},
    /^9\.\d+\.\d+ Hello$/,
    /lists vue-i18n latest, which is not installed\. The build uses 9\./,
  ],
  ['installed as 11.0.0', { 'vue-i18n': '^11.0.0' }, installed('11.0.0'), /^11\.0\.0 installed$/, /^$/],
  [
    'installed, and not as listed',
    { 'vue-i18n': '^10.0.0' },
    installed('9.0.0'),
    /^9\.0\.0 installed$/,
    /lists vue-i18n \^10\.0\.0, but the build uses 9\.0\.0, which is installed\./,
  ],
] as const)('a project with vue-i18n %s runs on this version', async (_, dependencies, more, shown, warning) => {
  const folder = await projectOf(project(dependencies, more))
  expect(await warningsOf(folder)).toMatch(warning)
  expect(
    (await changesOf(folder)).filter(({ subject }) => subject !== 'vue-i18n' || 'vue-i18n' in dependencies),
  ).toEqual([])
  const { urls, close } = await serve({ project: folder, platform: 'H5' })
  const page = await browser().newPage()
  onTestFinished(async () => {
    await page.close()
    await close()
  })
  await page.goto(urls[0]!)
  await expect.poll(() => page.locator('#shown').textContent()).toMatch(shown)
})

test.each([
  [
    'vue-i18n',
    '11.0.0',
    {},
    /^package\.json lists vue-i18n 11\.0\.0, which is not installed\. Souk brings along 9\.\d+\.\d+ and 10\.\d+\.\d+\. Run npm install, or change package\.json\.$/,
  ],
  [
    'pinia',
    '^3.0.0',
    {},
    /^package\.json lists pinia \^3\.0\.0, which is not installed\. Souk brings along 2\.\d+\.\d+\./,
  ],
  [
    'vuex',
    '^3.6.2',
    {},
    /^package\.json lists vuex \^3\.6\.2, which is made for Vue 2\. Souk brings along 4\.\d+\.\d+: change package\.json\.$/,
  ],
  [
    'vuex',
    '^3.6.2',
    fake('vuex', '3.6.2', 'export default {}'),
    /^The installed vuex 3\.6\.2 is made for Vue 2\. Souk brings along 4\.\d+\.\d+: remove it\.$/,
  ],
] as const)('a build with %s %s fails, and says why', async (name, range, more, message) => {
  const folder = await projectOf({
    'package.json': { dependencies: { [name]: range } },
    'pages.json': { pages: [{ path: 'pages/index' }] },
    'pages/index.vue': `<script setup>\nimport * as library from '${name}'\n</script>\n<template>{{ Object.keys(library) }}</template>`,
    ...more,
  })
  const error = await release({ project: folder, platform: 'H5' }).catch((thrown: Error) => thrown)
  const text = (error as Error).message.split('\n').find((line) => line.includes('RolldownError: '))!
  expect(text.replace('RolldownError: ', '')).toMatch(message)
  expect(await changesOf(folder)).toMatchObject([
    { section: 'change', subject: name, places: [{ file: 'package.json' }] },
  ])
})

test('a release with vue-i18n 10 shows its page, where 9 would throw, and changes its language', async () => {
  const folder = await projectOf(
    project(
      { 'vue-i18n': '10.0.4' },
      {
        'main.js': `import { createSSRApp } from 'vue'
import App from './App.vue'
import i18n from './locale'
export function createApp() {
  const app = createSSRApp(App)
  app.use(i18n)
  return { app }
}`,
        'locale/index.js': `import { watch } from 'vue'
import { createI18n, useI18n } from 'vue-i18n'
import ar from './ar.json'
export { useI18n }
const i18n = createI18n({ locale: 'en', messages: { en: { word: 'Hello' }, ar } })
export const direction = () => (i18n.global.locale === 'ar' ? 'rtl' : 'ltr')
watch(() => i18n.global.locale, (locale) => neu.setLocale(locale))
export default i18n`,
        'locale/ar.json': '{\n  // Arabic\n  "word": "مرحبا"\n}',
        'pages/index.vue': `<script setup>
import { direction, useI18n } from '@/locale/index'
const { locale, availableLocales } = useI18n()
const choose = (event) => { locale.value = event.detail.value }
</script>
<template>
  <text id="shown">{{ $t('word') }} {{ direction() }}</text>
  <radio-group @change="choose"><label v-for="each in availableLocales" :key="each"><radio :value="each" />{{ each }}</label></radio-group>
</template>`,
      },
    ),
  )
  const { folder: out } = await release({ project: folder, platform: 'H5' })
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.goto(await hostRelease(out))
  await expect.poll(() => page.locator('#shown').textContent()).toBe('Hello ltr')
  await page.getByText('ar', { exact: true }).click()
  await expect.poll(() => page.locator('#shown').textContent()).toBe('مرحبا rtl')
  expect(faults).toEqual([])
})

test('a package gets the version that it depends on, whatever the project lists', async () => {
  const folder = await projectOf(
    project(
      { 'vue-i18n': '10.0.4', kit: '1.0.0' },
      {
        ...fake('kit', '1.0.0', `export { VERSION } from 'vue-i18n'`),
        ...fake('kit/node_modules/vue-i18n', '8.0.0', `export const VERSION = 'of the kit'`),
        'pages/index.vue': `<script setup>\nimport { VERSION } from 'kit'\n</script>\n<template>{{ VERSION }}</template>`,
      },
    ),
  )
  const { folder: out, files } = await release({ project: folder, platform: 'H5' })
  expect(await textOf(out, files, '.js')).toContain('of the kit')
})

test('a package in a version that Souk does not bring along does no harm if nothing imports it', async () => {
  const folder = await projectOf(project({ 'vue-i18n': '^9.0.0', pinia: '^3.0.0' }))
  expect(await warningsOf(folder)).toBe('')
})

test('a project that lists another Vue fails, although it has code for Vue 3', async () => {
  const folder = await projectOf(project({ vue: '^2.7.16', 'vue-i18n': '^9.0.0' }))
  const built = release({ project: folder, platform: 'H5' })
  await expect(built).rejects.toThrow(VueVersionError)
  await expect(built).rejects.toThrow(
    /^package\.json lists vue \^2\.7\.16\. Souk runs Vue 3\.\d+\.\d+: change the project to Vue 3/,
  )
  expect((await migrate({ project: folder })).findings).toMatchObject([
    { section: 'change', subject: 'vue', places: [{ file: 'package.json' }] },
  ])
  const both = await projectOf(project({ vue: '^2.7.16 || ^3.2.0', 'vue-i18n': '^9.0.0' }))
  expect(await warningsOf(both)).toBe('')
})

test('names tools of another major version that a build uses instead of those that package.json lists', async () => {
  const folder = await projectOf(
    project(
      { 'vue-i18n': '^9.0.0', less: '^3.13.1', vite: '4.3.5' },
      {
        'App.vue':
          '<script>export default {}</script><style lang="less">@brand: #ff0001; .app { color: @brand }</style>',
      },
    ),
  )
  expect(await warningsOf(folder)).toMatch(
    /package\.json lists less \^3\.13\.1, which is not installed\. The build uses 4\./,
  )
  const { findings } = await migrate({ project: folder })
  expect(findings).toMatchObject([
    { section: 'differs', subject: 'less', message: expect.stringMatching(/^the build uses 4\.\d+\.\d+$/) },
    { section: 'differs', subject: 'vite', message: expect.stringMatching(/^the build uses 8\.\d+\.\d+$/) },
  ])
})
