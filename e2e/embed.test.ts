import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { embedErrors, embedMessageLimit } from '@souk/contract/embed'
import type { Frame, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsOf, wcag } from './axe.ts'
import { afterFile, newContext } from './browser.ts'
import {
  browserPage,
  builtMiniApp,
  callHost,
  frameOf,
  manage,
  neu,
  newUser,
  openIdOf,
  openShop,
  profileOf,
  type Shop,
  serverUrl,
  submitWithFunctions,
  useOwnServer,
} from './host/fixture.ts'

/** Mini apps in web views: an application that is around the page, by each kind of channel, written here in Node. */

useOwnServer()

let shop: Shop
beforeAll(async () => {
  shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
})

/** Message channels of the supported web views. */
const kinds = ['webkit', 'android', 'flutter', 'reactNative'] as const
type Kind = (typeof kinds)[number]

type Params = Record<string, unknown>
type Handlers = Record<string, (params: never, id: number) => unknown>
/** What an application sends instead of one result. */
class Answers {
  readonly messages: object[]
  constructor(messages: object[]) {
    this.messages = messages
  }
}
interface Message {
  pageId: string
  id?: number
  method?: string
  params?: Params
  result?: unknown
}

async function sessionOf(uid: number): Promise<string> {
  const response = await fetch(`${serverUrl()}/host/v1/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ uid }),
  })
  return ((await response.json()) as { session: string }).session
}

/** Adds the channel of a web view to a page. */
function addChannel(kind: Kind): void {
  if (window !== window.top) return
  const native = window as unknown as Record<string, unknown> & { toNative(text: string): void }
  const poster = { postMessage: (text: string) => native.toNative(text) }
  if (kind === 'webkit') native.webkit = { messageHandlers: { soukHost: poster } }
  else if (kind === 'reactNative') native.ReactNativeWebView = poster
  else native.soukHost = poster
}

/** Passes a message of the application to the page. */
function deliver([kind, text]: readonly [Kind, string]): void {
  const { souk, soukHost } = window as unknown as {
    souk: { receive(text: string): void }
    soukHost: { onmessage(event: { data: string }): void }
  }
  if (kind === 'android') soukHost.onmessage({ data: text })
  else souk.receive(text)
}

/** Denies storage to all frames, as browsers can do in frames of other sites. */
function denyStorage(): void {
  for (const area of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, area, {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  }
}

/** Opens a page in a web view of an application with these handlers. `prepare` runs in each frame at first. */
async function openWebView(
  kind: Kind,
  handlers: Handlers,
  path = shop.appid,
  prepare = () => {},
  { ownClock = false } = {},
) {
  const context = await newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'en',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const calls: [method: string, params: unknown][] = []
  const pageIds = new Set<string>()
  const errors: string[] = []
  const waiting = new Map<number, (result: unknown) => void>()
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const send = (message: object) => page.evaluate(deliver, [kind, JSON.stringify(message)] as const)

  async function receive(text: string): Promise<void> {
    const { pageId, id, method, params, result } = JSON.parse(text) as Message
    pageIds.add(pageId)
    if (method === undefined) return waiting.get(id!)?.(result)
    calls.push([method, params])
    if (id === undefined) return
    const handler = handlers[method]
    if (!handler) {
      await send({ jsonrpc: '2.0', id, error: { code: embedErrors.refused, message: 'refused' } })
      return
    }
    const answered = await handler(params as never, id)
    const messages = answered instanceof Answers ? answered.messages : [{ id, result: answered }]
    for (const each of messages) await send({ jsonrpc: '2.0', ...each })
  }
  await page.exposeFunction('toNative', (text: string) => void receive(text))
  await page.addInitScript(addChannel, kind)
  await page.addInitScript(prepare)
  if (ownClock) await page.clock.install()
  await page.goto(`${serverUrl()}/host/embed/${path}`)
  return {
    page,
    calls,
    pageIds,
    errors,
    send,
    /** Waits for a call or notification and returns its latest parameters. */
    called: async (method: string) => {
      const last = () => calls.findLast(([name]) => name === method)
      await expect.poll(last, { timeout: 20_000, message: `${method} was not called` }).toBeDefined()
      return last()![1]
    },
    back: () =>
      new Promise<unknown>((resolve) => {
        waiting.set(1, resolve)
        void send({ jsonrpc: '2.0', id: 1, method: 'back', params: {} })
      }),
  }
}

const initialize = (session: string, handles: string[] = []) => ({
  initialize: () => ({ version: 1, session, handles, environment: { language: 'en', theme: 'dark' } }),
})

async function miniApp(page: Page, opened = shop): Promise<Frame> {
  const frame = await frameOf(page, opened)
  await frame.waitForSelector('neu-page')
  return frame
}

let orders = 0
/** Creates an order of 12.50 SAR of the user of a mini app. */
async function order(frame: Frame): Promise<string> {
  const { code } = (await neu<{ code: string }>(frame, 'login')) as { code: string }
  const { tradeNo } = await shop.backend('POST', '/pay/transactions/trade', {
    amount: '1250',
    currency: 'SAR',
    openId: await openIdOf(shop, code),
    description: 'Two date cakes',
    notifyUrl: 'http://127.0.0.1:1/paid',
    outTradeNo: `embedded-${++orders}`,
  })
  return tradeNo as string
}

describe.each(kinds)('in a web view with the channel %s', (kind) => {
  test('the page does what the application does not: consent, cashier, and leaving', async () => {
    const view = await openWebView(kind, initialize(await sessionOf(await newUser('Noura', { phone: '500000042' }))))
    const { page, calls, called, errors } = view
    expect(await called('initialize')).toEqual({ version: 1, appid: shop.appid })
    const frame = await miniApp(page)
    expect(await called('ready')).toEqual({ name: 'Old Town Bakery' })
    expect(await called('appearance')).toMatchObject({ name: 'Old Town Bakery', orientation: 'portrait' })
    expect(await page.evaluate(() => document.documentElement.dataset.scheme)).toBe('dark')
    expect(await page.evaluate(() => ({ ...localStorage }))).not.toHaveProperty('souk.host.session')

    const code = neu<{ code: string }>(frame, 'getAuthCode', { scope: 'user.phone' })
    await page.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true }).click()
    expect(await code).toMatchObject({ code: expect.any(String) })

    const paid = neu(frame, 'requestPayment', { tradeNo: await order(frame) })
    const cashier = page.getByRole('dialog', { name: 'Payment' })
    await cashier.locator('footer button').first().click()
    await cashier.getByRole('button', { name: 'Done' }).click()
    expect(await paid).toMatchObject({ status: 2 })
    await cashier.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Mini app menu' }).click()
    expect(await view.back()).toEqual({ isHandled: true })
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Leave mini app' }).click()
    await called('close')
    // On its first page the mini app leaves.
    const closed = () => calls.filter(([method]) => method === 'close').length
    await view.back()
    await expect.poll(closed, { timeout: 20_000 }).toBe(2)
    expect(calls.map(([method]) => method)).not.toContain('requestPayment')
    expect([...view.pageIds]).toEqual([expect.stringMatching(/^\w{4,}(-\w+){3}$/)])
    expect(errors).toEqual([])
  })

  test('the application takes over what it lists, and gives a new session when the server refuses the old one', async () => {
    const uid = await newUser('Huda', { phone: '500000042' })
    const session = await sessionOf(uid)
    const stored = new Map<string, string>()
    const place = { latitude: 24.7, longitude: 46.7, accuracy: 5, altitude: 600, speed: -1 }
    const scanned = { result: 'table 7', scanType: 'QR_CODE', charSet: 'UTF-8' }
    const handles = 'share scanCode getLocation openUrl requestPayment askConsent openMiniApp storage'.split(' ')
    const view = await openWebView(kind, {
      ...initialize(session, handles),
      getSession: async () => ({ session: await sessionOf(uid) }),
      share: () => ({}),
      scanCode: () => scanned,
      getLocation: () => place,
      openUrl: () => ({}),
      requestPayment: () => ({ status: 2 }),
      askConsent: () => ({ isAllowed: true }),
      readStorage: () => ({ entries: [...stored] }),
      setStorage: ({ key, data }: { key: string; data: string }) => {
        stored.set(key, data)
        return {}
      },
    })
    const { page, called, errors } = view
    const frame = await miniApp(page)
    await called('ready')

    expect(await neu(frame, 'share', { title: 'Offer', href: 'https://coffee.example' })).toMatchObject({
      errMsg: 'share:ok',
    })
    expect(await called('share')).toMatchObject({ title: 'Offer', url: 'https://coffee.example' })
    await page.getByRole('button', { name: 'Mini app menu' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click()
    await expect
      .poll(() => called('share'))
      .toEqual({
        title: 'Old Town Bakery',
        text: '',
        url: expect.stringMatching(`/host/apps/${shop.appid}\\?from=card$`),
      })
    const allow = () => page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click()
    const scanning = neu(frame, 'scanCode')
    await allow()
    expect(await scanning).toMatchObject({ result: 'table 7' })
    const locating = neu(frame, 'getLocation')
    await allow()
    expect(await locating).toMatchObject({ latitude: 24.7, longitude: 46.7 })
    await neu(frame, 'makePhoneCall', { phoneNumber: '+966 5' })
    expect(await called('openUrl')).toEqual({ url: 'tel:+9665' })
    expect(await neu(frame, 'getAuthCode', { scope: 'user.phone' })).toMatchObject({ code: expect.any(String) })
    expect(await called('askConsent')).toEqual({
      appid: shop.appid,
      name: 'Old Town Bakery',
      scopes: ['user.phone'],
      titles: ['Country and phone number'],
    })
    const tradeNo = await order(frame)
    expect(await neu(frame, 'requestPayment', { tradeNo })).toMatchObject({ status: 2 })
    expect(await called('requestPayment')).toEqual({
      tradeNo,
      subject: 'Two date cakes',
      amount: 1250,
      currency: 'SAR',
    })
    await neu(frame, 'setStorage', { key: 'cart', data: 'two' })
    await expect.poll(() => stored.get('cart')).toContain('two')

    await fetch(`${serverUrl()}/host/v1/sessions`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${session}` },
    })
    expect(await neu(frame, 'login')).toMatchObject({ code: expect.any(String) })
    expect(await called('getSession')).toEqual({})
    expect(errors.filter((text) => !text.includes('status of 401'))).toEqual([])
  })
})

