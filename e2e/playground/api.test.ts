import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { signParameters } from '../../packages/contract/src/open/sign.ts'
import { type App, type Mode, type Opening, openApp, type Platform } from './fixture.ts'

interface Case {
  platform: Platform
  mode: Mode
}

const everywhere: Case[] = [
  { platform: 'H5', mode: 'serve' },
  { platform: 'H5', mode: 'build' },
  { platform: 'App', mode: 'build' },
  // On the device page of the development server.
  { platform: 'Mini App', mode: 'serve' },
]
/** Where there is a host to ask: on H5 the one that development brings. */
const withHost = everywhere.filter(({ platform, mode }) => platform !== 'H5' || mode === 'serve')

type Outcome = { errMsg: string; [key: string]: unknown }
type Task = { abort(): void; onHeadersReceived(listener: (event: object) => void): void }
type Emitter = (name?: string, ...args: unknown[]) => void
interface Scope {
  // biome-ignore lint/suspicious/noExplicitAny: each has options and results of its own
  [name: string]: (...args: any[]) => any
}
declare const neu: Scope & { $on: Emitter; $once: Emitter; $off: Emitter; $emit: Emitter }
declare const uni: unknown

const opened: App[] = []

async function open(own: Omit<Opening, 'project'>): Promise<App> {
  const app = await openApp({ project: 'api', isOnDevicePage: own.platform !== 'H5' && own.mode === 'serve', ...own })
  opened.push(app)
  return app
}

afterEach(async () => {
  const faults = opened.flatMap((app) => app.faults())
  await Promise.all(opened.splice(0).map((app) => app.close()))
  expect(faults).toEqual([])
})

/** With a promise: what it gives, or the text that it fails with. */
const call = ({ app }: App, method: string, options?: object): Promise<Outcome | string> =>
  app.evaluate(
    async ([method, options]) => {
      try {
        return (await neu[method]!(options)) as Outcome
      } catch (error) {
        return (error as Outcome).errMsg
      }
    },
    [method, options] as const,
  )

/** With callbacks: which of them were called with what, in their order. */
const callBack = ({ app }: App, method: string, options: object = {}): Promise<[string, Outcome | string][]> =>
  app.evaluate(
    ([method, options]) =>
      new Promise<[string, Outcome | string][]>((resolve) => {
        const heard: [string, Outcome | string][] = []
        const hear = (name: string) => (outcome: Outcome) => {
          heard.push([name, outcome instanceof Error ? (outcome as unknown as Outcome).errMsg : outcome])
          if (name === 'complete') resolve(heard)
        }
        neu[method]!({ ...options, success: hear('success'), fail: hear('fail'), complete: hear('complete') })
      }),
    [method, options] as const,
  )

/** What both styles give. */
async function inBothStyles(app: App, method: string, options?: object): Promise<Outcome | string> {
  const outcome = await call(app, method, options)
  const name = typeof outcome === 'string' ? 'fail' : 'success'
  expect(await callBack(app, method, options)).toEqual([
    [name, outcome],
    ['complete', outcome],
  ])
  return outcome
}

const dialog = ({ host }: App) => host.locator('.neu-overlays [role=dialog]')
/** Toasts have their time. */
const gone = (locator: Locator) => expect.poll(() => locator.count(), { interval: 20 }).toBe(0)
async function answer(app: App, name: string): Promise<void> {
  await dialog(app).getByRole('button', { name, exact: true }).click()
  await gone(dialog(app))
}
const toast = ({ host }: App) => host.locator('.neu-toast')
const group = ({ app }: App, name: string) =>
  app.locator('neu-page-window:not([inert])').getByRole('group', { name, exact: true })
const press = (app: App, groupName: string, name: string) =>
  group(app, groupName).getByRole('button', { name, exact: true }).click()
const outcome = (app: App, groupName: string) => group(app, groupName).locator('.call-list-outcome')
const says = (app: App, groupName: string, text: string | RegExp) =>
  expect.poll(() => outcome(app, groupName).innerText(), { interval: 20 }).toMatch(text)

