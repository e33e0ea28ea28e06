import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { signParameters } from '../../packages/contract/src/open/sign.ts'
import { minute } from '../../packages/contract/src/time.ts'
import { kindByForm } from '../../packages/runtime/src/neu/kindByForm.ts'
import { availableFunctions, missingFunctions } from '../../packages/runtime/src/neu/table/index.ts'
import { functions } from '../../packages/vite-plugin/src/uniCompat/migrate/ecosystem.ts'
import { type App, copyBuild, type Mode, type Opening, openApp, type Platform } from './fixture.ts'
import { call, dialog, type Outcome } from './neuCalls.ts'

interface Case {
  platform: Platform
  mode: Mode
}

/** A Mini App differs from an App only in what "account with a sandbox" tests on the device page. */
const everywhere: Case[] = [
  { platform: 'H5', mode: 'build' },
  { platform: 'App', mode: 'build' },
]
/** Cases with a host, which on H5 is the one of the development server. */
const withHost: Case[] = everywhere.map((where) => (where.platform === 'H5' ? { ...where, mode: 'serve' } : where))

type Task = { abort(): void; onHeadersReceived(listener: (event: object) => void): void }
type Emitter = (name?: string, ...args: unknown[]) => void
interface Scope {
  // biome-ignore lint/suspicious/noExplicitAny: options and results differ by method
  [name: string]: (...args: any[]) => any
}
declare const neu: Scope & { $on: Emitter; $once: Emitter; $off: Emitter; $emit: Emitter }
declare const uni: unknown
declare const wx: Scope

const opened: App[] = []

async function open(options: Omit<Opening, 'project'>): Promise<App> {
  const app = await openApp({ project: 'api', ...options })
  opened.push(app)
  return app
}

/**
 * Returns a function that opens an app once for the tests of a describe block. They open the page that they need, and
 * leave nothing open, stored or granted.
 */
function shareApp(options: Omit<Opening, 'project'>): () => Promise<App> {
  let shared: Promise<App> | undefined
  afterEach(async () => expect((await shared)?.faults() ?? []).toEqual([]))
  afterAll(async () => (await shared)?.close())
  return () => (shared ??= openApp({ project: 'api', ...options }))
}

afterEach(async () => {
  const faults = opened.flatMap((app) => app.faults())
  await Promise.all(opened.splice(0).map((app) => app.close()))
  expect(faults).toEqual([])
})

/** Calls a method with callbacks and returns which of them were called with what, in order. */
const callWithCallbacks = ({ app }: App, method: string, options: object = {}): Promise<[string, Outcome | string][]> =>
  app.evaluate(
    ([method, options]) =>
      new Promise<[string, Outcome | string][]>((resolve) => {
        const calls: [string, Outcome | string][] = []
        const record = (name: string) => (outcome: Outcome) => {
          calls.push([name, outcome instanceof Error ? (outcome as unknown as Outcome).errMsg : outcome])
          if (name === 'complete') resolve(calls)
        }
        neu[method]!({ ...options, success: record('success'), fail: record('fail'), complete: record('complete') })
      }),
    [method, options] as const,
  )

/** Calls a method with a promise and with callbacks, expects equal results and returns them. */
async function inBothStyles(app: App, method: string, options?: object): Promise<Outcome | string> {
  const outcome = await call(app, method, options)
  const name = typeof outcome === 'string' ? 'fail' : 'success'
  expect(await callWithCallbacks(app, method, options)).toEqual([
    [name, outcome],
    ['complete', outcome],
  ])
  return outcome
}

/** Waits until nothing matches, for example because a toast has expired. */
const expectGone = (locator: Locator) => expect.poll(() => locator.count(), { interval: 20 }).toBe(0)
async function answer(app: App, name: string): Promise<void> {
  await dialog(app).getByRole('button', { name, exact: true }).click()
  await expectGone(dialog(app))
}
const toast = ({ host }: App) => host.locator('.neu-toast')
const group = ({ app }: App, name: string) =>
  app.locator('neu-page-window:not([inert])').getByRole('group', { name, exact: true })
const press = (app: App, groupName: string, name: string) =>
  group(app, groupName).getByRole('button', { name, exact: true }).click()
const outcome = (app: App, groupName: string) => group(app, groupName).locator('.call-list-outcome')
const expectOutcome = (app: App, groupName: string, text: string | RegExp) =>
  expect.poll(() => outcome(app, groupName).innerText(), { interval: 20 }).toMatch(text)

describe.each(withHost)('account without a server, $platform, $mode', (where) => {
  const sharedApp = shareApp(where)

  test('returns mock login codes and profiles', async () => {
    const app = await sharedApp()
    expect(await call(app, 'login')).toEqual({ errMsg: 'login:ok', code: 'not-a-real-code-login-1' })
    expect(await callWithCallbacks(app, 'login')).toEqual([
      ['success', { errMsg: 'login:ok', code: 'not-a-real-code-login-2' }],
      ['complete', { errMsg: 'login:ok', code: 'not-a-real-code-login-2' }],
    ])
    for (const method of ['getUserProfile', 'getUserInfo'])
      expect(await inBothStyles(app, method, { desc: 'Name on the cup' })).toMatchObject({
        userInfo: { nickName: 'Mock user', avatarUrl: '' },
      })
  })

  test('asks for consent in getAuthCode, and fails if the user denies it', async () => {
    const app = await sharedApp()
    await app.go('pages/account/account')
    await press(app, 'Account', 'user.info, user.phone')
    await dialog(app).getByText('Country and phone number').waitFor()
    await app.screenshot(`api-consent.${where.platform}.${where.mode}`)
    await answer(app, 'Deny')
    await expectOutcome(app, 'Account', /^getAuthCode:fail the user refused$/)
    await press(app, 'Account', 'user.info')
    await answer(app, 'Allow')
    await expectOutcome(app, 'Account', /"code":"not-a-real-code-getAuthCode-\d+"/)
    const refused = callWithCallbacks(app, 'getAuthCode', { scope: 'user.email' })
    await answer(app, 'Deny')
    expect(await refused).toEqual([
      ['fail', 'getAuthCode:fail the user refused'],
      ['complete', 'getAuthCode:fail the user refused'],
    ])
    // An invalid scope fails without a dialog.
    await press(app, 'Account', 'Invalid scope')
    await expectOutcome(app, 'Account', /^getAuthCode:fail .*user\.info, user\.phone, user\.email/)
    expect(await dialog(app).count()).toBe(0)
  })

  test('ends a payment with the outcome that the developer chooses', async () => {
    const app = await sharedApp()
    const pay = async (choice: string) => {
      const paid = call(app, 'requestPayment', { tradeNo: 't-1', amount: '12.50', currency: 'SAR' })
      await dialog(app).getByText('Outcome for 12.50 SAR').waitFor()
      await answer(app, choice)
      return paid
    }
    expect(await pay('Pay')).toEqual({ errMsg: 'requestPayment:ok', status: 2 })
    expect(await pay('Decline payment')).toEqual({ errMsg: 'requestPayment:ok', status: 1, failCode: 27 })
    expect(await pay('Cancel')).toEqual({ errMsg: 'requestPayment:ok', status: 0 })
    expect(await inBothStyles(app, 'requestPayment', {})).toBe('requestPayment:fail tradeNo is missing')
    const paid = callWithCallbacks(app, 'requestPayment', { transactionNo: 't-2' })
    await dialog(app).getByText('Outcome for t-2').waitFor()
    await answer(app, 'Pay')
    expect(await paid).toEqual([
      ['success', { errMsg: 'requestPayment:ok', status: 2 }],
      ['complete', { errMsg: 'requestPayment:ok', status: 2 }],
    ])
  })
})