test('a mini app logs in, pays, and stores until the page closes where the browser denies storage', async () => {
  const session = await sessionOf(await newUser('Lama'))
  const handlers = { ...initialize(session, ['requestPayment']), requestPayment: () => ({ status: 2 }) }
  const { page, called, errors } = await openWebView('webkit', handlers, shop.appid, denyStorage)
  const frame = await miniApp(page)
  await called('ready')
  expect(await neu(frame, 'requestPayment', { tradeNo: await order(frame) })).toMatchObject({ status: 2 })
  await neu(frame, 'setStorage', { key: 'cart', data: 'two' })
  expect(await neu(frame, 'getStorage', { key: 'cart' })).toMatchObject({ data: 'two' })
  expect(errors).toEqual([])
})

test('a session of another user ends the mini app, and requests nothing else', async () => {
  const session = await sessionOf(await newUser('Reem'))
  const other = await sessionOf(await newUser('Dana'))
  const view = await openWebView('reactNative', { ...initialize(session), getSession: () => ({ session: other }) })
  const frame = await miniApp(view.page)
  await view.called('ready')
  const requested = new Set<string>()
  // Its frame is removed before it gets an answer.
  const logIn = () => void neu(frame, 'login').catch(() => {})
  await view.page.route('**/host/v1/**', async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    const isOther = request.headers().authorization === `Bearer ${other}`
    if (isOther) requested.add(pathname)
    if (isOther && pathname === '/host/v1/me') {
      // Another call begins while the page asks whose session it is.
      const sent = view.page.waitForRequest(/\/login$/)
      logIn()
      await sent
    } else if (requested.size > 0 && pathname.endsWith('/login')) {
      // That call gets its response after the mini app has ended.
      await view.called('failed')
    }
    await route.continue()
  })
  await fetch(`${serverUrl()}/host/v1/sessions`, { method: 'DELETE', headers: { Authorization: `Bearer ${session}` } })
  const late = view.page.waitForResponse(() => requested.size > 0 && view.calls.some(([name]) => name === 'failed'))
  logIn()
  expect(await view.called('failed')).toMatchObject({ code: 'session_invalid' })
  await (await late).finished()
  await view.page.evaluate(() => new Promise(requestAnimationFrame))
  expect([...requested]).toEqual(['/host/v1/me'])
  expect(view.calls.map(([name]) => name).filter((name) => name === 'getSession' || name === 'failed')).toEqual([
    'getSession',
    'failed',
  ])
})

