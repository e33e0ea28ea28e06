import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import type { Page } from 'playwright-core'
import type { Rolldown } from 'vite'
import { build } from 'vite'
import { beforeAll, onTestFinished } from 'vitest'
import { afterFile, newContext } from './browser.ts'

/** Pages that embed mini apps, at their own origin. Servers of Souk are at 127.0.0.1, which is another site. */

const examples = join(import.meta.dirname, '../examples/embed')
const files = new Map<string, string | Uint8Array>()
let origin: string

/** Returns the origin of the pages. */
export const pagesOrigin = () => origin

/** Serves `/own/`, an empty page with the module `host.js`, for the current test file, to be called at its top. */
export function servePages(): void {
  beforeAll(async () => {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, origin)
      const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8'
      const file = files.get(path)
      response.writeHead(file ? 200 : 404, { 'Content-Type': type }).end(file)
    })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    afterFile(() => server.close())
    origin = `http://localhost:${(server.address() as AddressInfo).port}`
    files.set('/own/index.html', '<!doctype html><title>Host</title><body style="margin: 0; height: 100vh"></body>')
    const entry = join(import.meta.dirname, '../packages/host/src/index.ts')
    await serveBuild('/own/', { lib: { entry, formats: ['es'], fileName: 'host' } })
  })
}

/** Builds an example for a server, and returns its address. */
export async function serveExample(example: string, serverUrl: string): Promise<string> {
  await serveBuild(`/${example}/`, {}, { root: join(examples, example), serverUrl })
  return `${origin}/${example}/`
}

async function serveBuild(
  base: string,
  options: object,
  { root, serverUrl = '' }: { root?: string; serverUrl?: string } = {},
): Promise<void> {
  const built = (await build({
    base,
    configFile: false,
    logLevel: 'error',
    ...(root && { root }),
    plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'souk-mini-app' } } })],
    // Tests run with NODE_ENV=test, which Vite takes for development.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    resolve: { conditions: ['souk-source', 'module', 'browser', 'production'] },
    define: { 'import.meta.env.VITE_SOUK_URL': JSON.stringify(serverUrl), 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'esnext', ...options },
  })) as Rolldown.RolldownOutput | Rolldown.RolldownOutput[]
  const output = [built].flat().flatMap(({ output }) => output)
  for (const file of output) files.set(base + file.fileName, file.type === 'chunk' ? file.code : file.source)
}

/** Page that records script errors. */
export interface EmbeddingPage extends Page {
  complaints: string[]
}

export async function newPage(): Promise<EmbeddingPage> {
  const context = await newContext({ viewport: { width: 390, height: 844 }, locale: 'en', reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] })
  page.on('pageerror', (error) => page.complaints.push(String(error.stack ?? error)))
  return page
}
