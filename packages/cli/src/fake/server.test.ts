import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { checks, runConformance } from '@souk/conformance'
import {
  callbackFaults,
  consoleOperations,
  day,
  magicAmounts,
  magicRefundAmounts,
  minute,
  type Operation,
  outcomes,
} from '@souk/contract'
import { Souk, SoukApiError, SoukConnectionError } from '@souk/sdk'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeServer, startFakeServer } from './server.ts'

let fake: FakeServer
let souk: Souk
let openId: string
const uid = 1001

const post = async (path: string, body: object): Promise<Record<string, string>> => {
  const response = await fetch(`${fake.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return response.json() as Promise<Record<string, string>>
}

beforeAll(async () => {
  fake = await startFakeServer(0)
  const { appid, secrets } = fake.souk.createApp('Fake', 'demoapp00000001')
  fake.souk.createUser({ nickname: 'Layla' })
  souk = new Souk({ baseUrl: fake.url, appid, secret: secrets[0]!.secret })
  const { code } = await post('/console/v1/sandbox/codes', { appid, uid, scope: 'user.info' })
  const { accessToken } = await souk.accessToken({ code: code! })
  ;({ openId } = await souk.userInfo(accessToken))
})
afterAll(() => fake.close())

/** Sentences of the guide on features that the fake lacks, with the checks that only a real server passes. */
const leftOut = {
  'notations that the clients do not send: `appId`, `secret` as a parameter, encoded bodies, bodies of more than 1 MiB':
    [
      'transport/appId-alias',
      'transport/secret-sent',
      'transport/content-encoding',
      'envelope/huge-body',
      'file/not-a-file',
    ],
  'the format of access tokens, the e-mail address of users who consented to it earlier, and the refusal to repeat an exchange whose code was used again':
    ['login/token-format', 'login/token-invalid', 'login/login-without-consent', 'repetition/accessToken-revoked'],
  'rules for private addresses in `notifyUrl`, and for links and paths of pages': [
    'trade/notifyUrl-',
    'sendNotify/link-',
    'sendActivity/path-',
    'activity/published-path',
  ],
  'limits of requests per second': ['limit/'],
}

/** The fake passes it, in 5 s. */
const slow = 'callback/response-hanging'

test(
  'passes the checks of a real server, except for what it leaves out',
  async () => {
    const except = [...Object.values(leftOut).flat(), slow]
    const report = await runConformance({ url: fake.url, adminToken: 'any', except })
    const failures = report.results.filter(({ passed }) => !passed)
    expect(failures.map(({ id, failure }) => `${id}: ${failure}`)).toEqual([])
    expect(report.passed).toBeGreaterThan(500)
  },
  5 * minute,
)

test('the guide lists what the fake leaves out', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/guides/command-line.md'), 'utf8')
  const [, list = ''] = /The fake passes the checks .*?:\n\n(.*?)\n\n/s.exec(guide) ?? []
  const items = list.split(/^- /m).filter(Boolean)
  expect(items.map((item) => item.trim().replace(/\s+/g, ' '))).toEqual(Object.keys(leftOut))
  const unused = Object.values(leftOut)
    .flat()
    .filter((start) => !checks.some(({ id }) => id.startsWith(start)))
  expect(unused).toEqual([])
})

test('each outcome, each amount of a refund and each fault of callbacks has a check', () => {
  const ids = checks.map(({ id }) => id)
  const refunds = Object.values(magicRefundAmounts).map(({ outcome }) => `refund/${outcome}`)
  expect(ids).toEqual(expect.arrayContaining(outcomes.map((outcome) => `outcome/${outcome}`)))
  expect(ids).toEqual(expect.arrayContaining(refunds))
  expect(ids).toEqual(expect.arrayContaining(callbackFaults.map((fault) => `outcome/callback-${fault}`)))
  const titles = checks.map(({ title }) => title).join('\n')
  for (const amount of Object.keys(magicAmounts)) expect(titles).toContain(` one of ${amount} cents`)
})

test('fails on demand, before or after the execution of a request', async () => {
  const notifyUrl = 'http://127.0.0.1:9/callback'
  const order = { outTradeNo: 'on-demand', notifyUrl, amount: 1250, currency: 'SAR' as const, openId }
  const create = () => souk.trade(order, { maxRetries: 0 })
  await post('/fake/failures', { operation: 'trade', code: 'unavailable', count: 2 })
  for (let i = 0; i < 2; i++) {
    const failure = await create().catch((error) => error)
    expect(failure).toBeInstanceOf(SoukApiError)
    expect(failure).toMatchObject({ status: 503, code: 'unavailable', retryAfter: 1000 })
  }
  await post('/fake/failures', { operation: 'trade' })
  await expect(create()).rejects.toBeInstanceOf(SoukConnectionError)
  const { tradeNo } = await create()
  await post('/fake/failures', { operation: 'tradeclose', executed: true })
  await expect(souk.tradeclose(tradeNo, { maxRetries: 0 })).rejects.toBeInstanceOf(SoukConnectionError)
  expect(await souk.tradedetail(tradeNo)).toMatchObject({ transactionStatus: 6 })
})

test('limits requests on demand, and answers like a proxy', async () => {
  const query = () => souk.tradedetail('0'.repeat(32), { maxRetries: 0 }).catch((error) => error)
  await post('/fake/failures', { operation: 'tradedetail', code: 'rate_limited', retryAfter: 7 })
  expect(await query()).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 7000 })
  await post('/fake/failures', { operation: 'tradedetail', status: 502 })
  expect(await query()).toMatchObject({ message: expect.stringContaining('502') })
  await post('/fake/failures', { operation: 'tradedetail', status: 429, retryAfter: 3 })
  expect(await query()).toMatchObject({ status: 429, retryAfter: 3000 })
  expect(await query()).toMatchObject({ status: 404, code: 'trade_not_found' })
})

test('says what a failure can be', async () => {
  expect(await post('/fake/failures', { operation: 'buy' })).toMatchObject({
    code: 'parameter_invalid',
    detail: expect.stringContaining('operation must be one of accessToken, '),
  })
  const refusal = await post('/fake/failures', { operation: 'trade', code: 'tired' })
  expect(refusal).toMatchObject({ detail: expect.stringContaining('not tired') })
  const wrong = { status: 200, retryAfter: -1, count: 0, delay: 'long' }
  for (const [name, value] of Object.entries(wrong)) {
    const { detail } = await post('/fake/failures', { operation: 'trade', [name]: value })
    expect(detail).toContain(`${name} must be a whole number from `)
  }
})

test('answers the requests of a sandbox as the contract says', async () => {
  const notifyUrl = 'http://127.0.0.1:9/callback'
  const order = { outTradeNo: 'as-in-the-contract', notifyUrl, amount: 1250, currency: 'SAR' as const, openId }
  const { tradeNo } = await souk.trade(order)
  const appid = 'demoapp00000001'
  const at = `/console/v1/apps/${appid}`
  const requests: [keyof typeof consoleOperations, string, string, object?][] = [
    ['createApp', 'POST', '/console/v1/apps', { name: 'Tea House' }],
    ['rotateSecret', 'POST', `${at}/secrets`, {}],
    ['setCallbackFault', 'POST', `${at}/callback-fault`, { fault: 'twice', count: 1 }],
    ['getCallbackFault', 'GET', `${at}/callback-fault`],
    ['createUser', 'POST', '/console/v1/sandbox/users', { nickname: 'Amal' }],
    ['createCode', 'POST', '/console/v1/sandbox/codes', { appid, uid }],
    ['pay', 'POST', '/console/v1/sandbox/payments', { tradeNo, uid, outcome: 'challenge' }],
    ['resolvePayment', 'POST', '/console/v1/sandbox/results', { tradeNo, outcome: 'succeeded' }],
    ['sandboxInbox', 'GET', `/console/v1/sandbox/users/${uid}/inbox`],
    ['sandboxHome', 'GET', `/console/v1/sandbox/users/${uid}/home`],
    ['moveClock', 'POST', '/console/v1/sandbox/clock', { forward: minute }],
    ['getClock', 'GET', '/console/v1/sandbox/clock'],
  ]
  const send = async (name: keyof typeof consoleOperations, method: string, path: string, body?: object) => {
    const response = await fetch(fake.url + path, { method, ...(body && { body: JSON.stringify(body) }) })
    const result = (await response.json()) as { notifyId: string }[]
    const { result: schema }: Operation = consoleOperations[name]
    expect([name, Compile(schema).Errors(result)]).toEqual([name, []])
    return result
  }
  for (const request of requests) await send(...request)
  const list = `/console/v1/callbacks?appid=${appid}&tradeNo=${tradeNo}`
  const [callback] = await send('listCallbacks', 'GET', list)
  expect(callback).toMatchObject({ tradeNo, notifyUrl, state: 'pending' })
  await send('replayCallback', 'POST', `/console/v1/callbacks/${callback!.notifyId}/replay`, {})
})

test('does not repeat a callback that a replay has delivered', async () => {
  const backend = createServer((_request, response) => response.end('success')).listen(0, '127.0.0.1')
  await once(backend, 'listening')
  const notifyUrl = `http://127.0.0.1:${(backend.address() as AddressInfo).port}/callback`
  const appid = 'demoapp00000001'
  const { tradeNo } = await souk.trade({ outTradeNo: 'replayed', notifyUrl, amount: 1250, currency: 'SAR', openId })
  await post(`/console/v1/apps/${appid}/callback-fault`, { fault: 'drop', count: 1 })
  await post('/console/v1/sandbox/payments', { tradeNo, uid })
  const find = async () => {
    const response = await fetch(`${fake.url}/console/v1/callbacks?appid=${appid}&tradeNo=${tradeNo}`)
    return ((await response.json()) as { notifyId: string }[])[0]!
  }
  const { notifyId } = await find()
  const replay = () => post(`/console/v1/callbacks/${notifyId}/replay`, {})
  await expect.poll(replay).toMatchObject({ state: 'delivered' })
  const delivered = await find()
  await post('/console/v1/sandbox/clock', { forward: day })
  expect(await find()).toEqual(delivered)
  backend.close()
})

