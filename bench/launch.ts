import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { second } from '@souk/contract'
import { release } from '@souk/vite-plugin'
import type { BrowserContext, Page } from 'playwright-core'
import { archiveOf } from '../apps/server/test/archive.ts'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { launchChromium } from '../e2e/chromium.ts'
import { writeProject } from './miniAppProject.ts'
import { inverseRatio, medianOf } from './report.ts'

const goal = 2

/** Something that opens in a frame when a link on a page is tapped. */
interface Side {
  page: string
  link: string
  /** Part of the frame's URL. */
  frame: string
}

/**
 * Measures the time from a tap on a mini app in the host until the browser paints something of it, compared with a
 * frame that contains one line of HTML. All were opened before, so everything is in the browser's caches.
 *
 * Such a frame is painted after two frames of the screen on every machine, so the ratio to it depends on the speed of
 * the processor. `inverse`, which is compared between releases, is the ratio to a frame in which Vue renders that line.
 */
export async function benchLaunch({ quick, log }: { quick: boolean; log: (text: string) => void }) {
  log('Starting a server and building a mini app …')
  const server = await startServer()
  const peers = await servePeers()
  const browser = await launchChromium()
  try {
    const { appid, session } = await publishMiniApp(server)
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      storageState: {
        cookies: [],
        origins: [{ origin: server.url, localStorage: [{ name: 'souk.host.session', value: session }] }],
      },
    })
    const sides = {
      souk: { page: `${server.url}/host/`, link: `a[href="/host/apps/${appid}"]`, frame: `/mini/${appid}/` },
      bare: { page: `${peers.url}/`, link: '#bare', frame: '/bare' },
      vue: { page: `${peers.url}/`, link: '#vue', frame: '/vue' },
    }
    const rounds = quick ? 5 : 25
    log(`Taps: ${rounds} rounds …`)
    // Chromium stores compiled code when a script is loaded for the second time.
    for (let round = 0; round < 3; round += 1) await measureEach(context, sides)
    const times: Record<keyof typeof sides, number>[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await measureEach(context, sides))
    const ratio = medianOf(times.map(({ souk, bare }) => souk / bare))
    const timesOf = (side: keyof typeof sides) => times.map((round) => round[side])
    const [souk, bare, vue] = [medianOf(timesOf('souk')), medianOf(timesOf('bare')), medianOf(timesOf('vue'))]
    const inverse = inverseRatio('tap to first paint, of a frame with Vue', timesOf('souk'), timesOf('vue'))
    return { souk, bare, vue, ratio, rounds, goal, met: ratio <= goal, inverse }
  } finally {
    await browser.close()
    peers.close()
    await server.stop()
  }
}

export type LaunchReport = Awaited<ReturnType<typeof benchLaunch>>

async function measureEach<Name extends string>(context: BrowserContext, sides: Record<Name, Side>) {
  const times = {} as Record<Name, number>
  for (const name in sides) times[name] = await measureTap(context, sides[name])
  return times
}

/** Returns the time in ms from the tap to the first contentful paint in the frame. */
async function measureTap(context: BrowserContext, { page: url, link, frame: part }: Side): Promise<number> {
  const page = await context.newPage()
  try {
    await page.goto(url)
    await page.locator(link).first().waitFor()
    // Users do not tap within the first second, in which the host prefetches.
    await page.waitForTimeout(second)
    await page.evaluate(`addEventListener('click', ({ timeStamp }) => {
      window.tappedAt = performance.timeOrigin + timeStamp
    }, { capture: true, once: true })`)
    await page.locator(link).first().click()
    const painted = await paintIn(page, part)
    return painted - ((await page.evaluate('window.tappedAt')) as number)
  } finally {
    await page.close()
  }
}

