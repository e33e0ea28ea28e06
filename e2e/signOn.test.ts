import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startOidcProvider, type TestProvider } from '../apps/server/test/oidcProvider.ts'
import { consolePage, faults, faultsOfPages, focused, otherLooks, picture, settled } from './console.ts'

const { url } = inject('fixture')
const clientSecret = 'secret of the client'

let provider: TestProvider

beforeAll(async () => {
  // Another site than Souk's, as in reality.
  provider = await startOidcProvider({ hostname: 'localhost' })
  await provider.register({
    client_id: 'souk',
    client_secret: clientSecret,
    redirect_uris: [`${url}/console/signed-on`, `${url}/host/signed-in`],
  })
  provider.setClaims('omar', { name: 'Omar', groups: ['admins'] })
})
afterAll(() => provider.stop())

test('an administrator adds a sign-on provider, whose group administrates, and removes it', async () => {
  const page = await consolePage()
  await page.goto('platform?view=operators')
  await settled(page)
  const section = page.getByRole('region', { name: 'Sign-on providers' })
  const dialog = page.getByRole('dialog')
  await section.getByRole('button', { name: 'Add provider' }).click()
  await dialog.getByLabel('Name').and(focused(page)).fill('Example Company')
  await dialog.getByLabel('Client ID').fill('souk')
  await dialog.getByLabel('Client secret').fill(clientSecret)
  await dialog.getByLabel('Issuer URL').fill('http://localhost:9')
  await dialog.getByRole('button', { name: 'Add role' }).click()
  await dialog.getByLabel('Group', { exact: true }).fill('admins')
  await picture(page, 'sign-on-provider.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add provider' }).click()
  await dialog.getByRole('alert').getByText('issuer_unavailable').waitFor()
  await dialog.getByLabel('Issuer URL').fill(provider.issuer)
  await dialog.getByRole('button', { name: 'Add provider' }).click()
  const row = section.getByRole('row').filter({ hasText: 'Example Company' })
  await row.getByText('admins: Administrator').waitFor()
  await row.getByText(`${url}/console/signed-on`).waitFor()

  // Refused until an administrator has signed in there.
  const passwords = section.getByLabel(/^Allow passwords/)
  await passwords.click()
  await section.getByRole('alert').getByText('sign_on_not_working').waitFor()
  await expect.poll(() => passwords.isChecked()).toBe(true)

  const operator = await consolePage({}, null)
  await operator.route(/googleapis/, (route) => route.fulfill({ body: '' }))
  await operator.goto('platform?view=operators')
  await operator.getByRole('button', { name: /Example Company/ }).click()
  await operator.getByPlaceholder('Enter any login').fill('omar')
  await operator.getByPlaceholder('and password').fill('any')
  await operator.getByRole('button', { name: 'Sign-in' }).click()
  await operator.getByRole('heading', { name: 'Platform settings' }).waitFor()
  await operator.goto('profile')
  await operator.getByRole('heading', { name: 'Second factors' }).waitFor()
  expect(await operator.getByLabel('Current password').count()).toBe(0)

  for (const look of otherLooks) expect(await faultsOfPages(look, { 'sign-on': 'platform?view=operators' })).toEqual({})

  await row.getByRole('button', { name: 'Remove Example Company' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
  await operator.reload()
  await operator.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('an administrator lets users sign in to the host at an issuer, and copies the addresses to register', async () => {
  const page = await consolePage()
  await page.goto('platform?view=users')
  await settled(page)
  const section = page.getByRole('region', { name: 'Trusted issuers' })
  const dialog = page.getByRole('dialog')
  await section.getByRole('button', { name: 'Add issuer' }).click()
  await dialog.getByLabel('Issuer').and(focused(page)).fill(provider.issuer)
  await dialog.getByLabel('Audience').fill('souk')
  await dialog.getByRole('button', { name: 'Add issuer' }).click()
  const row = section.getByRole('row').filter({ hasText: provider.issuer })
  await row.getByText('Disabled', { exact: true }).waitFor()

  await row.getByRole('button', { name: `Set up sign-in at ${provider.issuer}` }).click()
  await dialog.getByLabel('Name').and(focused(page)).fill('Example Company')
  await dialog.getByLabel('Client ID').fill('souk')
  await dialog.getByLabel('Client secret').fill(clientSecret)
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await dialog.getByText(`${url}/host/signed-in`).waitFor()
  await picture(page, 'sign-in-addresses.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await row.getByText('Example Company').waitFor()

  await row.getByRole('button', { name: `Disable sign-in at ${provider.issuer}` }).click()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await row.getByText('Disabled', { exact: true }).waitFor()
  await row.getByRole('button', { name: `Remove ${provider.issuer}` }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
})
