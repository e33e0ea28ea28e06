import { externalProviderNames } from '@souk/contract'
import { type FakeProvider, fakeProviders, paytabsSecrets, startPaytabs } from '@souk/fake-providers'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { expectedOf } from '../apps/server/src/domain/money/payments/adapters/expected.ts'
import { signParameters } from '../packages/contract/src/open/sign.ts'
import { consoleCall } from './calls.ts'
import { consolePage, faults, type Look, picture } from './console.ts'
import { openApp } from './playground/fixture.ts'

const { url, uids } = inject('fixture')
const approved = '4242424242424242'
const asks = '4000000000003220'
const declined = '4000000000000002'

type Json = Record<string, string | number>

describe.each(externalProviderNames)('%s', (name) => {
  const { start, settings, secrets } = fakeProviders[name]
  let provider: FakeProvider
  let app: { appid: string; secret: string }
  let host: string
  let openId: string
  let orders = 0

  beforeAll(async () => {
    provider = await start()
    const { projectId } = await consoleCall<Json>('POST', '/projects', { name: `Payments by ${name}` })
    app = (await consoleCall<Json>('POST', '/apps', { projectId, name: 'Old Town Tea' })) as typeof app
    const opened = await consoleCall<Json>('POST', '/provider-accounts', {
      appid: app.appid,
      provider: name,
      name,
      settings: { ...settings, baseUrl: provider.url },
      secrets,
    })
    provider.webhookUrl = `${url}/webhooks/${opened.providerAccountId}`
    const uid = uids[0]!
    host = ((await json('POST', '/host/v1/sessions', { uid })) as { session: string }).session
    const { code } = (await json('POST', `/host/v1/apps/${app.appid}/login`, {})) as { code: string }
    openId = await openIdOf(code)
  })
  afterAll(() => provider?.close())

  async function openIdOf(code: string): Promise<string> {
    const login = { code, grantType: 'authorization_code', scope: 'user.info' }
    const { accessToken } = await open('POST', '/oauth/mini/accessToken', login)
    const answer = await fetch(`${url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
    return ((await answer.json()) as { response: { openId: string } }).response.openId
  }

  async function json(method: string, path: string, input?: object): Promise<object> {
    const headers = { Authorization: `Bearer ${host ?? ''}`, 'Content-Type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(input ? { body: JSON.stringify(input) } : {}) })
    return (await answer.json()) as object
  }

  async function open(method: 'GET' | 'POST', path: string, own: Record<string, string>): Promise<Json> {
    const parameters = Object.entries({ appid: app.appid, timestamp: String(Date.now()), ...own })
    const form = new URLSearchParams([...parameters, ['sign', signParameters(parameters, app.secret)]])
    const answer = await (method === 'GET'
      ? fetch(`${url}/neuopenapi${path}?${form}`)
      : fetch(`${url}/neuopenapi${path}`, { method, body: form }))
    return ((await answer.json()) as { response: Json }).response
  }

  const stands = async (tradeNo: string) => {
    const trade = await open('GET', '/pay/transactions/tradedetail', { tradeNo })
    return { status: trade.transactionStatus, reason: trade.failReasonType }
  }

  async function newTrade(of = openId): Promise<string> {
    const { tradeNo } = await open('POST', '/pay/transactions/trade', {
      outTradeNo: `tea-${++orders}`,
      amount: '1250',
      currency: 'SAR',
      openId: of,
      description: 'Mint tea, two glasses',
      notifyUrl: 'http://localhost:9/paid',
    })
    return String(tradeNo)
  }

  /** Creates a trade whose payer is on the provider's payment page. */
  async function atThePage(payMethod = 'card') {
    const tradeNo = await newTrade()
    const started = (await json('POST', `/host/v1/trades/${tradeNo}/payments`, { payMethod })) as {
      redirect: { url: string }
    }
    const page = await consolePage({}, null)
    await page.goto(started.redirect.url)
    return { tradeNo, page }
  }
  const ledBack = (tradeNo: string) => new RegExp(`/host/paid\\?tradeNo=${tradeNo}$`)

  test('pays by keyboard with 3-D Secure and returns to a paid trade', async () => {
    const { page, tradeNo } = await atThePage()
    await page.getByText('12.50 SAR').waitFor()
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(asks)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Confirm with your bank' }).waitFor()
    await picture(page, `provider.${name}.challenge`)
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(ledBack(tradeNo))
    expect(await stands(tradeNo)).toEqual({ status: 2, reason: -1 })
  })

  test('shows a declined card', async () => {
    const { page, tradeNo } = await atThePage()
    await page.getByLabel('Card number').fill(declined)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    const { declineReason } = await expectedOf(name)
    if (declineReason !== null) {
      await page.waitForURL(ledBack(tradeNo))
      expect(await stands(tradeNo)).toEqual({ status: 3, reason: declineReason })
      return
    }
    await page.getByRole('alert').getByText('declined').waitFor()
    await picture(page, `provider.${name}.declined`)
    expect(await faults(page)).toEqual([])
    await page.getByLabel('Card number').fill(approved)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.waitForURL(ledBack(tradeNo))
    expect(await stands(tradeNo)).toEqual({ status: 2, reason: -1 })
  })

  test('pays with a wallet', async () => {
    const { page, tradeNo } = await atThePage('wallet-b')
    await page.getByRole('button', { name: 'Apple Pay' }).click()
    await page.waitForURL(ledBack(tradeNo))
    expect(await stands(tradeNo)).toEqual({ status: 2, reason: -1 })
  })

  test('handles a payer who leaves the page', async () => {
    const { page, tradeNo } = await atThePage()
    await page.getByRole('button', { name: 'Cancel and go back' }).click()
    await page.waitForURL(ledBack(tradeNo))
    expect(await stands(tradeNo)).toMatchObject({ status: (await expectedOf(name)).statusAfterLeaving })
  })

  // The development host behaves the same for all providers.
  if (name === 'stripe') {
    test('pays for a mini app in development', async () => {
      const dev = await openApp({ project: 'api', platform: 'Mini App', mode: 'serve', server: url, appid: app.appid })
      const { code } = await dev.neu<{ code: string }>('login')
      const tradeNo = await newTrade(await openIdOf(code))
      const paid = dev.neu<{ status: number }>('requestPayment', { tradeNo })
      await dev.host.getByRole('button', { name: 'Outcome by amount' }).click()
      const opened = dev.context.waitForEvent('page')
      await dev.host.getByRole('button', { name: 'Open', exact: true }).click()
      const page = await opened
      await page.getByLabel('Card number').fill(approved)
      await page.getByRole('button', { name: 'Pay', exact: true }).click()
      await page.waitForURL(ledBack(tradeNo))
      await dev.host.getByRole('button', { name: 'Done' }).click()
      expect(await paid).toMatchObject({ status: 2 })
      await dev.close()
    })
  }

  test('refuses an invalid card number', async () => {
    const { page } = await atThePage()
    await page.getByLabel('Card number').fill('4242 4242 4242 4241')
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('alert').getByText('Invalid card number').waitFor()
  })
})

const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'zh-CN', scheme: 'dark', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
]

test.each(looks)('the page is accessible: $language, $scheme, $device', async (look) => {
  const provider = await startPaytabs()
  const asked = await fetch(`${provider.url}/payment/request`, {
    method: 'POST',
    headers: { authorization: paytabsSecrets.serverKey },
    body: JSON.stringify({
      profile_id: 100001,
      tran_type: 'sale',
      cart_id: '1',
      cart_currency: 'SAR',
      cart_amount: '1299.90',
      cart_description: 'Mint tea, two glasses',
      return: `${url}/host/v1/return/1`,
    }),
  })
  const page = await consolePage(look, null)
  await page.goto(((await asked.json()) as { redirect_url: string }).redirect_url)
  await page.locator('summary').click()
  const { language, scheme, device } = look
  expect(await page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
  expect(await faults(page)).toEqual([])
  await picture(page, `provider.${language}.${scheme}.${device}`)
  await provider.close()
})
