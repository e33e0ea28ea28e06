import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { release } from '../src/index.ts'
import { withBrowser } from './browser.ts'
import { hostRelease } from './hostRelease.ts'
import { pagesOf, projectOf } from './project.ts'

const browser = withBrowser()

test.each(['js', 'css'])('loads a page whose %s failed to load when it is tapped', async (kind) => {
  const project = await projectOf({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages/b/b.vue':
      '<template><view class="other">the other page</view></template><style>.other { color: rgb(1, 2, 3) }</style>',
  })
  const { folder } = await release({ platform: 'H5', project })
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  let isAway = true
  let failures = 0
  await page.route(/\/b-[^/]*\.css|\/pages-b-b-[^/]*\.js/, (route) => {
    if (!isAway || !route.request().url().includes(`.${kind}`)) return route.continue()
    failures++
    return route.abort()
  })
  await page.goto(await hostRelease(folder))
  await page.getByText('This is pages/a/a').waitFor()
  await page.evaluate(() =>
    (window as unknown as { uni: { navigateTo(options: object): Promise<unknown> } }).uni.navigateTo({
      url: '/pages/b/b',
    }),
  )
  const message = page.getByRole('button', { name: 'This page could not be loaded. Tap to try again.' })
  await message.waitFor()
  // The page may also be loaded in advance, whenever the browser is idle.
  const before = failures
  // Anywhere in the page.
  await page.mouse.click(5, page.viewportSize()!.height - 5)
  await expect.poll(() => failures).toBeGreaterThan(before)
  await message.waitFor()
  isAway = false
  await message.press('Enter')
  const other = page.getByText('the other page')
  await other.waitFor()
  expect(await other.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
})

test.each(['services', 'pageCalls', 'overlays'])(
  'a function works when %s could not be loaded before',
  async (name) => {
    const { folder } = await release({ platform: 'H5', project: await projectOf(pagesOf(['pages/a/a'])) })
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    let isAway = true
    await page.route(new RegExp(`/assets/${name}-`), (route) => (isAway ? route.abort() : route.continue()))
    await page.goto(await hostRelease(folder))
    await page.getByText('This is pages/a/a').waitFor()
    const show = () => page.evaluate("uni.showModal({ title: 'Sure?' }).then(() => 'answered', ({ errMsg }) => errMsg)")
    for (const _ of [1, 2]) expect(await show()).toMatch(/^showModal:fail /)
    isAway = false
    const shown = show()
    await page.getByRole('button', { name: 'OK' }).click()
    expect(await shown).toBe('answered')
  },
)

test('sensors work when their script could not be loaded before', async () => {
  const { folder } = await release({ platform: 'H5', project: await projectOf(pagesOf(['pages/a/a'])) })
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  let isAway = true
  await page.route(/\/assets\/sensors-/, (route) => (isAway ? route.abort() : route.continue()))
  await page.goto(await hostRelease(folder))
  await page.getByText('This is pages/a/a').waitFor()
  const stop = () => page.evaluate('uni.stopCompass().then(({ errMsg }) => errMsg, ({ errMsg }) => errMsg)')
  expect(await stop()).toMatch(/^stopCompass:fail Unable to load /)
  isAway = false
  expect(await stop()).toBe('stopCompass:ok')
})

test('labels are translated when their script could not be loaded before', async () => {
  const { folder } = await release({
    platform: 'H5',
    project: await projectOf(pagesOf(['pages/a/a', 'pages/b/b', 'pages/c/c'])),
  })
  const page = await browser().newPage({ locale: 'zh-CN' })
  onTestFinished(() => page.close())
  let isAway = true
  await page.route(/\/assets\/translatedLabels-/, (route) => (isAway ? route.abort() : route.continue()))
  await page.goto(await hostRelease(folder))
  await page.getByText('This is pages/a/a').waitFor()
  await page.evaluate("uni.navigateTo({ url: '/pages/b/b' })")
  await page.getByRole('button', { name: 'Back' }).waitFor()
  isAway = false
  await page.evaluate("uni.navigateTo({ url: '/pages/c/c' })")
  await page.getByRole('button', { name: '返回' }).waitFor()
})

test('a policy with a nonce allows the scripts that are loaded later', async () => {
  const { folder } = await release({ platform: 'H5', project: await projectOf(pagesOf(['pages/a/a', 'pages/b/b'])) })
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  const url = await hostRelease(folder)
  await page.route(url, async (route) => {
    const html = await readFile(join(folder, 'index.html'), 'utf8')
    const body = html.replace(/<(?:script|link|style)\b/g, '$& nonce="n1"')
    const policy = [
      "script-src 'nonce-n1' 'strict-dynamic'",
      "style-src 'nonce-n1'",
      "style-src-attr 'unsafe-inline'",
      "connect-src 'none'",
    ].join('; ')
    await route.fulfill({ body, headers: { 'Content-Security-Policy': policy }, contentType: 'text/html' })
  })
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  await page.goto(url)
  await page.getByText('This is pages/a/a').waitFor()
  void page.evaluate("void uni.showModal({ title: 'Sure?' })")
  await page.getByRole('button', { name: 'OK' }).click()
  await page.evaluate("uni.navigateTo({ url: '/pages/b/b' })")
  await page.getByText('This is pages/b/b').waitFor()
  expect(messages).toEqual([])
})

test('a module that pages share exists once, although it could not be loaded once', async () => {
  const pageOf = (name: string) =>
    `<script setup>import { next } from '../../shared.js'; const n = next()</script>
    <template><view>${name} is number {{ n }}</view></template>`
  const project = await projectOf({
    ...pagesOf(['pages/a/a', 'pages/b/b', 'pages/c/c']),
    'pages/b/b.vue': pageOf('b'),
    'pages/c/c.vue': pageOf('c'),
    'shared.js': 'let n = 0\nexport function next() { return ++n }\n',
  })
  const { folder } = await release({ platform: 'H5', project })
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  let isAway = true
  await page.route(/\/shared-/, (route) => (isAway ? route.abort() : route.continue()))
  await page.goto(await hostRelease(folder))
  await page.getByText('This is pages/a/a').waitFor()
  const navigate = (url: string) => page.evaluate(`uni.navigateTo({ url: '${url}' })`)
  await navigate('/pages/b/b')
  const message = page.getByRole('button', { name: 'This page could not be loaded. Tap to try again.' })
  await message.waitFor()
  isAway = false
  await message.click()
  await page.getByText('b is number 1').waitFor()
  await navigate('/pages/c/c')
  await page.getByText('c is number 2').waitFor()
})

test('loads the first page, which the document preloads, when it is tapped', async () => {
  const files = pagesOf(['pages/a/a'])
  const notInert = `<script>\nconsole.log('runs')\n</script>\n${files['pages/a/a.vue']}`
  const { folder } = await release({
    platform: 'H5',
    project: await projectOf({ ...files, 'pages/a/a.vue': notInert }),
  })
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  let isAway = true
  await page.route(/\/pages-a-a-[^/]*\.js/, (route) => (isAway ? route.abort() : route.continue()))
  await page.goto(await hostRelease(folder))
  const message = page.getByRole('button', { name: 'This page could not be loaded. Tap to try again.' })
  await message.waitFor()
  isAway = false
  await message.click()
  await page.getByText('This is pages/a/a').waitFor()
})

test('reloads the document for a first page whose module threw, with the title of the page', async () => {
  const { folder } = await release({
    platform: 'H5',
    project: await projectOf({
      'pages.json': { pages: [{ path: 'pages/a/a', style: { navigationBarTitleText: 'Prices' } }] },
      'pages/a/a.vue': '<script setup>import "./prices.js"</script><template><view>the page</view></template>',
      'pages/a/prices.js': 'if (!localStorage.getItem("prices")) throw new Error("no prices")',
    }),
  })
  const page = await browser().newPage({ locale: 'zh-CN' })
  onTestFinished(() => page.close())
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(await hostRelease(folder))
  const message = page.getByRole('button', { name: '页面加载失败。点击屏幕重试。' })
  await message.waitFor()
  expect(await page.getByRole('heading').textContent()).toContain('Prices')
  expect(errors).toEqual(['no prices'])
  await page.evaluate(() => localStorage.setItem('prices', '1'))
  await message.click()
  await page.getByText('the page').waitFor()
})

test('answers getSystemInfo in onLaunch before the first page is created', async () => {
  const project = await projectOf({
    ...pagesOf(['pages/a/a']),
    'App.vue': `<script>
export default {
  globalData: {},
  onLaunch() {
    uni.getSystemInfo({ success: ({ windowWidth }) => { this.globalData.width = windowWidth } })
  },
}
</script>`,
    'pages/a/a.vue': `<script setup>
const { width } = getApp().globalData
</script>
<template><view>{{ width }} px wide</view></template>`,
  })
  const { folder } = await release({ platform: 'H5', project })
  const page = await browser().newPage({ viewport: { width: 390, height: 700 } })
  onTestFinished(() => page.close())
  await page.goto(await hostRelease(folder))
  await page.getByText('px wide').waitFor()
  expect(await page.getByText('px wide').textContent()).toBe('390 px wide')
})

test.each([
  ['uni-app', { 'manifest.json': { vueVersion: '3' } }, "login:fail method 'uni.login' not supported"],
  ['Souk', {}, 'login:fail not supported on H5'],
])('functions of a host fail on H5 with the message of %s', async (_, files, message) => {
  const project = await projectOf({ ...pagesOf(['pages/a/a']), ...files })
  const { folder } = await release({ platform: 'H5', project })
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  await page.goto(await hostRelease(folder))
  await page.getByText('This is pages/a/a').waitFor()
  expect(await page.evaluate('uni.login().catch(({ errMsg }) => errMsg)')).toBe(message)
})
