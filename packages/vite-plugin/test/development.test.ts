import { readFile, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ServeOptions, serve } from '../src/index.ts'
import { withBrowser } from './browser.ts'
import { type Files, pagesOf, projectOf, writeFiles } from './project.ts'

const browser = withBrowser()

/** Serves a project and opens it in a browser page. */
async function serveProject(files: Files, options: Omit<ServeOptions, 'project'> = {}) {
  const project = await projectOf(files)
  const { urls, close } = await serve({ platform: 'H5', project, ...options })
  const page = await browser().newPage({ viewport: { width: 400, height: 700 } })
  onTestFinished(async () => {
    await page.close()
    await close()
  })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await openConnected(page, urls[0]!)
  return { project, page, url: urls[0]!, faults, write: (changed: Files) => writeFiles(project, changed) }
}

/** Opens a page and waits until it gets updates: Vite does not repeat those that it has missed. */
async function openConnected(page: Page, url: string): Promise<void> {
  const connected = page.waitForEvent('console', (message) => message.text() === '[vite] connected.')
  await page.goto(url)
  await connected
}

/** Sets a marker in the page that does not survive a reload. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isMarked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in window)

const title = (page: Page) => page.locator('.neu-navbar-title')
const config = (title: string, more: object = {}) => ({
  pages: [{ path: 'pages/a/a', style: { navigationBarTitleText: title } }, { path: 'pages/b/b' }],
  ...more,
})

test('applies a changed pages.json to the open page, without a reload, and to pages opened later', async () => {
  const { page, write, faults } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages.json': config('Before'),
  })
  await title(page).getByText('Before').waitFor()
  await page.evaluate(() => (window as unknown as { uni: Neu }).uni.navigateTo({ url: '/pages/b/b' }))
  await page.getByText('This is pages/b/b').waitFor()
  await page.evaluate(() => (window as unknown as { uni: Neu }).uni.navigateBack())
  await mark(page)
  const changed = config('After')
  Object.assign(changed.pages[1]!, { style: { navigationBarTitleText: 'Other' } })
  await write({ 'pages.json': changed })
  await title(page).getByText('After').waitFor()
  // The module of this page was loaded before the change.
  await page.evaluate(() => (window as unknown as { uni: Neu }).uni.navigateTo({ url: '/pages/b/b' }))
  await title(page).getByText('Other').waitFor()
  expect(await isMarked(page)).toBe(true)
  expect(faults).toEqual([])
})

test('answers requests for an icon, with that of the project if it has one', async () => {
  const { url, write } = await serveProject({
    ...pagesOf(['pages/a/a']),
    'pages.json': { pages: [{ path: 'pages/a/a' }] },
  })
  const statusOfIcon = async () => (await fetch(new URL('/favicon.ico', url))).status
  expect(await statusOfIcon()).toBe(204)
  await write({ 'favicon.ico': 'icon' })
  expect(await statusOfIcon()).toBe(200)
})

test('serves pages.json as a file, and as a module to scripts that import it', async () => {
  const { page, url, faults } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages/a/a.vue': `<script setup>
import { pages } from '@/pages.json'
</script>
<template><view>{{ pages.length }} pages</view></template>`,
  })
  await page.getByText('2 pages').waitFor()
  expect(faults).toEqual([])
  expect(await (await fetch(new URL('/pages.json', url))).json()).toMatchObject({ pages: [{}, {}] })
})

test('leaves out imports of packages that are not installed if nothing imported is used, as builds do', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const { page, faults } = await serveProject({
    ...pagesOf(['pages/a/a']),
    'tsconfig.json': { compilerOptions: { verbatimModuleSyntax: true } },
    'common/day.ts': "import day, { type Point } from 'day-kit'\nexport const origin: Point = { x: 7, y: 0 }\n",
    'pages/a/a.vue': `<script setup>
import { color, ref } from 'chart-kit'
import { origin } from '../../common/day.ts'
const style = { color: 'red' }
</script>
<template><view :style="style">at {{ origin.x }}</view></template>`,
  })
  await page.getByText('at 7').waitFor()
  expect(faults).toEqual([])
  expect(warn.mock.calls.join('\n')).toContain('chart-kit is not installed, but nothing imported from it is used')
})

test('fails for a package that is not installed if only a template uses what is imported', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => error.mockRestore())
  await serveProject({
    ...pagesOf(['pages/a/a']),
    'pages/a/a.vue': `<script setup>\nimport { color } from 'chart-kit'\n</script>
<template><view>{{ color }}</view></template>`,
  })
  await vi.waitFor(() => expect(error.mock.calls.join('\n')).toContain('Failed to resolve import "chart-kit"'))
})

interface Neu {
  navigateTo(options: object): Promise<unknown>
  navigateBack(): Promise<unknown>
}

test('bars follow the theme and the language of the device, and changes of their files, without a reload', async () => {
  const { page, write, faults } = await serveProject({
    ...pagesOf(['pages/a a/a']),
    'pages.json': {
      pages: [{ path: 'pages/a a/a', style: { navigationBarTitleText: '%title%' } }],
      globalStyle: { navigationBarBackgroundColor: '@bar', navigationBarTextStyle: '@text' },
    },
    'theme.json': { light: { bar: '#ffffff', text: 'black' }, dark: { bar: '#112233', text: 'white' } },
    'locale/en.json': { title: 'Home' },
    'locale/zh-Hans.json': { title: '首页' },
  })
  await title(page).getByText('Home').waitFor()
  await page.getByText('This is pages/a a/a').waitFor()
  const colors = () =>
    page.evaluate(() => [
      getComputedStyle(document.querySelector('.neu-navbar-title')!).color,
      getComputedStyle(document.querySelector('.neu-navbar-background')!).backgroundColor,
    ])
  await mark(page)
  await expect.poll(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(colors).toEqual(['rgb(255, 255, 255)', 'rgb(17, 34, 51)'])
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'language', { value: 'zh-CN', configurable: true })
    dispatchEvent(new Event('languagechange'))
  })
  await title(page).getByText('首页').waitFor()
  await write({ 'locale/zh-Hans.json': { title: '主页' } })
  await title(page).getByText('主页').waitFor()
  expect(await colors()).toEqual(['rgb(255, 255, 255)', 'rgb(17, 34, 51)'])
  await write({ 'themes/app.json': { dark: { bar: '#445566', text: 'white' } } })
  await write({ 'manifest.json': { h5: { darkmode: true, themeLocation: 'themes/app.json' } } })
  await expect.poll(colors).toEqual(['rgb(255, 255, 255)', 'rgb(68, 85, 102)'])
  await write({ 'themes/app.json': { dark: { bar: '#778899', text: 'black' } } })
  await expect.poll(colors).toEqual(['rgb(0, 0, 0)', 'rgb(119, 136, 153)'])
  await write({ 'manifest.json': { h5: {} } })
  await expect.poll(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
  expect(await isMarked(page)).toBe(true)
  expect(faults).toEqual([])
})

test('does not reload while pages.json is only partially written', async () => {
  const { page, write, faults } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages.json': config('Before'),
  })
  await title(page).getByText('Before').waitFor()
  await mark(page)
  const after = JSON.stringify(config('After'))
  await write({ 'pages.json': after.slice(0, after.indexOf('"After"')) })
  await page.getByRole('dialog').waitFor()
  await write({ 'pages.json': after })
  await title(page).getByText('After').waitFor()
  expect(await isMarked(page)).toBe(true)
  // A page opened while pages.json is broken recovers too.
  await write({ 'pages.json': '{ "pages": [' })
  await page.getByRole('dialog').waitFor()
  await page.reload()
  await page.getByRole('dialog').waitFor()
  await write({ 'pages.json': after })
  await title(page).getByText('After').waitFor()
  expect(faults.join()).toMatch(/^(?:pages\.json has no pages)?$/)
})

test('a page that is loaded while pages.json changes shows the findings of the change', async () => {
  const { page, url, write } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages.json': config('Before'),
  })
  await title(page).getByText('Before').waitFor()
  const { promise: isChanged, resolve: release } = Promise.withResolvers<void>()
  const isLoading = page.waitForRequest('**/client/diagnostics*')
  await page.route('**/client/diagnostics*', (route) => isChanged.then(() => route.continue()))
  await page.reload({ waitUntil: 'commit' })
  await isLoading
  await write({ 'pages.json': config('After', { tabBar: { list: 'none' } }) })
  await expect.poll(async () => (await fetch(new URL('souk-app.json', url))).text()).toContain('After')
  release()
  await page.getByRole('dialog').getByText('list').first().waitFor()
})

