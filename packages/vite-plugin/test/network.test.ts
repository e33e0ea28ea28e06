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

test.each(['js', 'css'])('opens a page whose %s failed to load once the network is back', async (kind) => {
  const project = await projectOf({
    ...pagesOf(['pages/a/a', 'pages/b/b']),
    'pages/b/b.vue':
      '<template><view class="other">the other page</view></template><style>.other { color: rgb(1, 2, 3) }</style>',
  })
  const { folder } = await release({ project })
  const page = await browser().newPage()
  onTestFinished(() => page.close())
  let isAway = false
  await page.route(/\/b-[^/]*\.css|\/pages-b-b-[^/]*\.js/, (route) =>
    isAway && route.request().url().includes(`.${kind}`) ? route.abort() : route.continue(),
  )
  await page.goto(await hostRelease(folder))
  await page.getByText('This is pages/a/a').waitFor()
  const open = () =>
    page.evaluate(() =>
      (window as unknown as { uni: { navigateTo(options: object): Promise<unknown> } }).uni
        .navigateTo({ url: '/pages/b/b' })
        .then(
          () => 'opened',
          () => 'failed',
        ),
    )
  isAway = true
  expect(await open()).toBe('failed')
  expect(await open()).toBe('failed')
  isAway = false
  expect(await open()).toBe('opened')
  const other = page.getByText('the other page')
  await other.waitFor()
  expect(await other.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)')
})
