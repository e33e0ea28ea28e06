import { Souk } from '@souk/sdk'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type RunningServer, startServer } from '../../../apps/server/test/server.ts'
import { backend, listen } from './server.ts'
import { Shop } from './shop.ts'
import { type Order, Store } from './store.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.stop())

/** Waits until the expectation is met. */
const eventually = (expected: () => void | Promise<void>) => vi.waitFor(expected, { timeout: 30_000 })

/** Calls the console's API, also on behalf of the host application. */
// biome-ignore lint/suspicious/noExplicitAny: results differ by operation, and the tests check their fields.
async function callConsole(method: string, path: string, input?: object): Promise<any> {
  const answer = await fetch(`${server.url}/console/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${server.adminToken}`, ...(input && { 'content-type': 'application/json' }) },
    ...(input && { body: JSON.stringify(input) }),
  })
  expect(answer.status, `${method} ${path}`).toBe(200)
  return answer.json()
}

/** Starts a shop with a customer, Layla. Coffee is ready when a function in `brewing` is called. */
async function openShop({ receivesCallbacks = true } = {}) {
  const { appid, secret } = await callConsole('POST', '/apps', { name: 'Coffee under test' })
  const souk = new Souk({ baseUrl: server.url, appid, secret })
  const { server: http, port } = await listen(0)
  const url = `http://127.0.0.1:${port}`
  const store = new Store(':memory:')
  const brewing: (() => void)[] = []
  const shop = new Shop({
    souk,
    store,
    notifyUrl: `${url}/${receivesCallbacks ? 'payment-result' : 'somewhere-else'}`,
    iconUrl: `${server.url}/console/favicon.svg`,
    brew: (done) => brewing.push(done),
  })
  http.on('request', backend(shop, souk))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
    store.close()
  })

  const { uid } = await callConsole('POST', '/sandbox/users', {
    nickname: 'Layla',
    country: '+966',
    phone: '500000001',
  })
  let token = ''
  async function call(method: string, path: string, input?: object) {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'accept-language': 'ar' },
      ...(input && { body: JSON.stringify(input) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  /** Returns the result of `neu.login()` or `neu.getAuthCode()`. */
  const code = (scope = 'user.info') => callConsole('POST', '/sandbox/codes', { appid, uid, scope })
  token = (await call('POST', '/sessions', await code())).body.token

  const order = async (...items: object[]): Promise<Order> => (await call('POST', '/orders', { items })).body
  const pay = (tradeNo: string, outcome = 'succeeded') =>
    callConsole('POST', '/sandbox/payments', { tradeNo, uid, payMethod: 'card', outcome })
  const expectState = (id: number, state: string) =>
    vi.waitFor(async () => expect((await call('GET', `/orders/${id}`)).body.state).toBe(state), { timeout: 30_000 })
  const home = () => callConsole('GET', `/sandbox/users/${uid}/home`)
  const inbox = () => callConsole('GET', `/sandbox/users/${uid}/inbox`)
  return { souk, call, code, order, pay, expectState, home, inbox, brewing, url }
}

const latte = { drink: 'latte', quantity: 2 }
const espresso = { drink: 'espresso', quantity: 1 }

test('an order is paid, made and collected, and its messages follow', async () => {
  const { call, order, pay, expectState, home, inbox, brewing } = await openShop()
  const placed = await order(latte, espresso)
  expect(placed).toMatchObject({ state: 'unpaid', amount: 4100, currency: 'SAR', items: [{ name: 'لاتيه' }, {}] })
  expect(await home()).toEqual([])

  await pay(placed.tradeNo)
  await expectState(placed.id, 'making')
  const link = `pages/order/order?id=${placed.id}`
  await eventually(async () =>
    expect(await home()).toMatchObject([{ text: 'قيد التحضير', path: link, language: 'ar_SA' }]),
  )
  await eventually(async () => expect(await inbox()).toMatchObject([{ title: 'شكرًا لك', link }]))
  expect((await call('POST', `/orders/${placed.id}/collect`)).status).toBe(409)

  for (const done of brewing) done()
  await expectState(placed.id, 'ready')
  await eventually(async () => expect(await home()).toMatchObject([{ text: 'جاهز عند المنضدة' }]))
  await eventually(async () => expect(await inbox()).toMatchObject([{ title: 'قهوتك جاهزة' }, {}]))

  expect((await call('POST', `/orders/${placed.id}/collect`)).body.state).toBe('collected')
  expect(await home()).toEqual([])
})

test('orders have numbers that people can read, and a changed order another trade with its number', async () => {
  const { souk, call, order } = await openShop()
  await order(latte)
  const { id, tradeNo } = await order(espresso)
  expect(await souk.tradedetail(tradeNo)).toMatchObject({ outTradeNo: 'coffee-0002' })
  const changed = (await call('PUT', `/orders/${id}`, { items: [latte] })).body
  expect(changed.id).toBe(2)
  expect(await souk.tradedetail(changed.tradeNo)).toMatchObject({ outTradeNo: 'coffee-0002-3' })
  expect((await order(espresso)).id).toBe(4)
})

test('without a callback, polling the trade settles the order once', async () => {
  const { call, order, pay, brewing, inbox } = await openShop({ receivesCallbacks: false })
  const { id, tradeNo } = await order(latte)
  await pay(tradeNo)
  expect((await call('GET', `/orders/${id}`)).body.state).toBe('unpaid')
  const refresh = () => call('POST', `/orders/${id}/refresh`)
  const states = (await Promise.all([refresh(), refresh(), refresh()])).map(({ body }) => body.state)
  expect(states).toEqual(['making', 'making', 'making'])
  expect(brewing).toHaveLength(1)
  expect(await inbox()).toHaveLength(1)
})

test('polls while a payment is processing', async () => {
  const { souk, call, order, pay } = await openShop({ receivesCallbacks: false })
  const { id, tradeNo } = await order(latte)
  await pay(tradeNo, 'pending')
  const detail = vi.spyOn(souk, 'tradedetail')
  const refreshing = call('POST', `/orders/${id}/refresh`)
  await eventually(() => expect(detail).toHaveResolved())
  await callConsole('POST', '/sandbox/results', { tradeNo, outcome: 'succeeded' })
  expect((await refreshing).body.state).toBe('making')
  expect(detail.mock.settledResults[0]!.value).toMatchObject({ transactionStatus: 1 })
})

test('changing an unpaid order closes its trade, creates another and keeps the order number', async () => {
  const { souk, call, order, pay, expectState } = await openShop()
  const first = await order(latte)
  const second = (await call('PUT', `/orders/${first.id}`, { items: [espresso] })).body
  expect(second).toMatchObject({ id: first.id, amount: 900, state: 'unpaid' })
  expect(second.tradeNo).not.toBe(first.tradeNo)
  expect(await souk.tradedetail(first.tradeNo)).toMatchObject({ transactionStatus: 6 })
  await pay(second.tradeNo)
  await expectState(first.id, 'making')
})

test('of two concurrent changes one succeeds, and the trade of the other is closed', async () => {
  const { souk, call, order } = await openShop()
  const { id } = await order(latte)
  const created = vi.spyOn(souk, 'trade')
  const changes = [espresso, latte].map((item) => call('PUT', `/orders/${id}`, { items: [item] }))
  const answers = await Promise.all(changes)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const { tradeNo } = (await call('GET', `/orders/${id}`)).body
  const others = (await Promise.all(created.mock.results.map(({ value }) => value))).filter(
    (trade) => trade.tradeNo !== tradeNo,
  )
  expect(others).toHaveLength(1)
  expect(await souk.tradedetail(others[0].tradeNo)).toMatchObject({ transactionStatus: 6 })
  expect(await souk.tradedetail(tradeNo)).toMatchObject({ transactionStatus: 1 })
})

test('a paid order can be neither changed nor canceled', async () => {
  const { call, order, pay } = await openShop({ receivesCallbacks: false })
  const change = await order(latte)
  await pay(change.tradeNo)
  const answer = await call('PUT', `/orders/${change.id}`, { items: [espresso] })
  expect([answer.status, answer.body.code]).toEqual([409, 'too_late'])
  expect((await call('GET', `/orders/${change.id}`)).body).toMatchObject({ state: 'making', amount: 3200 })

  const cancel = await order(latte)
  await pay(cancel.tradeNo)
  expect((await call('POST', `/orders/${cancel.id}/cancel`)).status).toBe(409)
})

test.each([
  ['failed:5', 'failed'],
  ['canceled', 'canceled'],
])('after a payment with outcome %s the order is %s and not made', async (outcome, state) => {
  const { order, pay, expectState, brewing, home } = await openShop()
  const { id, tradeNo } = await order(latte)
  await pay(tradeNo, outcome)
  await expectState(id, state)
  expect(brewing).toEqual([])
  expect(await home()).toEqual([])
})

test('canceling an order closes its trade', async () => {
  const { souk, call, order } = await openShop()
  const { id, tradeNo } = await order(latte)
  expect((await call('POST', `/orders/${id}/cancel`)).body.state).toBe('canceled')
  expect(await souk.tradedetail(tradeNo)).toMatchObject({ transactionStatus: 6 })
})

test('a payment result with a wrong sign is rejected', async () => {
  const { souk, call, order, url } = await openShop()
  vi.spyOn(console, 'error').mockImplementationOnce(() => {})
  const { id, tradeNo } = await order(latte)
  const { outTradeNo } = await souk.tradedetail(tradeNo)
  const { body, headers } = souk.callbacks.signTestCallback({ outTradeNo: outTradeNo!, tradeNo, amount: 3200 })
  const forged = body.replace(/sign=[0-9a-f]{8}/, 'sign=00000000')
  const withoutWebhook = { 'content-type': headers['content-type']! }
  const answer = await fetch(`${url}/payment-result`, { method: 'POST', body: forged, headers: withoutWebhook })
  expect(answer.status).toBe(400)
  expect((await call('GET', `/orders/${id}`)).body.state).toBe('unpaid')
})

test('orders that were being made are resumed after a restart', async () => {
  const store = new Store(':memory:')
  const order = { openId: 'o', language: 'en_US', items: [latte], amount: 1, tradeNo: 't', time: 0 } as const
  store.insertOrder({ ...order, id: 1, items: [latte], outTradeNo: 'making' })
  store.moveOrder('making', 'unpaid', 'making')
  store.insertOrder({ ...order, id: 2, items: [latte], outTradeNo: 'unpaid' })
  const brew = vi.fn()
  const souk = new Souk({ baseUrl: server.url, appid: 'a'.repeat(15), secret: 'b'.repeat(48) })
  new Shop({ souk, store, notifyUrl: '', iconUrl: '', brew })
  expect(brew).toHaveBeenCalledOnce()
})

describe('access', () => {
  test('the phone number is available after the customer has consented', async () => {
    const { call, code } = await openShop()
    expect((await call('GET', '/me')).body).toEqual({ name: 'Layla', phone: null })
    const shared = await call('POST', '/me/phone', await code('user.phone'))
    expect(shared.body).toEqual({ name: 'Layla', phone: '+966 500000001' })
    await call('POST', '/sessions', await code())
    expect((await call('GET', '/me')).body.phone).toBe('+966 500000001')
  })

  test('customers cannot read orders of others', async () => {
    const { order, url, call } = await openShop()
    const { id } = await order(latte)
    const answer = await fetch(`${url}/orders/${id}`, { headers: { authorization: 'Bearer guessed' } })
    expect(answer.status).toBe(401)
    expect((await call('GET', `/orders/${id + 1}`)).status).toBe(404)
  })

  test('a session expires, and a new one deletes it', () => {
    const store = new Store(':memory:')
    store.insertSession('first', 'o', { now: 0, expires: 10 })
    expect([store.findOpenId('first', 9), store.findOpenId('first', 10)]).toEqual(['o', undefined])
    store.insertSession('second', 'o', { now: 10, expires: 20 })
    expect([store.findOpenId('first', 9), store.findOpenId('second', 10)]).toEqual([undefined, 'o'])
    store.close()
  })

  test('requests of any origin are allowed', async () => {
    const { url } = await openShop()
    const preflight = await fetch(`${url}/orders/1`, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect((await fetch(`${url}/menu`)).headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each([[[]], [[{ drink: 'tea', quantity: 1 }]], [[{ drink: 'latte', quantity: 0.5 }]], [[null]], ['latte']])(
    'an order of %j is rejected',
    async (items) => {
      const { call } = await openShop()
      expect((await call('POST', '/orders', { items })).status).toBe(400)
    },
  )
})