test('reloads when a page is added', async () => {
  const { page, write } = await serveProject({ ...pagesOf(['pages/a/a', 'pages/b/b']), 'pages.json': config('A') })
  await title(page).getByText('A').waitFor()
  await mark(page)
  const more = config('A')
  more.pages.push({ path: 'pages/c/c' })
  await write({ 'pages/c/c.vue': '<template><view>the third page</view></template>', 'pages.json': more })
  await page.waitForFunction(() => !('isMarked' in window))
  await page.waitForFunction(() => 'uni' in window)
  await page.evaluate(() => (window as unknown as { uni: Neu }).uni.navigateTo({ url: '/pages/c/c' }))
  await page.getByText('the third page').waitFor()
})

test('updates a page’s file in place and applies conditional comments', async () => {
  const page = (text: string) => `<template><view>
<!-- #ifdef H5 -->${text}<!-- #endif --><!-- #ifdef APP -->of the app<!-- #endif --> {{ count }}<button @tap="count++">more</button></view></template>
<script setup>
import { ref } from 'vue'
const count = ref(0)
</script>`
  const { page: shown, write } = await serveProject({ ...pagesOf(['pages/a/a']), 'pages/a/a.vue': page('before') })
  await shown.getByRole('button', { name: 'more' }).click()
  await shown.getByText('before 1').waitFor()
  await write({ 'pages/a/a.vue': page('after') })
  await shown.getByText('after 1').waitFor()
  expect(await shown.getByText('of the app').count()).toBe(0)
})