test('a lost connection while a session is renewed does not end the mini app', async () => {
  const uid = await newUser('Reem')
  const session = await sessionOf(uid)
  const view = await openWebView('webkit', {
    ...initialize(session),
    getSession: async () => ({ session: await sessionOf(uid) }),
  })
  const frame = await miniApp(view.page)
  await view.called('ready')
  // Others may request it at the same time.
  await view.page.route('**/host/v1/me', (route) => route.abort())
  await fetch(`${serverUrl()}/host/v1/sessions`, { method: 'DELETE', headers: { Authorization: `Bearer ${session}` } })
  expect(await Promise.race([neu(frame, 'login'), view.called('failed')])).toBe(
    'login:fail The server cannot be reached.',
  )
  await view.page.unroute('**/host/v1/me')
  expect(await neu(frame, 'login')).toMatchObject({ code: expect.any(String) })
})

test('the application has cards, other applications and native plug-ins, and passes data on', async () => {
  const session = await sessionOf(await newUser('Amal'))
  const handles = ['shareMiniApp', 'launchApp', 'invokeNativePlugin', 'openMiniApp']
  const application = { name: 'Our bank', version: '4.1.0', packageName: 'com.example.bank' }
  const referrer = { appid: 'a10000000000001', extraData: '{"order":7}' }
  const { page, called, errors } = await openWebView('webkit', {
    initialize: () => ({ version: 1, session, handles, application, referrer }),
    shareMiniApp: () => ({}),
    launchApp: () => ({}),
    openMiniApp: () => ({}),
    invokeNativePlugin: () => ({ result: { card: '4242' } }),
  })
  const frame = await miniApp(page)
  await called('ready')
  // Functions that the project does not mention come with the services.
  await neu(frame, 'getProvider', { service: 'share' })
  const [info, options] = await frame.evaluate(() => {
    const { uni } = window as unknown as { uni: Record<'getAppBaseInfo' | 'getLaunchOptionsSync', () => object> }
    return [uni.getAppBaseInfo(), uni.getLaunchOptionsSync()]
  })
  expect(info).toMatchObject({ hostName: 'Our bank', hostVersion: '4.1.0', hostPackageName: 'com.example.bank' })
  expect(options).toMatchObject({ referrerInfo: { appId: referrer.appid, extraData: { order: 7 } } })

  const imageUrl = 'https://cdn.example/cake.png'
  await neu(frame, 'shareMiniAppMessage', { title: 'Cake', path: '/pages/cart/cart', imageUrl, extraData: { from: 1 } })
  const card = { appid: shop.appid, title: 'Cake', path: 'pages/cart/cart', imageUrl, extraData: '{"from":1}' }
  expect(await called('shareMiniApp')).toEqual(card)
  const read = await neu(frame, 'invokeNativePlugin', { api_name: 'readCard', data: { timeout: 30 } })
  expect(read).toEqual({ errMsg: 'invokeNativePlugin:ok', card: '4242' })
  const plugin = { appid: shop.appid, name: 'readCard', data: '{"timeout":30}' }
  expect(await called('invokeNativePlugin')).toEqual(plugin)
  const allow = () => page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click()
  const launching = neu(frame, 'launchApp', { identity: 'com.example.taxi' })
  await allow()
  expect(await launching).toEqual({ errMsg: 'launchApp:ok' })
  expect(await called('launchApp')).toEqual({ url: '', identity: 'com.example.taxi' })
  const opening = neu(frame, 'navigateToMiniProgram', { appId: shop.appid, extraData: [1] })
  await allow()
  await opening
  expect(await called('openMiniApp')).toEqual({ appid: shop.appid, path: '', extraData: '[1]' })
  expect(errors).toEqual([])
})

