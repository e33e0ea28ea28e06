import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import type { Page } from 'playwright-core'
import type { Rolldown } from 'vite'
import { build } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type {} from '../packages/host/src/index.ts'
import { newContext } from './browser.ts'

/** Mini apps in web pages of other origins, by `@souk/host`: the examples, and pages with handlers of their own. */

const examples = join(import.meta.dirname, '../examples/embed')
/** The origin of the pages that embed mini apps, and their files by path. */
let origin: string
const files = new Map<string, string | Uint8Array>()
const pages = createServer((request, response) => {
  const { pathname } = new URL(request.url!, origin)
  const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  const type = path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8'
  const file = files.get(path)
  response.writeHead(file ? 200 : 404, { 'Content-Type': type }).end(file)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => pages.listen(0, 'localhost', resolve))
  origin = `http://localhost:${(pages.address() as AddressInfo).port}`
  const entry = join(import.meta.dirname, '../packages/host/src/index.ts')
  await serveBuild('/own/', { lib: { entry, formats: ['es'], fileName: 'host' } })
  files.set('/own/index.html', '<!doctype html><title>Host</title><body style="margin: 0; height: 100vh"></body>')
})
afterAll(() => pages.close())

test.for(['html', 'react', 'vue'])('the example in %s can be built', async (example) => {
  await serveBuild(`/${example}/`, { root: join(examples, example) })
  expect([...files.keys()]).toContain(`/${example}/index.html`)
})

/** Builds with Vite and serves the result in a folder. */
async function serveBuild(base: string, options: { root?: string; lib?: object }): Promise<void> {
  const built = (await build({
    base,
    configFile: false,
    logLevel: 'error',
    ...(options.root && { root: options.root }),
    plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'souk-mini-app' } } })],
    resolve: { conditions: ['souk-source', 'module', 'browser', 'production'] },
    define: { 'import.meta.env.VITE_SOUK_URL': '""', 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'esnext', ...(options.lib && { lib: options.lib as never }) },
  })) as Rolldown.RolldownOutput | Rolldown.RolldownOutput[]
  const output = [built].flat().flatMap(({ output }) => output)
  for (const file of output) files.set(base + file.fileName, file.type === 'chunk' ? file.code : file.source)
}

async function newPage(): Promise<Page & { complaints: string[] }> {
  const context = await newContext({ viewport: { width: 390, height: 844 }, locale: 'en', reducedMotion: 'reduce' })
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] })
  page.on('pageerror', (error) => page.complaints.push(String(error.stack ?? error)))
  onTestFinished(() => context.close())
  return page
}

test('a server that does not answer is reported with what to check', async () => {
  const page = await newPage()
  await page.clock.install()
  await page.goto(`${origin}/own/`)
  const failed = page.evaluate(
    async ([server]) => {
      const souk = await import(/* @vite-ignore */ `${location.origin}/own/host.js`)
      souk.createHost({ server, session: 'token' })
      const element = document.body.appendChild(document.createElement('souk-mini-app'))
      element.appid = '0'.repeat(32)
      return new Promise((resolve) => {
        element.addEventListener('failed', ({ detail }) => resolve(detail))
      })
    },
    // An origin that is nothing of Souk.
    [origin] as const,
  )
  await page.frameLocator('souk-mini-app iframe').locator('html').waitFor()
  await page.clock.runFor(60_000)
  expect(await failed).toEqual({
    code: 'unreachable',
    message: expect.stringContaining(`allow the origin ${origin}`),
  })
})
