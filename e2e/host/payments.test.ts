import { hour, second } from '@souk/contract'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import type { WatchedPage } from '../console.ts'
import { pressEscape, takesInput } from '../hostQuestion.ts'
import {
  builtMiniApp,
  enterMiniApp,
  hostPage,
  manage,
  neu,
  newUser,
  openIdOf,
  openShop,
  type Shop,
  started,
  useOwnServer,
} from './fixture.ts'

useOwnServer()

type Result = { status: number; failCode?: number; errMsg: string }

/** Opens a mini app as a new user, and creates orders for that user. */
async function openCounter(name = 'Old Town Bakery') {
  const shop = await openShop(name)
  await shop.upload('1.0.0', await builtMiniApp())
  const page = await hostPage(await newUser('Noura'))
  const frame = await enterMiniApp(page, shop)
  const { code } = (await neu<{ code: string }>(frame, 'login')) as { code: string }
  const openId = await openIdOf(shop, code)
  let orders = 0

  return {
    shop,
    page,
    frame,
    cashier: page.getByRole('dialog', { name: 'Payment' }),
    /** Creates an order of 12.50 SAR, an amount that succeeds. */
    order: (own: Record<string, string> = {}) => trade(shop, openId, `order-${++orders}`, own),
    ask: (tradeNo: string, shown: object = {}) => neu<Result>(frame, 'requestPayment', { tradeNo, ...shown }),
    detail: (tradeNo: string) => shop.backend('GET', '/pay/transactions/tradedetail', { tradeNo }),
  }
}

async function trade(shop: Shop, openId: string, outTradeNo: string, own: Record<string, string>): Promise<string> {
  const { tradeNo } = await shop.backend('POST', '/pay/transactions/trade', {
    amount: '1250',
    currency: 'SAR',
    openId,
    description: 'Two date cakes',
    notifyUrl: 'http://127.0.0.1:1/paid',
    outTradeNo,
    ...own,
  })
  return tradeNo as string
}

/** Selects the sandbox outcome of the next payment. */
async function choose(page: WatchedPage, outcome: string): Promise<void> {
  const developers = page.getByText('Developer options')
  if (!(await page.getByLabel('Provider result').isVisible())) await developers.click()
  await page.getByLabel('Provider result').selectOption(outcome)
}

const decide = (tradeNo: string, outcome: string) => manage('POST', 'sandbox/results', { tradeNo, outcome })

test('a name of one long word leaves amounts and buttons on the screen of a phone', async () => {
  const { page, frame, cashier, order, ask } = await openCounter('Bäckerei'.repeat(8))
  const width = page.viewportSize()!.width
  const rightOf = async (found: Locator) => {
    const { x, width } = (await found.boundingBox())!
    return x + width
  }
  const dismiss = page.locator('.privacy-notice:not(.waiting) button')
  await dismiss.waitFor()
  expect(await rightOf(dismiss)).toBeLessThan(width)
  await dismiss.press('Enter')

  const asked = neu(frame, 'getAuthCode', { scope: 'user.phone' })
  const allow = page.getByRole('button', { name: 'Allow' })
  await allow.waitFor()
  expect(await rightOf(allow)).toBeLessThan(width)
  expect(await rightOf(page.locator('.consent-lead .grow'))).toBeLessThan(width)
  await allow.click()
  await asked

  const paid = ask(await order({ amount: '99999999999' }))
  await cashier.waitFor()
  const amount = cashier.locator('.cashier-amount bdi')
  expect(await rightOf(amount)).toBeLessThan(width)
  expect(await amount.evaluate((text) => text.getClientRects().length)).toBe(1)
  await cashier.getByRole('button', { name: 'Close' }).click()
  await paid
})

test('the cashier shows the trade and pays with the selected method', async () => {
  const { page, cashier, order, ask, detail } = await openCounter()
  const methods = { 'Wallet A': 1, 'Wallet B': 2, Card: 3 }
  for (const [name, payMethod] of Object.entries(methods)) {
    const tradeNo = await order()
    const paid = ask(tradeNo, { name: 'Something else', amount: '12.5', currency: 'SAR', country: 'SA' })
    await cashier.waitFor()
    for (const text of ['Old Town Bakery Co.', 'Two date cakes', 'Noura'])
      await cashier.getByText(text, { exact: true }).waitFor()
    expect(await cashier.getByText('Something else').count()).toBe(0)
    await cashier.getByText(name, { exact: true }).click()
    await cashier.getByRole('button', { name: /^Pay .*12\.50/ }).click()
    await cashier.getByRole('heading', { name: 'Payment successful' }).waitFor()
    await cashier.getByRole('button', { name: 'Done' }).click()
    expect(await paid).toMatchObject({ status: 2, errMsg: 'requestPayment:ok' })
    expect(await detail(tradeNo)).toMatchObject({ transactionStatus: 2, payMethod })
  }
  expect(page.complaints).toEqual([])
})

