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
import { builtMiniApp, enterMiniApp, hostPage, manage, neu, newUser, openIdOf, openShop, serverUrl } from './fixture.ts'

const running: FakeProvider[] = []
afterAll(() => Promise.all(running.map((provider) => provider.close())))

const byCard = (number: string) => async (page: Page) => {
  await page.getByLabel('Card number').fill(number)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
}

/** Each provider, a way to pay at it, and what the trade and the mini app are told. */
const stories = [
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

test.each(stories)(
  'a payer pays at $name in a window of its own, and the mini app goes on where it was',
  async (story) => {
    const provider = await story.start()
    running.push(provider)
    const shop = await openShop(`${story.name} Bakery`)
    await shop.upload('1.0.0', await builtMiniApp())
    const { providerAccountId } = await manage<{ providerAccountId: string }>('POST', 'provider-accounts', {
      appid: shop.appid,
      provider: story.provider,
      name: story.name,
      settings: { ...story.settings, baseUrl: provider.url },
      secrets: story.secrets,
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
    await cashier.getByText(story.method, { exact: true }).click()
    await cashier.getByRole('button', { name: /^Pay .*12\.50/ }).click()
    const link = cashier.getByRole('link', { name: 'Open payment page' })
    await link.waitFor()
    expect(await cashier.getByText(new URL(provider.url).host).isVisible()).toBe(true)
    await picture(page, `host-cashier-redirect.${story.provider}`)
    expect(await faults(page)).toEqual([])

    const [there] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    expect(await there.evaluate(() => window.opener)).toBeNull()
    await story.pay(there)
    await there.waitForURL(`**/host/paid?tradeNo=${tradeNo}`)
    const title = story.result.status === 2 ? 'Payment successful' : 'Payment failed'
    await there.getByRole('heading', { name: title }).waitFor()
    await picture(there, `host-paid.${story.provider}`)

    await cashier.getByRole('heading', { name: title }).waitFor()
    await page.keyboard.press('Escape')
    expect(await paid).toMatchObject(story.result)
    const trade = await shop.backend('GET', '/pay/transactions/tradedetail', { tradeNo: String(tradeNo) })
    expect(trade).toMatchObject(story.trade)
    expect(page.complaints).toEqual([])
  },
)
