import {
  checkoutSecrets,
  checkoutSettings,
  type FakeProvider,
  paytabsSecrets,
  paytabsSettings,
  startCheckout,
  startPaytabs,
  startStripe,
  stripeSecrets,
} from '@souk/fake-providers'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { faults, picture } from '../console.ts'
import { pressEscape } from '../hostQuestion.ts'
import { builtMiniApp, enterMiniApp, hostPage, manage, neu, newUser, openIdOf, openShop, serverUrl } from './fixture.ts'

const running: FakeProvider[] = []
afterAll(() => Promise.all(running.map((provider) => provider.close())))

const byCard = (number: string) => async (page: Page) => {
  await page.getByLabel('Card number').fill(number)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
}

/** A payment at each provider, with the expected trade and result. */
const payments = [
  {
    name: 'Checkout.com',
    provider: 'checkout',
    start: startCheckout,
    settings: checkoutSettings,
    secrets: checkoutSecrets,
    method: 'Card',
    async pay(page: Page) {
      await byCard('4000000000003220')(page)
      await page.getByRole('heading', { name: 'Confirm with your bank' }).waitFor()
      await page.getByRole('button', { name: 'Confirm' }).click()
    },
    result: { status: 2 },
    trade: { transactionStatus: 2, payType: 1, payMethod: 3 },
  },
  {
    name: 'Stripe',
    provider: 'stripe',
    start: startStripe,
    settings: {},
    secrets: stripeSecrets,
    method: 'Wallet B',
    pay: (page: Page) => page.getByRole('button', { name: 'Apple Pay' }).click(),
    result: { status: 2 },
    trade: { transactionStatus: 2, payType: 2, payMethod: 2 },
  },
  {
    name: 'PayTabs',
    provider: 'paytabs',
    start: startPaytabs,
    settings: paytabsSettings,
    secrets: paytabsSecrets,
    method: 'Card',
    pay: byCard('4000000000000002'),
    result: { status: 1, failCode: 5 },
    trade: { transactionStatus: 3, payType: 3, payMethod: 3, failReasonType: 5 },
  },
]

test.each(payments)('pays at $name in another window and returns the result to the mini app', async (payment) => {
  const provider = await payment.start()
  running.push(provider)
  const shop = await openShop(`${payment.name} Bakery`)
  await shop.upload('1.0.0', await builtMiniApp())
  const { providerAccountId } = await manage<{ providerAccountId: string }>('POST', 'provider-accounts', {
    appid: shop.appid,
    provider: payment.provider,
    name: payment.name,
    settings: { ...payment.settings, baseUrl: provider.url },
    secrets: payment.secrets,
  })
  provider.webhookUrl = `${serverUrl()}/webhooks/${providerAccountId}`
  const page = await hostPage(await newUser('Noura'))
  const frame = await enterMiniApp(page, shop)
  const { code } = (await neu<{ code: string }>(frame, 'login')) as { code: string }
  const { tradeNo } = await shop.backend('POST', '/pay/transactions/trade', {
    amount: '1250',
    currency: 'SAR',
    openId: await openIdOf(shop, code),
    outTradeNo: 'order-1',
    description: 'Two date cakes',
    notifyUrl: 'http://127.0.0.1:1/paid',
  })

  const paid = neu(frame, 'requestPayment', { tradeNo })
  const cashier = page.getByRole('dialog', { name: 'Payment' })
  await cashier.getByText(payment.method, { exact: true }).click()
  await cashier.getByRole('button', { name: /^Pay .*12\.50/ }).click()
  const link = cashier.getByRole('link', { name: 'Open payment page' })
  await link.waitFor()
  await cashier.getByText(new URL(provider.url).host).waitFor()
  await picture(page, `host-cashier-redirect.${payment.provider}`)
  expect(await faults(page)).toEqual([])

  const [providerPage] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  expect(await providerPage.evaluate(() => window.opener)).toBeNull()
  await payment.pay(providerPage)
  await providerPage.waitForURL(`**/host/paid?tradeNo=${tradeNo}`)
  const title = payment.result.status === 2 ? 'Payment successful' : 'Payment failed'
  await providerPage.getByRole('heading', { name: title }).waitFor()
  await picture(providerPage, `host-paid.${payment.provider}`)

  await cashier.getByRole('heading', { name: title }).waitFor()
  await pressEscape(page)
  expect(await paid).toMatchObject(payment.result)
  const trade = await shop.backend('GET', '/pay/transactions/tradedetail', { tradeNo: String(tradeNo) })
  expect(trade).toMatchObject(payment.trade)
  expect(page.complaints).toEqual([])
})
