import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { release } from '../src/index.ts'
import { withBrowser } from './browser.ts'
import { pagesOf, projectOf } from './project.ts'

const browser = withBrowser()

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves a release below a path and returns its URL. */
async function hostRelease(folder: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname.replace('/some/where/', '') || 'index.html'
    const text = await readFile(join(folder, path)).catch(() => undefined)
    if (text === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'application/octet-stream' }).end(text)
  })
  await new Promise<void>((done) => server.listen(0, done))
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}/some/where/`
}

test.each(['js', 'css'])('loads a page whose %s failed to load when it is tapped', async (kind) => {
  const project = await projectOf({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages/b/b.vue':
      '<template><view class="other">the other page</view></template><style>.other { color: rgb(1, 2, 3) }</style>',
  })
  const { folder } = await release({ project })
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
  // Anywhere in the page.
  await page.mouse.click(5, page.viewportSize()!.height - 5)
  await expect.poll(() => failures).toBe(2)
  await message.waitFor()
  isAway = false
  await message.press('Enter')
  const other = page.getByText('the other page')
  await other.waitFor()
  expect(await other.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
})

test('reloads the document for a first page whose module threw, with the title of the page', async () => {
  const { folder } = await release({
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
  const message = page.getByRole('button', { name: '页面加载失败，点击屏幕重试' })
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
  const { folder } = await release({ project })
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
  const { folder } = await release({ project })
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  await page.goto(await hostRelease(folder))
  await page.getByText('This is pages/a/a').waitFor()
  expect(await page.evaluate('uni.login().catch(({ errMsg }) => errMsg)')).toBe(message)
})