describe.each(withHost)('account without a server, $platform, $mode', (where) => {
  test('login and profile are made up and say so', async () => {
    const app = await open(where)
    expect(await call(app, 'login')).toEqual({ errMsg: 'login:ok', code: 'not-a-real-code-login-1' })
    expect(await callBack(app, 'login')).toEqual([
      ['success', { errMsg: 'login:ok', code: 'not-a-real-code-login-2' }],
      ['complete', { errMsg: 'login:ok', code: 'not-a-real-code-login-2' }],
    ])
    for (const method of ['getUserProfile', 'getUserInfo'])
      expect(await inBothStyles(app, method, { desc: 'Name on the cup' })).toMatchObject({
        userInfo: { nickName: 'Mock user', avatarUrl: '' },
      })
  })

  test('getAuthCode asks; refusal goes to fail', async () => {
    const app = await open(where)
    await app.go('pages/account/account')
    await press(app, 'Account', 'user.info, user.phone')
    await dialog(app).getByText('Country and phone number').waitFor()
    await app.picture(`api-consent.${where.platform}.${where.mode}`)
    await answer(app, 'Deny')
    await says(app, 'Account', /^getAuthCode:fail the user refused$/)
    await press(app, 'Account', 'user.info')
    await answer(app, 'Allow')
    await says(app, 'Account', /"code":"not-a-real-code-getAuthCode-1"/)
    const refused = callBack(app, 'getAuthCode', { scope: 'user.email' })
    await answer(app, 'Deny')
    expect(await refused).toEqual([
      ['fail', 'getAuthCode:fail the user refused'],
      ['complete', 'getAuthCode:fail the user refused'],
    ])
    // What is no scope is not asked for.
    await press(app, 'Account', 'Invalid scope')
    await says(app, 'Account', /^getAuthCode:fail .*user\.info, user\.phone, user\.email/)
    expect(await dialog(app).count()).toBe(0)
  })

  test('a payment ends as the developer chooses', async () => {
    const app = await open(where)
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
    const paid = callBack(app, 'requestPayment', { transactionNo: 't-2' })
    await dialog(app).getByText('Outcome for t-2').waitFor()
    await answer(app, 'Pay')
    expect(await paid).toEqual([
      ['success', { errMsg: 'requestPayment:ok', status: 2 }],
      ['complete', { errMsg: 'requestPayment:ok', status: 2 }],
    ])
  })
})

test('in a release for H5 there is no host to sign in with', async () => {
  const app = await open({ platform: 'H5', mode: 'build' })
  for (const method of ['login', 'getAuthCode', 'getUserProfile'])
    expect(await inBothStyles(app, method)).toBe(`${method}:fail not supported on H5`)
  expect(await inBothStyles(app, 'requestPayment', { tradeNo: '1' })).toBe('requestPayment:fail not supported on H5')
})