/** Returns when the browser first painted content of a frame, ms of the wall clock. */
async function paintIn(page: Page, part: string): Promise<number> {
  const element = await page.waitForSelector(`iframe[src*="${part}"]`, { state: 'attached' })
  const frame = (await element.contentFrame())!
  return (await frame.evaluate(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const [paint] = list.getEntriesByName('first-contentful-paint')
      if (paint) resolve(performance.timeOrigin + paint.startTime)
    }).observe({ type: 'paint', buffered: true })
  })`)) as number
}

/** Serves a page whose links open frames in the same sandbox as that of a mini app. */
async function servePeers(): Promise<{ url: string; close(): void }> {
  const page = `<!doctype html><meta name="viewport" content="width=device-width">
    <a href="#" id="bare">Open</a> <a href="#" id="vue">Open</a><script>
    for (const link of document.links) link.onclick = () => {
      const frame = document.createElement('iframe')
      frame.sandbox = 'allow-scripts'
      frame.src = '/' + link.id
      document.body.append(frame)
    }
  </script>`
  const line = 'This is page number 0'
  const files: Record<string, { type: string; body: string }> = {
    '/': { type: 'text/html', body: page },
    '/bare': { type: 'text/html', body: `<!doctype html><p>${line}` },
    '/vue': {
      type: 'text/html',
      body: `<!doctype html><div id="app"></div><script src="/vue.js"></script><script>
        Vue.createApp({ render: () => Vue.h('p', '${line}') }).mount('#app')
      </script>`,
    },
    '/vue.js': {
      type: 'text/javascript',
      body: await readFile(createRequire(import.meta.url).resolve('vue/dist/vue.runtime.global.prod.js'), 'utf8'),
    },
  }
  const server = createServer(({ url = '' }, response) => {
    const file = Object.hasOwn(files, url) ? files[url] : undefined
    response.writeHead(file ? 200 : 404, {
      'Content-Type': file?.type ?? 'text/plain',
      'Cache-Control': 'max-age=3600',
    })
    response.end(file?.body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** Publishes a mini app of ten pages, and signs a user in. */
async function publishMiniApp({ url, adminToken }: RunningServer): Promise<{ appid: string; session: string }> {
  async function post<Result>(path: string, body: object | FormData): Promise<Result> {
    const isForm = body instanceof FormData
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminToken}`, ...(!isForm && { 'Content-Type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as Result
  }
  const { projectId } = await post<{ projectId: string }>('/console/v1/projects', { name: 'Bench' })
  const { appid } = await post<{ appid: string }>('/console/v1/apps', { projectId, name: 'Bench' })
  const form = new FormData()
  form.append('version', '1.0.0')
  form.append('fileData', new Blob([await buildMiniApp()]), 'release.tar.gz')
  const releases = `/console/v1/apps/${appid}/releases`
  const { releaseId } = await post<{ releaseId: string }>(releases, form)
  await post(`${releases}/${releaseId}/publish`, {})
  const { uid } = await post<{ uid: number }>('/console/v1/sandbox/users', { nickname: 'Layla' })
  const { session: token, user } = await post<{ session: string; user: object }>('/host/v1/sessions', { uid })
  return { appid, session: JSON.stringify({ token, user }) }
}

/** Returns the archive of a release. */
async function buildMiniApp(): Promise<Uint8Array<ArrayBuffer>> {
  const home = mkdtempSync(join(tmpdir(), 'souk-bench-'))
  try {
    const project = join(home, 'project')
    writeProject(project, 10)
    const { folder, files } = await release({ project, platform: 'Mini App', out: join(home, 'release') })
    const contents = files.map(async ({ path }) => [path, await readFile(join(folder, path))] as const)
    return new Uint8Array(await archiveOf(Object.fromEntries(await Promise.all(contents))))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

export function printLaunch({ souk, bare, vue, ratio, rounds, goal, met }: LaunchReport): void {
  console.log(`tap to first paint, medians of ${rounds} rounds`)
  console.log(`  mini app    ${souk.toFixed(0)} ms`)
  console.log(`  bare frame  ${bare.toFixed(0)} ms`)
  console.log(`  Vue frame   ${vue.toFixed(0)} ms`)
  console.log(`  ratio to the bare frame  ${ratio.toFixed(2)}   ≤ ${goal} ${met ? 'met' : 'MISSED'}`)
}
