import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Release, release } from '@souk/vite-plugin'
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { archiveOf } from '../../apps/server/test/archive.ts'
import { type RunningServer, startServer } from '../../apps/server/test/server.ts'
import { signParameters } from '../../packages/contract/src/open/sign.ts'
import type { Look, WatchedPage } from '../console.ts'
import { administratorOf } from '../fixture.ts'

/**
 * Test environment for the host application with real releases of mini apps. Each test file has its own server, because
 * some tests move the clock, which expires codes.
 */

let server: RunningServer
let administrator: Awaited<ReturnType<typeof administratorOf>>

let settings: (port: number) => Record<string, string> = () => ({})

/** Sets the server's settings, by its port. To be called before the tests. */
export function withSettings(env: typeof settings): void {
  settings = env
}

/** The origin at which browsers open the host. */
let publicUrl: string

beforeAll(async () => {
  server = await startServer({ env: settings })
  publicUrl = settings(Number(new URL(server.url).port)).SOUK_PUBLIC_URL ?? server.url
  administrator = await administratorOf(server)
})
afterAll(() => server?.stop())

/** Returns the URL of the server. */
export const serverUrl = () => server.url

/** Source of the test mini app, built once per test file. */
export const miniAppFolder = join(import.meta.dirname, 'miniApp')

type Json = Record<string, unknown>

/** Calls a console operation as administrator. */
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

/** A mini app with its backend. */
export interface Shop {
  appid: string
  /** Calls the open API (open-api §4.3), signed as the mini app. */
  backend(method: 'GET' | 'POST', path: string, parameters: Record<string, string>): Promise<Record<string, unknown>>
  /** Uploads a release, publishes it by default, and returns its id. */
  upload(
    version: string,
    files: Record<string, string | Buffer>,
    isPublished?: boolean,
    notes?: Record<string, string>,
  ): Promise<string>
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
    async upload(version, files, isPublished = true, notes = {}) {
      const form = new FormData()
      form.append('version', version)
      form.append('notes', JSON.stringify(notes))
      form.append('fileData', new Blob([new Uint8Array(await archiveOf(files))]), 'release.tar.gz')
      const { releaseId } = await manage<{ releaseId: string }>('POST', `apps/${appid}/releases`, form)
      if (isPublished) await manage('POST', `apps/${appid}/releases/${releaseId}/publish`, {})
      return releaseId
    },
  }
}

let built: Promise<Record<string, Buffer>> | undefined

/** Builds the test mini app. */
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

/** Creates a mock user and returns the uid. */
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

/** Creates a page with this user signed in. URLs are relative to `/host/`. */
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
    baseURL: `${publicUrl}/host/`,
    locale: language,
    colorScheme: scheme,
    viewport: sizes[device],
    hasTouch: device === 'phone',
    reducedMotion: 'reduce',
    storageState: {
      cookies: [],
      origins: [
        { origin: publicUrl, localStorage: [{ name: 'souk.host.session', value: JSON.stringify({ token, user }) }] },
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

/** Creates a page without a user. */
export async function browserPage(): Promise<Page> {
  browser ??= chromium.connect(inject('browser'))
  const context = await (await browser).newContext()
  contexts.push(context)
  return context.newPage()
}

/** Returns the frame of an open mini app. */
export async function frameOf(page: WatchedPage, { appid }: Shop): Promise<Frame> {
  const element = await page.waitForSelector(`iframe[src*="/mini/${appid}/"]`, { state: 'attached' })
  return (await element.contentFrame())!
}

/** Opens a mini app by URL and waits for its first page. */
export async function openMiniApp(page: WatchedPage, shop: Shop, query = ''): Promise<Frame> {
  await page.goto(`apps/${shop.appid}${query}`)
  return started(page, shop)
}

/** Opens a mini app from the home page, so that it is possible to go back. */
export async function enterMiniApp(page: WatchedPage, shop: Shop): Promise<Frame> {
  if (new URL(page.url(), 'http://none').pathname !== '/host/') await page.goto('')
  await page.locator(`a[href="/host/apps/${shop.appid}"]`).click()
  return started(page, shop)
}

/** Waits for the first page of a mini app. */
export async function started(page: WatchedPage, shop: Shop): Promise<Frame> {
  const frame = await frameOf(page, shop)
  await frame.waitForSelector('neu-page')
  return frame
}

type Api = Record<string, (options?: object) => Promise<unknown>>

/** Calls a method of `neu` in a mini app; returns the errMsg if it fails. */
export function neu<T = unknown>(frame: Frame, method: string, options?: object): Promise<T | string> {
  return frame.evaluate(
    ([method, options]) =>
      (window as unknown as { uni: Api }).uni[method]!(options).catch((error: { errMsg: string }) => error.errMsg),
    [method, options] as const,
  ) as Promise<T | string>
}

/** Exchanges a code and returns the openId. */
export async function openIdOf(shop: Shop, code: string, scope = 'user.info'): Promise<string> {
  return (await profileOf(shop, code, scope)).openId as string
}

/** Exchanges a code and returns the user's profile (open-api §2.4). */
export async function profileOf(shop: Shop, code: string, scope = 'user.info'): Promise<Json> {
  const grant = { code, grantType: 'authorization_code', scope }
  const { accessToken } = await shop.backend('POST', '/oauth/mini/accessToken', grant)
  const answer = await fetch(`${server.url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
  return ((await answer.json()) as { response: Json }).response
}
