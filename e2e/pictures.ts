// npm run pictures: takes the pictures of README and the documentation from a running product, in light and dark, and
// writes them to docs/pictures.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Frame, Page } from 'playwright-core'
import { createServer as createViteServer } from 'vite'
import { startServer } from '../apps/server/test/server.ts'
import { messages } from '../examples/coffee/backend/messages.ts'
import { en as words } from '../examples/coffee/src/words/en.ts'
import { launchChromium } from './chromium.ts'
import { startCoffee } from './coffee.ts'
import { createFixture } from './fixture.ts'
import { pressEscape, takesInput } from './hostQuestion.ts'
import { Camera } from './pictures/camera.ts'
import { beginWeek, furnish, managerOf, publishBakery, signIn, untilAlertsAreRaised } from './pictures/installation.ts'
import type { PictureName } from './pictures/names.ts'

const root = join(import.meta.dirname, '..')
const phone = { width: 390, height: 760 }
const desktop = { width: 1280, height: 800 }
/** The page of `souk dev`, a phone beside its controls. */
const developer = { width: 760, height: 760 }

const server = await startServer({ isBundled: false })
const manage = managerOf(server)
await beginWeek(manage)
const { values: fixture, close } = await createFixture(server)
// Ends the only block of the project, which fills the first screen of its overview.
const capabilities = ['login', 'payment', 'refund', 'notification', 'activity', 'file', 'broadcast']
await manage('PATCH', `/apps/${fixture.appid}`, { capabilities })
const corner = await furnish(server, manage, fixture)
const coffee = await startCoffee(server)
const { appid: coffeeAppid } = JSON.parse(await readFile(join(server.dataDir, 'coffee.json'), 'utf8'))
const souk = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning', 'packages/cli/src/main.ts']
const dev = spawn(
  process.execPath,
  [...souk, 'dev', 'examples/coffee', '--server', server.url, '--appid', coffeeAppid],
  {
    cwd: root,
    env: { ...process.env, VITE_BACKEND: coffee.address },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
const [served] = (await once(dev.stdout, 'data')) as [Buffer]
const company = await createViteServer({
  configFile: false,
  root: join(import.meta.dirname, 'pictures/company'),
  cacheDir: join(server.dataDir, 'vite'),
  logLevel: 'error',
  resolve: { conditions: ['souk-source'] },
  server: { host: 'localhost', port: 0, ws: false },
})
await company.listen()
const companyAddress = company.resolvedUrls!.local[0]!
// Settings take effect within ten seconds.
await manage('PATCH', '/platform-settings', { allowedOrigins: [new URL(companyAddress).origin] })
const browser = await launchChromium()
const camera = new Camera(browser, server.url)
try {
  await mkdir(join(root, 'docs/pictures'), { recursive: true })
  await takeConsole()
  await takeHost()
  await takeCard()
  await takeFunctionQuestion()
  await takeInspector()
  await takeDev()
  await takeEmbedded()
  await camera.takeSocial()
  camera.end()
} finally {
  await browser.close()
  dev.kill()
  await Promise.all([coffee.end(), close(), company.close()])
  await server.stop()
}

/** The pages of the console, as its administrator sees them. */
async function takeConsole(): Promise<void> {
  const { appid, projectId, trades, wrongSign } = fixture
  const project = `projects/${projectId}`
  const { items: callbacks } = await manage<{ items: { notifyId: string }[] }>(
    'GET',
    `/projects/${projectId}/callbacks?failuresFirst=true`,
  )
  const page = await camera.open(desktop)
  const cookie = { name: 'souk_session', value: fixture.session, url: server.url }
  await page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
  const show = async (path: string) => {
    await page.goto(`${server.url}/console/${path}`)
    await page.locator('h1').waitFor()
  }
  const pages: [name: PictureName, path: string, height?: number][] = [
    ['console', project],
    ['release-review', `${project}/apps/${appid}/releases/${corner.reviewed}/review`],
    ['pages-editor', `${project}/apps/${appid}/pages`],
    ['trade', `${project}/trades/${trades.callbackFailed}`],
    ['callback', `${project}/callbacks/${callbacks[0]!.notifyId}`],
    ['request', `${project}/requests/${wrongSign}`],
    ['messages', `${project}/messages?view=phone&uid=${corner.uid}`],
    ['members', `${project}/members`],
    ['sandbox', `${project}/sandbox`],
    ['approvals', 'reviews'],
    ['health', 'platform'],
    ['releases', `${project}/apps/${appid}/releases`, 1120],
    // Last, when its jobs have run.
    ['analytics', `${project}/apps/${appid}/analytics?days=1`, 1000],
  ]
  for (const [name, path, height = desktop.height] of pages) {
    if (name === 'analytics') await untilAlertsAreRaised(manage, appid)
    await page.setViewportSize({ ...desktop, height })
    await show(path)
    await camera.take(page, name)
  }

  const region = (name: string) => page.getByRole('region', { name, exact: true })
  await show(`${project}/apps/${appid}/analytics?days=1`)
  await camera.take(page, 'alerts', region('Alerts'))
  await show('platform?view=users')
  await camera.take(page, 'host-functions', region('Functions of the host'))
  await show(`${project}/apps/${appid}/settings`)
  await region('Secrets').getByRole('button', { name: 'Rotate' }).click()
  await camera.take(page, 'rotate-secret', page.getByRole('dialog'))

  // Last, because payments would be routed to the accounts.
  const secrets = { secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc', webhookSecret: 'whsec_c29ta29mZmVl' }
  for (const name of ['Stripe, cards', 'Stripe, reserve'])
    await manage('POST', '/provider-accounts', { provider: 'stripe', name, settings: {}, secrets })
  await show(`${project}/providers?merchant=all`)
  await camera.take(page, 'providers')
  for (const { providerAccountId } of await manage<{ providerAccountId: string }[]>('GET', '/provider-accounts'))
    await manage('PATCH', `/provider-accounts/${providerAccountId}`, { enabled: false })
  await page.context().close()
}

/** Returns the mock users of the example. */
async function demoUsers(): Promise<{ uid: number }[]> {
  return JSON.parse(await readFile(join(server.dataDir, 'demo.json'), 'utf8')).users
}

/** Opens the host as a mock user of the example. */
async function openHost(index: number, viewport = phone): Promise<Page> {
  const session = await signIn(server, (await demoUsers())[index]!.uid)
  const page = await camera.open(viewport)
  await page.addInitScript((text) => {
    if (window.origin !== 'null') localStorage.setItem('souk.host.session', text)
  }, JSON.stringify(session))
  await page.goto(`${server.url}/host/`)
  return page
}

/** The parts of an open Souk Coffee. */
function coffeeIn(page: Page) {
  const frame = page.frameLocator('iframe')
  return {
    tab: (index: number) => page.locator('.neu-tabbar').filter({ visible: true }).getByRole('button').nth(index),
    button: (name: string) => frame.getByRole('button', { name, exact: true }).filter({ visible: true }),
  }
}

/** A user orders a coffee: consent, cashier, and what the host shows about the order. */
async function takeHost(): Promise<void> {
  const page = await openHost(0)
  await page.getByRole('link', { name: 'Souk Coffee' }).last().click()
  const { tab, button } = coffeeIn(page)
  await page.locator('.privacy-notice:not(.waiting) button').click()
  const sheet = page.getByRole('dialog')

  await tab(3).click()
  await button(words.sharePhone).click()
  await takesInput(page)
  await camera.take(page, 'consent')
  await pressEscape(page)
  await sheet.waitFor({ state: 'detached' })

  await tab(0).click()
  await button(words.add('Latte')).click()
  await button(words.add('Cappuccino')).click()
  await tab(1).click()
  await button(words.orderAndPay).click()
  await sheet.getByRole('radio').first().check()
  await camera.take(page, 'cashier')
  await sheet.locator('footer button').first().click()
  await sheet.getByRole('status').waitFor()
  await pressEscape(page)
  await sheet.waitFor({ state: 'detached' })
  await page.locator('.capsule button').last().click()
  await page
    .getByRole('link')
    .filter({ hasText: messages.en_US.making(1).text })
    .first()
    .waitFor()
  // The notification about the payment covers the search.
  const banner = page.locator('.banner')
  await banner.getByRole('button', { name: 'Close' }).click()
  await banner.waitFor({ state: 'detached' })
  await camera.take(page, 'host')
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('listitem').first().waitFor()
  await camera.take(page, 'inbox')
  await page.context().close()
}

type Functions = Record<string, (input: object) => Promise<unknown>>

/** Opens a mini app as a mock user, and returns the page and the frame of the mini app. */
async function openMiniApp(index: number, name: string): Promise<[Page, Frame]> {
  const page = await openHost(index)
  await page.getByRole('link', { name }).last().click()
  await page.locator('.privacy-notice:not(.waiting) button').click()
  const frame = (await (await page.waitForSelector('iframe')).contentFrame())!
  // Functions that the project does not mention are loaded a moment later.
  await frame.waitForFunction(() => 'host' in ((window as unknown as { uni?: object }).uni ?? {}))
  return [page, frame]
}

/** Two users share pages of Souk Coffee with each other. */
async function takeCard(): Promise<void> {
  const users = await demoUsers()
  const share = async (from: number, to: number, card: object) => {
    const [page, frame] = await openMiniApp(from, 'Souk Coffee')
    const person = page.getByRole('dialog').getByRole('button', { name: String(users[to]!.uid) })
    const choose = async () => {
      await person.waitFor()
      await takesInput(page)
      await person.click()
    }
    const call = (shared: object) => (window as unknown as { uni: Functions }).uni.shareMiniAppMessage!(shared)
    await Promise.all([frame.evaluate(call, card), choose()])
    await page.context().close()
  }
  const path = 'pages/menu/menu'
  await share(2, 0, { title: 'Two lattes, one is on the house', path, imageUrl: '/static/drinks/latte.svg' })
  await share(0, 2, { title: 'Saudi coffee is back', path, imageUrl: '/static/drinks/saudi-coffee.svg' })
  const page = await openHost(0)
  await page.goto(`${server.url}/host/chat/${users[2]!.uid}`)
  await page.getByRole('link', { name: 'Saudi coffee is back' }).waitFor()
  await camera.take(page, 'card')
  await page.context().close()
}

/** A mini app calls a function of the host, and the user is asked. */
async function takeFunctionQuestion(): Promise<void> {
  await publishBakery(manage, fixture.projectId)
  const [page, frame] = await openMiniApp(1, 'Old Town Bakery')
  // Ended with the page.
  void frame
    .evaluate(() => (window as unknown as { uni: { host: Functions } }).uni.host.loyaltyCard!({ program: 'tea' }))
    .catch(() => {})
  await page.locator('[data-question="hostFunction"]').waitFor()
  await takesInput(page)
  await camera.take(page, 'function-question')
  await page.context().close()
}

/** The inspector beside a mini app in the host. */
async function takeInspector(): Promise<void> {
  const page = await openHost(2, desktop)
  await page.getByRole('link', { name: 'Souk Coffee' }).last().click()
  await page.locator('.privacy-notice:not(.waiting) button').click()
  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  const inspector = page.getByRole('region', { name: 'Inspector', exact: true })
  await inspector.getByRole('status').waitFor({ state: 'detached' })
  await inspector.getByRole('button', { name: 'Restart mini app', exact: true }).click()
  await inspector.getByRole('tab', { name: 'Bridge' }).click()
  const login = inspector.getByRole('tabpanel').locator('li').filter({ hasText: 'login' })
  await login.locator('summary').first().click()
  await camera.take(page, 'inspector')
  await page.context().close()
}

async function takeDev(): Promise<void> {
  const page = await camera.open(developer)
  await page.goto(/http:\S+/.exec(String(served))![0])
  await page.frameLocator('iframe').getByText('Latte').first().waitFor()
  await camera.take(page, 'dev')
  await page.context().close()
}

/** Souk Coffee in the web page of a company. */
async function takeEmbedded(): Promise<void> {
  const page = await camera.open(developer)
  const { token } = await signIn(server, fixture.uids[0]!)
  const settings = { server: server.url, session: token, appid: coffeeAppid }
  await page.goto(`${companyAddress}#${encodeURIComponent(JSON.stringify(settings))}`)
  const host = page.frameLocator('souk-mini-app iframe')
  await host.locator('.privacy-notice:not(.waiting) button').click()
  await host.frameLocator('iframe').getByText('Latte').first().waitFor()
  await camera.take(page, 'embedded')
  await page.context().close()
}