const broken = '<template><view></template>'
const fixed = (text: string) => `<template><view>${text}</view></template>`
const open = (page: Page, url: string) =>
  page.evaluate(
    (url) =>
      (window as unknown as { uni: Neu }).uni.navigateTo({ url }).then(
        () => 'opened',
        () => 'failed',
      ),
    url,
  )

test.each(['H5', 'App'] as const)(
  '%s: shows a launch page that was broken from the start once it is fixed',
  async (platform) => {
    const { page, write } = await serveProject({ ...pagesOf(['pages/a/a']), 'pages/a/a.vue': broken }, { platform })
    const app = platform === 'H5' ? page : page.frameLocator('iframe')
    await app.locator('vite-error-overlay').getByText('Element is missing end tag').waitFor()
    await write({ 'pages/a/a.vue': fixed('fixed') })
    await app.getByText('fixed').waitFor()
  },
)

test('recovers when a broken App.vue or component is fixed', async () => {
  const { page, write } = await serveProject({
    ...pagesOf(['pages/a/a']),
    'App.vue': broken,
    'pages/a/a.vue': fixed('<my-part />'),
    'components/my-part/my-part.vue': broken,
  })
  // Whichever is compiled last is shown.
  await page
    .locator('vite-error-overlay')
    .getByText(/App\.vue|my-part\.vue/)
    .first()
    .waitFor()
  await write({ 'App.vue': '<style>page { color: rgb(1, 2, 3) }</style>' })
  await page.locator('vite-error-overlay').getByText('my-part.vue').first().waitFor()
  await write({ 'components/my-part/my-part.vue': fixed('a part') })
  const part = page.getByText('a part')
  await part.waitFor()
  expect(await part.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
})

test('shows a page once it is fixed, whether or not it compiled before', async () => {
  const { page, write } = await serveProject({ ...pagesOf(['pages/a/a', 'pages/b/b']), 'pages/b/b.vue': broken })
  await page.getByText('This is pages/a/a').waitFor()
  const message = page.getByText('This page could not be loaded.')
  expect(await open(page, '/pages/b/b')).toBe('opened')
  await message.waitFor()
  await write({ 'pages/b/b.vue': fixed('right') })
  await page.locator('vite-error-overlay').waitFor({ state: 'detached' })
  await page.getByText('right').waitFor()
  // Now the server has compiled the page before, but this document has not loaded it.
  await openConnected(page, new URL('/', page.url()).href)
  await page.getByText('This is pages/a/a').waitFor()
  await write({ 'pages/a/a.vue': fixed('updated') })
  await page.getByText('updated').waitFor()
  await write({ 'pages/b/b.vue': broken })
  await expect.poll(() => fetch(new URL('/pages/b/b.vue', page.url())).then(({ status }) => status)).toBe(500)
  expect(await open(page, '/pages/b/b')).toBe('opened')
  await message.waitFor()
  await write({ 'pages/b/b.vue': fixed('right again') })
  await page.getByText('right again').waitFor()
})

test('shows the second of two changes that follow each other at once', async () => {
  const { page, write } = await serveProject({
    ...pagesOf(['pages/a/a']),
    // Formats the file on save, as soon as the server has compiled it.
    'vite.config.js': `import { writeFileSync } from 'node:fs'
let isFormatted = false
export default { plugins: [{
  name: 'formatter',
  handleHotUpdate({ file, server }) {
    if (isFormatted) return
    isFormatted = true
    setTimeout(async () => {
      await server.transformRequest('/pages/a/a.vue')
      writeFileSync(file, \`${fixed('formatted')}\`)
    })
  },
}] }`,
  })
  await page.getByText('This is pages/a/a').waitFor()
  await write({ 'pages/a/a.vue': fixed('saved') })
  await page.getByText('formatted').waitFor()
})

test('shows a component that was broken when the page started to use it once it is fixed', async () => {
  const { page, write } = await serveProject({ ...pagesOf(['pages/a/a']), 'components/my-part/my-part.vue': broken })
  await page.getByText('This is pages/a/a').waitFor()
  await mark(page)
  await write({ 'pages/a/a.vue': fixed('with <my-part />') })
  await page.locator('vite-error-overlay').getByText('my-part.vue').first().waitFor()
  await write({ 'components/my-part/my-part.vue': fixed('a part') })
  await page.getByText('a part').waitFor()
  expect(await isMarked(page)).toBe(true)
})

test('compiles SCSS as in a release and updates it in place', async () => {
  const page = (size: number) => `<template><view class="a"><text class="b">styled</text></view></template>
<style lang="scss">
$size: ${size}rpx;
.a {
  // #ifdef H5
  .b { font-size: $size }
  // #endif
  // #ifdef APP
  .b { font-size: 1px }
  // #endif
}
</style>`
  const { page: shown, write } = await serveProject({ ...pagesOf(['pages/a/a']), 'pages/a/a.vue': page(75) })
  const text = shown.getByText('styled')
  await text.waitFor()
  await mark(shown)
  const size = () => text.evaluate((element) => getComputedStyle(element).fontSize)
  expect(await size()).toBe('40px')
  await write({ 'pages/a/a.vue': page(150) })
  await expect.poll(size).toBe('80px')
  expect(await isMarked(shown)).toBe(true)
})

test('shows which package to install if a style preprocessor is missing', async () => {
  const style = '<template><view /></template><style lang="stylus">.a\n  color red</style>'
  const { page } = await serveProject({ ...pagesOf(['pages/a/a']), 'pages/a/a.vue': style })
  await page.locator('vite-error-overlay').getByText('npm install -D stylus').waitFor()
})

test.each(['H5', 'App'] as const)('%s: serves packages for uni-app as a release contains them', async (platform) => {
  const { page } = await serveProject(
    {
      'pages.json': { pages: [{ path: 'pages/a/a' }], easycom: { custom: { '^kit-(.*)': 'kit/$1/$1.vue' } } },
      'package.json': { name: 'shop', dependencies: { kit: '1.0.0', helper: '1.0.0' } },
      'node_modules/kit/package.json': { name: 'kit', version: '1.0.0', main: 'index.js', dependencies: { day: '1' } },
      'node_modules/kit/index.js': `import day from 'day'
import { shown } from './state.js'
export const toast = (text) => { shown.value = text + day() }`,
      'node_modules/kit/state.js': "import { ref } from 'vue'\nexport const shown = ref('')",
      'node_modules/kit/toast/toast.vue': `<script setup>
import { shown } from '../state.js'
</script>
<template><text id="toast">{{ shown }}</text></template>`,
      'node_modules/day/package.json': { name: 'day', version: '1.0.0', main: 'index.js' },
      'node_modules/day/index.js': "module.exports = () => ' today'",
      'node_modules/helper/package.json': { name: 'helper', version: '1.0.0', main: 'index.js' },
      'node_modules/helper/index.js': `export const names = [
process.env.UNI_PLATFORM,
// #ifdef H5
'browser',
// #endif
]`,
      'pages/a/a.vue': `<script setup>
import { names } from 'helper'
import { toast } from 'kit'
</script>
<template><text id="names">{{ names.join() }}</text><button @tap="toast('saved')">save</button><kit-toast /></template>`,
    },
    { platform },
  )
  const app = platform === 'H5' ? page : page.frameLocator('iframe')
  await expect.poll(() => app.locator('#names').textContent()).toBe(platform === 'H5' ? 'h5,browser' : 'app')
  await app.getByRole('button', { name: 'save' }).click()
  await expect.poll(() => app.locator('#toast').textContent()).toBe('saved today')
})

test('draws a component that imports and registers itself', async () => {
  const { page } = await serveProject({
    ...pagesOf(['pages/a/a']),
    'components/my-node/my-node.vue': `<template><view>{{ depth }}<my-node v-if="depth < 3" :depth="depth + 1" /></view></template>
<script>
import myNode from './my-node'
export default { props: { depth: Number }, components: { myNode } }
</script>`,
    'pages/a/a.vue': '<template><view id="nodes"><my-node :depth="1" /></view></template>',
  })
  await expect.poll(() => page.locator('#nodes').textContent()).toBe('123')
})

test('names a module whose path cannot be served', async () => {
  const { page } = await serveProject({
    ...pagesOf(['pages/b/b']),
    'components/a#b.vue': '<template><view>A</view></template>',
    'pages/a/a.vue': `<script setup>import A from '../../components/a#b.vue'</script><template><A /></template>`,
    'pages.json': config('Numbers'),
  })
  await page.locator('vite-error-overlay').getByText('components/a#b.vue cannot be served').first().waitFor()
})

test('prints errors of pages.json at start and after a change, and when none is left', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const printed = () => warn.mock.calls.join('\n')
  const { write } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages.json': { ...config('A'), globalStyel: {} },
  })
  expect(printed()).toMatch(/warning\[[\w-]+\]: [^\n]*globalStyel[\s\S]*pages\.json:\d+:\d+/)
  await write({ 'pages.json': config('A', { tabBar: [] }) })
  await expect.poll(printed).toMatch(/error\[[\w-]+\]: [^\n]*tabBar[\s\S]*pages\.json:\d+:\d+/)
  await write({ 'pages.json': config('A') })
  await expect.poll(printed).toMatch(/pages\.json: nothing to report\.\n$/)
  const { length } = printed()
  await write({ 'pages.json': config('B') })
  await write({ 'pages.json': { ...config('B'), globalStyel: {} } })
  await expect.poll(() => printed().slice(length)).toMatch(/globalStyel/)
  expect(printed().slice(length)).not.toContain('nothing to report')
})

