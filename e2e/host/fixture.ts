import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Release, release } from '@souk/vite-plugin'
import { type Browser, type BrowserContext, chromium, type Frame } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { archiveOf } from '../../apps/server/test/archive.ts'
import { type RunningServer, startServer } from '../../apps/server/test/server.ts'
import { signParameters } from '../../packages/contract/src/open/sign.ts'
import type { Look, WatchedPage } from '../console.ts'
import { administratorOf } from '../fixture.ts'

/**
 * The host application in a browser, with mini apps of the tests' own: real releases. Each file has a server of its own, since others move the
 * clock of theirs, by which codes end.
 */

let server: RunningServer
let administrator: Awaited<ReturnType<typeof administratorOf>>

beforeAll(async () => {
  server = await startServer()
  administrator = await administratorOf(server)
})
afterAll(() => server?.stop())

/** Address of the server. */
export const serverUrl = () => server.url

/** The mini app of the tests, which is built once for each file of them. */
export const miniAppFolder = join(import.meta.dirname, 'miniApp')

type Json = Record<string, unknown>

/** An operation of the console, as its administrator. */
export async function manage<T = Json>(method: string, path: string, input?: Json | FormData): Promise<T> {
  const isForm = input instanceof FormData
  const answer = await fetch(`${server.url}/console/v1/${path}`, {
    method,
    headers: {
      Cookie: `souk_session=${administrator.session}`,
      'X-Souk-CSRF': administrator.csrf,
      ...(input && !isForm ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(input ? { body: isForm ? input : JSON.stringify(input) } : {}),
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
  return body as T
}

/** A mini app, and the backend that it would have. */
export interface Shop {
  appid: string
  /** Calls the open API (open-api §4.3) with the sign of the mini app. */
  backend(method: 'GET' | 'POST', path: string, own: Record<string, string>): Promise<Record<string, unknown>>
  /** Uploads a release and publishes it, unless told otherwise, and gives its id. */
  upload(version: string, files: Record<string, string | Buffer>, isPublished?: boolean): Promise<string>
}

let projectId: Promise<string> | undefined

export async function openShop(name: string): Promise<Shop> {
  projectId ??= manage<{ projectId: string }>('POST', 'projects', { name: 'Bakeries' }).then((made) => made.projectId)
  const { appid, secret } = await manage<{ appid: string; secret: string }>('POST', 'apps', {
    projectId: await projectId,
    name,
  })
  await manage('PATCH', `apps/${appid}`, {
    capabilities: ['login', 'payment', 'activity'],
    merchantName: `${name} Co.`,
  })
  return {
    appid,
    async backend(method, path, own) {
      const parameters = Object.entries({ appid, timestamp: String(Date.now()), ...own })
      const form = new URLSearchParams([...parameters, ['sign', signParameters(parameters, secret)]])
      const answer = await (method === 'GET'
        ? fetch(`${server.url}/neuopenapi${path}?${form}`)
        : fetch(`${server.url}/neuopenapi${path}`, { method, body: form }))
      const { response, responseHeader } = (await answer.json()) as Record<string, Json>
      expect(responseHeader).toMatchObject({ status: 200 })
      return response!
    },
    async upload(version, files, isPublished = true) {
      const form = new FormData()
      form.append('version', version)
      form.append('fileData', new Blob([new Uint8Array(await archiveOf(files))]), 'release.tar.gz')
      const { releaseId } = await manage<{ releaseId: string }>('POST', `apps/${appid}/releases`, form)
      if (isPublished) await manage('POST', `apps/${appid}/releases/${releaseId}/publish`, {})
      return releaseId
    },
  }
}

let built: Promise<Record<string, Buffer>> | undefined

/** What the build tool makes of the mini app of the tests. */
export function builtMiniApp(): Promise<Record<string, Buffer>> {
  built ??= (async () => {
    const out = join(tmpdir(), `souk-host-${process.pid}`)
    const { folder, files }: Release = await release({ project: miniAppFolder, platform: 'Mini App', out })
    const contents = await Promise.all(
      files.map(async ({ path }) => [path, await readFile(join(folder, path))] as const),
    )
    await rm(out, { recursive: true })
    return Object.fromEntries(contents)
  })()
  return built
}

/** A mock user of the sandbox. */
export async function newUser(nickname: string, more: Json = {}): Promise<number> {
  return (await manage<{ uid: number }>('POST', 'sandbox/users', { nickname, ...more })).uid
}

let browser: Promise<Browser> | undefined
const contexts: BrowserContext[] = []

afterAll(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()))
  await (await browser)?.close()
  browser = undefined
})

const sizes = { desktop: { width: 1280, height: 960 }, phone: { width: 390, height: 844 } }

/** A page of the host where this user is signed in, not yet opened. Addresses begin below `/host/`. */
export async function hostPage(uid: number, look: Partial<Look> = {}): Promise<WatchedPage> {
  const { language = 'en', scheme = 'light', device = 'phone' } = look
  const signedIn = await fetch(`${server.url}/host/v1/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ uid }),
  })
  const { session: token, user } = (await signedIn.json()) as Json
  browser ??= chromium.connect(inject('browser'))
  const context = await (await browser).newContext({
    baseURL: `${server.url}/host/`,
    locale: language,
    colorScheme: scheme,
    viewport: sizes[device],
    hasTouch: device === 'phone',
    reducedMotion: 'reduce',
    storageState: {
      cookies: [],
      origins: [
        { origin: server.url, localStorage: [{ name: 'souk.host.session', value: JSON.stringify({ token, user }) }] },
      ],
    },
  })
  contexts.push(context)
  context.setDefaultTimeout(30_000)
  const page = (await context.newPage()) as WatchedPage
  page.complaints = []
  page.on('pageerror', (error) => page.complaints.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) page.complaints.push(message.text())
  })
  return page
}

/** The document of a mini app that is open. */
export async function frameOf(page: WatchedPage, { appid }: Shop): Promise<Frame> {
  const element = await page.waitForSelector(`iframe[src^="/mini/${appid}/"]`, { state: 'attached' })
  return (await element.contentFrame())!
}

/** Opens a mini app and waits until its first page is there. */
export async function openMiniApp(page: WatchedPage, shop: Shop, query = ''): Promise<Frame> {
  await page.goto(`apps/${shop.appid}${query}`)
  return started(page, shop)
}

/** Opens a mini app from the home page, so that there is a way back. */
export async function enterMiniApp(page: WatchedPage, shop: Shop): Promise<Frame> {
  if (new URL(page.url(), 'http://none').pathname !== '/host/') await page.goto('')
  await page.locator(`a[href="/host/apps/${shop.appid}"]`).click()
  return started(page, shop)
}

export async function started(page: WatchedPage, shop: Shop): Promise<Frame> {
  const frame = await frameOf(page, shop)
  await frame.waitForSelector('neu-page')
  return frame
}

type Api = Record<string, (options?: object) => Promise<unknown>>

/** Calls a method of `neu` in a mini app; a refusal gives its errMsg. */
export function neu<T = unknown>(frame: Frame, method: string, options?: object): Promise<T | string> {
  return frame.evaluate(
    ([method, options]) =>
      (window as unknown as { uni: Api }).uni[method]!(options).catch((error: { errMsg: string }) => error.errMsg),
    [method, options] as const,
  ) as Promise<T | string>
}

/** The openId that a backend gets for a code. */
export async function openIdOf(shop: Shop, code: string, scope = 'user.info'): Promise<string> {
  return (await profileOf(shop, code, scope)).openId as string
}

/** The user's profile that a backend gets for a code (open-api §2.4). */
export async function profileOf(shop: Shop, code: string, scope = 'user.info'): Promise<Json> {
  const grant = { code, grantType: 'authorization_code', scope }
  const { accessToken } = await shop.backend('POST', '/oauth/mini/accessToken', grant)
  const answer = await fetch(`${server.url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
  return ((await answer.json()) as { response: Json }).response
}
