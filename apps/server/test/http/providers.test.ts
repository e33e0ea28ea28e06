import { externalProviderNames, providers } from '@souk/contract'
import { type FakeProvider, fakeProviders } from '@souk/fake-providers'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let app: { appid: string; secret: string }
let session: string
let openId: string
let orders = 0

beforeAll(async () => {
  souk = await startTestSouk()
  app = (await souk.console('POST', '/console/v1/apps', { name: 'Tea House' })).body
  const { uid } = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Layla' })).body
  session = (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body.session
  const { body } = await souk.json(session, 'POST', `/host/v1/apps/${app.appid}/login`, {})
  const token = await souk.signed(app, 'POST', '/neuopenapi/oauth/mini/accessToken', {
    code: body.code,
    grantType: 'authorization_code',
    scope: 'user.info',
  })
  openId = (await souk.send('GET', `/neuopenapi/oauth/mini/user/info?accessToken=${token.response.accessToken}`))
    .response.openId
})
afterAll(() => souk.stop())

async function newTrade(): Promise<string> {
  const answer = await souk.signed(app, 'POST', '/neuopenapi/pay/transactions/trade', {
    outTradeNo: `provider-${++orders}`,
    amount: 1250,
    currency: 'SAR',
    openId,
    notifyUrl: 'http://127.0.0.1:9/paid',
  })
  return answer.response.tradeNo
}
const host = (method: string, path: string, input?: unknown) => souk.json(session, method, `/host/v1${path}`, input)
const openAccount = async (provider: string, settings: object, secrets: object): Promise<string> => {
  const { body } = await souk.console('POST', '/console/v1/provider-accounts', {
    appid: app.appid,
    provider,
    name: provider,
    settings,
    secrets,
  })
  return body.providerAccountId
}
/** Sends a request of the payer's browser, without following redirects. */
const browse = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init })