test('reports the reason of a failed payment to the payer and the mini app', async () => {
  const { page, cashier, order, ask, detail } = await openCounter()
  const failures: [code: number, reason: RegExp][] = [
    [1, /Wallet A is not set up/],
    [5, /card payment failed/],
    [27, /declined/],
  ]
  for (const [failCode, reason] of failures) {
    const tradeNo = await order()
    const paid = ask(tradeNo)
    await cashier.waitFor()
    await choose(page, `failed:${failCode}`)
    await cashier.getByRole('button', { name: /^Pay/ }).click()
    await cashier.getByText(reason).filter({ visible: true }).waitFor()
    await cashier.getByRole('contentinfo').or(cashier.locator('footer')).getByRole('button', { name: 'Close' }).click()
    expect(await paid).toMatchObject({ status: 1, failCode })
    expect(await detail(tradeNo)).toMatchObject({ transactionStatus: 3, failReasonType: failCode })
  }
  // Without a selection the amount determines the outcome.
  const byAmount = ask(await order({ amount: '90004' }))
  await cashier.getByRole('button', { name: /^Pay/ }).click()
  await cashier.getByText('did not approve').waitFor()
  await pressEscape(page)
  expect(await byAmount).toMatchObject({ status: 1, failCode: 4 })
  expect(page.complaints).toEqual([])
})

test('closing the cashier leaves the order open; canceling closes it', async () => {
  const { page, cashier, order, ask, detail } = await openCounter()
  const tradeNo = await order()
  for (const close of [
    () => pressEscape(page),
    () => cashier.getByRole('button', { name: 'Close' }).click(),
    () => page.goBack(),
    async () => {
      await takesInput(page)
      await page.mouse.click(195, 20)
    },
  ]) {
    const closed = ask(tradeNo)
    await cashier.waitFor()
    await close()
    expect(await closed).toMatchObject({ status: 0 })
    await cashier.waitFor({ state: 'detached' })
    expect(await detail(tradeNo)).toMatchObject({ transactionStatus: 1 })
  }
  const canceled = ask(tradeNo)
  await cashier.getByRole('button', { name: 'Cancel order' }).click()
  await cashier.getByRole('heading', { name: 'Order canceled' }).waitFor()
  await cashier.locator('footer').getByRole('button', { name: 'Close' }).click()
  expect(await canceled).toMatchObject({ status: 0 })
  expect(await detail(tradeNo)).toMatchObject({ transactionStatus: 5 })

  const atProvider = ask(await order())
  await cashier.waitFor()
  await choose(page, 'canceled')
  await cashier.getByRole('button', { name: /^Pay/ }).click()
  await cashier.getByRole('heading', { name: 'Order canceled' }).waitFor()
  await pressEscape(page)
  expect(await atProvider).toMatchObject({ status: 0 })
  expect(page.complaints).toEqual([])
})

test('3-D Secure waits for the payer’s decision, even after the cashier was closed and reopened', async () => {
  const { page, cashier, order, ask, detail } = await openCounter()
  const challenged = async (tradeNo: string) => {
    const paid = ask(tradeNo)
    await cashier.waitFor()
    await choose(page, 'challenge')
    await cashier.getByRole('button', { name: /^Pay/ }).click()
    await cashier.getByRole('heading', { name: 'Confirm with your bank' }).waitFor()
    return paid
  }
  const passed = await order()
  let paid = challenged(passed)
  await cashier.getByText('3-D Secure: confirm this payment.').waitFor()
  await cashier.getByRole('button', { name: 'Confirm payment' }).click()
  await cashier.getByRole('button', { name: 'Done' }).click()
  expect(await paid).toMatchObject({ status: 2 })
  expect(await detail(passed)).toMatchObject({ transactionStatus: 2, payType: 3 })

  const rejected = await order()
  paid = challenged(rejected)
  await cashier.getByRole('heading', { name: 'Confirm with your bank' }).waitFor()
  await pressEscape(page)
  expect(await paid).toMatchObject({ status: 0 })
  const again = ask(rejected)
  await cashier.getByRole('button', { name: 'Reject payment' }).click()
  await cashier.getByText('was rejected').waitFor()
  await pressEscape(page)
  expect(await again).toMatchObject({ status: 1, failCode: 6 })
  expect(page.complaints).toEqual([])
})