test('the application answers functions of the host, and the page checks its answers', async () => {
  const own = await openShop('Loyal Bakery')
  const { releaseId, reviewId } = await submitWithFunctions(own, '1.0.0')
  await manage('POST', `reviews/${reviewId}/approve`, { hostFunctions: ['loyaltyCard'] })
  await manage('POST', `apps/${own.appid}/releases/${releaseId}/publish`, {})
  const session = await sessionOf(await newUser('Hala'))
  const answers = [{ result: { number: '1' } }, { failure: 'noCard' }, { failure: 'other' }, { result: { number: 1 } }]
  const left = [...answers]
  const { page, called } = await openWebView(
    'webkit',
    {
      initialize: () => ({ version: 1, session, handles: ['callHostFunction'] }),
      callHostFunction: () => left.shift()!,
    },
    own.appid,
  )
  const frame = await miniApp(page, own)
  await called('ready')
  const outcomes: unknown[] = []
  for (const _ of answers) {
    const outcome = callHost(frame, 'loyaltyCard', { program: 'tea' })
    await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click()
    outcomes.push(await outcome)
  }
  expect(outcomes).toEqual([
    { number: '1' },
    'host.loyaltyCard:fail noCard',
    'host.loyaltyCard:fail the application answered with a failure that is not declared',
    expect.stringMatching(/^host\.loyaltyCard:fail result\.number: /),
  ])
  expect(await called('callHostFunction')).toEqual({
    appid: own.appid,
    name: 'loyaltyCard',
    input: '{"program":"tea"}',
  })
})

