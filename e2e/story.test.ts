import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { messages } from '../examples/coffee/backend/messages.ts'
import { ar } from '../examples/coffee/src/words/ar.ts'
import { en } from '../examples/coffee/src/words/en.ts'
import { zh } from '../examples/coffee/src/words/zh.ts'
import { hour } from '../packages/contract/src/time.ts'
import { type Labels, labelsFor } from '../packages/shell/src/labels.ts'
import { translatedLabels } from '../packages/shell/src/translatedLabels.ts'
import { startCoffee } from './coffee.ts'
import { consolePage, faults, type Language, type Look, picture, settled, watchedPage } from './console.ts'
import { administratorOf } from './fixture.ts'
import { pressEscape } from './hostQuestion.ts'

/**
 * Runs Souk Coffee with its release and backend in the host application, from a customer's point of view. The console
 * API is used only to decide payments in flight and to move the clock.
 */

let server: RunningServer
let example: Awaited<ReturnType<typeof startCoffee>>

beforeAll(async () => {
  server = await startServer()
  example = await startCoffee(server)
})
afterAll(async () => {
  await example?.end()
  await server?.stop()
})

/** Calls a console operation as administrator. */
async function manage<T>(path: string, input?: object): Promise<T> {
  const answer = await fetch(`${server.url}/console/v1${path}`, {
    method: input ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${server.adminToken}`, ...(input && { 'content-type': 'application/json' }) },
    ...(input && { body: JSON.stringify(input) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as T
}

const forward = (ms: number) => manage('/sandbox/clock', { forward: ms })
/** Decides a payment in flight. */
const decide = (tradeNo: string, outcome: string) => manage('/sandbox/results', { tradeNo, outcome })
async function statusOf(tradeNo: string): Promise<number> {
  const { trade } = await manage<{ trade: { transactionStatus: number } }>(`/trades/${tradeNo}`)
  return trade.transactionStatus
}

/** Texts of Souk Coffee and the host in each language. */
const tongues = {
  en: { words: en, told: messages.en_US, bars: labelsFor('en'), latte: 'Latte' },
  'zh-CN': { words: zh, told: messages.zh_CN, bars: translatedLabels.zh, latte: '拿铁' },
  ar: { words: ar, told: messages.ar_SA, bars: translatedLabels.ar, latte: 'لاتيه' },
} as const satisfies Record<Language, { words: typeof en; told: unknown; bars: Labels; latte: string }>

async function hostTexts(language: Language) {
  const texts = async (feature: string) => (await import(`../apps/host/src/${feature}/locales/${language}.ts`)).default
  const [signIn, home, inbox, shell, consent, cashier, container] = await Promise.all(
    ['signIn', 'home', 'inbox', 'shell', 'consent', 'cashier', 'container'].map(texts),
  )
  return { signIn, home, inbox, shell, consent, cashier, container }
}

/** Creates a new user, opens the host and signs in. */
async function visit(look: Look, nickname: string) {
  const { words, told, latte } = tongues[look.language]
  const texts = await hostTexts(look.language)
  await manage('/sandbox/users', { nickname, country: '+966', phone: '500000042', email: 'noura@example.com' })
  const page = await watchedPage(look, `${server.url}/host/`, {})
  const found: Record<string, string[]> = {}
  async function show(name: string) {
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    await picture(page, `story-${name}.${look.language}.${look.scheme}`)
    const here = await faults(page)
    if (here.length > 0) found[name] = here
  }
  await page.goto('')
  await page.getByRole('heading', { name: texts.signIn.title }).waitFor()
  await page.getByRole('button', { name: nickname }).click()
  await page.getByRole('heading', { name: texts.home.apps }).waitFor()

  const frame = page.frameLocator('iframe')
  const sheet = page.getByRole('dialog')
  const button = (name: string) => frame.getByRole('button', { name, exact: true }).filter({ visible: true })
  const press = (name: string) => sheet.getByRole('button', { name, exact: true }).last().click()
  const tab = (index: number) => page.locator('.neu-tabbar').filter({ visible: true }).getByRole('button').nth(index)
  let isNoticeDismissed = false
  const gone = () => sheet.waitFor({ state: 'detached' })

  return {
    words,
    told,
    latte,
    texts,
    page,
    frame,
    sheet,
    button,
    press,
    tab,
    gone,
    found,
    show,
    /** Reads the state of the order from its page. */
    state: (name: keyof typeof words.states) => frame.getByRole('status').getByText(words.states[name]).waitFor(),
    /** Opens the mini app by its icon on the home page. */
    openCoffee: async () => {
      await page.getByRole('link', { name: 'Souk Coffee' }).last().click()
      await tab(0).click()
      await frame.getByRole('heading', { name: words.welcome(nickname) }).waitFor()
      // Shown at the first opening only.
      if (!isNoticeDismissed) await page.getByRole('button', { name: texts.container.notice.dismiss }).click()
      isNoticeDismissed = true
    },
    /** Returns to the host page that the mini app was opened from. */
    leaveCoffee: async (heading: string = texts.home.apps) => {
      await page.locator('.capsule button').last().click()
      await page.getByRole('heading', { name: heading }).waitFor()
    },
    /** Locates an activity message on the home page of a window. */
    activity: (text: string, window: Page = page) => window.getByRole('link').filter({ hasText: text }),
    /** Adds a latte to the cart and orders it. Returns the order number and its trade. */
    order: async () => {
      await button(words.add(latte)).click()
      await tab(1).click()
      const shown = page.waitForRequest(/\/host\/v1\/trades\/\w+$/)
      await button(words.orderAndPay).click()
      await sheet.waitFor()
      const tradeNo = new URL((await shown).url()).pathname.split('/').at(-1)!
      const title = await page.locator('.neu-navbar').filter({ visible: true }).innerText()
      return { number: Number(/\d+/.exec(title)![0]), tradeNo }
    },
    /** Pays in the open cashier with a sandbox outcome. */
    pay: async (outcome: string, method = 'wallet-a') => {
      await sheet.getByRole('radio', { name: texts.cashier.methods[method] }).check()
      const choice = sheet.getByLabel(texts.cashier.developers.outcome)
      if (!(await choice.isVisible())) await sheet.getByText(texts.cashier.developers.title).click()
      await choice.selectOption(outcome)
      await sheet.locator('footer button').first().click()
    },
  }
}

const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'phone' },
  { language: 'zh-CN', scheme: 'dark', device: 'phone' },
  { language: 'ar', scheme: 'dark', device: 'desktop' },
]

test.concurrent.for(looks)('a customer orders, pays and collects a coffee, in $language', async (look, { expect }) => {
  const guest = await visit(look, `نورة ${look.language}`)
  const { words, told, latte, texts, page, frame, sheet, button, press, tab, gone, found, show, state } = guest

  // Login: the page greets the user by the name that the backend has read.
  await guest.openCoffee()
  for (const [index, name] of words.tabs.entries()) await tab(index).filter({ hasText: name }).waitFor()

  // Consent is denied the first time and given the second time.
  await tab(3).click()
  await button(words.sharePhone).click()
  await press(texts.consent.deny)
  await gone()
  await show('me')
  expect(await frame.getByText('500000042').count()).toBe(0)
  await button(words.sharePhone).click()
  await sheet.getByText('500000042').waitFor()
  await press(texts.consent.allow)
  await frame.getByText('+966 500000042').waitFor()

  // The tab shows the cart's badge. The order opens the cashier, which is closed without paying.
  await tab(0).click()
  await button(words.add(latte)).click()
  await tab(1).filter({ hasText: '1' }).waitFor()
  await show('menu')
  const { number, tradeNo } = await guest.order()
  await tab(1).filter({ hasText: '2' }).waitFor({ state: 'detached' })
  await sheet
    .getByText(/32\.00/)
    .first()
    .waitFor()
  await pressEscape(page)
  await state('unpaid')
  await show('unpaid')

  // The order is changed under the same number: a new trade replaces the first.
  await button(words.change).click()
  await frame.getByText(words.changing(number)).waitFor()
  await button(words.fewer(latte)).click()
  await tab(1).filter({ hasText: '1' }).waitFor()
  await show('cart')
  await button(words.orderAndPay).click()
  await sheet
    .getByText(/16\.00/)
    .first()
    .waitFor()
  expect(await statusOf(tradeNo)).toBe(6)

  // Payment by card with 3-D Secure. A second window shows the activity message of the order.
  const home = await page.context().newPage()
  await home.goto('')
  await home.getByRole('heading', { name: texts.home.apps }).waitFor()
  const followed = (async () => {
    await guest.activity(told.making(number).text, home).waitFor()
    await guest.activity(told.waiting(number).text, home).waitFor()
  })()
  followed.catch(() => {})
  await page.bringToFront()
  await guest.pay('challenge', 'card')
  await sheet.getByText(texts.cashier.challenge.title).waitFor()
  await press(texts.cashier.challenge.confirm)
  await sheet.getByText(texts.cashier.succeeded).waitFor()
  await press(texts.cashier.done)
  await gone()
  const banner = page.getByRole('status').filter({ hasText: told.ready(number).text })
  await banner.waitFor()
  const capsule = (await page.locator('.capsule').boundingBox())!
  expect((await banner.boundingBox())!.y).toBeGreaterThanOrEqual(capsule.y + capsule.height)
  await show('ready')
  await followed

  // Notifications are counted and open the order.
  await guest.leaveCoffee()
  await show('activity')
  const bell = page.getByRole('link', { name: texts.inbox.title })
  await bell.getByText(texts.shell.nav.unread.replace('{shown}', '2')).waitFor()
  await bell.click()
  const news = page.getByRole('listitem')
  await expect
    .poll(() => news.allInnerTexts())
    .toEqual([expect.stringContaining(told.ready(number).text), expect.stringContaining(told.paid(number).text)])
  await news
    .first()
    .getByRole('button', { name: told.ready(number).text })
    .click()
  await state('ready')
  expect(await banner.count()).toBe(0)
  await guest.leaveCoffee(texts.inbox.title)
  await page.getByRole('link', { name: texts.shell.nav.home }).click()

  // So does the activity message, which disappears in every window when the coffee is collected.
  await guest.activity(told.waiting(number).text).click()
  await button(words.collect).click()
  await state('collected')
  await show('collected')
  await guest.activity(told.waiting(number).text, home).waitFor({ state: 'detached' })
  const toMenu = page
    .locator('.neu-navbar')
    .getByRole('button', { name: tongues[look.language].bars.home, exact: true })
  await toMenu.filter({ visible: true }).click()
  await tab(2).click()
  await frame.getByText(words.order(number), { exact: true }).waitFor()
  await show('orders')
  await guest.leaveCoffee()
  await guest.activity(told.waiting(number).text).waitFor({ state: 'detached' })
  expect(found).toEqual({})
})

const phone: Look = { language: 'en', scheme: 'light', device: 'phone' }

test('a failed payment and a canceled order leave nothing behind', async () => {
  const guest = await visit(phone, 'Huda')
  const { words, texts, page, sheet, button, press, tab, gone, state } = guest
  await guest.openCoffee()
  await guest.order()
  await guest.pay('failed:27')
  await sheet.getByText(texts.cashier.reasons[27]).filter({ visible: true }).waitFor()
  await press(texts.cashier.close)
  await gone()
  await state('failed')
  await guest.show('failed')

  // Its items are back in the cart.
  await button(words.again).click()
  await tab(1).filter({ hasText: '1' }).waitFor()
  await button(words.orderAndPay).click()
  await press(texts.cashier.cancelOrder)
  await sheet.getByText(texts.cashier.canceled).waitFor()
  await press(texts.cashier.close)
  await gone()
  await state('canceled')

  await button(words.again).click()
  await button(words.orderAndPay).click()
  await sheet.waitFor()
  await pressEscape(page)
  await button(words.cancel).click()
  const dialogButton = (name: string) => page.locator('.neu-overlays').getByRole('button', { name, exact: true })
  await dialogButton(words.canceling.cancelText).click()
  await state('unpaid')
  await button(words.cancel).click()
  await dialogButton(words.canceling.confirmText).click()
  await state('canceled')

  await guest.leaveCoffee()
  await page.getByRole('link', { name: texts.inbox.title }).click()
  await page.getByText(texts.inbox.empty).waitFor()
  expect(guest.found).toEqual({})
  expect(page.complaints).toEqual([])
})

test('a pending payment settles the order by its callback, even days later', async () => {
  const guest = await visit(phone, 'Sara')
  const { told, texts, page, sheet, press, gone, state } = guest
  /** Orders, pays, and leaves before the result arrives. */
  async function leavePending(outcome: string) {
    await guest.openCoffee()
    const placed = await guest.order()
    await guest.pay(outcome)
    await sheet.getByText(texts.cashier.waiting.title).waitFor()
    await press(texts.cashier.later)
    await gone()
    await state('unpaid')
    await page.goBack()
    await guest.leaveCoffee()
    return placed
  }

  const decided = await leavePending('pending')
  expect(await statusOf(decided.tradeNo)).toBe(1)
  await decide(decided.tradeNo, 'succeeded')
  await guest.activity(told.making(decided.number).title).waitFor()

  const delayed = await leavePending('delayed')
  await forward(30_000)
  await guest.activity(told.making(delayed.number).title).waitFor()

  // A day later the order has expired. The payment, an hour after that, is refunded, and no coffee is made.
  const late = await leavePending('late')
  await forward(24 * hour)
  await expect.poll(() => statusOf(late.tradeNo)).toBe(3)
  await forward(2 * hour)
  await guest.openCoffee()
  await guest.tab(2).click()
  await guest.frame.getByText(guest.words.order(late.number), { exact: true }).click()
  await state('failed')
  await guest.leaveCoffee()
  expect(await guest.activity(told.making(late.number).title).count()).toBe(0)
  expect(page.complaints).toEqual([])
})

test('an unpaid order expires; the message of an uncollected order disappears after an hour', async () => {
  const guest = await visit(phone, 'Rania')
  const { words, told, texts, page, press, gone, state, button, tab } = guest
  await guest.openCoffee()
  const { tradeNo } = await guest.order()
  await pressEscape(page)
  await state('unpaid')
  await forward(2 * hour)
  await state('expired')
  await guest.show('expired')
  expect(await statusOf(tradeNo)).toBe(4)

  await button(words.again).click()
  await tab(1).filter({ hasText: '1' }).waitFor()
  await button(words.orderAndPay).click()
  await guest.pay('succeeded', 'wallet-b')
  await press(texts.cashier.done)
  await gone()
  await state('ready')
  await guest.leaveCoffee()
  const card = page.getByRole('link').filter({ hasText: told.waiting(0).text })
  await card.waitFor()
  await forward(hour)
  await card.waitFor({ state: 'detached' })
  expect(guest.found).toEqual({})
  expect(page.complaints).toEqual([])
})

test('developers see an error of a customer in the console, at its place in the sources', async () => {
  const guest = await visit(phone, 'Mona')
  await guest.openCoffee()
  // An error in the script of the menu, which the uploaded source maps have.
  const chunk = guest.frame.locator('link[href*="pages-menu-menu"][rel=modulepreload]')
  const address = await chunk.evaluate((link: HTMLLinkElement) => link.href)
  const column = (await (await fetch(address)).text()).indexOf('await') + 1
  const fail = (line: string) =>
    chunk.evaluate((_, place) => {
      const error = Object.assign(new Error('Out of steam'), { stack: `Error: Out of steam\n    ${place}` })
      setTimeout(() => {
        throw error
      })
    }, line)
  const failed = guest.page.waitForEvent('pageerror')
  await Promise.all([failed, fail(`at brew (${address}:1:${column})`)])
  await guest.leaveCoffee()

  const { items } = await manage<{ items: { projectId: string; appid: string }[] }>('/apps?text=Souk%20Coffee')
  const { projectId, appid } = items[0]!
  // Events are counted every minute.
  await expect
    .poll(() => manage<{ errors: { message: string }[] }>(`/apps/${appid}/analytics?days=1`), { timeout: 180_000 })
    .toMatchObject({ errors: [{ message: 'Error: Out of steam' }] })

  const { session } = await administratorOf(server)
  const page = await consolePage({}, session, server.url)
  await page.goto(`projects/${projectId}/apps/${appid}/analytics?days=1`)
  await page.getByText('Error: Out of steam', { exact: true }).click()
  const stack = page.getByRole('region', { name: 'Stack of the newest occurrence', exact: true })
  await stack.locator('strong').waitFor()
  expect(await stack.innerText()).toMatch(/brew\s+src\/pages\/menu\/menu\.vue:\d+:\d+$/m)
  await settled(page)
  await picture(page, 'story-analytics.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Show raw stack', exact: true }).click()
  expect(await stack.innerText()).toMatch(/at brew \(assets\/pages-menu-menu-\S+\.js:1:\d+\)/)
})
