import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { en as words } from '../examples/coffee/src/words/en.ts'
import type * as souk from '../packages/host/src/index.ts'
import { startCoffee } from './coffee.ts'
import { type EmbeddingPage, newPage, pagesOrigin, serveExample, servePages } from './embeddingPages.ts'

/** Mini apps in web pages of other origins, by `@souk/host`: the examples, and pages with their own handlers. */

servePages()

let server: RunningServer
let coffee: Awaited<ReturnType<typeof startCoffee>>
let appid: string

beforeAll(async () => {
  server = await startServer()
  await manage('PATCH', '/platform-settings', { allowedOrigins: [pagesOrigin()] })
  coffee = await startCoffee(server)
  const { items } = await manage<{ items: { appid: string }[] }>('GET', '/apps?text=Souk%20Coffee')
  appid = items[0]!.appid
})
afterAll(async () => {
  await coffee?.end()
  await server?.stop()
})

/** Calls a console operation as administrator. */
async function manage<T>(method: string, path: string, input?: object): Promise<T> {
  const answer = await fetch(`${server.url}/console/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${server.adminToken}`, ...(input && { 'content-type': 'application/json' }) },
    ...(input && { body: JSON.stringify(input) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** State of a paid order. The coffee is made in eight seconds, which may pass before a busy machine shows it. */
const isPaid = new RegExp(`${words.states.making}|${words.states.ready}`)

/** Opens a page in which the notice of the first opening is dismissed when it appears. */
async function openPage(): Promise<EmbeddingPage> {
  const page = await newPage()
  // A click before the notice is ready has no effect.
  const notice = coffeeIn(page).embed.locator('.privacy-notice:not(.waiting)')
  const dismiss = notice.getByRole('button', { name: 'Got it' })
  // A click that fails, such as when the page is closed meanwhile, leaves the notice to the step that it covers.
  await page.addLocatorHandler(dismiss, (button) => button.click().catch(() => {}))
  return page
}

/** Returns the parts of an embedded Souk Coffee. */
function coffeeIn(page: Page) {
  const embed = page.frameLocator('souk-mini-app iframe')
  const frame: FrameLocator = embed.frameLocator('iframe')
  return {
    embed,
    frame,
    sheet: embed.getByRole('dialog'),
    tab: (index: number) => embed.locator('.neu-tabbar').filter({ visible: true }).getByRole('button').nth(index),
    button: (name: string) => frame.getByRole('button', { name, exact: true }).filter({ visible: true }),
    press: (name: string) => embed.getByRole('dialog').getByRole('button', { name, exact: true }).last().click(),
  }
}

/** Orders a latte, which asks for its payment. Returns the number of the trade. */
async function order(page: Page): Promise<string> {
  const { button, tab, frame } = coffeeIn(page)
  await tab(0).click()
  await frame.getByRole('heading', { name: /Good to see you, ./ }).waitFor()
  await button(words.add('Latte')).click()
  await tab(1).click()
  const shown = page.waitForRequest(/\/host\/v1\/trades\/\w+$/)
  await button(words.orderAndPay).click()
  return new URL((await shown).url()).pathname.split('/').at(-1)!
}

async function statusOf(tradeNo: string): Promise<number> {
  const { trade } = await manage<{ trade: { transactionStatus: number } }>('GET', `/trades/${tradeNo}`)
  return trade.transactionStatus
}

test.for(['html', 'react', 'vue'])('the example in %s gets from an empty page to a paid coffee', async (example) => {
  const page = await openPage()
  await page.goto(await serveExample(example, server.url))
  const { press, frame, sheet, embed } = coffeeIn(page)
  const tradeNo = await order(page)
  await sheet.getByRole('radio').first().check()
  await sheet.locator('footer button').first().click()
  await sheet.getByText('Payment successful').waitFor()
  await press('Done')
  await frame.getByRole('status').getByText(isPaid).waitFor()
  expect(await statusOf(tradeNo)).toBe(2)

  await embed.locator('.capsule button').last().click()
  await page.locator('souk-mini-app').waitFor({ state: 'detached' })
  expect(page.complaints).toEqual([])
})

/** Calls the host API as an application's backend. */
async function host<T>(path: string, input?: object, session = ''): Promise<T> {
  const answer = await fetch(`${server.url}/host/v1${path}`, {
    method: input ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    ...(input && { body: JSON.stringify(input) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Creates a user with a phone number. Returns a function that signs in and returns the session. */
async function newUser(): Promise<() => Promise<string>> {
  const contact = { country: '+966', phone: '500000042', email: 'noura@example.com' }
  const { uid } = await manage<{ uid: number }>('POST', '/sandbox/users', { nickname: 'Noura', ...contact })
  return async () => (await host<{ session: string }>('/sessions', { uid })).session
}

declare global {
  /** Globals of the pages below. */
  interface Window {
    getSession(): Promise<string>
    calls: unknown[]
    /** Passes a payment to the backend of the application. */
    pay(tradeNo: string): Promise<void>
  }
}

/** Opens a page in which `create` makes its host. Returns it with what it has recorded in `calls`. */
async function openOwn(create: (host: typeof souk, server: string) => void, getSession: () => string) {
  const page = await openPage()
  await page.exposeFunction('getSession', getSession)
  await page.exposeFunction('pay', (tradeNo: string) =>
    host(`/trades/${tradeNo}/payments`, { payMethod: 'wallet-a', outcome: 'succeeded' }, getSession()),
  )
  await page.goto(`${pagesOrigin()}/own/`)
  await page.evaluate(
    async ([code, server, appid]) => {
      const souk = await import(/* @vite-ignore */ `${location.origin}/own/host.js`)
      Object.assign(window, { calls: [] })
      new Function('souk', 'server', `(${code})(souk, server)`)(souk, server)
      const element = document.body.appendChild(document.createElement('souk-mini-app'))
      for (const name of ['ready', 'failed', 'close']) {
        element.addEventListener(name, (event) => window.calls.push([name, (event as CustomEvent).detail]))
      }
      element.appid = appid
    },
    [String(create), server.url, appid] as const,
  )
  return Object.assign(coffeeIn(page), { page, calls: () => page.evaluate(() => window.calls) })
}

test('consent, cashier and storage can be replaced', async () => {
  const session = await (await newUser())()
  const { tab, button, frame, sheet, page, calls } = await openOwn(
    (souk, server) => {
      const entries = new Map<string, string>()
      Object.assign(window, { entries })
      souk.createHost({
        server,
        session: window.getSession,
        handlers: {
          askConsent(question) {
            window.calls.push(['askConsent', question])
            return { isAllowed: window.calls.length > 2 }
          },
          async requestPayment({ tradeNo, subject, amount, currency }) {
            window.calls.push(['requestPayment', { subject, amount, currency }])
            await window.pay(tradeNo)
            return { status: 2 }
          },
          storage: {
            read: () => entries,
            set: (_appid, key, data) => void entries.set(key, data),
            remove: (_appid, key) => void entries.delete(key),
            clear: () => entries.clear(),
          },
        },
      })
    },
    () => session,
  )
  await expect.poll(calls).toEqual([['ready', { name: 'Souk Coffee' }]])
  expect(await page.locator('souk-mini-app iframe').getAttribute('title')).toBe('Souk Coffee')
  await tab(3).click()
  await button(words.sharePhone).click()
  await expect.poll(async () => (await calls()).length).toBe(2)
  expect(await frame.getByText('500000042').count()).toBe(0)
  await button(words.sharePhone).click()
  await frame.getByText('+966 500000042').waitFor()
  const question = { appid, name: 'Souk Coffee', scopes: ['user.phone'], titles: ['Country and phone number'] }
  expect((await calls())[2]).toEqual(['askConsent', question])

  const tradeNo = await order(page)
  await frame.getByRole('status').getByText(isPaid).waitFor()
  expect((await calls())[3]).toEqual(['requestPayment', { subject: expect.any(String), amount: 1600, currency: 'SAR' }])
  expect(await sheet.count()).toBe(0)
  expect(await statusOf(tradeNo)).toBe(2)
  expect(
    await page.evaluate(() => [...(window as unknown as { entries: Map<string, string> }).entries.keys()]),
  ).toContain('cart')
  expect(page.complaints).toEqual([])
})

test('a new session is requested when one has ended', async () => {
  const signIn = await newUser()
  let session = await signIn()
  const { tab, button, frame, press, page, calls } = await openOwn(
    (souk, server) => {
      const session = () => {
        window.calls.push('session')
        return window.getSession()
      }
      souk.createHost({ server, session })
    },
    () => session,
  )
  await tab(0).click()
  await frame.getByRole('heading', { name: 'Good to see you, Noura' }).waitFor()
  expect(await calls()).toEqual(['session', ['ready', { name: 'Souk Coffee' }]])
  const ended = session
  session = await signIn()
  await fetch(`${server.url}/host/v1/sessions`, { method: 'DELETE', headers: { authorization: `Bearer ${ended}` } })
  await tab(3).click()
  await button(words.sharePhone).click()
  await press('Allow')
  await frame.getByText('+966 500000042').waitFor()
  expect((await calls()).filter((call) => call === 'session')).toHaveLength(2)
  expect(page.complaints).toEqual([])
})

test('an application that has no session learns that the mini app failed', async () => {
  const { calls } = await openOwn(
    (souk, server) => {
      const session = () => Promise.reject(new souk.Refusal('Nobody is signed in.'))
      souk.createHost({ server, session })
    },
    () => '',
  )
  await expect.poll(calls).toEqual([['failed', { code: expect.any(String), message: expect.any(String) }]])
})
