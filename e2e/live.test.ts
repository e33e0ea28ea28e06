import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type FakeProvider, startStripe, stripeSecrets } from '@souk/fake-providers'
import { Souk } from '@souk/sdk'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate, key } from '../apps/server/test/certificate.ts'
import { startOidcProvider, type TestProvider } from '../apps/server/test/oidcProvider.ts'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { messages } from '../examples/coffee/backend/messages.ts'
import { backend } from '../examples/coffee/backend/server.ts'
import { Shop } from '../examples/coffee/backend/shop.ts'
import { Store } from '../examples/coffee/backend/store.ts'
import { en as words } from '../examples/coffee/src/words/en.ts'
import { launchChromium } from './chromium.ts'
import { picture } from './console.ts'

/**
 * A live installation from sign-in to erasure: users come from an OpenID provider, the mini app and everything it
 * declares is approved, its backend is reached by https only, payments are made at a provider, and the company's
 * backend gets events.
 */

const root = join(import.meta.dirname, '..')
const clientSecret = 'secret of the client'
const told = messages.en_US

let server: RunningServer
let issuer: TestProvider
let payments: FakeProvider
let browser: Browser
const closing: (() => unknown)[] = []

beforeAll(async () => {
  ;[issuer, payments, browser, server] = await Promise.all([
    // Another site than Souk's, as in reality.
    startOidcProvider({ hostname: 'localhost' }),
    startStripe(),
    // Mini apps of a live installation reach no IP addresses and no localhost.
    launchChromium(['--host-resolver-rules=MAP coffee.example 127.0.0.1']),
    startServer({ env: { SOUK_ENVIRONMENT: 'live', SOUK_PRIVATE_HOSTS: 'localhost,127.0.0.1' } }),
  ])
})
afterAll(async () => {
  for (const close of closing) await close()
  await Promise.all([browser?.close(), server?.stop(), payments?.close(), issuer?.stop()])
})

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own result.
async function administer(method: string, path: string, input?: object): Promise<any> {
  const response = await fetch(`${server.url}/console/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${server.adminToken}`, ...(input && { 'Content-Type': 'application/json' }) },
    ...(input && { body: JSON.stringify(input) }),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

/** Lets users of the company sign in. */
async function setUpSignIn(): Promise<void> {
  await issuer.register({
    client_id: 'souk-host',
    client_secret: clientSecret,
    redirect_uris: [`${server.url}/host/signed-in`],
    post_logout_redirect_uris: [`${server.url}/host/sign-in`],
  })
  issuer.setClaims('layla', { name: 'Layla', phone_number: '+966500000042' })
  const { issuerId } = await administer('POST', '/issuers', { issuer: issuer.issuer, audience: 'souk' })
  const client = { name: 'Example Company', clientId: 'souk-host', clientSecret }
  await administer('POST', `/issuers/${issuerId}/sign-in`, client)
}

/** Starts the company's backend, and returns the events that it has verified. */
async function receiveEvents() {
  const received: { type: string; data: Record<string, unknown> }[] = []
  let secret = ''
  const company = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(new Webhook(secret).verify(body, request.headers as Record<string, string>) as never)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  closing.push(() => company.close())
  await once(company, 'listening')
  const url = `http://localhost:${(company.address() as AddressInfo).port}/souk`
  const types = ['notification.created', 'trade.changed', 'user.erased']
  ;({ secret } = await administer('POST', '/event-endpoints', { url, types }))
  return received
}

/** Publishes Souk Coffee with its own backend, approved and with an account at the payment provider. */
async function openCoffee(): Promise<void> {
  const { projectId } = await administer('POST', '/projects', { name: 'Coffee' })
  const { appid, secret } = await administer('POST', '/apps', { projectId, name: 'Souk Coffee' })
  const souk = new Souk({ baseUrl: server.url, appid, secret })

  const web = createSecureServer({ key, cert: certificate }).listen(0, '127.0.0.1')
  const callbacks = createServer().listen(0, '127.0.0.1')
  await Promise.all([once(web, 'listening'), once(callbacks, 'listening')])
  const portOf = (listening: { address(): unknown }) => (listening.address() as AddressInfo).port
  const host = `coffee.example:${portOf(web)}`
  const shop = new Shop({
    souk,
    store: new Store(':memory:'),
    notifyUrl: `http://localhost:${portOf(callbacks)}/payment-result`,
    iconUrl: `https://${host}/icon.png`,
    brew: (done) => void setImmediate(done),
  })
  for (const listening of [web, callbacks]) {
    listening.on('request', backend(shop, souk))
    closing.push(() => listening.close())
  }

  await administer('PATCH', `/apps/${appid}`, {
    capabilities: ['login', 'payment', 'notification', 'activity'],
    domains: { request: [host], webView: [], download: [] },
    merchantName: 'Souk Coffee',
    languages: ['en_US'],
  })
  const account = await administer('POST', '/provider-accounts', {
    appid,
    provider: 'stripe',
    name: 'Stripe',
    settings: { baseUrl: payments.url },
    secrets: stripeSecrets,
  })
  payments.webhookUrl = `${server.url}/webhooks/${account.providerAccountId}`

  const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']
  const upload = ['upload', join(root, 'examples/coffee'), '--appid', appid, '--version', '1.0.0', '--publish']
  await promisify(execFile)(process.execPath, [...flags, join(root, 'packages/cli/src/main.ts'), ...upload], {
    env: { ...process.env, SOUK_URL: server.url, SOUK_DATA_DIR: server.dataDir, VITE_BACKEND: `https://${host}` },
  })
  const { items } = await administer('GET', `/change-requests?appid=${appid}`)
  for (const { changeId } of items) await administer('POST', `/change-requests/${changeId}/approve`, {})
}

async function openHost(): Promise<Page> {
  const context = await browser.newContext({
    baseURL: `${server.url}/host/`,
    ignoreHTTPSErrors: true,
    locale: 'en',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  // The provider's pages load fonts from the network.
  await page.route(/googleapis/, (route) => route.fulfill({ body: '' }))
  return page
}

test('a user of a company signs in, buys a coffee, is notified by the company, and is erased', async () => {
  await setUpSignIn()
  const events = await receiveEvents()
  await openCoffee()

  const page = await openHost()
  await page.goto('')
  await page.getByRole('button', { name: 'Sign in with Example Company' }).click()
  await page.getByPlaceholder('Enter any login').fill('layla')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()

  // Login and consent.
  const frame = page.frameLocator('iframe')
  const sheet = page.getByRole('dialog')
  const tab = (index: number) => page.locator('.neu-tabbar').filter({ visible: true }).getByRole('button').nth(index)
  const button = (name: string) => frame.getByRole('button', { name, exact: true }).filter({ visible: true })
  await page.getByRole('link', { name: 'Souk Coffee' }).last().click()
  await frame.getByRole('heading', { name: words.welcome('Layla') }).waitFor()
  await tab(3).click()
  await button(words.sharePhone).click()
  await sheet.getByText('500000042').waitFor()
  await picture(page, 'live-consent.en.light.phone')
  await sheet.getByRole('button', { name: 'Allow' }).click()
  await frame.getByText('+966 500000042').waitFor()

  // Payment at the provider, in another window.
  await tab(0).click()
  await button(words.add('Latte')).click()
  await tab(1).click()
  await button(words.orderAndPay).click()
  await sheet.getByText('Wallet B', { exact: true }).click()
  await sheet.getByRole('button', { name: /^Pay .*16\.00/ }).click()
  const link = sheet.getByRole('link', { name: 'Open payment page' })
  const [payment] = await Promise.all([page.context().waitForEvent('page'), link.click()])
  await payment.getByRole('button', { name: 'Apple Pay' }).click()
  await payment.getByRole('heading', { name: 'Payment successful' }).waitFor()
  await sheet.getByRole('heading', { name: 'Payment successful' }).waitFor()
  await picture(page, 'live-paid.en.light.phone')
  await sheet.getByRole('button', { name: 'Done' }).click()
  await frame.getByRole('status').getByText(words.states.ready).waitFor()

  // The company's backend learns what to ring the phone for.
  const user = { issuer: issuer.issuer, subject: 'layla' }
  const named = (type: string) => events.filter((event) => event.type === type)
  await expect.poll(() => named('notification.created')).toHaveLength(2)
  // Deliveries may overtake each other.
  const byTitle = named('notification.created').sort((a, b) => String(a.data.title).localeCompare(String(b.data.title)))
  expect(byTitle).toMatchObject([
    { data: { ...told.paid(1), users: [user] } },
    { data: { ...told.ready(1), users: [user] } },
  ])
  await expect.poll(() => named('trade.changed')).toHaveLength(1)
  expect(named('trade.changed')[0]!.data).toMatchObject({ amount: 1600, transactionStatus: 2 })

  const { items } = await administer('GET', '/users?text=Layla')
  await administer('POST', `/users/${items[0].uid}/erase`, {})
  await expect.poll(() => named('user.erased')).toMatchObject([{ data: { users: [user] } }])
  await page.goto('')
  await page.getByRole('button', { name: 'Sign in with Example Company' }).waitFor()

  // The books keep the payment of a payer without a name.
  const { trade } = await administer('GET', `/trades/${named('trade.changed')[0]!.data.tradeNo}`)
  expect(trade).toMatchObject({ amount: 1600, transactionStatus: 2 })
})
