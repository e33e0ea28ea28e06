import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ProviderBrowser, startOidcProvider, type TestProvider } from '../apps/server/test/oidcProvider.ts'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { faults, type Look, picture, settled, watchedPage } from './console.ts'

const clientSecret = 'secret of the client'

let server: RunningServer
let provider: TestProvider
let issuerId: string

beforeAll(async () => {
  ;[provider, server] = await Promise.all([
    // Another site than Souk's, as in reality.
    startOidcProvider({ hostname: 'localhost' }),
    startServer({ env: { SOUK_ENVIRONMENT: 'live', SOUK_PRIVATE_HOSTS: 'localhost' } }),
  ])
  await provider.register({
    client_id: 'souk-host',
    client_secret: clientSecret,
    redirect_uris: [`${server.url}/host/signed-in`],
    post_logout_redirect_uris: [`${server.url}/host/sign-in`],
    backchannel_logout_uri: `${server.url}/host/v1/back-channel-logout`,
    backchannel_logout_session_required: true,
  })
  ;({ issuerId } = await administer('POST', '/issuers', { issuer: provider.issuer, audience: 'souk' }))
  const client = { name: 'Example Company', clientId: 'souk-host', clientSecret }
  await administer('POST', `/issuers/${issuerId}/sign-in`, client)
})
afterAll(() => Promise.all([server.stop(), provider.stop()]))

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own result.
async function administer(method: string, path: string, input: object): Promise<any> {
  const response = await fetch(`${server.url}/console/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${server.adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

async function hostPage(look: Partial<Look> = {}) {
  const page = await watchedPage(look, `${server.url}/host/`, { 'souk.host.language': look.language ?? 'en' })
  // The provider's pages load fonts from the network.
  await page.route(/googleapis/, (route) => route.fulfill({ body: '' }))
  return page
}

/** Signs in on the page of the provider. */
async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
}

async function signIn(page: Page, login: string): Promise<void> {
  await page.goto('profile')
  await page.getByRole('button', { name: 'Sign in with Example Company' }).click()
  await signInAtProvider(page, login)
  await page.getByRole('heading', { name: login }).waitFor()
}

test('a company user signs in to a live installation, and signs out here and at the provider', async () => {
  const page = await hostPage()
  await page.goto('inbox?x=1')
  await settled(page)
  expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in with Example Company'])
  expect(await faults(page)).toEqual([])
  await picture(page, 'host-sign-in.en.light.desktop')
  await page.getByRole('button', { name: 'Sign in with Example Company' }).click()
  await signInAtProvider(page, 'Layla')
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
  expect(page.url()).toBe(`${server.url}/host/inbox?x=1`)
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await page.getByRole('heading', { name: 'Layla' }).waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.getByRole('button', { name: 'Sign in with Example Company' }).waitFor()
  expect(page.url()).toBe(`${server.url}/host/sign-in`)
  // The provider has forgotten the user too.
  await page.getByRole('button', { name: 'Sign in with Example Company' }).click()
  await page.getByPlaceholder('Enter any login').waitFor()
})

test('signing out at the provider ends the session here by back-channel logout', async () => {
  const page = await hostPage()
  await signIn(page, 'Omar')
  const elsewhere = await hostPage()
  await signIn(elsewhere, 'Sara')

  await signOutAtProvider(page.context())
  await page.reload()
  await page.getByRole('button', { name: 'Sign in with Example Company' }).waitFor()
  await elsewhere.reload()
  await elsewhere.getByRole('heading', { name: 'Sara' }).waitFor()
})

async function signOutAtProvider(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${provider.issuer}/session/end`)
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.getByText('Sign-out Success').first().waitFor()
  await page.close()
}

test.each([
  { language: 'ar', scheme: 'dark', device: 'phone' },
  { language: 'zh-CN', scheme: 'light', device: 'phone' },
] as const)('a user who cancels can try again, in $language', async (look) => {
  const page = await hostPage(look)
  await page.goto('')
  await page.getByRole('button', { name: 'Example Company' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('alert').waitFor()
  expect(await faults(page)).toEqual([])
  await picture(page, `host-sign-in-failed.${look.language}.${look.scheme}.${look.device}`)
  await page.getByRole('alert').getByRole('link').click()
  await page.getByRole('button', { name: 'Example Company' }).waitFor()
})

test('a response to a sign-in that another browser has started is rejected', async () => {
  const attempt = await fetch(`${server.url}/host/v1/sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ issuerId }),
  })
  const { url } = (await attempt.json()) as { url: string }
  const returned = await new ProviderBrowser().signIn(url, 'attacker')

  const victim = await hostPage()
  await victim.goto(returned.href)
  await victim.getByRole('alert').getByText('another browser').waitFor()
  await victim.goto(`${server.url}/host/`)
  await victim.getByRole('button', { name: 'Example Company' }).waitFor()
})
