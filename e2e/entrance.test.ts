import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { startServer } from '../apps/server/test/server.ts'
import { consoleCall } from './calls.ts'
import { consoleCookie, consolePage, faults, openMenu, picture } from './console.ts'

const { administrator, url } = inject('fixture')

test('the one-time link creates the first administrator and works only once', async () => {
  const server = await startServer()
  try {
    const token = (await readFile(join(server.dataDir, 'setup-token'), 'utf8')).trim()
    const page = await consolePage({}, null, server.url)
    await page.goto(`setup#${token}`)
    await page.getByRole('heading', { name: 'Welcome to Souk' }).waitFor()
    await picture(page, 'setup-open.en.light.desktop')
    expect(await faults(page)).toEqual([])

    // Rejects a short password without sending it.
    await page.getByLabel('Name', { exact: true }).fill('Nora')
    await page.getByLabel('User name').fill('nora')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByText('10 to 200 characters.').waitFor()

    await page.getByLabel('Password', { exact: true }).fill('a market at dawn')
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByRole('heading', { name: 'Get started' }).waitFor()

    // The sandbox's first project belongs to its first administrator.
    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await page.getByRole('row', { name: /nora/ }).getByText('Owner', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'User Center: Nora' }).click()
    await openMenu(page).getByText('Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`setup#${token}`)
    await page.getByRole('heading', { name: 'Already set up' }).waitFor()
  } finally {
    await server.stop()
  }
})

test('rejects a wrong password with a reason, and redirects to the requested page after the sign-in', async () => {
  const page = await consolePage({}, null)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto('profile')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('User name').fill(administrator.username)
  expect(requests.filter((path) => path === '/console/v1/sign-on')).toHaveLength(1)
  await page.getByLabel('Password', { exact: true }).fill('wrong horse battery')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Wrong user name or password' })
  await alert.getByText('sign_in_failed').waitFor()

  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/profile')

  // A signed-in user is not asked again, and is never redirected to another site.
  await page.goto('sign-in?next=/profile%23api-key')
  await page.getByRole('heading', { name: 'API Key Management' }).waitFor()
  await page.goto('sign-in?next=//souk.example')
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
})

