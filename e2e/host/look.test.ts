import { expect, test } from 'vitest'
import { faults, type Look, picture } from '../console.ts'
import { pressEscape } from '../hostQuestion.ts'
import { builtMiniApp, enterMiniApp, hostPage, manage, neu, newUser, openIdOf, openShop } from './fixture.ts'

const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'phone' },
  { language: 'zh-CN', scheme: 'dark', device: 'tablet' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
]

test.concurrent.each(looks)('menu, consent and cashier in $language, $scheme, $device', async (look) => {
  const shop = await openShop('Old Town Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  await shop.upload('1.1.0', await builtMiniApp(), false)
  const uid = await newUser('نورة العتيبي', { email: 'noura@example.com', country: '+966' })
  await manage('POST', `apps/${shop.appid}/testers`, { uids: [uid] })
  const page = await hostPage(uid, look)
  const frame = await enterMiniApp(page, shop)
  const found: Record<string, string[]> = {}
  const show = async (name: string) => {
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    await picture(page, `host-${name}.${look.language}.${look.scheme}.${look.device}`)
    const here = await faults(page)
    if (here.length > 0) found[name] = here
  }
  const sheet = page.getByRole('dialog')
  const main = sheet.locator('footer button').first()

  const dismiss = page.locator('.privacy-notice:not(.waiting) button')
  await dismiss.waitFor()
  await show('notice')
  await dismiss.press('Enter')
  await dismiss.waitFor({ state: 'detached' })
  await show('container')
  await page.locator('.capsule button').first().click()
  await sheet.waitFor()
  await show('menu')
  await pressEscape(page)

  const asked = neu<{ code: string }>(frame, 'getAuthCode', { scope: 'user.info,user.phone' })
  await sheet.waitFor()
  await show('consent')
  await main.click()
  const openId = await openIdOf(shop, ((await asked) as { code: string }).code)

  let orders = 0
  /** Opens the cashier and pays with the given outcome; without one, only opens it. */
  const pay = async (outcome?: string) => {
    const { tradeNo } = await shop.backend('POST', '/pay/transactions/trade', {
      outTradeNo: `look-${++orders}`,
      amount: '123450',
      currency: 'SAR',
      openId,
      description: 'كعكتان بالتمر · two date cakes',
      notifyUrl: 'http://127.0.0.1:1/paid',
    })
    neu(frame, 'requestPayment', { tradeNo }).catch(() => {})
    await sheet.waitFor()
    if (outcome === undefined) return
    await sheet.locator('summary').click()
    await sheet.locator('select').selectOption(outcome)
    if (orders === 2) await show('cashier-developers')
    await main.click()
  }
  const close = async () => {
    await pressEscape(page)
    await sheet.waitFor({ state: 'detached' })
  }

  await pay()
  await show('cashier')
  await close()
  await pay('challenge')
  await sheet.locator('blockquote').waitFor()
  await show('cashier-challenge')
  await close()
  await pay('pending')
  await sheet.getByRole('status').waitFor()
  await show('cashier-waiting')
  await close()
  for (const [outcome, name] of [
    ['succeeded', 'paid'],
    ['failed:5', 'failed'],
    ['canceled', 'cancelled'],
  ] as const) {
    await pay(outcome)
    await sheet.getByRole('status').waitFor()
    await show(`cashier-${name}`)
    await close()
  }

  await page.goto(`apps/${shop.appid}?release=${'0'.repeat(32)}`)
  await page.getByRole('alert').waitFor()
  await show('not-opened')
  expect(found).toEqual({})
})