describe.each<Case>([
  { platform: 'H5', mode: 'serve' },
  { platform: 'App', mode: 'serve' },
  { platform: 'Mini App', mode: 'serve' },
])('account with a sandbox, $platform', (where) => {
  const { url, rehearsed } = inject('fixture')
  const { appid, secret } = rehearsed

  /** The mini app's own backend (open-api §4). */
  async function backend(method: 'GET' | 'POST', path: string, own: Record<string, string>) {
    const parameters = Object.entries({ appid, timestamp: String(Date.now()), ...own })
    const form = new URLSearchParams([...parameters, ['sign', signParameters(parameters, secret)]])
    const address = `${url}/neuopenapi${path}`
    const answer = await (method === 'GET' ? fetch(`${address}?${form}`) : fetch(address, { method, body: form }))
    const { response, responseHeader } = (await answer.json()) as Record<string, Record<string, unknown>>
    expect(responseHeader).toMatchObject({ status: 200 })
    return response!
  }
  async function userOf(code: unknown, scope: string) {
    const login = { grantType: 'authorization_code', scope, code: String(code) }
    const { accessToken } = await backend('POST', '/oauth/mini/accessToken', login)
    const answer = await fetch(`${url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
    return ((await answer.json()) as { response: Record<string, string | null> }).response
  }

  test('codes are good for the token and the user that they were made for', async () => {
    const app = await open({ ...where, server: url, appid })
    const login = (await call(app, 'login')) as Outcome
    expect(login).toEqual({ errMsg: 'login:ok', code: expect.any(String) })
    const profile = (await call(app, 'getUserProfile')) as unknown as { userInfo: { nickName: string } }
    const user = await userOf(login.code, 'user.info')
    expect(user).toMatchObject({ nickName: profile.userInfo.nickName, phone: null })
    const asked = call(app, 'getAuthCode', { scope: 'user.info,user.phone' })
    await dialog(app).getByText('Share with Rehearsed Coffee?').waitFor()
    await dialog(app).getByText(`User: ${profile.userInfo.nickName}`).waitFor()
    await answer(app, 'Allow')
    const known = await userOf(((await asked) as Outcome).code, 'user.info,user.phone')
    expect(known).toMatchObject({ openId: user.openId, phone: expect.stringMatching(/^\+?\d+/) })
    const refused = callBack(app, 'getAuthCode', { scope: 'user.phone' })
    await answer(app, 'Deny')
    expect(await refused).toEqual([
      ['fail', 'getAuthCode:fail the user refused'],
      ['complete', 'getAuthCode:fail the user refused'],
    ])
    // What is shown in the mini app's own document is the code alone.
    await app.go('pages/account/account')
    await press(app, 'Account', 'login')
    await says(app, 'Account', /"code":"\w/)
  })

  test('a trade is paid, declined, challenged, canceled or left, and what the page shows has to agree with it', async () => {
    const app = await open({ ...where, server: url, appid })
    await app.go('pages/account/account')
    const { code } = (await call(app, 'login')) as Outcome
    const { openId } = await userOf(code, 'user.info')
    let orders = 0
    const newTrade = async () => {
      orders += 1
      const { tradeNo } = await backend('POST', '/pay/transactions/trade', {
        outTradeNo: `playground-${where.platform.replace(' ', '')}-${orders}`,
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
    // As a page does it.
    const tradeNo = await newTrade()
    await app.app.locator('input').fill(tradeNo)
    await press(app, 'Payment', 'Pay')
    await dialog(app).getByText('Two cappuccinos').waitFor()
    await app.picture(`api-cashier.${where.platform}`)
    await answer(app, 'Pay')
    await says(app, 'Payment', /"status":2/)
    expect(await detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
    // Paid is paid.
    await press(app, 'Payment', 'Pay')
    await answer(app, 'Pay')
    await says(app, 'Payment', /"status":1,"failCode":20/)

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
    // Merely closing the cashier leaves the trade as it is.
    expect(await pay('Cancel')).toMatchObject({ outcome: { ...ok, status: 0 }, trade: { transactionStatus: 1 } })
    for (const shown of [{ amount: '1.00' }, { currency: 'USD', amount: '12.50' }])
      expect(await pay('Pay', shown)).toMatchObject({
        outcome: expect.stringMatching(/^requestPayment:fail .*differ/),
        trade: { transactionStatus: 1 },
      })
    expect(await call(app, 'requestPayment', { tradeNo: '404' })).toMatch(/^requestPayment:fail ./)
    // The browser says of every refusal that there was one.
    expect(app.faults().every((fault) => fault.includes('Failed to load resource'))).toBe(true)
  })
})

/** Answers with what it was asked. */
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

describe.each(everywhere)('$platform, $mode', (where) => {
  test('uni is another name, and canIUse knows all', async () => {
    const app = await open(where)
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

  test('request: data goes where the method has it, and comes back as it is wanted', async () => {
    const app = await open(where)
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
    // Any answer is a success.
    expect(await call(app, 'request', { url: `${base}/missing` })).toMatchObject({
      errMsg: 'request:ok',
      statusCode: 404,
      data: { reason: 'sold out' },
      header: { 'content-type': 'application/json', 'x-brewed': 'today' },
    })
    expect(app.faults()).toEqual([expect.stringContaining('404')])
    expect(await callBack(app, 'request', { url: `${base}/text` })).toMatchObject([
      ['success', { data: 'no { json' }],
      ['complete', { data: 'no { json' }],
    ])
  })

  test('request: what keeps it from an answer is told', async () => {
    const app = await open(where)
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
    const heard = await app.app.evaluate(
      (url) =>
        new Promise<unknown[]>((resolve) => {
          const heard: unknown[] = []
          const task: Task = neu.request!({ url, success: () => heard.push('success'), complete: () => resolve(heard) })
          task.onHeadersReceived((event) => heard.push((event as { statusCode: number }).statusCode))
        }),
      `${base}/echo`,
    )
    expect(heard).toEqual([200, 'success'])
  })

  test('files are downloaded, and uploaded with their fields', async () => {
    const app = await open(where)
    const told = await app.app.evaluate(async (base) => {
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
    expect(told).toMatchObject({
      statusCode: 200,
      progress: 9,
      sent: { method: 'POST', cup: 'small', type: expect.stringContaining('multipart/form-data; boundary=') },
    })
    expect(told.sent.body).toMatch(/name="cups"\r\n\r\n2\r\n.*name="order"; filename="[^"]+".*no \{ json\r\n/s)
    expect(await call(app, 'uploadFile', { url: `${base}/echo` })).toBe('uploadFile:fail no file given')
  })

  test('storage keeps values as they are, at once and later', async () => {
    const app = await open(where)
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
    // The value that was stored is not changed with the object it came from.
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

  test('storage says what it does not take', async () => {
    const app = await open(where)
    const tried = await app.app.evaluate(() => {
      const round: Record<string, unknown> = {}
      round.self = round
      const attempt = (run: () => unknown) => {
        try {
          run()
          return 'it went'
        } catch (error) {
          return (error as Outcome).errMsg
        }
      }
      const text = (length: number) => 'x'.repeat(length)
      return [
        attempt(() => neu.setStorageSync!('', 1)),
        attempt(() => neu.setStorageSync!('round', round)),
        attempt(() => neu.setStorageSync!('big', text(1024 ** 2))),
        attempt(() => neu.setStorageSync!(text(1025), 1)),
        neu.getStorageInfoSync!().keys.length,
      ]
    })
    expect(tried).toEqual([
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

  test('storage is there after a reload, for this app alone', async () => {
    const app = await open(where)
    await app.app.evaluate(() => neu.setStorageSync!('visits', 3))
    await app.settled()
    if (where.platform === 'H5') {
      await app.page.reload()
      await app.page.waitForSelector('neu-page')
    } else if (where.mode === 'serve') {
      await app.page.reload()
      await app.page.waitForSelector('iframe')
      await expect.poll(() => app.page.frames().length).toBe(2)
      await app.app.waitForSelector('neu-page')
    } else await reopen(app, 'playground')
    expect(await app.app.evaluate(() => neu.getStorageSync!('visits'))).toBe(3)
    if (where.platform === 'H5') {
      // Another app of the same origin, at another address.
      if (where.mode === 'serve') return
      const other = await openApp({ project: 'lifecycle', platform: 'H5', mode: 'build' })
      opened.push(other)
      expect(new URL(other.url).origin).toBe(new URL(app.url).origin)
      await app.page.goto(other.url)
      await app.page.waitForSelector('neu-page')
      expect(await app.app.evaluate(() => neu.getStorageInfoSync!().keys)).toEqual([])
      await app.app.evaluate(() => neu.clearStorageSync!())
      await app.page.goto(app.url)
      await app.page.waitForSelector('neu-page')
      expect(await app.app.evaluate(() => neu.getStorageSync!('visits'))).toBe(3)
    } else if (where.mode === 'build') {
      await reopen(app, 'another')
      expect(await app.app.evaluate(() => neu.getStorageInfoSync!().keys)).toEqual([])
      await app.app.evaluate(() => neu.clearStorageSync!())
      await reopen(app, 'playground')
      expect(await app.app.evaluate(() => neu.getStorageSync!('visits'))).toBe(3)
    }
  })

  /** Closed by its host, and opened anew, perhaps under another id. */
  async function reopen(app: App, appid: string): Promise<void> {
    const { src } = await app.page.evaluate(async () => {
      const frame = document.querySelector('iframe')!
      return { src: frame.src }
    })
    const before = app.app
    // Another address of the same document, so that the host opens it anew.
    const url = new URL(src)
    url.searchParams.set('opened', String(performance.now()))
    await app.page.evaluate(
      ([url, appid]) => (window as unknown as { host: { open(props: object): void } }).host.open({ url, appid }),
      [url.href, appid] as const,
    )
    await expect.poll(() => app.page.frames().length === 2 && app.app !== before).toBe(true)
    await app.app.waitForSelector('neu-page')
    expect(await app.app.evaluate(() => neu.getAppBaseInfo!().appId)).toBe(appid)
  }

  test('a toast is there for its time, with its icon, where it is wanted', async () => {
    const app = await open(where)
    await app.go('pages/overlays/overlays')
    await press(app, 'Toast', 'success')
    await toast(app).getByText('Ordered').waitFor()
    expect(await toast(app).locator('svg').count()).toBe(1)
    await says(app, 'Toast', /^{"errMsg":"showToast:ok"}$/)
    await gone(toast(app))
    await press(app, 'Toast', 'none')
    await toast(app).getByText('A text of two lines').waitFor()
    expect(await toast(app).locator('svg').count()).toBe(0)
    await app.picture(`api-toast.${where.platform}.${where.mode}`)
    const middle = (await toast(app).boundingBox())!
    const bottom = async () => (await toast(app).boundingBox())!.y
    await press(app, 'Toast', 'bottom')
    await toast(app).getByText('At the bottom').waitFor()
    expect(await bottom()).toBeGreaterThan(middle.y + 100)
    await press(app, 'Toast', 'image')
    await expect
      .poll(() =>
        toast(app)
          .locator('img')
          .evaluate((image) => (image as HTMLImageElement).naturalWidth),
      )
      .toBe(240)
    await app.picture(`api-toast-image.${where.platform}.${where.mode}`)
    await press(app, 'Toast', 'hide')
    await gone(toast(app))
    expect(await inBothStyles(app, 'showToast', { title: 'x', duration: 50 })).toEqual({ errMsg: 'showToast:ok' })
    await gone(toast(app))
    // With a mask nothing behind can be touched.
    await press(app, 'Toast', 'mask')
    await toast(app).getByText('Please wait').waitFor()
    await expect(
      group(app, 'Toast').getByRole('button', { name: 'hide', exact: true }).click({ timeout: 300 }),
    ).rejects.toThrow(/Timeout/)
    expect(await inBothStyles(app, 'hideToast')).toEqual({ errMsg: 'hideToast:ok' })
    await gone(toast(app))
  })

  test('loading stays until it is hidden', async () => {
    const app = await open(where)
    await app.go('pages/overlays/overlays')
    await press(app, 'Loading', 'loading')
    await toast(app).getByText('Brewing').waitFor()
    expect(await app.host.locator('.neu-loading[aria-busy=true] .neu-spinner').count()).toBe(1)
    await app.picture(`api-loading.${where.platform}.${where.mode}`)
    // A toast takes its place.
    await press(app, 'Toast', 'error')
    await toast(app).getByText('Sold out').waitFor()
    await gone(app.host.locator('.neu-loading'))
    expect(await inBothStyles(app, 'showLoading', { title: 'Again', mask: true })).toEqual({ errMsg: 'showLoading:ok' })
    await toast(app).getByText('Again').waitFor()
    expect(await inBothStyles(app, 'hideLoading')).toEqual({ errMsg: 'hideLoading:ok' })
    await gone(toast(app))
  })

  test('a modal is confirmed, canceled, or written in', async () => {
    const app = await open(where)
    await app.go('pages/overlays/overlays')
    await press(app, 'Dialogs', 'modal')
    await dialog(app).getByText('This cannot be undone.').waitFor()
    await app.picture(`api-modal.${where.platform}.${where.mode}`)
    await answer(app, 'OK')
    await says(app, 'Dialogs', '{"errMsg":"showModal:ok","confirm":true,"cancel":false}')
    await press(app, 'Dialogs', 'modal')
    await answer(app, 'Cancel')
    await says(app, 'Dialogs', '{"errMsg":"showModal:ok","confirm":false,"cancel":true}')
    await press(app, 'Dialogs', 'Custom labels')
    const keep = dialog(app).getByRole('button', { name: 'Keep' })
    expect(await keep.evaluate((button) => getComputedStyle(button).color)).toBe('rgb(11, 107, 99)')
    expect(
      await dialog(app)
        .getByRole('button', { name: 'Delete' })
        .evaluate((button) => getComputedStyle(button).color),
    ).toBe('rgb(179, 32, 44)')
    await app.page.keyboard.press('Escape')
    await gone(dialog(app))
    await says(app, 'Dialogs', '"cancel":true')
    await press(app, 'Dialogs', 'Without cancel')
    await dialog(app).getByText('Done.').waitFor()
    expect(await dialog(app).getByRole('button').count()).toBe(1)
    await answer(app, 'OK')
    await press(app, 'Dialogs', 'Editable')
    const field = dialog(app).getByRole('textbox')
    await field.fill('ليلى')
    await app.picture(`api-editable.${where.platform}.${where.mode}`)
    await field.press('Enter')
    await gone(dialog(app))
    await says(app, 'Dialogs', /"confirm":true.*"content":"ليلى"/)
    // One after the other, each with its own answer.
    const both = app.app.evaluate(() =>
      Promise.all([neu.showModal!({ title: 'First' }), neu.showModal!({ title: 'Second' })]),
    )
    await dialog(app).getByText('First').waitFor()
    await dialog(app).getByRole('button', { name: 'Cancel' }).click()
    await dialog(app).getByText('Second').waitFor()
    await dialog(app).getByRole('button', { name: 'OK' }).click()
    expect((await both).map(({ confirm }: Outcome) => confirm)).toEqual([false, true])
    const back = callBack(app, 'showModal', { title: 'Again' })
    await dialog(app).getByText('Again').waitFor()
    await answer(app, 'OK')
    expect(await back).toMatchObject([
      ['success', { confirm: true, cancel: false }],
      ['complete', { confirm: true, cancel: false }],
    ])
  })

  test('of an action sheet one is chosen, or none', async () => {
    const app = await open(where)
    await app.go('pages/overlays/overlays')
    await press(app, 'Dialogs', 'Action sheet')
    await dialog(app).getByText('Size').waitFor()
    await app.picture(`api-sheet.${where.platform}.${where.mode}`)
    await answer(app, 'Medium')
    await says(app, 'Dialogs', '{"errMsg":"showActionSheet:ok","tapIndex":1}')
    await press(app, 'Dialogs', 'Action sheet')
    await answer(app, 'Cancel')
    await says(app, 'Dialogs', /^showActionSheet:fail cancel$/)
    const back = callBack(app, 'showActionSheet', { itemList: [1, 2] })
    await answer(app, '2')
    expect(await back).toMatchObject([
      ['success', { tapIndex: 1 }],
      ['complete', { tapIndex: 1 }],
    ])
    const none = callBack(app, 'showActionSheet', { itemList: ['a'] })
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

  test('system info says where the page is and what runs it', async () => {
    const app = await open(where)
    const isInFrame = where.platform !== 'H5'
    const info = await app.app.evaluate(() => ({
      window: neu.getWindowInfo!(),
      device: neu.getDeviceInfo!(),
      base: neu.getAppBaseInfo!(),
      all: neu.getSystemInfoSync!(),
    }))
    expect(info.window).toMatchObject({
      windowWidth: 375,
      // What the bar leaves, under a status bar in a frame.
      windowHeight: isInFrame ? 667 - 64 : 667 - 44,
      windowTop: isInFrame ? 64 : 44,
      windowBottom: 0,
      statusBarHeight: isInFrame ? 20 : 0,
      pixelRatio: 1,
    })
    expect(info.device).toMatchObject({ platform: 'android', osName: 'android', deviceOrientation: 'portrait' })
    expect(info.base).toMatchObject({
      language: 'en',
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

  test('another size and theme are told to who listens', async () => {
    if (where.platform !== 'H5' && where.mode === 'serve') return
    const app = await open(where)
    await app.app.evaluate(() => {
      const heard: unknown[] = []
      Object.assign(window, { heard })
      neu.onWindowResize!((event: unknown) => heard.push(event))
      neu.onThemeChange!((event: unknown) => heard.push(event))
    })
    const heard = () => app.app.evaluate(() => (window as unknown as { heard: unknown[] }).heard)
    if (where.platform === 'H5') await app.page.emulateMedia({ colorScheme: 'dark' })
    else await app.setDevice({ theme: 'dark' })
    await expect.poll(heard).toEqual([{ theme: 'dark' }])
    await app.page.setViewportSize({ width: 600, height: 400 })
    await app.setDevice({ width: 600, height: 400, orientation: 'landscape' })
    const above = where.platform === 'H5' ? 44 : 64
    await expect.poll(heard).toEqual([{ theme: 'dark' }, { size: { windowWidth: 600, windowHeight: 400 - above } }])
    await app.app.evaluate(() => {
      neu.offWindowResize!()
      neu.offThemeChange!()
    })
    await app.page.setViewportSize({ width: 500, height: 400 })
    await app.setDevice({ width: 500 })
    await app.settled()
    expect((await heard()).length).toBe(2)
  })

  test('the clipboard takes and gives, and says so', async () => {
    const app = await open({
      ...where,
      prepare: (context) => context.grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    await app.go('pages/device/device')
    await press(app, 'Device', 'Copy')
    await toast(app).getByText('Copied').waitFor()
    await says(app, 'Device', '{"errMsg":"setClipboardData:ok"}')
    await press(app, 'Device', 'Paste')
    await says(app, 'Device', '"data":"Corner Coffee, 24 Old Town"')
    await gone(toast(app))
    expect(await inBothStyles(app, 'setClipboardData', { data: '拿铁', showToast: false })).toEqual({
      errMsg: 'setClipboardData:ok',
    })
    expect(await inBothStyles(app, 'getClipboardData')).toEqual({ errMsg: 'getClipboardData:ok', data: '拿铁' })
    expect(await toast(app).count()).toBe(0)
    expect(await inBothStyles(app, 'setClipboardData', { data: 7 })).toBe(
      'setClipboardData:fail parameter error: parameter.data should be String instead of Number',
    )
  })

  test('a call is left to the device', async () => {
    const app = await open(where)
    await app.go('pages/device/device')
    const session = await app.context.newCDPSession(app.page)
    const asked: string[] = []
    session.on('Page.frameRequestedNavigation', ({ url }) => asked.push(url))
    await session.send('Page.enable')
    await press(app, 'Device', 'makePhoneCall')
    await says(app, 'Device', '{"errMsg":"makePhoneCall:ok"}')
    await expect.poll(() => asked).toEqual(['tel:+6560000000'])
    if (where.platform !== 'H5')
      expect(await inBothStyles(app, 'makePhoneCall', { phoneNumber: 'x'.repeat(100) })).toMatch(/^makePhoneCall:fail /)
  })

  test('the place of the device is told on H5, where the user agrees', async () => {
    const app = await open(where)
    await app.go('pages/device/device')
    await press(app, 'Device', 'getLocation')
    if (where.platform !== 'H5') {
      await says(app, 'Device', 'getLocation:fail not supported in a host application')
      return
    }
    await says(app, 'Device', /getLocation:fail .*denied/)
    await app.context.grantPermissions(['geolocation'])
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

  test('the network is told, and each change of it once', async () => {
    const app = await open(where)
    await app.go('pages/device/device')
    await press(app, 'Device', 'getNetworkType')
    await says(app, 'Device', '"networkType":"4g"')
    await app.app.evaluate(() => {
      const heard: Record<'one' | 'other', object[]> = { one: [], other: [] }
      const hear = (event: object) => heard.one.push(event)
      Object.assign(window, { heard, hear })
      neu.onNetworkStatusChange!(hear)
      neu.onNetworkStatusChange!(hear)
      neu.onNetworkStatusChange!((event: object) => heard.other.push(event))
    })
    const heard = (who: 'one' | 'other') =>
      app.app.evaluate((who) => (window as unknown as { heard: Record<typeof who, object[]> }).heard[who], who)
    const told: object[] = []
    const isTold = async (isConnected: boolean, networkType: string) => {
      told.push({ isConnected, networkType })
      await expect.poll(() => heard('one')).toEqual(told)
      expect(await call(app, 'getNetworkType')).toMatchObject({ networkType })
    }
    await app.context.setOffline(true)
    await isTold(false, 'none')
    await app.context.setOffline(false)
    await isTold(true, '4g')
    // From one kind to another, as on a phone that leaves the house.
    await app.app.evaluate(() => {
      const { connection } = navigator as unknown as { connection: EventTarget }
      Object.defineProperty(connection, 'effectiveType', { value: 'slow-2g' })
      connection.dispatchEvent(new Event('change'))
      connection.dispatchEvent(new Event('change'))
    })
    await isTold(true, '2g')
    await app.app.evaluate(() => neu.offNetworkStatusChange!((window as unknown as { hear: unknown }).hear))
    await app.context.setOffline(true)
    await expect.poll(async () => (await heard('other')).at(-1)).toEqual({ isConnected: false, networkType: 'none' })
    expect(await heard('one')).toEqual(told)
    expect(await heard('other')).toHaveLength(told.length + 1)
    app.faults()
  })

  test('images are shown over the whole screen, one by one', async () => {
    const app = await open(where)
    await app.go('pages/images/images')
    const count = dialog(app).locator('.neu-preview-count')
    const named = (name: string) => dialog(app).getByRole('button', { name, exact: true })
    await press(app, 'Images', 'previewImage')
    await dialog(app).waitFor()
    await says(app, 'Images', '{"errMsg":"previewImage:ok"}')
    expect(await count.innerText()).toBe('1 / 2')
    expect(await named('Previous').count()).toBe(0)
    const shown = () =>
      dialog(app)
        .locator('img')
        .evaluateAll((images) => (images as HTMLImageElement[]).map(({ naturalWidth }) => naturalWidth))
    await expect.poll(shown).toEqual([240, 320])
    await named('Next').click()
    await expect.poll(() => count.innerText()).toBe('2 / 2')
    await app.picture(`api-preview.${where.platform}.${where.mode}`)
    await named('Close').click()
    await gone(dialog(app))
    await press(app, 'Images', 'From the second image')
    await expect.poll(() => count.innerText()).toBe('2 / 2')
    await app.page.keyboard.press('Escape')
    await gone(dialog(app))
    // A tap on a picture in the page.
    await app.app.locator('neu-page-window:not([inert]) neu-image').nth(1).click()
    await expect.poll(() => count.innerText()).toBe('2 / 2')
    await named('Close').click()
    await gone(dialog(app))
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

  test('chosen images can be shown, measured and sent', async () => {
    const app = await open(where)
    await app.go('pages/images/images')
    const [chooser] = await Promise.all([app.page.waitForEvent('filechooser'), press(app, 'Images', 'chooseImage')])
    const buffer = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await chooser.setFiles({ name: 'photo.png', mimeType: 'image/png', buffer })
    await says(app, 'Images', /"tempFilePaths":\["blob:/)
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
  })

  test('who chooses no image is told so', async () => {
    const app = await open(where)
    await app.go('pages/images/images')
    const [chooser] = await Promise.all([app.page.waitForEvent('filechooser'), press(app, 'Images', 'chooseImage')])
    expect(chooser.isMultiple()).toBe(true)
    // What the browser says when its window is closed.
    await chooser.element().evaluate((input) => input.dispatchEvent(new Event('cancel')))
    await says(app, 'Images', 'chooseImage:fail cancel')
  })

  test('events of the app are heard by who listens', async () => {
    const app = await open(where)
    expect(
      await app.app.evaluate(() => {
        const heard: unknown[] = []
        const listen = (...args: unknown[]) => heard.push(args)
        neu.$on('order', listen)
        neu.$once('order', (name: unknown) => heard.push(`once ${name}`))
        neu.$emit('order', 'latte', 2)
        neu.$emit('order', 'tea')
        neu.$off('order', listen)
        neu.$emit('order', 'water')
        neu.$on('order', listen)
        neu.$off()
        neu.$emit('order', 'nothing')
        return heard
      }),
    ).toEqual([['latte', 2], 'once latte', ['tea']])
  })

  test('elements are measured from the page’s corner', async () => {
    const app = await open(where)
    await app.go('pages/elements/elements')
    await app.neu('pageScrollTo', { scrollTop: 0, duration: 0 })
    const placed = await app.app.evaluate(() => {
      const page = document.querySelector('neu-page-window:not([inert])')!.getBoundingClientRect()
      const box = document.querySelector('neu-page-window:not([inert]) #first')!.getBoundingClientRect()
      return { left: box.left - page.left, top: box.top - page.top }
    })
    const first = { ...placed, right: placed.left + 200, bottom: placed.top + 100, width: 200, height: 100 }
    await press(app, 'createSelectorQuery', 'One box')
    await says(app, 'createSelectorQuery', /"id":"first"/)
    expect(JSON.parse(await outcome(app, 'createSelectorQuery').innerText())).toMatchObject({
      id: 'first',
      dataset: { cup: 'small' },
      ...first,
    })
    const results = await app.app.evaluate(
      () =>
        new Promise<unknown[]>((resolve) => {
          const heard: unknown[] = []
          neu.createSelectorQuery!()
            .selectAll('.box')
            .boundingClientRect((boxes: { id: string }[]) => heard.push(boxes.map(({ id }) => id)))
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
              resolve([...heard, ...results, node.textContent])
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

  test('pageScrollTo leads to a place or an element', async () => {
    const app = await open(where)
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

  test('an observer tells what comes into sight and goes', async () => {
    const app = await open(where)
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
    const after = await seen()
    await call(app, 'pageScrollTo', { selector: '#third', duration: 0 })
    await app.settled()
    expect(await seen()).toBe(after)
    // In a box of its own, with margins.
    const told = await app.app.evaluate(
      () =>
        new Promise<unknown>((resolve) => {
          const observer = neu.createIntersectionObserver!()
          observer.relativeToViewport({ bottom: 100 }).observe('#third', (result: Record<string, unknown>) => {
            observer.disconnect()
            resolve(result)
          })
        }),
    )
    expect(told).toMatchObject({ id: 'third', intersectionRatio: 1, dataset: { cup: 'large' } })
  })
})

test.each([
  ['zh-CN', '确定', '取消', '已复制'],
  ['ar', 'حسنًا', 'إلغاء', 'تم النسخ'],
])('in %s the dialogues speak it', async (language, ok, cancel, copied) => {
  for (const where of [
    { platform: 'H5', mode: 'build' },
    { platform: 'App', mode: 'build' },
  ] as Case[]) {
    const app = await open({
      ...where,
      language,
      prepare: (context) => context.grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    const shown = call(app, 'showModal', { title: 'x' })
    await dialog(app).waitFor()
    expect(await dialog(app).getByRole('button').allInnerTexts()).toEqual([cancel, ok])
    await app.picture(`api-modal.${language}.${where.platform}`)
    await answer(app, ok)
    expect(await shown).toMatchObject({ confirm: true })
    const chosen = call(app, 'showActionSheet', { itemList: ['1'] })
    await answer(app, cancel)
    expect(await chosen).toBe('showActionSheet:fail cancel')
    await call(app, 'setClipboardData', { data: 'x' })
    await toast(app).getByText(copied).waitFor()
  }
})