test('a reload during 3-D Secure returns to the challenge, and the result ends the cashier', async () => {
  const { page, cashier, order, ask, detail } = await openCounter()
  const tradeNo = await order()
  ask(tradeNo).catch(() => {})
  await cashier.waitFor()
  await choose(page, 'challenge')
  await cashier.getByRole('button', { name: /^Pay/ }).click()
  const challenge = cashier.getByRole('heading', { name: 'Confirm with your bank' })
  await challenge.waitFor()
  expect(new URL(page.url()).searchParams.get('pay')).toBe(tradeNo)
  await page.reload()
  await challenge.waitFor()
  await cashier.getByRole('button', { name: 'Confirm payment' }).click()
  await cashier.getByRole('button', { name: 'Done' }).click()
  await cashier.waitFor({ state: 'detached' })
  expect(await detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
  await expect.poll(() => new URL(page.url()).searchParams.has('pay')).toBe(false)
  await page.reload()
  await page.locator('.neu-navbar').waitFor()
  expect(await cashier.count()).toBe(0)

  // A trade of somebody else, or of no one, opens nothing.
  const { origin, pathname } = new URL(page.url())
  await page.goto(`${origin}${pathname}?pay=${'f'.repeat(32)}`)
  await expect.poll(() => new URL(page.url()).searchParams.has('pay')).toBe(false)
  expect(await cashier.count()).toBe(0)
  expect(page.complaints).toEqual([])
})

test('the cashier opens again after each reload, also if the events connect again meanwhile', async () => {
  const { shop, page, cashier, order, ask } = await openCounter()
  const tradeNo = await order()
  ask(tradeNo).catch(() => {})
  await cashier.waitFor()
  const held = Promise.withResolvers<void>()
  const shown: string[] = []
  await page.route(`**/host/v1/trades/${tradeNo}`, async (route) => {
    shown.push(route.request().url())
    await held.promise
    await route.continue()
  })
  const connected = page.waitForResponse(/\/host\/v1\/events$/)
  await page.reload()
  await connected
  await expect.poll(() => shown.length).toBeGreaterThan(0)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => shown.length).toBeGreaterThan(1)
  held.resolve()
  await cashier.waitFor()
  await started(page, shop)
  expect(new URL(page.url()).searchParams.get('pay')).toBe(tradeNo)
})

test('paying again after the answer was lost shows that the first payment has succeeded', async () => {
  const { page, cashier, order, ask } = await openCounter()
  const tradeNo = await order()
  // Without events, which would tell the cashier.
  await page.route('**/host/v1/events', (route) => route.abort())
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.route(
    `**/host/v1/trades/${tradeNo}/payments`,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  const paid = ask(tradeNo)
  const pay = cashier.getByRole('button', { name: /^Pay/ })
  await pay.click()
  await cashier.getByRole('alert').getByText('No connection to Souk').waitFor()
  await pay.click()
  await cashier.getByText('Payment successful').or(cashier.getByText('already paid')).waitFor()
  await pressEscape(page)
  expect(await paid).toMatchObject({ status: 2 })
})

test('all of the cashier can be scrolled to on a small screen, upright and rotated', async () => {
  const { page, cashier, order, ask } = await openCounter()
  const paid = ask(await order())
  await cashier.waitFor()
  await choose(page, 'pending')
  const isCut = () =>
    page.locator('.sheet-place').evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)
  const visibleHeight = () => cashier.locator('.sheet-body').evaluate(({ clientHeight }) => clientHeight)
  for (const viewport of [
    { width: 320, height: 568 },
    { width: 568, height: 320 },
  ]) {
    await page.setViewportSize(viewport)
    expect(await isCut()).toBe(false)
    expect(await visibleHeight()).toBeGreaterThan(100)
    for (const name of [/^Pay/, 'Cancel order']) await cashier.getByRole('button', { name }).click({ trial: true })
  }
  await cashier.getByRole('button', { name: /^Pay/ }).click()
  await cashier.getByRole('heading', { name: 'Payment in progress' }).waitFor()
  expect(await isCut()).toBe(false)
  expect(await visibleHeight()).toBeGreaterThan(100)
  await cashier.getByRole('button', { name: 'Close and check later' }).click()
  expect(await paid).toMatchObject({ status: 0 })
  await page.setViewportSize({ width: 390, height: 844 })
})

