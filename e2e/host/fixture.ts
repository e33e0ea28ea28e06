import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Release, release } from '@souk/vite-plugin'
import type { Frame, Page } from 'playwright-core'
import { beforeAll, expect, inject } from 'vitest'
import { archiveOf } from '../../apps/server/test/archive.ts'
import { startServer } from '../../apps/server/test/server.ts'
import { signParameters } from '../../packages/contract/src/open/sign.ts'
import { afterFile, afterTest, lendPage, newContext, storeBefore } from '../browser.ts'
import { type Look, type WatchedPage, watched } from '../console.ts'

/** Test environment for the host application with real releases of mini apps. */

interface TestServer {
  url: string
  /** The origin at which browsers open the host. */
  publicUrl: string
  adminToken: string
  projectId?: Promise<string>
}

const emptyServer = inject('emptyServer')
const shared: TestServer = { ...emptyServer, publicUrl: emptyServer.url }
let server = shared

/**
 * Starts a server for a test file, to be called at its top: for tests that move the clock, which expires codes, or need
 * settings, by the server's port. All other files share a server.
 */
export function useOwnServer(settings: (port: number) => Record<string, string> = () => ({})): void {
  beforeAll(async () => {
    const started = await startServer({ env: settings })
    afterFile(() => {
      server = shared
      return started.stop()
    })
    const { url, adminToken } = started
    server = { url, publicUrl: settings(Number(new URL(url).port)).SOUK_PUBLIC_URL ?? url, adminToken }
  })
}

/** Returns the URL of the server. */
export const serverUrl = () => server.url

/** Source of the test mini app. */
export const miniAppFolder = join(import.meta.dirname, 'miniApp')

type Json = Record<string, unknown>