test('shows why the projects cannot be loaded after the sign-in, which can be repeated', async () => {
  const page = await consolePage({}, null)
  await page.goto('profile')
  const problem = { type: 'about:blank', title: 'Not now', status: 409, code: 'read_failed', detail: 'Not now.' }
  await page.route('**/console/v1/projects', (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', json: problem }),
  )
  await page.getByLabel('User name').fill(administrator.username)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('read_failed').waitFor()
  await page.unroute('**/console/v1/projects')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
})

test('reports a truncated one-time link', async () => {
  const page = await consolePage({}, null)
  for (const path of ['invitation', 'password-reset#souk_reset']) {
    await page.goto(path)
    await page.getByRole('alert').getByText('Incomplete link').waitFor()
  }
})

test('shows the sign-in over a form whose session has ended, then completes its request', async () => {
  const { username, password } = administrator
  const page = await consolePage({ scheme: 'dark' }, null)
  const signIn = async (button: string) => {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: button, exact: true }).press('Enter')
  }
  await page.goto(`projects/${inject('fixture').projectId}/members`)
  await page.getByLabel('User name').fill(username)
  await signIn('Sign in')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Invitee (optional)').fill('Ziad')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.waitFor()
  expect(await page.getByLabel('User name').inputValue()).toBe(username)
  await picture(page, 'session-ended.en.dark.desktop')
  expect(await faults(page)).toEqual([])
  await signIn('Sign in and continue')
  await page.getByText('Send this link to the person').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('cell', { name: 'Ziad', exact: true }).waitFor()

  // After a sign-in in another tab, the page continues with the new session automatically.
  const [cookie] = await page.context().cookies()
  const other = await consolePage({}, null)
  await other.goto('sign-in')
  await other.getByLabel('User name').fill(username)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByRole('heading', { name: 'Projects' }).waitFor()
  const [newer] = await other.context().cookies()
  expect(newer?.value).not.toBe(cookie?.value)
  await page.context().addCookies([newer!])
  await page.getByRole('button', { name: 'Revoke invitation for Ziad' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Invitation revoked').waitFor()

  await page.context().clearCookies()
  // Not a click, since requests of the page itself can open the dialog before, which covers the link.
  await page.getByRole('link', { name: 'Trades' }).dispatchEvent('click')
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Leave page' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
})

test('offers the providers of the installation when a session has ended', async () => {
  const page = await consolePage()
  const providers = [{ providerId: '0'.repeat(32), name: 'Example Company' }]
  await page.route('**/console/v1/sign-on', (route) => route.fulfill({ json: { passwordSignIn: false, providers } }))
  await page.goto(`projects/${inject('fixture').projectId}/members`)
  await page.getByRole('button', { name: 'Invite' }).waitFor()
  await page.context().clearCookies()
  // Not a click, since requests of the page itself can open the dialog before, which covers the link.
  await page.getByRole('link', { name: 'Trades' }).dispatchEvent('click')
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByRole('button', { name: /Sign in with .*Example Company/ }).waitFor()
  expect(await dialog.getByLabel('User name').count()).toBe(0)
  await picture(page, 'session-ended-providers.en.light.desktop')
  expect(await faults(page)).toEqual([])
})

test('an account of a provider signs in there to use a link, and returns to it', async () => {
  const page = await consolePage({}, null)
  const providers = [{ providerId: '0'.repeat(32), name: 'Example Company' }]
  await page.route('**/console/v1/sign-on', (route) => {
    const isStart = route.request().method() === 'POST'
    return route.fulfill({ json: isStart ? { url: '/console/signed-on' } : { passwordSignIn: false, providers } })
  })
  await page.route('**/console/v1/sign-on/complete', async (route) => {
    await page.context().addCookies([consoleCookie(inject('fixture').session, inject('fixture').url)])
    await route.fulfill({ response: await page.request.get(`${inject('fixture').url}/console/v1/session`) })
  })
  const { link } = await consoleCall<{ link: string }>('POST', `/projects/${inject('fixture').projectId}/invitations`, {
    role: 'viewer',
  })
  const email = new URL(`email#${'t'.repeat(43)}`, link).href
  for (const [address, heading] of [
    [link, 'Old Town Market'],
    [email, 'E-mail'],
  ] as const) {
    await page.context().clearCookies()
    await page.goto('about:blank')
    await page.goto(address)
    if (address === link) await page.getByRole('button', { name: 'Use existing account' }).click()
    await page.getByRole('button', { name: /Sign in with .*Example Company/ }).click()
    await page.waitForURL(address)
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.getByText('Layla Haddad').first().waitFor()
  }
})

test('hides project pages without a session', async () => {
  const page = await consolePage({}, null)
  await page.goto(`projects/${inject('fixture').projectId}/members`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByText('Layla').count()).toBe(0)
})

test.each([
  { language: 'en', scheme: 'light', device: 'desktop', title: 'Page not found', link: 'Open the console' },
  { language: 'zh-CN', scheme: 'dark', device: 'desktop', title: '页面不存在', link: '打开控制台' },
  { language: 'ar', scheme: 'dark', device: 'phone', title: 'الصفحة غير موجودة', link: 'فتح لوحة التحكم' },
] as const)('an unknown address of the server is a page in $language', async ({ title, link, ...look }) => {
  const page = await consolePage(look, null)
  const answer = await page.goto(`${url}/nope`)
  expect(answer!.status()).toBe(404)
  await page.getByRole('heading', { name: title }).waitFor()
  await picture(page, `unknown-address.${look.language}.${look.scheme}.${look.device}`)
  expect(await faults(page)).toEqual([])
  await page.getByRole('link', { name: link }).press('Enter')
  await page.waitForURL('**/console/sign-in')
})