test('the application changes the brightness of the screen and keeps it on', async () => {
  const session = await sessionOf(await newUser('Amal'))
  const { page, called, errors } = await openWebView('webkit', {
    ...initialize(session, ['setKeepScreenOn', 'getScreenBrightness', 'setScreenBrightness']),
    setKeepScreenOn: () => ({}),
    getScreenBrightness: () => ({ value: 0.25 }),
    setScreenBrightness: () => ({}),
  })
  const frame = await miniApp(page)
  await called('ready')
  expect(await neu(frame, 'getScreenBrightness')).toEqual({ errMsg: 'getScreenBrightness:ok', value: 0.25 })
  expect(await neu(frame, 'setScreenBrightness', { value: 1 })).toEqual({ errMsg: 'setScreenBrightness:ok' })
  expect(await called('setScreenBrightness')).toEqual({ value: 1 })
  expect(await neu(frame, 'setScreenBrightness', { value: 2 })).toMatch(/^setScreenBrightness:fail value must be/)
  expect(await neu(frame, 'setKeepScreenOn', { keepScreenOn: true })).toEqual({ errMsg: 'setKeepScreenOn:ok' })
  expect(await called('setKeepScreenOn')).toEqual({ keepScreenOn: true })
  expect(errors).toEqual([])
})

test('the brightness of the screen needs an application that handles it', async () => {
  const { page, called } = await openWebView('webkit', initialize(await sessionOf(await newUser('Amal'))))
  const frame = await miniApp(page)
  await called('ready')
  for (const name of ['getScreenBrightness', 'setScreenBrightness'])
    expect(await neu(frame, name, { value: 1 })).toBe(`${name}:fail not supported`)
})

