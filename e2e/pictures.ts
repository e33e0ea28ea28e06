// npm run pictures: takes the pictures of README and the documentation from a running product, in light and dark, and
// writes them to docs/pictures.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startServer } from '../apps/server/test/server.ts'
import { messages } from '../examples/coffee/backend/messages.ts'
import { en as words } from '../examples/coffee/src/words/en.ts'
import { launchChromium } from './chromium.ts'
import { startCoffee } from './coffee.ts'
import { createFixture } from './fixture.ts'
import { pressEscape } from './hostQuestion.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs/pictures')
const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]

const phone = { width: 390, height: 760 }
const desktop = { width: 1280, height: 800 }
/** The page of `souk dev`, a phone beside its controls. */
const developer = { width: 760, height: 760 }

async function open(browser: Browser, viewport: { width: number; height: number }, colorScheme: Scheme) {
  const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 1.5, reducedMotion: 'reduce' })
  return context.newPage()
}

/** Writes the page as it is on the screen. WebP takes a third of PNG, which Playwright would write. */
async function take(page: Page, name: string, scheme: Scheme): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'))
  // Images are decoded and drawn a moment after they are loaded.
  await page.waitForTimeout(500)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  const bytes = Buffer.from(data, 'base64')
  await writeFile(join(folder, `${name}.${scheme}.webp`), bytes)
  console.error(`${name}.${scheme}.webp: ${Math.ceil(bytes.length / 1000)} KB`)
}

/** Orders a coffee as a user of the host: the cashier, and the home page with the message about the order. */
async function takeHost(browser: Browser, scheme: Scheme, { url, uid }: { url: string; uid: number }): Promise<void> {
  const answer = await fetch(`${url}/host/v1/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ uid }),
  })
  const { session: token, user } = (await answer.json()) as { session: string; user: object }
  const page = await open(browser, phone, scheme)
  await page.addInitScript((session) => {
    if (window.origin !== 'null') localStorage.setItem('souk.host.session', session)
  }, JSON.stringify({ token, user }))
  await page.goto(`${url}/host/`)
  await page.getByRole('link', { name: 'Souk Coffee' }).last().click()
  const frame = page.frameLocator('iframe')
  const tab = (index: number) => page.locator('.neu-tabbar').filter({ visible: true }).getByRole('button').nth(index)
  await page.locator('.privacy-notice:not(.waiting) button').click()
  const button = (name: string) => frame.getByRole('button', { name, exact: true }).filter({ visible: true })
  await button(words.add('Latte')).click()
  await button(words.add('Cappuccino')).click()
  await tab(1).click()
  await button(words.orderAndPay).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('radio').first().check()
  await take(page, 'cashier', scheme)
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
  await banner.locator('.icon-button').click()
  await banner.waitFor({ state: 'detached' })
  await take(page, 'host', scheme)
  await page.context().close()
}

/** Ends the only block of the project, which fills the first screen of its overview. */
async function allowBroadcasts(): Promise<void> {
  const { url, session, csrf, appid } = values
  const capabilities = ['login', 'payment', 'refund', 'notification', 'activity', 'file', 'broadcast']
  await fetch(`${url}/console/v1/apps/${appid}`, {
    method: 'PATCH',
    headers: { Cookie: `souk_session=${session}`, 'X-Souk-CSRF': csrf, 'Content-Type': 'application/json' },
    body: JSON.stringify({ capabilities }),
  })
}

const server = await startServer({ isBundled: false })
const { values, close } = await createFixture(server)
await allowBroadcasts()
const coffee = await startCoffee(server)
const { appid } = JSON.parse(await readFile(join(server.dataDir, 'coffee.json'), 'utf8'))
const demo: { users: { uid: number }[] } = JSON.parse(await readFile(join(server.dataDir, 'demo.json'), 'utf8'))
const souk = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning', 'packages/cli/src/main.ts']
const dev = spawn(process.execPath, [...souk, 'dev', 'examples/coffee', '--server', server.url, '--appid', appid], {
  cwd: root,
  env: { ...process.env, VITE_BACKEND: coffee.address },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [served] = (await once(dev.stdout, 'data')) as [Buffer]
const browser = await launchChromium()
try {
  await mkdir(folder, { recursive: true })
  for (const scheme of schemes) {
    const console = await open(browser, desktop, scheme)
    const cookie = { name: 'souk_session', value: values.session, url: server.url }
    await console.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
    await console.goto(`${server.url}/console/projects/${values.projectId}`)
    await console.locator('h1').waitFor()
    await take(console, 'console', scheme)
    await console.context().close()

    // A mini app greets each user at the first opening only.
    await takeHost(browser, scheme, { url: server.url, uid: demo.users[scheme === 'light' ? 0 : 2]!.uid })

    const device = await open(browser, developer, scheme)
    await device.goto(/http:\S+/.exec(String(served))![0])
    await device.frameLocator('iframe').getByText('Latte').first().waitFor()
    await take(device, 'dev', scheme)
    await device.context().close()
  }
} finally {
  await browser.close()
  dev.kill()
  await Promise.all([coffee.end(), close()])
  await server.stop()
}