test('shows errors of pages.json in the page until they are fixed', async () => {
  const wrong = config('A', {
    tabBar: { color: '#000000', selectedColor: '#000000', backgroundColor: '#ffffff', list: [] },
  })
  const { page, write } = await serveProject({ ...pagesOf(['pages/a/a', 'pages/b/b']), 'pages.json': wrong })
  const dialog = page.getByRole('dialog', { name: /pages\.json: 1 error/ })
  await dialog.waitFor()
  expect(await dialog.locator('.item').innerText()).toMatch(/at least 2[\s\S]*error\[tab-count\] pages\.json:\d+:\d+/)
  expect(await dialog.locator('pre').innerText()).toContain('"list": []')
  // The app keeps running below the panel.
  await title(page).getByText('A').waitFor()
  await page.getByRole('button', { name: 'Close' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /pages\.json: 1 error/ }).waitFor()
  await write({ 'pages.json': config('A') })
  await page.getByRole('button', { name: /pages\.json/ }).waitFor({ state: 'detached' })
  await write({ 'pages.json': { ...config('A'), globalStyel: {} } })
  await page.getByRole('button', { name: 'pages.json: 1 warning' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

const modes = {
  current: 1,
  list: [
    { name: 'The other page', path: 'pages/b/b', query: 'id=7' },
    { name: 'The first page', path: 'pages/a/a' },
  ],
}
const query = `<template><view>query {{ id }}</view></template>
<script>export default { data: () => ({ id: '' }), onLoad({ id }) { this.id = id } }</script>`

test('selects a start mode by keyboard and remembers it', async () => {
  const { page } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages.json': config('A', { condition: modes }),
    'pages/b/b.vue': query,
  })
  await title(page).getByText('A').waitFor()
  const opener = page.getByRole('button', { name: 'Start mode: The first page' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('dialog', { name: 'Start with' })
  expect(await menu.locator('[aria-current="true"]').innerText()).toContain('The first page')
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByText('query 7').waitFor()
  await page.goto(new URL('/', page.url()).href)
  await page.getByText('query 7').waitFor()
  await page.getByRole('button', { name: 'Start mode: The other page' }).waitFor()
})

test('starts with the active start mode of pages.json', async () => {
  const { page } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages.json': config('A', { condition: { ...modes, current: 0 } }),
    'pages/b/b.vue': query,
  })
  await page.getByText('query 7').waitFor()
})

test.each(['App', 'Mini App'] as const)(
  '%s runs in a frame with its own origin and is updated there',
  async (platform) => {
    const { page, write, url, faults } = await serveProject(
      {
        ...pagesOf(['pages/a/a', 'pages/b/b']),
        'pages.json': config('Before', { condition: modes }),
        'pages/b/b.vue': query,
      },
      { platform },
    )
    expect(new URL(url).pathname).toBe('/__souk/device')
    const frame = page.frameLocator('iframe')
    await frame.getByText('This is pages/a/a').waitFor()
    expect(await frame.locator('body').evaluate(() => origin)).toBe('null')
    // The host draws the bars.
    await title(page).getByText('Before').waitFor()
    expect(await frame.locator('.neu-navbar').count()).toBe(0)
    await frame.locator('body').evaluate(() => Object.assign(window, { isMarked: true }))
    await write({ 'pages.json': config('After', { condition: modes }) })
    await title(page).getByText('After').waitFor()
    await write({ 'pages/a/a.vue': '<template><view>changed in the frame</view></template>' })
    await frame.getByText('changed in the frame').waitFor()
    expect(await frame.locator('body').evaluate(() => 'isMarked' in window)).toBe(true)
    // The device page chooses the start mode.
    await page.getByRole('button', { name: 'Start mode: The first page' }).press('Enter')
    await page.getByRole('button', { name: 'The other page' }).press('Enter')
    await frame.getByText('query 7').waitFor()
    expect(faults).toEqual([])
  },
)

test('redirects apps for a host to the device page', async () => {
  const { page, url } = await serveProject(pagesOf(['pages/a/a']), { platform: 'App' })
  await page.goto(new URL('/', url).href)
  await page.waitForURL(/\/__souk\/device$/)
})

test('allows frames with an opaque origin to read, but no other origins', async () => {
  const { url } = await serveProject(pagesOf(['pages/a/a']), { platform: 'App' })
  const allowed = async (origin: string) =>
    (await fetch(new URL('/souk-app.json', url), { headers: { origin } })).headers.get('access-control-allow-origin')
  expect(await allowed('null')).toBe('null')
  expect(await allowed('https://elsewhere.example')).toBe(null)
  const { url: h5 } = await serveProject(pagesOf(['pages/a/a']))
  expect((await fetch(h5, { headers: { origin: 'null' } })).headers.get('access-control-allow-origin')).toBe(null)
})

test('reports a missing page file while other pages keep working', async () => {
  const { page, project, write } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages.json': config('A'),
  })
  await title(page).getByText('A').waitFor()
  const text = await readFile(join(project, 'pages/b/b.vue'))
  await rm(join(project, 'pages/b/b.vue'))
  await page.getByRole('dialog', { name: /1 error/ }).waitFor()
  await write({ 'pages/b/b.vue': text })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('updates the page when a component is added, deleted and added again', async () => {
  const { project, page, write } = await serveProject(pagesOf(['pages/a/a']))
  await page.getByText('This is pages/a/a').waitFor()
  await mark(page)
  await write({ 'pages/a/a.vue': fixed('<my-late />'), 'components/my-late/my-late.vue': fixed('late') })
  await page.getByText('late').waitFor()
  await write({ 'pages/a/a.vue': fixed('<my-later />') })
  await page.getByText('late').waitFor({ state: 'detached' })
  await write({ 'components/my-later/my-later.vue': fixed('later') })
  await page.getByText('later').waitFor()
  await rm(join(project, 'components/my-later'), { recursive: true })
  await page.getByText('later').waitFor({ state: 'detached' })
  await write({ 'components/my-later/my-later.vue': fixed('there again') })
  await page.getByText('there again').waitFor()
  expect(await isMarked(page)).toBe(true)
})

/** A page that speaks the protocol of uni-app's script for pages in a web-view. */
const localPage: Files = {
  'hybrid/html/page.html': `<!doctype html>
<script src="js/bridge.js"></script>
<p id="query"></p>
<button onclick="send('navigateTo', { url: encodeURI('/pages/b/b?name=ü') })">Open</button>
<button onclick="send('setStorage', { key: 'a' })">Store</button>
<iframe srcdoc="&lt;script&gt;parent.parent.postMessage({ type: 'WEB_INVOKE_APPSERVICE', data: { name: 'reLaunch', arg: { url: '/pages/b/b' } } }, '*')&lt;/script&gt;"></iframe>
<script>
  document.querySelector('#query').textContent = location.search
  document.addEventListener('DOMContentLoaded', () => {
    send('postMessage', { n: 1 })
    window.parent.postMessage('raw', '*')
  })
</script>`,
  'hybrid/html/js/bridge.js': `var send = (name, arg) =>
  window.parent.postMessage({ type: 'WEB_INVOKE_APPSERVICE', data: { options: { timestamp: Date.now() }, name, arg }, pageId: '' }, '*')`,
}

test.each(['H5', 'App'] as const)('a local page in a web-view navigates and posts messages on %s', async (platform) => {
  const { page, url } = await serveProject(
    {
      ...pagesOf(['pages/a/a']),
      ...localPage,
      'pages.json': config('Local'),
      'pages/a/a.vue': `<template>
<view class="told">{{ told }}</view>
<web-view src="/hybrid/html/page.html?id=7" @message="told += JSON.stringify($event.detail.data)" />
</template>
<script setup>
import { ref } from 'vue'
const told = ref('')
</script>`,
      'pages/b/b.vue': `<template><view>Hello {{ name }}</view></template>
<script setup>
import { ref } from 'vue'
import { onLoad } from '@dcloudio/uni-app'
const name = ref('')
onLoad((query) => { name.value = query.name })
</script>`,
    },
    { platform },
  )
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const app = platform === 'H5' ? page : page.frameLocator('iframe')
  const inner = app.frameLocator('neu-web-view iframe')
  await inner.getByText('?id=7').waitFor()
  await app.getByText('[{"n":1}]["raw"]').waitFor()
  await inner.getByRole('button', { name: 'Store' }).click()
  await expect.poll(() => errors).toContain('web-view: setStorage is not a function of pages in it')
  expect(await app.getByText('Hello').count()).toBe(0)
  await inner.getByRole('button', { name: 'Open' }).click()
  await app.getByText('Hello ü').waitFor()
  const { port } = new URL(url)
  const originsFor = (path: string) =>
    new Promise((done) => get({ port, path }, ({ headers }) => done(headers['access-control-allow-origin'])))
  expect(await originsFor('/hybrid/html/page.html')).toBe('*')
  for (const path of ['%2e%2e/%2e%2e/pages.json', '../../pages.json', '..%5c..%5cpages.json', '%', 'gone.html'])
    expect(await originsFor(`/hybrid/html/${path}`)).not.toBe('*')
})

test.each(['H5', 'App'] as const)('the project’s own tab bar replaces the drawn one on %s', async (platform) => {
  const tab = (name: string, index: number) => `<template><view>Tab ${name}</view></template>
<script>
export default {
  onShow() {
    if (this.getTabBar()) this.getTabBar().setData({ selected: ${index} })
  }
}
</script>`
  const list = ['a', 'b'].map((name) => ({ pagePath: `pages/${name}/${name}`, text: name }))
  const bar = `<template>
<view class="bar">
  <text v-for="(tab, index) in tabs" :class="{ selected: index === selected }" @click="open(tab)">Own {{ tab }}</text>
</view>
</template>
<script>
export default {
  data: () => ({ selected: 0, tabs: ['a', 'b'] }),
  methods: { open(tab) { uni.switchTab({ url: \`/pages/\${tab}/\${tab}\` }) } }
}
</script>
<style>.bar { height: 40px; background: #eee } .selected { color: red }</style>`
  const { page, faults, write } = await serveProject(
    {
      'pages.json': {
        pages: list.map(({ pagePath }) => ({ path: pagePath })),
        tabBar: { custom: true, color: '#000000', selectedColor: '#000000', backgroundColor: '#ffffff', list },
      },
      'pages/a/a.vue': tab('a', 0),
      'pages/b/b.vue': tab('b', 1),
      'custom-tab-bar/index.vue': bar,
    },
    { platform },
  )
  const app = platform === 'H5' ? page : page.frameLocator('iframe')
  // The device page is higher than most windows.
  await page.setViewportSize({ width: 900, height: 1300 })
  const selected = app.locator('.selected:visible')
  await app.getByText('Tab a').waitFor()
  expect(await selected.allInnerTexts()).toEqual(['Own a'])
  await app.getByText('Own b').filter({ visible: true }).click()
  await app.getByText('Tab b').waitFor()
  await expect.poll(() => selected.allInnerTexts()).toEqual(['Own b'])
  expect(await app.locator('.bar:visible').count()).toBe(1)
  const box = await app.locator('.bar:visible').boundingBox()
  const around = platform === 'H5' ? { y: 0, height: 1300 } : await page.locator('iframe').boundingBox()
  expect(box!.y + box!.height).toBeCloseTo(around!.y + around!.height, 0)
  expect(await page.locator('.neu-tabbar').filter({ visible: true }).count()).toBe(0)
  expect(faults).toEqual([])
  await write({ 'pages/b/b.vue': tab('changed', 1) })
  await app.getByText('Tab changed').waitFor()
})

const declared = (answer: string) => ({
  input: { type: 'object', properties: { program: { type: 'string' } }, required: ['program'] },
  result: { type: 'string' },
  question: null,
  examples: [{ input: { program: 'tea' }, result: answer }],
  failures: [],
})

test('answers functions of the host with the declared examples, and writes their types', async () => {
  const files = { ...pagesOf(['pages/a/a']), 'host-functions.json': { loyaltyCard: declared('4711') } }
  const { page, project, write, faults } = await serveProject(files)
  const types = () => readFile(join(project, 'host-functions.d.ts'), 'utf8')
  expect(await types()).toContain('loyaltyCard(input: { program: string }): Promise<string>')
  await page.getByText('This is pages/a/a').waitFor()
  await mark(page)
  const call = (name: string) =>
    page.evaluate(
      (name) =>
        (window as unknown as { uni: { host: Record<string, (input: object) => Promise<unknown>> } }).uni.host[name]!({
          program: 'tea',
        }).catch(({ errMsg }) => errMsg),
      name,
    )
  expect(await call('loyaltyCard')).toBe('4711')
  // The validator is loaded without a reload.
  expect(await isMarked(page)).toBe(true)
  const reloaded = page.waitForEvent('load')
  await write({ 'host-functions.json': { bookTaxi: declared('ordered') } })
  await reloaded
  await page.getByText('This is pages/a/a').waitFor()
  expect(await call('bookTaxi')).toBe('ordered')
  expect(await call('loyaltyCard')).toBe('host.loyaltyCard:fail it is not in host-functions.json')
  expect(await types()).not.toContain('loyaltyCard')
  expect(faults).toEqual([])
})