describe.each(externalProviderNames)('%s', (name) => {
  const { payType } = providers[name]
  const { start, settings, secrets } = fakeProviders[name]
  let provider: FakeProvider
  let account: string
  let tradeNo: string

  const open = () => openAccount(name, { ...settings, baseUrl: provider.url }, secrets)

  beforeAll(async () => {
    provider = await start()
    provider.webhookUrl = 'http://localhost:9'
    provider.setWebhookFaults({ hold: true })
    account = await open()
  })
  afterAll(async () => {
    await souk.console('PATCH', `/console/v1/provider-accounts/${account}`, { enabled: false })
    await provider.close()
  })
  beforeEach(async () => {
    tradeNo = await newTrade()
    provider.webhooks.held.length = 0
  })

  /** Starts a payment and returns the provider's page and payment id. */
  async function startPayment() {
    const { body } = await host('POST', `/trades/${tradeNo}/payments`, { payMethod: 'card' })
    expect(body).toEqual({
      status: 0,
      redirect: { payNo: expect.any(String), url: expect.stringContaining(provider.url) },
    })
    const payment = provider.payments().find(({ pageId }) => body.redirect.url.endsWith(pageId))!
    return {
      url: body.redirect.url as string,
      payment,
      returnUrl: payment.redirectUrls.success.replace('http://souk.test', souk.url),
    }
  }
  const post = (body: string, headers: Record<string, string>, to = account) =>
    fetch(`${souk.url}/webhooks/${to}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const detail = async () =>
    (await souk.signed(app, 'GET', '/neuopenapi/pay/transactions/tradedetail', { tradeNo })).response

  test('settles the trade by webhook after a payment on its page', async () => {
    const { url, payment } = await startPayment()
    expect(await detail()).toMatchObject({ transactionStatus: 1, payType, payMethod: 3 })
    const form = new URLSearchParams({ method: 'card', number: '4242 4242 4242 4242' })
    await browse(url, { method: 'POST', body: form })
    expect(payment.state).toBe('paid')
    expect(await detail()).toMatchObject({ transactionStatus: 1 })

    const { body, signatureHeaders } = provider.webhooks.held.at(-1)!
    expect((await post(body, signatureHeaders(body))).status).toBe(200)
    expect(await detail()).toMatchObject({ transactionStatus: 2, payNo: payment.paymentId })
    expect((await post(body, signatureHeaders(body))).status).toBe(200)
    expect((await host('GET', `/trades/${tradeNo}/result`)).body).toEqual({ status: 2 })
  })

  test('queries the provider when the payer returns, without trusting the redirect', async () => {
    const { payment, returnUrl } = await startPayment()
    const back = `http://souk.test/host/?tradeNo=${tradeNo}`
    const early = await browse(`${returnUrl}?status=succeeded`)
    expect([early.status, early.headers.get('location')]).toEqual([303, back])
    expect(await detail()).toMatchObject({ transactionStatus: 1 })

    provider.pay(payment.reference)
    const body = new URLSearchParams({ respStatus: 'D' })
    const late = await browse(returnUrl, { method: 'POST', body })
    expect([late.status, late.headers.get('location')]).toEqual([303, back])
    expect(await detail()).toMatchObject({ transactionStatus: 2 })
  })

  test('queries the provider once at a time for a payer who returns again and again, until it is paid', async () => {
    const { payment, returnUrl } = await startPayment()
    const { egress } = souk.context
    const send = egress.request
    let [running, mostRunning] = [0, 0]
    const request = vi.spyOn(egress, 'request').mockImplementation((input) => {
      mostRunning = Math.max(mostRunning, ++running)
      return send(input).finally(() => running--)
    })
    onTestFinished(() => request.mockRestore())
    const returnOften = () => Promise.all(Array.from({ length: 20 }, () => browse(returnUrl)))
    await returnOften()
    expect(mostRunning).toBe(1)
    provider.pay(payment.reference)
    await browse(returnUrl)
    expect(await detail()).toMatchObject({ transactionStatus: 2 })
    request.mockClear()
    await returnOften()
    expect(request).not.toHaveBeenCalled()
  })

  test('redirects a returning payer even if the provider is unreachable', async () => {
    const { payment, returnUrl } = await startPayment()
    provider.pay(payment.reference)
    provider.failNext('dropBefore', 'dropBefore')
    expect((await browse(returnUrl)).status).toBe(303)
    expect(await detail()).toMatchObject({ transactionStatus: 1 })
    provider.failNext()
    await browse(returnUrl)
    expect(await detail()).toMatchObject({ transactionStatus: 2 })
  })

  test('refuses forged, altered, too large and unknown webhooks', async () => {
    const { payment } = await startPayment()
    provider.pay(payment.reference)
    const { body, signatureHeaders } = provider.webhooks.held.at(-1)!
    expect((await post(body, {})).status).toBe(401)
    expect((await post(body.replace('1', '2'), signatureHeaders(body))).status).toBe(401)
    expect((await post(body, signatureHeaders(body), 'f'.repeat(32))).status).toBe(404)
    expect((await post(body, signatureHeaders(body), 'not-an-account')).status).toBe(404)
    const large = body + ' '.repeat(5_000_000)
    expect((await post(large, signatureHeaders(large))).status).toBe(413)
    expect(await detail()).toMatchObject({ transactionStatus: 1 })
  })

  test('refuses a webhook of another account at the same provider', async () => {
    const { payment } = await startPayment()
    const other = await open()
    provider.pay(payment.reference)
    const { body, signatureHeaders } = provider.webhooks.held.at(-1)!
    expect((await post(body, signatureHeaders(body), other)).status).toBe(200)
    expect(await detail()).toMatchObject({ transactionStatus: 1 })
    await souk.console('PATCH', `/console/v1/provider-accounts/${other}`, { enabled: false })
  })

  test('lets the provider retry a webhook if the provider cannot be queried', async () => {
    const { payment } = await startPayment()
    provider.pay(payment.reference)
    const { body, signatureHeaders } = provider.webhooks.held.at(-1)!
    provider.failNext('error')
    expect((await post(body, signatureHeaders(body))).status).toBe(503)
    expect((await post(body, signatureHeaders(body))).status).toBe(200)
    expect(await detail()).toMatchObject({ transactionStatus: 2 })
  })
})

test('redirects an unknown return to the host application', async () => {
  for (const attempt of ['0'.repeat(32), 'nothing']) {
    const answer = await browse(`${souk.url}/host/v1/return/${attempt}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'http://souk.test/host/'])
  }
})