test.each([
  [
    'POST',
    '/console/v1/sandbox/clock',
    { forward: '2 hours' },
    'parameter_invalid',
    'forward must be a number of mill',
  ],
  [
    'POST',
    '/console/v1/sandbox/clock',
    { ahead: 1 },
    'parameter_unknown',
    '"ahead": this operation has forward, reset',
  ],
  ['POST', '/console/v1/sandbox/codes', {}, 'parameter_missing', 'Send appid, uid.'],
  ['POST', '/console/v1/sandbox/codes', null, 'parameter_malformed', 'must be a JSON object'],
  ['POST', '/console/v1/apps/demoapp00000001/secrets', { overlap: -1 }, 'parameter_invalid', 'overlap must be'],
  ['PATCH', '/console/v1/apps/demoapp00000001', { name: 'Tea' }, 'parameter_invalid', 'The fake changes enabled'],
  ['DELETE', '/console/v1/sandbox/clock', {}, 'method_not_allowed', 'Use POST or GET.'],
  ['DELETE', '/fake/clock', {}, 'route_unknown', 'The fake has no /fake/clock.'],
  ['POST', '/console/v1/reviews', {}, 'route_unknown', 'The fake has no /console/v1/reviews.'],
])('refuses %s %s with %j', async (method, path, body, code, detail) => {
  const response = await fetch(fake.url + path, { method, body: JSON.stringify(body) })
  expect(await response.json()).toMatchObject({ code, detail: expect.stringContaining(detail) })
})