test('fails calls for account and payment in a release for H5', async () => {
  const app = await open({ platform: 'H5', mode: 'build' })
  for (const method of ['login', 'getAuthCode', 'getUserProfile'])
    expect(await inBothStyles(app, method)).toBe(`${method}:fail not supported on H5`)
  expect(await inBothStyles(app, 'requestPayment', { tradeNo: '1' })).toBe('requestPayment:fail not supported on H5')
})

// On the device page of the development server, a Mini App runs like an App.
describe.each(['H5', 'Mini App'] as const)('account with a sandbox, %s', (platform) => {
  const { url, isolatedApp } = inject('fixture')
  const { appid, secret } = isolatedApp
  const sharedApp = shareApp({ platform, mode: 'serve', server: url, appid })

  /** Calls the open API as the mini app's backend does (open-api §4). */
  async function backend(method: 'GET' | 'POST', path: string, input: Record<string, string>) {
    const parameters = Object.entries({ appid, timestamp: String(Date.now()), ...input })
    const form = new URLSearchParams([...parameters, ['sign', signParameters(parameters, secret)]])
    const address = `${url}/neuopenapi${path}`
    const reply = await (method === 'GET' ? fetch(`${address}?${form}`) : fetch(address, { method, body: form }))
    const { response, responseHeader } = (await reply.json()) as Record<string, Record<string, unknown>>
    expect(responseHeader).toMatchObject({ status: 200 })
    return response!
  }
  async function userOf(code: unknown, scope: string) {
    const login = { grantType: 'authorization_code', scope, code: String(code) }
    const { accessToken } = await backend('POST', '/oauth/mini/accessToken', login)
    const reply = await fetch(`${url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
    return ((await reply.json()) as { response: Record<string, string | null> }).response
  }

  test('issues codes that give access to the user and scopes that were granted', async () => {
    const app = await sharedApp()
    const login = (await call(app, 'login')) as Outcome
    expect(login).toEqual({ errMsg: 'login:ok', code: expect.any(String) })
    const profile = (await call(app, 'getUserProfile')) as unknown as { userInfo: { nickName: string } }
    const user = await userOf(login.code, 'user.info')
    expect(user).toMatchObject({ nickName: profile.userInfo.nickName, phone: null })
    const granted = call(app, 'getAuthCode', { scope: 'user.info,user.phone' })
    await dialog(app).getByText('Share with Rehearsed Coffee?').waitFor()
    await dialog(app).getByText(`User: ${profile.userInfo.nickName}`).waitFor()
    await answer(app, 'Allow')
    const userWithPhone = await userOf(((await granted) as Outcome).code, 'user.info,user.phone')
    expect(userWithPhone).toMatchObject({ openId: user.openId, phone: expect.stringMatching(/^\+?\d+/) })
    const refused = callWithCallbacks(app, 'getAuthCode', { scope: 'user.phone' })
    await answer(app, 'Deny')
    expect(await refused).toEqual([
      ['fail', 'getAuthCode:fail the user refused'],
      ['complete', 'getAuthCode:fail the user refused'],
    ])
    // The mini app receives only the code.
    await app.go('pages/account/account')
    await press(app, 'Account', 'login')
    await expectOutcome(app, 'Account', /"code":"\w/)
  })

  test('pays, declines, challenges, cancels or leaves a trade, and fails if the amount shown differs', async () => {
    const app = await sharedApp()
    await app.go('pages/account/account')
    const { code } = (await call(app, 'login')) as Outcome
    const { openId } = await userOf(code, 'user.info')
    let orders = 0
    const newTrade = async () => {
      orders += 1
      const { tradeNo } = await backend('POST', '/pay/transactions/trade', {
        outTradeNo: `playground-${platform.replace(' ', '')}-${orders}`,
        amount: '1250',
        currency: 'SAR',
        openId: openId!,
        description: 'Two cappuccinos',
        notifyUrl: 'http://127.0.0.1:1/paid',
      })
      return String(tradeNo)
    }
    const detail = (tradeNo: string) => backend('GET', '/pay/transactions/tradedetail', { tradeNo })
    const pay = async (choice: string, shown: object = {}, then?: string) => {
      const tradeNo = await newTrade()
      const paid = call(app, 'requestPayment', { tradeNo, ...shown })
      await dialog(app).getByText('12.50 SAR to Rehearsed Coffee Co.: Two cappuccinos').waitFor()
      if (then === undefined) await answer(app, choice)
      else {
        await dialog(app).getByRole('button', { name: choice, exact: true }).click()
        await answer(app, then)
      }
      const outcome = await paid
      return { outcome, trade: await detail(tradeNo) }
    }
    // Payment started by a page.
    const tradeNo = await newTrade()
    await app.app.locator('input').fill(tradeNo)
    await press(app, 'Payment', 'Pay')
    await dialog(app).getByText('Two cappuccinos').waitFor()
    await app.screenshot(`api-cashier.${platform}`)
    await answer(app, 'Pay')
    await expectOutcome(app, 'Payment', /"status":2/)
    expect(await detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
    // A paid trade cannot be paid again.
    await press(app, 'Payment', 'Pay')
    await answer(app, 'Pay')
    await expectOutcome(app, 'Payment', /"status":1,"failCode":20/)

    const ok = { errMsg: 'requestPayment:ok' }
    const country = { name: 'Two cappuccinos', country: 'SA' }
    expect(await pay('Pay', { ...country, amount: '12.50', currency: 'SAR' })).toMatchObject({
      outcome: { ...ok, status: 2 },
      trade: { transactionStatus: 2 },
    })
    expect(await pay('Decline payment')).toMatchObject({
      outcome: { ...ok, status: 1, failCode: 27 },
      trade: { transactionStatus: 3, failReasonType: 27 },
    })
    expect(await pay('Pay with 3-D Secure', {}, 'Confirm')).toMatchObject({ outcome: { ...ok, status: 2 } })
    expect(await pay('Pay with 3-D Secure', {}, 'Reject')).toMatchObject({ outcome: { ...ok, status: 1, failCode: 6 } })
    expect(await pay('Cancel order')).toMatchObject({
      outcome: { ...ok, status: 0 },
      trade: { transactionStatus: 5 },
    })
    // Closing the cashier does not change the trade.
    expect(await pay('Cancel')).toMatchObject({ outcome: { ...ok, status: 0 }, trade: { transactionStatus: 1 } })
    for (const shown of [{ amount: '1.00' }, { currency: 'USD', amount: '12.50' }])
      expect(await pay('Pay', shown)).toMatchObject({
        outcome: expect.stringMatching(/^requestPayment:fail .*differ/),
        trade: { transactionStatus: 1 },
      })
    expect(await call(app, 'requestPayment', { tradeNo: '404' })).toMatch(/^requestPayment:fail ./)
    // The browser logs every error response.
    expect(app.faults().every((fault) => fault.includes('Failed to load resource'))).toBe(true)
  })

  test('identifies its platform, and keeps storage after a reload', async () => {
    const app = await sharedApp()
    const { uniPlatform } = (await app.neu('getAppBaseInfo')) as { uniPlatform: string }
    expect(uniPlatform).toBe(platform === 'H5' ? 'web' : 'mp-neu')
    await app.app.evaluate(() => neu.setStorageSync!('visits', 3))
    await app.settled()
    await app.page.reload()
    if (platform !== 'H5') {
      await app.page.waitForSelector('iframe')
      await expect.poll(() => app.page.frames().length).toBe(2)
    }
    await app.app.waitForSelector('neu-page')
    // Functions that the project does not mention come with the services.
    await app.neu('getProvider')
    expect(await app.app.evaluate(() => neu.getStorageSync!('visits'))).toBe(3)
    await app.app.evaluate(() => neu.clearStorageSync!())
  })
})

/** Test server that echoes requests. */
let server: Server
let base = ''
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://x')
    const cors = {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-headers': '*, content-type, x-cup, authorization',
      'access-control-allow-methods': '*, PUT, DELETE, PATCH',
      'access-control-expose-headers': 'x-brewed',
    }
    if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
    if (pathname === '/never') return
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces)
      const send = (status: number, type: string, content: string | Uint8Array) =>
        response.writeHead(status, { ...cors, 'content-type': type, 'x-brewed': 'today' }).end(content)
      if (pathname === '/text') return send(200, 'text/plain', 'no { json')
      if (pathname === '/bytes') return send(200, 'application/octet-stream', Uint8Array.of(1, 2, 255))
      if (pathname === '/missing') return send(404, 'application/json', '{"reason":"sold out"}')
      const { 'content-type': type, 'x-cup': cup } = request.headers
      send(
        200,
        'application/json',
        JSON.stringify({ method: request.method, search, type, cup, body: body.toString() }),
      )
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

test.each(['H5', 'App'] as const)(
  '%s: every function of uni exists, throws nothing, and fails if missing',
  async (platform) => {
    const rest = new Set(functions).difference(new Set(Object.keys(availableFunctions)))
    // Others return something else, or nothing at all.
    const failing = [...rest].filter((name) => (missingFunctions[name]?.kind ?? kindByForm(name)) === 'async')
    const app = await openApp({ project: 'api', platform, mode: 'build' })
    // Functions that the project does not mention come with the services.
    await app.neu('getProvider')
    const outcome = await app.app.evaluate(
      async ([names, failing]) => {
        const wrong = names.filter((name) => typeof neu[name] !== 'function' || wx[name] !== neu[name])
        const thrown = names.flatMap((name) => {
          try {
            const result: unknown = neu[name]?.({})
            if (result instanceof Promise) result.catch(() => {})
            return []
          } catch (error) {
            return [`${name}: ${(error as Error).message}`]
          }
        })
        const silent = new Set(failing)
        const failures = failing.map(
          (name) =>
            new Promise((done) => {
              const fail = ({ errMsg }: Outcome) => {
                if (errMsg === `${name}:fail not supported`) silent.delete(name)
              }
              const returned = neu[name]!({ fail, complete: done })
              // Nothing else would end it.
              if (returned !== undefined) done(returned)
            }),
        )
        await Promise.all(failures)
        return { wrong, thrown, silent: [...silent] }
      },
      [[...functions], failing] as const,
    )
    await app.close()
    expect(failing.length).toBeGreaterThan(150)
    // Functions that return their result can report an invalid one only by throwing, as in uni-app.
    const thrown = [expect.stringMatching(/^base64ToArrayBuffer: /), expect.stringMatching(/^setStorageSync: .* key /)]
    expect(outcome).toEqual({ wrong: [], thrown, silent: [] })
  },
)

describe.each(everywhere)('$platform, $mode', (where) => {
  const sharedApp = shareApp(where)

  test('provides uni as an alias, and canIUse for every method', async () => {
    const app = await sharedApp()
    expect(
      await app.app.evaluate(() => [
        uni === neu,
        ['login', 'request', 'getStorageSync', 'showToast.object.title', 'navigateTo'].map((name) =>
          neu.canIUse!(name),
        ),
        neu.canIUse!('makeTea'),
      ]),
    ).toEqual([true, [true, true, true, true, true], false])
  })

  test('request: sends data in query or body by method, and returns it in the requested type', async () => {
    const app = await sharedApp()
    const data = async (options: object) => {
      const outcome = await call(app, 'request', { url: `${base}/echo`, ...options })
      expect(outcome).toMatchObject({ errMsg: 'request:ok', statusCode: 200 })
      return (outcome as Outcome).data
    }
    const order = { cups: 2, sort: '拿铁 & milk', more: [1], none: undefined }
    const query = `?cups=2&sort=${encodeURIComponent('拿铁 & milk').replaceAll('%20', '+')}&more=%5B1%5D`
    expect(await data({ data: order })).toMatchObject({ method: 'GET', search: query, body: '' })
    expect(await data({ url: `${base}/echo?cups=1&a=b#part`, data: { cups: 2 } })).toMatchObject({
      search: '?a=b&cups=2',
    })
    const json = JSON.stringify(order)
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'post'])
      expect(await data({ method, data: order })).toEqual({
        method: method.toUpperCase(),
        search: '',
        type: 'application/json',
        body: json,
      })
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await data({ method: 'POST', data: order, header: form })).toMatchObject({
      type: form['Content-Type'],
      body: query.slice(1),
    })
    expect(await data({ method: 'POST', data: 'as it is', header: { 'content-type': 'text/plain' } })).toMatchObject({
      type: 'text/plain',
      body: 'as it is',
    })
    expect(await data({ header: { 'X-Cup': 'large' } })).toMatchObject({ cup: 'large' })
    expect(await data({ url: `${base}/text` })).toBe('no { json')
    expect(await data({ url: `${base}/echo`, dataType: 'text' })).toBe('{"method":"GET","search":"","body":""}')
    const bytes = await app.app.evaluate(async (url) => {
      const { data } = await neu.request!({ url, responseType: 'arraybuffer' })
      return [...new Uint8Array(data)]
    }, `${base}/bytes`)
    expect(bytes).toEqual([1, 2, 255])
    // Every response counts as success, regardless of its status.
    expect(await call(app, 'request', { url: `${base}/missing` })).toMatchObject({
      errMsg: 'request:ok',
      statusCode: 404,
      data: { reason: 'sold out' },
      header: { 'content-type': 'application/json', 'x-brewed': 'today' },
    })
    expect(app.faults()).toEqual([expect.stringContaining('404')])
    expect(await callWithCallbacks(app, 'request', { url: `${base}/text` })).toMatchObject([
      ['success', { data: 'no { json' }],
      ['complete', { data: 'no { json' }],
    ])
  })

  test('request: fails with the reason if there is no response', async () => {
    const app = await sharedApp()
    expect(await inBothStyles(app, 'request', { url: `${base}/never`, timeout: 60 })).toBe('request:fail timeout')
    expect(await inBothStyles(app, 'request', { url: 'http://127.0.0.1:9/' })).toMatch(/^request:fail Failed to fetch/)
    app.faults()
    expect(await inBothStyles(app, 'request', {})).toBe(
      'request:fail parameter error: parameter.url should be String instead of Undefined',
    )
    const stopped = await app.app.evaluate(async (url) => {
      const promised = neu.request!({ url })
      promised.abort()
      const first = await promised.catch((error: Outcome) => error.errMsg)
      const second = await new Promise((resolve) => {
        const task: Task = neu.request!({ url, fail: (error: Outcome) => resolve(error.errMsg) })
        task.abort()
      })
      return [first, second]
    }, `${base}/never`)
    expect(stopped).toEqual(['request:fail abort', 'request:fail abort'])
    const events = await app.app.evaluate(
      (url) =>
        new Promise<unknown[]>((resolve) => {
          const events: unknown[] = []
          const task: Task = neu.request!({
            url,
            success: () => events.push('success'),
            complete: () => resolve(events),
          })
          task.onHeadersReceived((event) => events.push((event as { statusCode: number }).statusCode))
        }),
      `${base}/echo`,
    )
    expect(events).toEqual([200, 'success'])
  })

  test('downloads files, and uploads them with form fields', async () => {
    const app = await sharedApp()
    const transfer = await app.app.evaluate(async (base) => {
      const progress: number[] = []
      const task = neu.downloadFile!({ url: `${base}/text` })
      task.onProgressUpdate(({ totalBytesWritten }: { totalBytesWritten: number }) => progress.push(totalBytesWritten))
      const { tempFilePath, statusCode } = await task
      const { data } = await neu.uploadFile!({
        url: `${base}/echo`,
        filePath: tempFilePath,
        name: 'order',
        formData: { cups: 2 },
        header: { 'x-cup': 'small' },
      })
      return { statusCode, progress: progress.at(-1), sent: JSON.parse(data) }
    }, base)
    expect(transfer).toMatchObject({
      statusCode: 200,
      progress: 9,
      sent: { method: 'POST', cup: 'small', type: expect.stringContaining('multipart/form-data; boundary=') },
    })
    expect(transfer.sent.body).toMatch(/name="cups"\r\n\r\n2\r\n.*name="order"; filename="[^"]+".*no \{ json\r\n/s)
    expect(await call(app, 'uploadFile', { url: `${base}/echo` })).toBe('uploadFile:fail no file given')
  })

  test('stores and returns values of every type, synchronously and asynchronously', async () => {
    const app = await sharedApp()
    const values = { cups: 2, sorts: ['latte', '拿铁', 'قهوة'], deep: { ok: true, none: null } }
    expect(
      await app.app.evaluate((values) => {
        const all: unknown[] = [values, 'text', '123', '{"a":1}', 7, 0, false, null, [], '']
        return all.map((value, index) => {
          neu.setStorageSync!(`key ${index}`, value)
          return neu.getStorageSync!(`key ${index}`)
        })
      }, values),
    ).toEqual([values, 'text', '123', '{"a":1}', 7, 0, false, null, [], ''])
    expect(await call(app, 'setStorage', { key: 'order', data: values })).toEqual({ errMsg: 'setStorage:ok' })
    expect(await inBothStyles(app, 'getStorage', { key: 'order' })).toEqual({ errMsg: 'getStorage:ok', data: values })
    // Changing the original object or a returned one does not change the stored value.
    expect(
      await app.app.evaluate(() => {
        const order = { cups: 1 }
        neu.setStorageSync!('own', order)
        order.cups = 2
        const read = neu.getStorageSync!('own')
        read.cups = 3
        return neu.getStorageSync!('own')
      }),
    ).toEqual({ cups: 1 })
    expect(await app.app.evaluate(() => neu.getStorageSync!('nothing'))).toBe('')
    expect(await inBothStyles(app, 'getStorage', { key: 'nothing' })).toBe('getStorage:fail data not found')
    expect(await inBothStyles(app, 'removeStorage', { key: 'order' })).toEqual({ errMsg: 'removeStorage:ok' })
    expect(await call(app, 'getStorage', { key: 'order' })).toBe('getStorage:fail data not found')
    await app.app.evaluate(() => neu.removeStorageSync!('key 0'))
    const info = await inBothStyles(app, 'getStorageInfo')
    expect(info).toMatchObject({ errMsg: 'getStorageInfo:ok', currentSize: 1, limitSize: 10_240 })
    expect((info as unknown as { keys: string[] }).keys.sort()).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `key ${index}`),
      'own',
    ])
    expect(await inBothStyles(app, 'clearStorage')).toEqual({ errMsg: 'clearStorage:ok' })
    expect(await app.app.evaluate(() => neu.getStorageInfoSync!().keys)).toEqual([])
  })

  test('rejects invalid and oversized storage entries with the reason', async () => {
    const app = await sharedApp()
    const results = await app.app.evaluate(() => {
      const circular: Record<string, unknown> = {}
      circular.self = circular
      const attempt = (run: () => unknown) => {
        try {
          run()
          return 'no error'
        } catch (error) {
          return (error as Outcome).errMsg
        }
      }
      const text = (length: number) => 'x'.repeat(length)
      return [
        attempt(() => neu.setStorageSync!('', 1)),
        attempt(() => neu.setStorageSync!('circular', circular)),
        attempt(() => neu.setStorageSync!('big', text(1024 ** 2))),
        attempt(() => neu.setStorageSync!(text(1025), 1)),
        neu.getStorageInfoSync!().keys.length,
      ]
    })
    expect(results).toEqual([
      'setStorageSync:fail key must be a non-empty string',
      'setStorageSync:fail data cannot be converted to JSON',
      'setStorageSync:fail the entry exceeds 1 MB',
      'setStorageSync:fail the key exceeds 1 KB',
      0,
    ])
    const big = { key: 'big', data: 'x'.repeat(1024 ** 2) }
    expect(await inBothStyles(app, 'setStorage', big)).toBe('setStorage:fail the entry exceeds 1 MB')
    expect(await inBothStyles(app, 'setStorage', { data: 1 })).toBe(
      'setStorage:fail parameter error: parameter.key should be String instead of Undefined',
    )
  })

  test('keeps storage after a reload, separately for each app', async () => {
    const app = await open(where)
    // Functions that the project does not mention come with the services.
    const loaded = () => app.neu('getProvider')
    await loaded()
    await app.app.evaluate(() => neu.setStorageSync!('visits', 3))
    await app.settled()
    if (where.platform === 'H5') {
      await app.page.reload()
      await app.page.waitForSelector('neu-page')
    } else await reopen(app, 'playground')
    await loaded()
    expect(await app.app.evaluate(() => neu.getStorageSync!('visits'))).toBe(3)
    if (where.platform === 'H5') {
      // Another app on the same origin.
      const other = await copyBuild(app.url)
      expect(new URL(other).origin).toBe(new URL(app.url).origin)
      await app.page.goto(other)
      await app.page.waitForSelector('neu-page')
      await loaded()
      expect(await app.app.evaluate(() => neu.getStorageInfoSync!().keys)).toEqual([])
      await app.app.evaluate(() => neu.clearStorageSync!())
      await app.page.goto(app.url)
      await app.page.waitForSelector('neu-page')
      await loaded()
      expect(await app.app.evaluate(() => neu.getStorageSync!('visits'))).toBe(3)
    } else {
      await reopen(app, 'another')
      expect(await app.app.evaluate(() => neu.getStorageInfoSync!().keys)).toEqual([])
      await app.app.evaluate(() => neu.clearStorageSync!())
      await reopen(app, 'playground')
      expect(await app.app.evaluate(() => neu.getStorageSync!('visits'))).toBe(3)
    }
  })

  /** Makes the host close the mini app and open it again, possibly under another id. */
  async function reopen(app: App, appid: string): Promise<void> {
    const { src } = await app.page.evaluate(async () => {
      const frame = document.querySelector('iframe')!
      return { src: frame.src }
    })
    const before = app.app
    // A changed URL makes the host load the frame again.
    const url = new URL(src)
    url.searchParams.set('opened', String(performance.now()))
    await app.page.evaluate(
      ([url, appid]) => (window as unknown as { host: { open(props: object): void } }).host.open({ url, appid }),
      [url.href, appid] as const,
    )
    await expect.poll(() => app.page.frames().length === 2 && app.app !== before).toBe(true)
    await app.app.waitForSelector('neu-page')
    await app.neu('getProvider')
    expect(await app.app.evaluate(() => neu.getAppBaseInfo!().appId)).toBe(appid)
  }

  test('shows a toast for its duration, with its icon, at its position', async () => {
    const app = await sharedApp()
    await app.go('pages/overlays/overlays')
    await press(app, 'Toast', 'success')
    await expectOutcome(app, 'Toast', /^{"errMsg":"showToast:ok"}$/)
    await expectGone(toast(app))
    // The others last longer than any machine needs to check them.
    const show = (options: object) => app.neu('showToast', { duration: 5 * minute, ...options })
    await show({ title: 'Ordered' })
    await toast(app).getByText('Ordered').waitFor()
    expect(await toast(app).locator('svg').count()).toBe(1)
    await show({ title: 'A text of two lines that is longer than a single word', icon: 'none' })
    await toast(app).getByText('A text of two lines').waitFor()
    expect(await toast(app).locator('svg').count()).toBe(0)
    await app.screenshot(`api-toast.${where.platform}.${where.mode}`)
    const middle = (await toast(app).boundingBox())!
    const bottom = async () => (await toast(app).boundingBox())!.y
    await show({ title: 'At the bottom', icon: 'none', position: 'bottom' })
    await toast(app).getByText('At the bottom').waitFor()
    expect(await bottom()).toBeGreaterThan(middle.y + 100)
    await show({ title: 'Coffee', image: '/static/cup.png' })
    await expect
      .poll(() =>
        toast(app)
          .locator('img')
          .evaluate((image) => (image as HTMLImageElement).naturalWidth),
      )
      .toBe(240)
    await app.screenshot(`api-toast-image.${where.platform}.${where.mode}`)
    await press(app, 'Toast', 'hide')
    await expectGone(toast(app))
    expect(await inBothStyles(app, 'showToast', { title: 'x', duration: 50 })).toEqual({ errMsg: 'showToast:ok' })
    await expectGone(toast(app))
    // The mask blocks clicks on the page.
    await show({ title: 'Please wait', mask: true })
    await toast(app).getByText('Please wait').waitFor()
    await expect(
      group(app, 'Toast').getByRole('button', { name: 'hide', exact: true }).click({ timeout: 300 }),
    ).rejects.toThrow(/Timeout/)
    expect(await inBothStyles(app, 'hideToast')).toEqual({ errMsg: 'hideToast:ok' })
    await expectGone(toast(app))
  })

  test('shows the loading indicator until it is hidden', async () => {
    const app = await sharedApp()
    await app.go('pages/overlays/overlays')
    await press(app, 'Loading', 'loading')
    await toast(app).getByText('Brewing').waitFor()
    expect(await app.host.locator('.neu-loading[aria-busy=true] .neu-spinner').count()).toBe(1)
    await app.screenshot(`api-loading.${where.platform}.${where.mode}`)
    // A toast replaces it.
    await app.neu('showToast', { title: 'Sold out', icon: 'error', duration: 5 * minute })
    await toast(app).getByText('Sold out').waitFor()
    await expectGone(app.host.locator('.neu-loading'))
    expect(await inBothStyles(app, 'showLoading', { title: 'Again', mask: true })).toEqual({ errMsg: 'showLoading:ok' })
    await toast(app).getByText('Again').waitFor()
    expect(await inBothStyles(app, 'hideLoading')).toEqual({ errMsg: 'hideLoading:ok' })
    await expectGone(toast(app))
  })

  test('shows the focus of a modal to users of the keyboard only', async () => {
    const app = await sharedApp()
    await app.go('pages/overlays/overlays')
    const ring = () => dialog(app).locator(':focus-visible').count()
    await press(app, 'Dialogs', 'modal')
    await dialog(app).locator(':focus').waitFor()
    expect(await ring()).toBe(0)
    await app.page.keyboard.press('Enter')
    await expectGone(dialog(app))
    // On H5 the page and the modal are in the same document, whose focus was visible before.
    if (where.platform !== 'H5') return
    await app.page.keyboard.press('Tab')
    const opened = group(app, 'Dialogs').getByRole('button', { name: 'modal', exact: true })
    while (!(await opened.evaluate((button) => button === document.activeElement))) await app.page.keyboard.press('Tab')
    await app.page.keyboard.press('Enter')
    await dialog(app).locator(':focus').waitFor()
    expect(await ring()).toBe(1)
    await app.page.keyboard.press('Escape')
    await expectGone(dialog(app))
  })

  test('returns how a modal was closed, and the text entered', async () => {
    const app = await sharedApp()
    await app.go('pages/overlays/overlays')
    await press(app, 'Dialogs', 'modal')
    await dialog(app).getByText('This cannot be undone.').waitFor()
    await app.screenshot(`api-modal.${where.platform}.${where.mode}`)
    await answer(app, 'OK')
    await expectOutcome(app, 'Dialogs', '{"errMsg":"showModal:ok","confirm":true,"cancel":false}')
    await press(app, 'Dialogs', 'modal')
    await answer(app, 'Cancel')
    await expectOutcome(app, 'Dialogs', '{"errMsg":"showModal:ok","confirm":false,"cancel":true}')
    await press(app, 'Dialogs', 'Custom labels')
    const keep = dialog(app).getByRole('button', { name: 'Keep' })
    expect(await keep.evaluate((button) => getComputedStyle(button).color)).toBe('rgb(11, 107, 99)')
    expect(
      await dialog(app)
        .getByRole('button', { name: 'Delete' })
        .evaluate((button) => getComputedStyle(button).color),
    ).toBe('rgb(179, 32, 44)')
    await app.page.keyboard.press('Escape')
    await expectGone(dialog(app))
    await expectOutcome(app, 'Dialogs', '"cancel":true')
    await press(app, 'Dialogs', 'Without cancel')
    await dialog(app).getByText('Done.').waitFor()
    expect(await dialog(app).getByRole('button').count()).toBe(1)
    await answer(app, 'OK')
    await press(app, 'Dialogs', 'Editable')
    const field = dialog(app).getByRole('textbox')
    await field.fill('ليلى')
    await app.screenshot(`api-editable.${where.platform}.${where.mode}`)
    await field.press('Enter')
    await expectGone(dialog(app))
    await expectOutcome(app, 'Dialogs', /"confirm":true.*"content":"ليلى"/)
    // Two modals open one after the other, each with its own result.
    const both = app.app.evaluate(() =>
      Promise.all([neu.showModal!({ title: 'First' }), neu.showModal!({ title: 'Second' })]),
    )
    await dialog(app).getByText('First').waitFor()
    await dialog(app).getByRole('button', { name: 'Cancel' }).click()
    await dialog(app).getByText('Second').waitFor()
    await dialog(app).getByRole('button', { name: 'OK' }).click()
    expect((await both).map(({ confirm }: Outcome) => confirm)).toEqual([false, true])
    const back = callWithCallbacks(app, 'showModal', { title: 'Again' })
    await dialog(app).getByText('Again').waitFor()
    await answer(app, 'OK')
    expect(await back).toMatchObject([
      ['success', { confirm: true, cancel: false }],
      ['complete', { confirm: true, cancel: false }],
    ])
  })

  test('returns the chosen item of an action sheet, or fails on cancel', async () => {
    const app = await sharedApp()
    await app.go('pages/overlays/overlays')
    await press(app, 'Dialogs', 'Action sheet')
    await dialog(app).getByText('Size').waitFor()
    await app.screenshot(`api-sheet.${where.platform}.${where.mode}`)
    await answer(app, 'Medium')
    await expectOutcome(app, 'Dialogs', '{"errMsg":"showActionSheet:ok","tapIndex":1}')
    await press(app, 'Dialogs', 'Action sheet')
    await answer(app, 'Cancel')
    await expectOutcome(app, 'Dialogs', /^showActionSheet:fail cancel$/)
    const back = callWithCallbacks(app, 'showActionSheet', { itemList: [1, 2] })
    await answer(app, '2')
    expect(await back).toMatchObject([
      ['success', { tapIndex: 1 }],
      ['complete', { tapIndex: 1 }],
    ])
    const none = callWithCallbacks(app, 'showActionSheet', { itemList: ['a'] })
    await dialog(app).waitFor()
    await app.page.keyboard.press('Escape')
    expect(await none).toEqual([
      ['fail', 'showActionSheet:fail cancel'],
      ['complete', 'showActionSheet:fail cancel'],
    ])
    expect(await inBothStyles(app, 'showActionSheet', {})).toBe(
      'showActionSheet:fail parameter error: parameter.itemList should be Array instead of Undefined',
    )
  })

  test('returns window, device and app information', async () => {
    const app = await sharedApp()
    const isInFrame = where.platform !== 'H5'
    const info = await app.app.evaluate(() => ({
      window: neu.getWindowInfo!(),
      device: neu.getDeviceInfo!(),
      base: neu.getAppBaseInfo!(),
      all: neu.getSystemInfoSync!(),
    }))
    expect(info.window).toMatchObject({
      windowWidth: 375,
      // Without the navigation bar, and in a frame also without the status bar.
      windowHeight: isInFrame ? 667 - 64 : 667 - 44,
      windowTop: isInFrame ? 64 : 44,
      windowBottom: 0,
      statusBarHeight: isInFrame ? 20 : 0,
      pixelRatio: 1,
    })
    // In a frame it is that of the host's device, on H5 that of the browser, which is built for Linux only.
    const [platform, system] = isInFrame ? ['android', 'Android 0'] : ['linux', 'Linux 0']
    expect(info.device).toMatchObject({
      platform,
      osName: platform,
      deviceOrientation: 'portrait',
      model: 'PC',
      deviceModel: 'PC',
      system,
    })
    expect(info.base).toMatchObject({
      language: 'en',
      appLanguage: 'en',
      SDKVersion: '',
      theme: 'light',
      uniPlatform: { H5: 'web', App: 'app', 'Mini App': 'mp-neu' }[where.platform],
    })
    expect(info.all).toEqual({ ...info.window, ...info.device, ...info.base })
    for (const method of ['getSystemInfo', 'getSystemInfoAsync'])
      expect(await inBothStyles(app, method)).toEqual({ errMsg: `${method}:ok`, ...info.all })
    expect(await inBothStyles(app, 'getNetworkType')).toMatchObject({ networkType: expect.stringMatching(/^\w+$/) })
    for (const method of ['vibrateShort', 'vibrateLong'])
      expect(await inBothStyles(app, method)).toEqual({ errMsg: `${method}:ok` })
  })

  test('copies to and pastes from the clipboard, with a toast after copying', async () => {
    const app = await sharedApp()
    await app.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    onTestFinished(() => app.context.clearPermissions())
    await app.go('pages/device/device')
    await press(app, 'Device', 'Copy')
    await toast(app).getByText('Copied').waitFor()
    await expectOutcome(app, 'Device', '{"errMsg":"setClipboardData:ok"}')
    await press(app, 'Device', 'Paste')
    await expectOutcome(app, 'Device', '"data":"Corner Coffee, 24 Old Town"')
    await expectGone(toast(app))
    expect(await inBothStyles(app, 'setClipboardData', { data: '拿铁', showToast: false })).toEqual({
      errMsg: 'setClipboardData:ok',
    })
    expect(await inBothStyles(app, 'getClipboardData')).toEqual({ errMsg: 'getClipboardData:ok', data: '拿铁' })
    expect(await toast(app).count()).toBe(0)
    expect(await inBothStyles(app, 'setClipboardData', { data: 7 })).toBe(
      'setClipboardData:fail parameter error: parameter.data should be String instead of Number',
    )
  })

  test('opens a tel: URL for a phone call', async () => {
    const app = await sharedApp()
    await app.go('pages/device/device')
    const session = await app.context.newCDPSession(app.page)
    const navigations: string[] = []
    session.on('Page.frameRequestedNavigation', ({ url }) => navigations.push(url))
    await session.send('Page.enable')
    await press(app, 'Device', 'makePhoneCall')
    await expectOutcome(app, 'Device', '{"errMsg":"makePhoneCall:ok"}')
    await expect.poll(() => navigations).toEqual(['tel:+6560000000'])
    if (where.platform !== 'H5')
      expect(await inBothStyles(app, 'makePhoneCall', { phoneNumber: 'x'.repeat(100) })).toMatch(/^makePhoneCall:fail /)
  })

  test('returns the location only with permission, for which a host asks', async () => {
    const app = await sharedApp()
    await app.go('pages/device/device')
    await press(app, 'Device', 'getLocation')
    if (where.platform !== 'H5') {
      await answer(app, 'Deny')
      await expectOutcome(app, 'Device', 'getLocation:fail the user refused')
      return
    }
    await expectOutcome(app, 'Device', /getLocation:fail .*denied/)
    await app.context.grantPermissions(['geolocation'])
    onTestFinished(() => app.context.clearPermissions())
    await app.context.setGeolocation({ latitude: 1.29, longitude: 103.85, accuracy: 12 })
    expect(await inBothStyles(app, 'getLocation')).toEqual({
      errMsg: 'getLocation:ok',
      latitude: 1.29,
      longitude: 103.85,
      accuracy: 12,
      altitude: 0,
      speed: -1,
    })
  })

  test('reports the network type, and each change once per listener', async () => {
    const app = await sharedApp()
    await app.go('pages/device/device')
    await press(app, 'Device', 'getNetworkType')
    await expectOutcome(app, 'Device', '"networkType":"4g"')
    await app.app.evaluate(() => {
      const events: Record<'first' | 'second', object[]> = { first: [], second: [] }
      const listener = (event: object) => events.first.push(event)
      Object.assign(window, { events, listener })
      neu.onNetworkStatusChange!(listener)
      neu.onNetworkStatusChange!(listener)
      neu.onNetworkStatusChange!((event: object) => events.second.push(event))
    })
    const events = (name: 'first' | 'second') =>
      app.app.evaluate((name) => (window as unknown as { events: Record<typeof name, object[]> }).events[name], name)
    const expected: object[] = []
    const expectChange = async (isConnected: boolean, networkType: string) => {
      expected.push({ isConnected, networkType })
      await expect.poll(() => events('first')).toEqual(expected)
      expect(await call(app, 'getNetworkType')).toMatchObject({ networkType })
    }
    await app.context.setOffline(true)
    await expectChange(false, 'none')
    await app.context.setOffline(false)
    await expectChange(true, '4g')
    // The type changes while connected, for example from Wi-Fi to mobile data.
    await app.app.evaluate(() => {
      const { connection } = navigator as unknown as { connection: EventTarget }
      Object.defineProperty(connection, 'effectiveType', { value: 'slow-2g', configurable: true })
      connection.dispatchEvent(new Event('change'))
      connection.dispatchEvent(new Event('change'))
    })
    await expectChange(true, '2g')
    await app.app.evaluate(() => neu.offNetworkStatusChange!((window as unknown as { listener: unknown }).listener))
    await app.context.setOffline(true)
    await expect.poll(async () => (await events('second')).at(-1)).toEqual({ isConnected: false, networkType: 'none' })
    expect(await events('first')).toEqual(expected)
    expect(await events('second')).toHaveLength(expected.length + 1)
    await app.context.setOffline(false)
    await app.app.evaluate(() => {
      neu.offNetworkStatusChange!()
      Reflect.deleteProperty((navigator as unknown as { connection: object }).connection, 'effectiveType')
    })
    app.faults()
  })

  test('previews images full screen, one by one', async () => {
    const app = await sharedApp()
    await app.go('pages/images/images')
    const count = dialog(app).locator('.neu-preview-count')
    const control = (name: string) => dialog(app).getByRole('button', { name, exact: true })
    await press(app, 'Images', 'previewImage')
    await dialog(app).waitFor()
    await expectOutcome(app, 'Images', '{"errMsg":"previewImage:ok"}')
    expect(await count.innerText()).toBe('1 / 2')
    expect(await control('Previous').count()).toBe(0)
    const shown = () =>
      dialog(app)
        .locator('img')
        .evaluateAll((images) => (images as HTMLImageElement[]).map(({ naturalWidth }) => naturalWidth))
    await expect.poll(shown).toEqual([240, 320])
    await control('Next').click()
    await expect.poll(() => count.innerText()).toBe('2 / 2')
    await app.screenshot(`api-preview.${where.platform}.${where.mode}`)
    await control('Close').click()
    await expectGone(dialog(app))
    await press(app, 'Images', 'From the second image')
    await expect.poll(() => count.innerText()).toBe('2 / 2')
    await app.page.keyboard.press('Escape')
    await expectGone(dialog(app))
    // Tapping an image in the page opens the preview.
    await app.app.locator('neu-page-window:not([inert]) neu-image').nth(1).click()
    await expect.poll(() => count.innerText()).toBe('2 / 2')
    await control('Close').click()
    await expectGone(dialog(app))
    expect(await inBothStyles(app, 'previewImage', { urls: [] })).toBe('previewImage:fail urls is empty')

    expect(await inBothStyles(app, 'getImageInfo', { src: '/static/cup.png' })).toMatchObject({
      errMsg: 'getImageInfo:ok',
      width: 240,
      height: 240,
      type: 'png',
    })
    expect(await inBothStyles(app, 'getImageInfo', { src: '/static/none.png' })).toBe(
      'getImageInfo:fail the image cannot be read',
    )
    app.faults()
  })

  test('returns chosen images that can be measured and previewed', async () => {
    const app = await sharedApp()
    await app.go('pages/images/images')
    const [chooser] = await Promise.all([app.page.waitForEvent('filechooser'), press(app, 'Images', 'chooseImage')])
    const buffer = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await chooser.setFiles({ name: 'photo.png', mimeType: 'image/png', buffer })
    await expectOutcome(app, 'Images', /"tempFilePaths":\["blob:/)
    const { tempFilePaths, tempFiles } = JSON.parse(await outcome(app, 'Images').innerText())
    expect(tempFiles).toMatchObject([{ name: 'photo.png', size: buffer.length, type: 'image/png' }])
    const [src] = tempFilePaths
    expect(await call(app, 'getImageInfo', { src })).toMatchObject({ width: 1, height: 1 })
    await call(app, 'previewImage', { urls: [src] })
    await expect
      .poll(() =>
        dialog(app)
          .locator('img')
          .evaluate((image) => (image as HTMLImageElement).naturalWidth),
      )
      .toBe(1)
    await app.page.keyboard.press('Escape')
    await expectGone(dialog(app))
  })

  test('fails chooseImage on cancel', async () => {
    const app = await sharedApp()
    await app.go('pages/images/images')
    const [chooser] = await Promise.all([app.page.waitForEvent('filechooser'), press(app, 'Images', 'chooseImage')])
    expect(chooser.isMultiple()).toBe(true)
    // The event that browsers fire when the file dialog is closed.
    await chooser.element().evaluate((input) => input.dispatchEvent(new Event('cancel')))
    await expectOutcome(app, 'Images', 'chooseImage:fail cancel')
  })

  test('delivers app events to current listeners only', async () => {
    const app = await sharedApp()
    expect(
      await app.app.evaluate(() => {
        const events: unknown[] = []
        const listen = (...args: unknown[]) => events.push(args)
        neu.$on('order', listen)
        neu.$once('order', (name: unknown) => events.push(`once ${name}`))
        neu.$emit('order', 'latte', 2)
        neu.$emit('order', 'tea')
        neu.$off('order', listen)
        neu.$emit('order', 'water')
        neu.$on('order', listen)
        neu.$off()
        neu.$emit('order', 'nothing')
        return events
      }),
    ).toEqual([['latte', 2], 'once latte', ['tea']])
  })

  test('measures elements relative to the corner of the page', async () => {
    const app = await sharedApp()
    await app.go('pages/elements/elements')
    await app.neu('pageScrollTo', { scrollTop: 0, duration: 0 })
    const offset = await app.app.evaluate(() => {
      const page = document.querySelector('neu-page-window:not([inert])')!.getBoundingClientRect()
      const box = document.querySelector('neu-page-window:not([inert]) #first')!.getBoundingClientRect()
      return { left: box.left - page.left, top: box.top - page.top }
    })
    const first = { ...offset, right: offset.left + 200, bottom: offset.top + 100, width: 200, height: 100 }
    await press(app, 'createSelectorQuery', 'One box')
    await expectOutcome(app, 'createSelectorQuery', /"id":"first"/)
    expect(JSON.parse(await outcome(app, 'createSelectorQuery').innerText())).toMatchObject({
      id: 'first',
      dataset: { cup: 'small' },
      ...first,
    })
    const results = await app.app.evaluate(
      () =>
        new Promise<unknown[]>((resolve) => {
          const callbacks: unknown[] = []
          neu.createSelectorQuery!()
            .selectAll('.box')
            .boundingClientRect((boxes: { id: string }[]) => callbacks.push(boxes.map(({ id }) => id)))
            .select('#none')
            .boundingClientRect()
            .selectAll('.none')
            .boundingClientRect()
            .select('#second')
            .fields({ id: true, size: true, properties: ['class'], computedStyle: ['backgroundColor'] })
            .selectViewport()
            .fields({ size: true, scrollOffset: true })
            .select('#third')
            .node()
            .exec(([, ...results]: unknown[]) => {
              const { node } = results.pop() as { node: Element }
              resolve([...callbacks, ...results, node.textContent])
            })
        }),
    )
    const { windowHeight } = (await app.neu('getSystemInfo')) as { windowHeight: number }
    expect(results).toEqual([
      ['first', 'second', 'third'],
      null,
      [],
      { id: 'second', width: 200, height: 100, class: 'box', backgroundColor: 'rgb(247, 233, 208)' },
      {
        width: 375,
        height: windowHeight,
        scrollLeft: 0,
        scrollTop: 0,
        scrollWidth: 375,
        scrollHeight: expect.any(Number),
      },
      'third',
    ])
  })

  test('pageScrollTo: scrolls to a position or an element', async () => {
    const app = await sharedApp()
    await app.go('pages/elements/elements')
    const scroller = app.app.locator('neu-page-window:not([inert]) neu-page-scroll')
    const scrolled = () => scroller.evaluate((element) => Math.round(element.scrollTop))
    await press(app, 'pageScrollTo', 'To 600 px')
    await expect.poll(scrolled).toBe(600)
    await call(app, 'pageScrollTo', { scrollTop: 0, duration: 60 })
    await expect.poll(scrolled).toBe(0)
    await press(app, 'pageScrollTo', 'To the third box')
    const offset = () =>
      app.app.evaluate(() => {
        const page = document.querySelector('neu-page-window:not([inert])')!.getBoundingClientRect()
        return Math.round(
          document.querySelector('neu-page-window:not([inert]) #third')!.getBoundingClientRect().top - page.top,
        )
      })
    await expect.poll(offset).toBe(0)
    expect(await inBothStyles(app, 'pageScrollTo', { selector: '#second', offsetTop: -20, duration: 0 })).toEqual({
      errMsg: 'pageScrollTo:ok',
    })
    expect(await inBothStyles(app, 'pageScrollTo', {})).toBe('pageScrollTo:fail scrollTop or selector is required')
    expect(await inBothStyles(app, 'pageScrollTo', { selector: '#none', duration: 0 })).toBe(
      'pageScrollTo:fail no element matches #none',
    )
    expect(await call(app, 'pageScrollTo', { scrollTop: '9' })).toBe(
      'pageScrollTo:fail parameter error: parameter.scrollTop should be Number instead of String',
    )
  })

  test('reports elements that enter and leave the viewport to an observer', async () => {
    const app = await sharedApp()
    await app.go('pages/elements/elements')
    const seen = () => app.app.locator('neu-page-window:not([inert]) .seen').innerText()
    await press(app, 'createIntersectionObserver', 'observe')
    await app.settled()
    const before = await seen()
    await call(app, 'pageScrollTo', { selector: '#third', duration: 0 })
    await expect.poll(seen).toMatch(/third 1$/)
    await call(app, 'pageScrollTo', { scrollTop: 0, duration: 0 })
    await expect.poll(seen).toMatch(/third 0/)
    expect((await seen()).startsWith(before)).toBe(true)
    await press(app, 'createIntersectionObserver', 'disconnect')
    await app.settled()
    const after = await seen()
    await call(app, 'pageScrollTo', { selector: '#third', duration: 0 })
    await app.settled()
    expect(await seen()).toBe(after)
    // Relative to the viewport, with a margin.
    const result = await app.app.evaluate(
      () =>
        new Promise<unknown>((resolve) => {
          const observer = neu.createIntersectionObserver!()
          observer.relativeToViewport({ bottom: 100 }).observe('#third', (entry: Record<string, unknown>) => {
            observer.disconnect()
            resolve(entry)
          })
        }),
    )
    expect(result).toMatchObject({ id: 'third', intersectionRatio: 1, dataset: { cup: 'large' } })
  })

  // The last one, because it leaves the screen changed.
  test('notifies listeners of changes in size and theme', async () => {
    const app = await sharedApp()
    await app.app.evaluate(() => {
      const events: unknown[] = []
      Object.assign(window, { events })
      neu.onWindowResize!((event: unknown) => events.push(event))
      neu.onThemeChange!((event: unknown) => events.push(event))
    })
    const events = () => app.app.evaluate(() => (window as unknown as { events: unknown[] }).events)
    if (where.platform === 'H5') await app.page.emulateMedia({ colorScheme: 'dark' })
    else await app.setDevice({ theme: 'dark' })
    await expect.poll(events).toEqual([{ theme: 'dark' }])
    await app.page.setViewportSize({ width: 600, height: 400 })
    await app.setDevice({ width: 600, height: 400, orientation: 'landscape' })
    const above = where.platform === 'H5' ? 44 : 64
    await expect.poll(events).toEqual([{ theme: 'dark' }, { size: { windowWidth: 600, windowHeight: 400 - above } }])
    await app.app.evaluate(() => {
      neu.offWindowResize!()
      neu.offThemeChange!()
    })
    await app.page.setViewportSize({ width: 500, height: 400 })
    await app.setDevice({ width: 500 })
    await app.settled()
    expect((await events()).length).toBe(2)
  })
})

// On H5 the page draws the dialogs, elsewhere the host.
test.each([
  ['zh-CN', 'H5', '确定', '取消', '已复制'],
  ['ar', 'App', 'حسنًا', 'إلغاء', 'تم النسخ'],
] as const)('localizes dialogs in %s, %s', async (language, platform, ok, cancel, copied) => {
  const app = await open({ platform, mode: 'build', language })
  await app.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const shown = call(app, 'showModal', { title: 'x' })
  await dialog(app).waitFor()
  expect(await dialog(app).getByRole('button').allInnerTexts()).toEqual([cancel, ok])
  await app.screenshot(`api-modal.${language}.${platform}`)
  await answer(app, ok)
  expect(await shown).toMatchObject({ confirm: true })
  const chosen = call(app, 'showActionSheet', { itemList: ['1'] })
  await answer(app, cancel)
  expect(await chosen).toBe('showActionSheet:fail cancel')
  await call(app, 'setClipboardData', { data: 'x' })
  await toast(app).getByText(copied).waitFor()
})