test('the choice of another way to pay stays open when the connection is replaced', async () => {
  const { page, cashier, order, ask } = await openCounter()
  const tradeNo = await order()
  const paid = ask(tradeNo)
  await cashier.waitFor()
  await choose(page, 'pending')
  await cashier.getByRole('button', { name: /^Pay/ }).click()
  await cashier.getByRole('button', { name: 'Pay another way' }).click()
  const read = page.waitForResponse((response) => response.url().endsWith(`${tradeNo}/result`))
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await (await read).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await cashier.getByRole('radio', { name: 'Wallet B' }).check()
  // The result of the first payment ends it.
  await decide(tradeNo, 'succeeded')
  await cashier.getByRole('button', { name: 'Done' }).click()
  expect(await paid).toMatchObject({ status: 2 })
})

test('the cashier recovers when the network returns', async () => {
  const { page, cashier, order, ask } = await openCounter()
  const paid = ask(await order())
  const pay = cashier.getByRole('button', { name: /^Pay/ })
  await pay.waitFor()
  await page.context().setOffline(true)
  await pay.click()
  const problem = cashier.getByRole('alert').getByText('No connection to Souk')
  await problem.waitFor()
  await page.context().setOffline(false)
  await problem.waitFor({ state: 'detached' })
  await pay.click()
  await cashier.getByRole('button', { name: 'Done' }).click()
  expect(await paid).toMatchObject({ status: 2 })
})

test('a pending payment completes in the open cashier, or after it was closed', async () => {
  const { shop, page, cashier, order, ask, detail } = await openCounter()
  /** Pays until the payment is in progress. The result is in an object, because it is awaited later. */
  const pending = async (tradeNo: string) => {
    const paid = ask(tradeNo)
    await cashier.waitFor()
    await choose(page, 'pending')
    await cashier.getByRole('button', { name: /^Pay/ }).click()
    await cashier.getByRole('heading', { name: 'Payment in progress' }).waitFor()
    return { paid }
  }
  // The result arrives while the cashier is open.
  const watched = await order()
  let { paid } = await pending(watched)
  await decide(watched, 'succeeded')
  await cashier.getByRole('button', { name: 'Done' }).click()
  expect(await paid).toMatchObject({ status: 2 })

  const declined = await order()
  ;({ paid } = await pending(declined))
  await decide(declined, 'failed:10')
  await cashier.getByText('Wallet B reported an error').waitFor()
  await pressEscape(page)
  expect(await paid).toMatchObject({ status: 1, failCode: 10 })

  // The cashier is closed: the payment continues, and a second one is not started.
  const left = await order()
  ;({ paid } = await pending(left))
  await cashier.getByRole('button', { name: 'Close and check later' }).click()
  expect(await paid).toMatchObject({ status: 0 })
  expect(await detail(left)).toMatchObject({ transactionStatus: 1 })
  const again = ask(left)
  await cashier.getByRole('button', { name: 'Pay another way' }).click()
  await cashier.getByRole('button', { name: /^Pay/ }).click()
  await cashier.getByRole('heading', { name: 'Payment in progress' }).waitFor()
  await pressEscape(page)
  expect(await again).toMatchObject({ status: 0 })
  await decide(left, 'succeeded')
  expect(await detail(left)).toMatchObject({ transactionStatus: 2 })

  // The payment succeeds after the merchant closed the order, so it is refunded.
  const late = await order()
  paid = ask(late)
  await cashier.waitFor()
  await choose(page, 'late')
  await cashier.getByRole('button', { name: /^Pay/ }).click()
  await cashier.getByRole('button', { name: 'Close and check later' }).click()
  expect(await paid).toMatchObject({ status: 0 })
  await shop.backend('POST', '/pay/transactions/tradeclose', { tradeNo: late })
  await decide(late, 'succeeded')
  expect(await detail(late)).toMatchObject({ transactionStatus: 6 })
  const ended = ask(late)
  await cashier.getByText('This order is closed').waitFor()
  await pressEscape(page)
  expect(await ended).toMatchObject({ status: 1, failCode: 22 })
  expect(page.complaints).toEqual([])
})