test('the menu leads to the messages of all mini apps', async () => {
  const session = await sessionOf(await newUser('Salma'))
  const { page, called } = await openWebView('webkit', initialize(session))
  const frame = await miniApp(page)
  await called('ready')
  // Only who has logged in can get messages.
  await neu(frame, 'login')
  await page.getByRole('button', { name: 'Mini app menu' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Shared data' }).click()
  const level = page.getByRole('combobox', { name: 'Messages of Old Town Bakery' })
  await level.selectOption('off')
  await page.getByText('Saved', { exact: true }).waitFor()
  const address = `${serverUrl()}/host/v1/apps/${shop.appid}/message-level`
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${session}` } })
  expect(await answer.json()).toMatchObject({ level: 'off' })
  expect(await violationsOf(page, { tags: wcag })).toEqual([])
})

test('the application opens other mini apps, hides the page, and changes its theme and language', async () => {
  const other = await openShop('New Town Bakery')
  await other.upload('1.0.0', await builtMiniApp())
  const session = await sessionOf(await newUser('Amal'))
  const view = await openWebView('flutter', { ...initialize(session, ['openMiniApp']), openMiniApp: () => ({}) })
  const { page, called, errors } = view
  const frame = await miniApp(page)
  await called('ready')

  const path = 'pages/cart/cart?id=7'
  const opening = neu(frame, 'navigateToMiniProgram', { appId: other.appid, path })
  await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click()
  expect(await opening).toMatchObject({ errMsg: 'navigateToMiniProgram:ok' })
  expect(await called('openMiniApp')).toEqual({ appid: other.appid, path })

  await frame.evaluate(() => {
    const { uni } = window as unknown as { uni: Record<'onAppHide' | 'onAppShow', (listener: () => void) => void> }
    uni.onAppHide(() => document.body.setAttribute('data-app', 'hidden'))
    uni.onAppShow(() => document.body.setAttribute('data-app', 'shown'))
  })
  const notify = (method: string, params: object) => view.send({ jsonrpc: '2.0', method, params })
  await notify('visibility', { isVisible: false })
  await frame.waitForSelector('body[data-app=hidden]', { state: 'attached' })
  await notify('visibility', { isVisible: true })
  await frame.waitForSelector('body[data-app=shown]', { state: 'attached' })

  await notify('environment', { theme: 'light', language: 'ar', insets: { top: 30, bottom: 20 } })
  await page.waitForSelector('html[data-scheme=light][dir=rtl]', { state: 'attached' })
  expect(errors).toEqual([])
})

test('the cashier and the question for consent stay open while the application is in the background', async () => {
  const session = await sessionOf(await newUser('Hind', { phone: '500000043' }))
  const view = await openWebView('android', initialize(session))
  const { page, called } = view
  const frame = await miniApp(page)
  await called('ready')
  await frame.evaluate(() => {
    const { uni } = window as unknown as { uni: Record<'onAppHide' | 'onAppShow', (listener: () => void) => void> }
    uni.onAppHide(() => document.body.setAttribute('data-app', 'hidden'))
    uni.onAppShow(() => document.body.setAttribute('data-app', 'shown'))
  })
  /** As if the payer opened the page of a bank, or read a code in a message. */
  async function leaveAndReturn(): Promise<void> {
    for (const [isVisible, state] of [[false, 'hidden'] as const, [true, 'shown'] as const]) {
      await view.send({ jsonrpc: '2.0', method: 'visibility', params: { isVisible } })
      await frame.waitForSelector(`body[data-app=${state}]`, { state: 'attached' })
    }
  }

  const code = neu<{ code: string }>(frame, 'getAuthCode', { scope: 'user.phone' })
  await page.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true }).waitFor()
  await leaveAndReturn()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true }).click()
  expect(await code).toMatchObject({ code: expect.any(String) })

  const paid = neu(frame, 'requestPayment', { tradeNo: await order(frame) })
  const cashier = page.getByRole('dialog', { name: 'Payment' })
  await cashier.waitFor()
  await leaveAndReturn()
  await cashier.locator('footer button').first().click()
  await cashier.getByRole('button', { name: 'Done' }).click()
  expect(await paid).toMatchObject({ status: 2 })
})

test('the check page says what the application does, and tries it', async () => {
  const session = await sessionOf(await newUser('Mona'))
  const { page, called } = await openWebView(
    'reactNative',
    { ...initialize(session, ['share', 'scanCode']), share: () => ({}), scanCode: () => ({ result: 'x' }) },
    'check',
  )
  await page.getByText('ReactNativeWebView').waitFor()
  await page.getByText('Mona').waitFor()
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await row('openUrl').getByText('Done by the page').waitFor()
  await row('share').getByRole('button').click()
  await row('share').getByText('share → {}').waitFor()
  await row('scanCode').getByRole('button').focus()
  await page.keyboard.press('Enter')
  await row('scanCode').getByText('scanCode: result.scanType must be a string').waitFor()
  await page.getByRole('button', { name: 'Send close' }).click()
  await called('close')
  expect(await page.getByRole('link', { name: 'Guide for developers' }).getAttribute('href')).toBe(
    '/docs/guides/embedding',
  )
})

test('the check page is accessible in each language, light and dark, on a phone and a desktop', async () => {
  const session = await sessionOf(await newUser('Mona'))
  const handlers = { ...initialize(session, ['share']), share: () => ({}) }
  const { page, send } = await openWebView('android', handlers, 'check')
  await page.getByRole('button', { name: 'share' }).click()
  for (const language of ['zh-CN', 'ar', 'en']) {
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await send({ jsonrpc: '2.0', method: 'environment', params: { theme, language } })
      await page.waitForSelector(`html[data-scheme=${theme}][lang=${language}]`, { state: 'attached' })
      expect(await violationsOf(page, { tags: wcag })).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
  }
})

test('the page names the method and field of a malformed answer', async () => {
  const { called, page, errors } = await openWebView('webkit', { initialize: () => ({ version: 1, handles: [] }) })
  const failed = (await called('failed')) as { message: string }
  expect(failed.message).toContain('initialize: result.session must be a string')
  await page.getByRole('alert').getByText('initialize: result.session').waitFor()
  expect(errors.join()).toContain('initialize: result.session must be a string')
})

test('the page refuses an unknown version, and says that a session is invalid after it asked for another', async () => {
  const newer = await openWebView('flutter', {
    initialize: () => ({ version: 2, session: 'x', handles: [] }),
  })
  expect(await newer.called('failed')).toMatchObject({ code: 'version' })
  const expired = await openWebView('android', {
    ...initialize('souk_none'),
    getSession: () => ({ session: 'souk_neither' }),
  })
  expect(await expired.called('failed')).toMatchObject({ code: 'session_invalid' })
  expect(expired.calls.map(([method]) => method)).toContain('getSession')
})

test('a page without an application explains itself', async () => {
  const page = await browserPage()
  await page.goto(`${serverUrl()}/host/embed/${shop.appid}`)
  await page.getByRole('heading', { name: 'This page belongs in an application' }).waitFor()
})

/** Opens a web page on another origin that frames the mini app with a session. */
async function openFrame(session: string) {
  const html = `<!doctype html><iframe src="${serverUrl()}/host/embed/${shop.appid}" width="390" height="800"></iframe>
    <script>
      addEventListener('message', ({ data, ports: [port] }) => {
        if (data.souk !== 'embed') return
        port.onmessage = ({ data }) => {
          const { id, method } = JSON.parse(data)
          document.body.append(method + ' ')
          const result = { version: 1, session: ${JSON.stringify(session)}, handles: [] }
          if (method === 'initialize') port.postMessage(JSON.stringify({ jsonrpc: '2.0', id, result }))
        }
      })
    </script>`
  const application = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html),
  )
  await new Promise<void>((done) => application.listen(0, 'localhost', done))
  afterFile(() => application.close())
  const origin = `http://localhost:${(application.address() as AddressInfo).port}`
  return { origin, page: await browserPage() }
}

test('only web pages of allowed origins can frame the page', async () => {
  const { origin, page } = await openFrame(await sessionOf(await newUser('Sara')))
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await page.goto(origin)
  await refused

  await manage('PATCH', 'platform-settings', { allowedOrigins: [origin] })
  await expect
    .poll(async () => (await fetch(`${serverUrl()}/host/embed/check`)).headers.get('content-security-policy'), {
      timeout: 30_000,
    })
    .toContain(`frame-ancestors 'self' ${origin}`)
  await page.goto(origin)
  const embedded = page.frameLocator('iframe')
  await embedded.frameLocator('iframe').locator('neu-page').first().waitFor()
  await page.getByText('ready').waitFor()
})

/** A call of a mini app that the application answers: its method there, and a right answer. */
const handled: Record<string, { call: [method: string, options: object]; question?: string; result: object }> = {
  share: { call: ['share', { title: 'Offer' }], result: {} },
  scanCode: {
    call: ['scanCode', {}],
    question: 'camera',
    result: { result: 'table 7', scanType: 'QR_CODE', charSet: 'UTF-8' },
  },
  getLocation: {
    call: ['getLocation', {}],
    question: 'location',
    result: { latitude: 24.7, longitude: 46.7, accuracy: 5, altitude: 600, speed: -1 },
  },
  openUrl: { call: ['makePhoneCall', { phoneNumber: '+966 5' }], result: {} },
  requestPayment: { call: ['requestPayment', {}], result: { status: 2 } },
  askConsent: { call: ['getAuthCode', { scope: 'user.phone' }], result: { isAllowed: true } },
}

/** Wrong answers to a call. `right` is the right result, which comes too late. */
const wrong: Record<string, (id: number, right: object) => object[]> = {
  'no result': (id) => [{ id }],
  null: (id) => [{ id, result: null }],
  'a text': (id) => [{ id, result: 'yes' }],
  'a list': (id) => [{ id, result: [true] }],
  'an error that is a text': (id, right) => [{ id, error: 'broken', result: right }],
  'an error without a message': (id) => [{ id, error: {} }],
  'an error whose message is an object': (id) => [{ id, error: { code: 1, message: { isAllowed: true } } }],
  'a reason of a megabyte': (id) => [{ id, error: { code: 1, message: 'no '.repeat(2 ** 18) } }],
  'a wrong answer and then a right one': (id, right) => [
    { id, result: 7 },
    { id, result: right },
    { id, result: right },
  ],
  'answers to other calls first': (id, right) => [
    { id: id + 1, result: right },
    { id: String(id), result: right },
    { id: [id], result: right },
    { id: null, result: right },
    { result: right },
    { id, error: { code: 1, message: 'refused' } },
  ],
  'fields of other types': (id, right) => [
    // Answers without fields are right whatever they contain.
    Object.keys(right).length > 0
      ? { id, result: Object.fromEntries(Object.keys(right).map((name) => [name, [{}]])) }
      : { id, result: false },
  ],
}

test('an application that answers wrongly fails the call of the mini app, and breaks nothing', async () => {
  const session = await sessionOf(await newUser('Noura', { phone: '500000042', email: 'noura@example.com' }))
  let answer = (id: number, right: object): object[] => [{ id, result: right }]
  const handlers = Object.fromEntries(
    Object.entries(handled).map(([name, { result }]) => [
      name,
      (_params: never, id: number) => new Answers(answer(id, result)),
    ]),
  )
  const { page, called } = await openWebView('webkit', { ...initialize(session, Object.keys(handled)), ...handlers })
  const frame = await miniApp(page)
  await called('ready')
  const tradeNo = await order(frame)
  const run = async (name: string) => {
    const { call, question } = handled[name]!
    const [method, options] = call
    const outcome = neu(frame, method, name === 'requestPayment' ? { tradeNo } : options)
    if (question && !allowed.has(question)) {
      allowed.add(question)
      await page.locator(`[data-question=${question}]`).getByRole('button', { name: 'Allow' }).click()
    }
    return outcome
  }
  const allowed = new Set<string>()
  for (const name of Object.keys(handled)) {
    const [method] = handled[name]!.call
    for (const [mistake, send] of Object.entries(wrong)) {
      answer = send
      const outcome = await run(name)
      expect([name, mistake, outcome]).toEqual([name, mistake, expect.stringMatching(`^${method}:fail .{1,260}$`)])
    }
    answer = (id, right) => [{ id, result: right }]
    if (name !== 'askConsent') expect([name, await run(name)]).toEqual([name, expect.not.stringContaining('fail')])
  }

  // Consent reaches as far as what was asked.
  answer = (id) => [{ id, result: { isAllowed: true, scopes: ['user.phone', 'user.email'], scope: 'user.email' } }]
  const { code } = (await run('askConsent')) as unknown as { code: string }
  expect(await profileOf(shop, code, 'user.phone')).toMatchObject({ email: null })
  expect(await page.locator('.mini-app-page').isVisible()).toBe(true)
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('an application cannot give a consent for which it was not asked', async () => {
  const session = await sessionOf(await newUser('Noura', { phone: '500000042' }))
  const { page, send, called } = await openWebView('webkit', initialize(session))
  const frame = await miniApp(page)
  await called('ready')
  const code = neu(frame, 'getAuthCode', { scope: 'user.phone' })
  await page.getByRole('dialog').waitFor()
  for (let id = 0; id < 20; id += 1) await send({ jsonrpc: '2.0', id, result: { isAllowed: true } })
  await send({ jsonrpc: '2.0', id: 1, method: 'askConsent', params: { isAllowed: true } })
  await send({ jsonrpc: '2.0', method: 'askConsent', params: { isAllowed: true } })
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click()
  expect(await code).toBe('getAuthCode:fail the user refused')
})

test('an answer that is missing or too long ends the call with its reason', async () => {
  const session = await sessionOf(await newUser('Noura'))
  let readId = 0
  const handlers = {
    ...initialize(session, ['storage']),
    readStorage: (_params: never, id: number) => {
      readId = id
      return new Answers([])
    },
  }
  const silent = await openWebView('webkit', handlers, shop.appid, undefined, { ownClock: true })
  await silent.called('readStorage')
  // The mini app has said hello.
  await (await frameOf(silent.page, shop)).waitForLoadState()
  await silent.page.clock.fastForward(16_000)
  const failure = silent.page.getByText('The mini app’s stored data cannot be read.')
  await failure.waitFor()
  // It comes too late.
  await silent.send({ jsonrpc: '2.0', id: readId, result: { entries: [] } })
  expect(await failure.isVisible()).toBe(true)

  const other = await openWebView('webkit', {
    ...initialize(session, ['share']),
    share: (_params: never, id: number) => new Answers([{ id, result: { text: 'x'.repeat(embedMessageLimit) } }]),
  })
  const frame = await miniApp(other.page)
  expect(await neu(frame, 'share', { title: 'Offer' })).toMatch(
    /^share:fail the application sent 335\d+ characters; the/,
  )
  expect(await neu(frame, 'login')).toMatchObject({ code: expect.any(String) })
  expect(await other.called('failed')).toMatchObject({ code: 'malformed' })
})
