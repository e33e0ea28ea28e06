import { runConformance } from '@souk/conformance'
import { minute } from '@souk/contract'
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

/** What the fake leaves out, by the ids of checks that a real server passes. The guide lists it. */
const leftOut = [
  // Other notations of parameters, bodies and files, which the clients never send.
  ...['envelope/json-body', 'envelope/huge-body', 'transport/repeated-in-form', 'transport/secret-sent'],
  ...['transport/appId-alias', 'transport/content-encoding', 'transport/file-elsewhere', 'file/'],
  // Formats of tokens, and consents given later.
  ...['login/token-format', 'login/token-invalid', 'login/login-without-consent', 'repetition/accessToken-revoked'],
  // Addresses that cannot be reached, links and paths of pages.
  ...['trade/notifyUrl-', 'sendNotify/link-', 'sendActivity/path-', 'activity/published-path'],
  // 3-D Secure, and results that arrive late or never.
  ...['state/magic-amount-90101', 'state/magic-amount-90104', 'state/challenge-', 'state/lost'],
  ...['state/result-after-close', 'refund/late'],
  // Limits.
  ...['limit/', 'notification/500', 'refusal/sendActivity-validityTime'],
  // Take 10 s each, since the backend does not respond.
  ...['callback/endless-response', 'callback/response-hanging'],
]

test(
  'passes the checks of a real server, except for what it leaves out',
  async () => {
    const report = await runConformance({ url: fake.url, adminToken: 'any', except: leftOut })
    const failures = report.results.filter(({ passed }) => !passed)
    expect(failures.map(({ id, failure }) => `${id}: ${failure}`)).toEqual([])
    expect(report.passed).toBeGreaterThan(500)
  },
  2 * minute,
)

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

test('says what a failure can be', async () => {
  expect(await post('/fake/failures', { operation: 'buy' })).toMatchObject({
    code: 'parameter_invalid',
    detail: expect.stringContaining('operation must be one of accessToken, '),
  })
  const refusal = await post('/fake/failures', { operation: 'trade', code: 'tired' })
  expect(refusal).toMatchObject({ detail: expect.stringContaining('not tired') })
})