test('updates the open cashier when a delayed payment completes and when the order expires', async () => {
  const { page, cashier, order, ask, detail } = await openCounter()
  const forward = (ms: number) => manage('POST', 'sandbox/clock', { forward: ms })
  for (const [outcome, heading, result] of [
    ['delayed', 'Payment successful', { status: 2 }],
    ['delayed-failure', 'Payment failed', { status: 1, failCode: 27 }],
  ] as const) {
    const paid = ask(await order())
    await cashier.waitFor()
    await choose(page, outcome)
    await cashier.getByRole('button', { name: /^Pay/ }).click()
    await cashier.getByRole('heading', { name: 'Payment in progress' }).waitFor()
    await forward(30 * second)
    await cashier.getByRole('heading', { name: heading }).waitFor()
    await pressEscape(page)
    expect(await paid).toMatchObject(result)
  }

  const viewed = ask(await order())
  await cashier.getByRole('button', { name: /^Pay/ }).waitFor()
  await forward(2 * hour)
  await cashier.getByText('The time to pay for this order has expired').waitFor()
  await pressEscape(page)
  expect(await viewed).toMatchObject({ status: 1, failCode: 21 })

  // A payment that succeeds after the order has expired is refunded, and the trade keeps its state.
  const late = await order()
  const left = ask(late)
  await cashier.waitFor()
  await choose(page, 'late')
  await cashier.getByRole('button', { name: /^Pay/ }).click()
  await cashier.getByRole('button', { name: 'Close and check later' }).click()
  expect(await left).toMatchObject({ status: 0 })
  await forward(26 * hour)
  expect((await detail(late)).transactionStatus).not.toBe(2)
  const again = ask(late)
  await cashier.getByRole('heading', { name: 'Payment failed' }).waitFor()
  await pressEscape(page)
  expect(await again).toMatchObject({ status: 1, failCode: 27 })
  expect(page.complaints).toEqual([])
})

test('shows why a trade can no longer be paid', async () => {
  const { shop, page, cashier, order, ask } = await openCounter()
  const paid = await order()
  const first = ask(paid)
  await cashier.getByRole('button', { name: /^Pay/ }).click()
  await cashier.getByRole('button', { name: 'Done' }).click()
  expect(await first).toMatchObject({ status: 2 })
  const twice = ask(paid)
  await cashier.getByText('already paid').waitFor()
  await pressEscape(page)
  expect(await twice).toMatchObject({ status: 1, failCode: 20 })

  const closed = await order()
  // Closed while the cashier is open.
  const viewed = ask(closed)
  await cashier.getByRole('button', { name: /^Pay/ }).waitFor()
  await shop.backend('POST', '/pay/transactions/tradeclose', { tradeNo: closed })
  await cashier.getByText('This order is closed').waitFor()
  await pressEscape(page)
  expect(await viewed).toMatchObject({ status: 1, failCode: 22 })
  expect(page.complaints).toEqual([])
})

test('rejects a displayed price that differs from the trade, and trades of other users or mini apps', async () => {
  const { shop, page, cashier, order, ask, detail } = await openCounter()
  const tradeNo = await order()
  expect(await ask(tradeNo, { amount: '1.25' })).toBe('requestPayment:fail the displayed amount differs from the trade')
  expect(await ask(tradeNo, { amount: '12.50', currency: 'USD' })).toBe(
    'requestPayment:fail the displayed currency differs from the trade',
  )
  const unknown = 'requestPayment:fail the user has no such trade in this mini app'
  for (const none of ['f'.repeat(32), '..', '../../v1/me', `${tradeNo}/result`]) expect(await ask(none)).toBe(unknown)

  const other = await openCounter()
  expect(await ask(await other.order())).toBe(unknown)
  // A trade of the same user in another mini app.
  const corner = await openShop('Corner Bakery')
  await corner.upload('1.0.0', await builtMiniApp())
  await page.goto('')
  const { code } = (await neu<{ code: string }>(await enterMiniApp(page, corner), 'login')) as { code: string }
  const theirs = await trade(corner, await openIdOf(corner, code), 'corner-1', {})
  await page.goto('')
  expect(await neu(await enterMiniApp(page, shop), 'requestPayment', { tradeNo: theirs })).toBe(unknown)
  expect(await cashier.count()).toBe(0)
  expect(await detail(tradeNo)).toMatchObject({ transactionStatus: 1 })
  expect(page.complaints).toEqual([])
})
