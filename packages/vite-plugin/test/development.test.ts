import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ServeOptions, serve } from '../src/index.ts'
import { withBrowser } from './browser.ts'
import { type Files, pagesOf, projectOf, writeFiles } from './project.ts'

const browser = withBrowser()

/** A project that is served, and a page that shows it. */
async function serveProject(files: Files, options: Omit<ServeOptions, 'project'> = {}) {
  const project = await projectOf(files)
  const { urls, close } = await serve({ project, ...options })
  const page = await browser().newPage({ viewport: { width: 400, height: 700 } })
  onTestFinished(async () => {
    await page.close()
    await close()
  })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(urls[0]!)
  return { project, page, url: urls[0]!, faults, write: (changed: Files) => writeFiles(project, changed) }
}

/** Something in the page that no reload survives. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isMarked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in window)

const title = (page: Page) => page.locator('.neu-navbar-title')
const config = (title: string, more: object = {}) => ({
  pages: [{ path: 'pages/a/a', style: { navigationBarTitleText: title } }, { path: 'pages/b/b' }],
  ...more,
})

test('pages.json changes the open page without a reload, and pages that are opened later', async () => {
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
  // Its module has been loaded before.
  await page.evaluate(() => (window as unknown as { uni: Neu }).uni.navigateTo({ url: '/pages/b/b' }))
  await title(page).getByText('Other').waitFor()
  expect(await isMarked(page)).toBe(true)
  expect(faults).toEqual([])
})

interface Neu {
  navigateTo(options: object): Promise<unknown>
  navigateBack(): Promise<unknown>
}

test('pages that are gone from a pages.json that is just being written are waited for', async () => {
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
  // A page that was started meanwhile has not what it needs.
  await write({ 'pages.json': '{ "pages": [' })
  await page.getByRole('dialog').waitFor()
  await page.reload()
  await page.getByRole('dialog').waitFor()
  await write({ 'pages.json': after })
  await title(page).getByText('After').waitFor()
  expect(faults.join()).toMatch(/^(?:pages\.json has no pages)?$/)
})

test('a page that comes is there after a reload', async () => {
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

test('a page’s own file is updated in place, conditional comments and all', async () => {
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
const mended = (text: string) => `<template><view>${text}</view></template>`
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
  '%s: a launch page that was broken from the start is there once it is mended',
  async (platform) => {
    const { page, write } = await serveProject({ ...pagesOf(['pages/a/a']), 'pages/a/a.vue': broken }, { platform })
    const app = platform === 'H5' ? page : page.frameLocator('iframe')
    await app.locator('vite-error-overlay').getByText('Element is missing end tag').waitFor()
    await write({ 'pages/a/a.vue': mended('mended') })
    await app.getByText('mended').waitFor()
  },
)

test('so is what was broken in App.vue, or in a component', async () => {
  const { page, write } = await serveProject({
    ...pagesOf(['pages/a/a']),
    'App.vue': broken,
    'pages/a/a.vue': mended('<my-part />'),
    'components/my-part/my-part.vue': broken,
  })
  await page.locator('vite-error-overlay').getByText('App.vue').first().waitFor()
  await write({ 'App.vue': '<style>page { color: rgb(1, 2, 3) }</style>' })
  await page.locator('vite-error-overlay').getByText('my-part.vue').first().waitFor()
  await write({ 'components/my-part/my-part.vue': mended('a part') })
  const part = page.getByText('a part')
  await part.waitFor()
  expect(await part.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
})

test('a page that could not be opened is opened once it is mended, whether it has been right before or not', async () => {
  const { page, write } = await serveProject({ ...pagesOf(['pages/a/a', 'pages/b/b']), 'pages/b/b.vue': broken })
  await page.getByText('This is pages/a/a').waitFor()
  expect(await open(page, '/pages/b/b')).toBe('failed')
  await write({ 'pages/b/b.vue': mended('right') })
  await page.locator('vite-error-overlay').waitFor({ state: 'detached' })
  await expect.poll(() => open(page, '/pages/b/b').catch(() => 'reloading'), { timeout: 10_000 }).toBe('opened')
  await page.getByText('right').waitFor()
  // The server knows it from before, this document does not; and it has had an update.
  await page.goto(new URL('/', page.url()).href)
  await page.getByText('This is pages/a/a').waitFor()
  await write({ 'pages/a/a.vue': mended('updated') })
  await page.getByText('updated').waitFor()
  await write({ 'pages/b/b.vue': broken })
  await expect.poll(() => fetch(new URL('/pages/b/b.vue', page.url())).then(({ status }) => status)).toBe(500)
  expect(await open(page, '/pages/b/b')).toBe('failed')
  await write({ 'pages/b/b.vue': mended('right again') })
  await expect.poll(() => open(page, '/pages/b/b').catch(() => 'reloading'), { timeout: 10_000 }).toBe('opened')
  await page.getByText('right again').waitFor()
})

test('a component that a page takes while it is broken comes into the page once it is mended', async () => {
  const { page, write } = await serveProject({ ...pagesOf(['pages/a/a']), 'components/my-part/my-part.vue': broken })
  await page.getByText('This is pages/a/a').waitFor()
  await mark(page)
  await write({ 'pages/a/a.vue': mended('with <my-part />') })
  await page.locator('vite-error-overlay').getByText('my-part.vue').first().waitFor()
  await write({ 'components/my-part/my-part.vue': mended('a part') })
  await page.getByText('a part').waitFor()
  expect(await isMarked(page)).toBe(true)
})

test('SCSS is compiled as it is in a release, and updated in place', async () => {
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

test('where the compiler of a style is not installed, the page says what to install', async () => {
  const style = '<template><view /></template><style lang="less">.a { .b { color: red } }</style>'
  const { page } = await serveProject({ ...pagesOf(['pages/a/a']), 'pages/a/a.vue': style })
  await page.locator('vite-error-overlay').getByText('npm install -D less').waitFor()
})

test('errors of pages.json are in the terminal, from the start and when they come', async () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => told.mockRestore())
  const printed = () => told.mock.calls.join('\n')
  const { write } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages.json': { ...config('A'), globalStyel: {} },
  })
  expect(printed()).toMatch(/warning\[[\w-]+\]: [^\n]*globalStyel[\s\S]*pages\.json:\d+:\d+/)
  await write({ 'pages.json': config('A', { tabBar: [] }) })
  await expect.poll(printed).toMatch(/error\[[\w-]+\]: [^\n]*tabBar[\s\S]*pages\.json:\d+:\d+/)
})

test('errors of pages.json are in the page at once, and go when they are mended', async () => {
  const wrong = config('A', {
    tabBar: { color: '#000000', selectedColor: '#000000', backgroundColor: '#ffffff', list: [] },
  })
  const { page, write } = await serveProject({ ...pagesOf(['pages/a/a', 'pages/b/b']), 'pages.json': wrong })
  const dialog = page.getByRole('dialog', { name: /pages\.json: 1 error/ })
  await dialog.waitFor()
  expect(await dialog.locator('.item').innerText()).toMatch(/at least 2[\s\S]*error\[tab-count\] pages\.json:\d+:\d+/)
  expect(await dialog.locator('pre').innerText()).toContain('"list": []')
  // The app runs on below.
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

test('a start mode is chosen by keyboard, and remembered', async () => {
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

test('the active start mode of pages.json is where the app begins', async () => {
  const { page } = await serveProject({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages.json': config('A', { condition: { ...modes, current: 0 } }),
    'pages/b/b.vue': query,
  })
  await page.getByText('query 7').waitFor()
})

test.each(['App', 'Mini App'] as const)(
  '%s runs in a frame of its own origin, and is updated there',
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
    // Bars are the host's.
    await title(page).getByText('Before').waitFor()
    expect(await frame.locator('.neu-navbar').count()).toBe(0)
    await frame.locator('body').evaluate(() => Object.assign(window, { isMarked: true }))
    await write({ 'pages.json': config('After', { condition: modes }) })
    await title(page).getByText('After').waitFor()
    await write({ 'pages/a/a.vue': '<template><view>changed in the frame</view></template>' })
    await frame.getByText('changed in the frame').waitFor()
    expect(await frame.locator('body').evaluate(() => 'isMarked' in window)).toBe(true)
    // The page of the device says where the app begins.
    await page.getByRole('button', { name: 'Start mode: The first page' }).press('Enter')
    await page.getByRole('button', { name: 'The other page' }).press('Enter')
    await frame.getByText('query 7').waitFor()
    expect(faults).toEqual([])
  },
)

test('an app for a host is shown on the device page, wherever it is opened', async () => {
  const { page, url } = await serveProject(pagesOf(['pages/a/a']), { platform: 'App' })
  await page.goto(new URL('/', url).href)
  await page.waitForURL(/\/__souk\/device$/)
})

test('frames of an opaque origin may read; other origins may not', async () => {
  const { url } = await serveProject(pagesOf(['pages/a/a']), { platform: 'App' })
  const allowed = async (origin: string) =>
    (await fetch(new URL('/souk-app.json', url), { headers: { origin } })).headers.get('access-control-allow-origin')
  expect(await allowed('null')).toBe('null')
  expect(await allowed('https://elsewhere.example')).toBe(null)
  const { url: h5 } = await serveProject(pagesOf(['pages/a/a']))
  expect((await fetch(h5, { headers: { origin: 'null' } })).headers.get('access-control-allow-origin')).toBe(null)
})

test('a page whose file is missing says so, and the others work', async () => {
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

test('a component comes with the page that uses it or after it, goes, and comes again', async () => {
  const { project, page, write } = await serveProject(pagesOf(['pages/a/a']))
  await page.getByText('This is pages/a/a').waitFor()
  await mark(page)
  await write({ 'pages/a/a.vue': mended('<my-late />'), 'components/my-late/my-late.vue': mended('late') })
  await page.getByText('late').waitFor()
  await write({ 'pages/a/a.vue': mended('<my-later />') })
  await page.getByText('late').waitFor({ state: 'detached' })
  await write({ 'components/my-later/my-later.vue': mended('later') })
  await page.getByText('later').waitFor()
  await rm(join(project, 'components/my-later'), { recursive: true })
  await page.getByText('later').waitFor({ state: 'detached' })
  await write({ 'components/my-later/my-later.vue': mended('there again') })
  await page.getByText('there again').waitFor()
  expect(await isMarked(page)).toBe(true)
})