/** Calls a console operation with the admin token. Waits, as clients do, when too many of its calls are in progress. */
export async function manage<T = Json>(method: string, path: string, input?: Json | FormData): Promise<T> {
  const isForm = input instanceof FormData
  const answer = await fetch(`${server.url}/console/v1/${path}`, {
    method,
    headers: {
      // A session would have to be confirmed again after some minutes.
      Authorization: `Bearer ${server.adminToken}`,
      ...(input && !isForm ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(input ? { body: isForm ? input : JSON.stringify(input) } : {}),
  })
  const body = await answer.json()
  if (answer.status === 429) {
    await wait(body.data.retryAfter * 1000)
    return manage(method, path, input)
  }
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

/** Creates a mini app, in one project for all of a worker. */
export async function openShop(name: string): Promise<Shop> {
  server.projectId ??= manage<{ projectId: string }>('POST', 'projects', { name: 'Bakeries' }).then(
    ({ projectId }) => projectId,
  )
  const { appid, secret } = await manage<{ appid: string; secret: string }>('POST', 'apps', {
    projectId: await server.projectId,
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

/** Creates an account with a role in the project of a mini app, and returns its console session. */
export async function memberOf({ appid }: Shop, role: 'owner' | 'editor' | 'viewer'): Promise<string> {
  const { projectId } = await manage<{ projectId: string }>('GET', `apps/${appid}`)
  const { token } = await manage<{ token: string }>('POST', `projects/${projectId}/invitations`, { role })
  const username = `u${randomBytes(6).toString('hex')}`
  const joined = await fetch(`${server.url}/console/v1/invitations/join`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, username, name: 'Karim', password: randomBytes(12).toString('hex') }),
  })
  const session = joined.headers.getSetCookie().find((cookie) => cookie.startsWith('souk_session='))
  if (!session) throw new Error(`cannot join: ${await joined.text()}`)
  return session.split(';')[0]!.slice('souk_session='.length)
}

let built: Promise<Record<string, Buffer>> | undefined

/** The declaration of the function of the host that the test mini app calls. */
const loyaltyCard = async () => ({
  name: 'loyaltyCard',
  ...JSON.parse(await readFile(join(miniAppFolder, 'host-functions.json'), 'utf8')).loyaltyCard,
})

/** Builds the test mini app, once per worker. It asks for no functions of the host, which not all servers have. */
export async function builtMiniApp(): Promise<Record<string, Buffer>> {
  const files = await builtWithFunctions()
  const { hostFunctions: _, ...manifest } = JSON.parse(String(files['souk-app.json']))
  return { ...files, 'souk-app.json': Buffer.from(JSON.stringify(manifest)) }
}

/** Uploads the test mini app, which asks for a function of the host, and returns its review. */
export async function submitWithFunctions(
  shop: Shop,
  version: string,
): Promise<{ releaseId: string; reviewId: string }> {
  await manage('POST', 'host-functions', await loyaltyCard())
  const releaseId = await shop.upload(version, await builtWithFunctions(), false)
  const { reviewId } = await manage<{ reviewId: string }>('POST', `apps/${shop.appid}/releases/${releaseId}/submit`, {})
  return { releaseId, reviewId }
}

/** Calls a function of the host in a mini app; returns the errMsg if it fails. */
export async function callHost(frame: Frame, name: string, input: object): Promise<unknown> {
  // Functions that the project does not mention are loaded a moment later.
  await frame.waitForFunction(() => 'host' in (window as unknown as { uni: object }).uni)
  return frame.evaluate(
    ([name, input]) =>
      (window as unknown as { uni: { host: Api } }).uni.host[name]!(input).catch(
        (error: { errMsg: string }) => error.errMsg,
      ),
    [name, input] as const,
  )
}

function builtWithFunctions(): Promise<Record<string, Buffer>> {
  built ??= (async () => {
    const out = await mkdtemp(join(tmpdir(), 'souk-host-'))
    const { folder, files }: Release = await release({
      project: miniAppFolder,
      platform: 'Mini App',
      out: join(out, 'release'),
    })
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

const sizes = {
  desktop: { width: 1280, height: 960 },
  tablet: { width: 834, height: 1112 },
  phone: { width: 390, height: 844 },
}

/** Returns a page with this user signed in. URLs are relative to `/host/`. A later test gets the page. */
export async function hostPage(uid: number, look: Partial<Look> = {}): Promise<WatchedPage> {
  const { language = 'en', scheme = 'light', device = 'phone' } = look
  const lent = await lendPage({
    baseURL: `${server.publicUrl}/host/`,
    locale: language,
    colorScheme: scheme,
    viewport: sizes[device],
    hasTouch: device !== 'desktop',
    reducedMotion: 'reduce',
  })
  afterTest(lent.giveBack)
  const { page } = lent
  await storeBefore(page, `${server.publicUrl}/healthz`, { 'souk.host.session': await newSession(uid) })
  return watched(page)
}

/** Starts a session of a mock user, and returns it as the host stores it. */
export async function newSession(uid: number): Promise<string> {
  const signedIn = await fetch(`${server.url}/host/v1/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ uid }),
  })
  const { session: token, user } = (await signedIn.json()) as Json
  return JSON.stringify({ token, user })
}

/** Stores another session, as the host does in another window. */
export async function signInElsewhere(page: Page, session: string): Promise<void> {
  await page.evaluate((session) => {
    const key = 'souk.host.session'
    localStorage.setItem(key, session)
    dispatchEvent(new StorageEvent('storage', { key }))
  }, session)
}

/** Creates a page without a user. */
export async function browserPage(): Promise<Page> {
  return await (await newContext()).newPage()
}

/** Returns the frame of an open mini app. */
export async function frameOf(page: Page, { appid }: Shop): Promise<Frame> {
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
  await chooseMiniApp(page, shop)
  return started(page, shop)
}

/** Finds a mini app on the home page, which renders only those near the screen, and opens it. */
export async function chooseMiniApp(page: WatchedPage, { appid }: Shop): Promise<void> {
  if (new URL(page.url(), 'http://none').pathname !== '/host/') await page.goto('')
  await page.getByRole('searchbox').fill(appid)
  await page.locator(`a[href="/host/apps/${appid}"]`).click()
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
