import { type LocalProcessor, startStripe, stripeSecrets } from '@souk/processors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faults, picture } from '../console.ts'
import { builtMiniApp, enterMiniApp, hostPage, manage, neu, newUser, openIdOf, openShop, serverUrl } from './stage.ts'

let processor: LocalProcessor
beforeAll(async () => {
  processor = await startStripe()
})
afterAll(() => processor?.close())

test('a payer pays on the processor’s page in a window of its own, and the mini app goes on where it was', async () => {
  const shop = await openShop('New Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const { processorAccountId } = await manage<{ processorAccountId: string }>('POST', 'processor-accounts', {
    ...{ appid: shop.appid, processor: 'stripe', name: 'Cards', settings: { baseUrl: processor.url } },
    secrets: stripeSecrets,
  })
  processor.webhookUrl = `${serverUrl()}/webhooks/${processorAccountId}`
  const page = await hostPage(await newUser('Noura'))
  const frame = await enterMiniApp(page, shop)
  const { code } = (await neu<{ code: string }>(frame, 'login')) as { code: string }
  const { tradeNo } = await shop.backend('POST', '/pay/transactions/trade', {
    ...{ amount: '1250', currency: 'SAR', openId: await openIdOf(shop, code), outTradeNo: 'order-1' },
    ...{ description: 'Two date cakes', notifyUrl: 'http://127.0.0.1:1/paid' },
  })

  const paid = neu(frame, 'requestPayment', { tradeNo })
  const cashier = page.getByRole('dialog', { name: 'Payment' })
  await cashier.getByText('Card', { exact: true }).click()
  await cashier.getByRole('button', { name: /^Pay .*12\.50/ }).click()
  const link = cashier.getByRole('link', { name: 'Open the payment page' })
  await link.waitFor()
  expect(await cashier.getByText(new URL(processor.url).host).isVisible()).toBe(true)
  await picture(page, 'host-cashier-redirect')
  expect(await faults(page)).toEqual([])

  const [there] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  expect(await there.evaluate(() => window.opener)).toBeNull()
  await there.getByLabel('Card number').fill('4242424242424242')
  await there.getByRole('button', { name: 'Pay', exact: true }).click()
  await there.waitForURL(`**/host/paid?tradeNo=${tradeNo}`)
  await there.getByRole('heading', { name: 'Paid' }).waitFor()
  await there.screenshot({ path: 'e2e/screenshots/host-paid.png' })

  await cashier.getByRole('heading', { name: 'Paid' }).waitFor()
  await cashier.getByRole('button', { name: 'Done' }).click()
  expect(await paid).toMatchObject({ status: 2, errMsg: 'requestPayment:ok' })
  expect(await shop.backend('GET', '/pay/transactions/tradedetail', { tradeNo: String(tradeNo) })).toMatchObject({
    ...{ transactionStatus: 2, payType: 2, payMethod: 3 },
  })
  expect(page.complaints).toEqual([])
})
