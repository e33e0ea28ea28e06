import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checks, runConformance } from '@souk/conformance'
import { callbackFaults, magicAmounts, magicRefundAmounts, minute, outcomes } from '@souk/contract'
import { Souk, SoukApiError, SoukConnectionError } from '@souk/sdk'
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

/** What the fake leaves out, as the guide says it, with the checks that a real server passes. */
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
