import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import platform from '../apps/console/src/pages/platform/locales/en.ts'
import projectSettings from '../apps/console/src/pages/projectSettings/locales/en.ts'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { holdRequests } from './browser.ts'
import { consolePage, faults, type Look, openMenu, otherLooks, picture, settled, type WatchedPage } from './console.ts'
import { administratorOf } from './fixture.ts'

let server: RunningServer
let administrator: Awaited<ReturnType<typeof administratorOf>>
/** Session of a developer, who owns the project. */
let developer: string
let projectId: string
let appid: string

/** Calls the console's API as the administrator. */
async function manage<T>(method: string, path: string, input?: object): Promise<T> {
  const response = await fetch(`${server.url}/console/v1/${path}`, {
    method,
    headers: {
      Cookie: `souk_session=${administrator.session}`,
      'X-Souk-CSRF': administrator.csrf,
      'Content-Type': 'application/json',
    },
    ...(input && { body: JSON.stringify(input) }),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as T
}

beforeAll(async () => {
  server = await startServer({ env: { SOUK_ENVIRONMENT: 'live' } })
  administrator = await administratorOf(server)
  projectId = (await manage<{ projectId: string }>('POST', 'projects', { name: 'Harbor Bakery' })).projectId
  appid = (await manage<{ appid: string }>('POST', 'apps', { projectId, name: 'Bakery' })).appid
  const { token } = await manage<{ token: string }>('POST', `projects/${projectId}/invitations`, { role: 'owner' })
  const joined = await fetch(`${server.url}/console/v1/invitations/join`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, username: 'omar', name: 'Omar', password: 'bread before the sun' }),
  })
  developer = /souk_session=([^;]+)/.exec(joined.headers.get('set-cookie') ?? '')?.[1] as string
})
afterAll(() => server?.stop())

const open = async (session: string, path: string, look: Partial<Look> = {}): Promise<WatchedPage> => {
  const page = await consolePage(look, session, server.url)
  await page.goto(path)
  await settled(page)
  return page
}

test('a developer requests changes, an administrator approves and rejects them, with the reason at the field', async () => {
  const mine = await open(developer, `projects/${projectId}/apps/${appid}/settings`)
  const settings = mine.getByRole('region', { name: 'General' })
  await settings.getByLabel('Name', { exact: true }).fill('Harbor Bakery')
  await mine.getByRole('button', { name: 'Save' }).click()
  await mine.getByText('Sent for approval').first().waitFor()
  await settings.getByText('Waiting for approval: Name').waitFor()

  const capabilities = mine.getByRole('region', { name: 'Capabilities' })
  await capabilities.getByLabel('Payment').check()
  await mine.getByRole('button', { name: 'Save' }).click()
  await capabilities.getByText('Waiting for approval: Capabilities').waitFor()

  const hosts = mine.getByRole('region', { name: 'Hosts', exact: true })
  await hosts.getByLabel('Requests').fill('api.bakery.example')
  await hosts.getByLabel('Requests').press('Enter')
  await mine.getByRole('button', { name: 'Save' }).click()
  await hosts.getByText('Waiting for approval: Hosts').waitFor()
  await picture(mine, 'approvals-app.en.light.desktop')
  expect(await faults(mine)).toEqual([])

  // Another change of the same form does not withdraw the requested name.
  await settings.getByLabel('Enabled').uncheck()
  await mine.getByRole('button', { name: 'Save' }).click()
  await mine.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await mine.getByRole('dialog').waitFor({ state: 'hidden' })
  await settings.getByRole('button', { name: 'Withdraw: Name' }).waitFor()
  // A second click finds no button, even before the page has loaded the mini app again.
  const release = await holdRequests(mine, `**/console/v1/apps/${appid}`)
  await hosts.getByRole('button', { name: 'Withdraw: Hosts' }).click()
  await mine.getByText('Request withdrawn').waitFor()
  expect(await hosts.getByRole('button', { name: 'Withdraw: Hosts' }).count()).toBe(0)
  release()
  await hosts.getByText('api.bakery.example').first().waitFor({ state: 'detached' })

  const queue = await open(administrator.session, 'reviews')
  expect(await faults(queue)).toEqual([])
  await picture(queue, 'approvals.en.light.desktop')
  for (const look of otherLooks) {
    const page = await open(administrator.session, 'reviews', look)
    expect(await faults(page)).toEqual([])
    await picture(page, `approvals.${look.language}.${look.scheme}.${look.device}`)
  }
  await queue.getByRole('button', { name: 'Approve: Bakery: Name' }).click()
  await queue.getByText('Approved: Bakery: Name').waitFor()
  await queue.getByRole('button', { name: 'Reject: Harbor Bakery: Capabilities' }).click()
  const dialog = queue.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await dialog.getByText('This field is required.').waitFor()
  await dialog.getByLabel('Reason').fill('Describe what payments are for.')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await queue.getByText('Nothing to review').waitFor()

  await mine.reload()
  await mine.getByRole('heading', { name: 'Harbor Bakery', level: 1 }).waitFor()
  await capabilities.getByText('Rejected: Capabilities').waitFor()
  await capabilities.getByText('Describe what payments are for.').waitFor()
  await picture(mine, 'approvals-rejected.en.light.desktop')
  expect(await faults(mine)).toEqual([])
})

test('the queue follows changes, and its filter is in the address', async () => {
  const queue = await open(administrator.session, 'reviews?kind=merchantName')
  await queue.getByRole('button', { name: 'Clear filters' }).first().waitFor()
  const pending = () => manage<{ items: { changeId: string }[] }>('GET', 'change-requests?state=pending')
  await manage('PATCH', `apps/${appid}`, { merchantName: 'Bakers' })
  await queue.getByRole('button', { name: 'Approve: Harbor Bakery: Merchant name' }).waitFor()
  await manage('PATCH', `apps/${appid}`, { name: 'Bakers' })
  await queue.getByRole('combobox', { name: 'Kind' }).press('Enter')
  await openMenu(queue).getByRole('option', { name: 'Name', exact: true }).click()
  await queue.getByRole('button', { name: 'Approve: Harbor Bakery: Name' }).waitFor()
  for (const { changeId } of (await pending()).items)
    await manage('POST', `change-requests/${changeId}/reject`, { reason: 'A test.' })
  await queue.getByText('No results').waitFor()
  expect(new URL(queue.url()).searchParams.get('kind')).toBe('name')
})

test('the queue keeps the focus at its request, and a double click approves only one', async () => {
  await manage('PATCH', `apps/${appid}`, { merchantName: 'First' })
  await manage('PATCH', `apps/${appid}`, { name: 'Second' })
  await manage('PATCH', `apps/${appid}`, { capabilities: ['payment'] })
  const queue = await open(administrator.session, 'reviews')
  const approve = (kind: string) => queue.getByRole('button', { name: `Approve: Harbor Bakery: ${kind}` })
  await approve('Name').focus()
  const { items } = await manage<{ items: { changeId: string; kind: string }[] }>(
    'GET',
    'change-requests?state=pending',
  )
  const first = items.find(({ kind }) => kind === 'merchantName')!
  await manage('POST', `change-requests/${first.changeId}/reject`, { reason: 'A test.' })
  await approve('Merchant name').waitFor({ state: 'detached' })
  expect(await approve('Name').evaluate((button) => button === document.activeElement)).toBe(true)

  await approve('Name').hover()
  await queue.mouse.down()
  await queue.mouse.up()
  await queue.getByText('Approved: Harbor Bakery: Name').waitFor()
  await queue.getByRole('button', { name: 'Approve: Second: Capabilities' }).waitFor()
  await settled(queue)
  await queue.mouse.down({ clickCount: 2 })
  await queue.mouse.up({ clickCount: 2 })
  await settled(queue)
  await queue.getByRole('button', { name: 'Reject: Second: Capabilities' }).click()
  await queue.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await manage('PATCH', `apps/${appid}`, { name: 'Harbor Bakery' })
  await manage('POST', `change-requests/${items.find(({ kind }) => kind === 'capabilities')!.changeId}/reject`, {
    reason: 'A test.',
  })
})

test('changes of a trusted project take effect immediately', async () => {
  const settings = await open(administrator.session, `projects/${projectId}/settings`)
  await settings.getByLabel('Trusted').check()
  await settings.getByText('The project is trusted').waitFor()
  expect(await faults(settings)).toEqual([])

  const mine = await open(developer, `projects/${projectId}/apps/${appid}/settings`)
  const merchant = mine.getByRole('region', { name: 'Merchant' })
  await merchant.getByLabel('Merchant name').fill('Harbor Bakery Ltd')
  await mine.getByRole('button', { name: 'Save' }).click()
  await mine.getByText('Saved').first().waitFor()
})

test('an account creates projects only after an administrator has allowed it', async () => {
  const mine = await open(developer, '')
  expect(await mine.getByRole('button', { name: 'Create project' }).count()).toBe(0)
  expect(await mine.getByRole('link', { name: 'Review queue' }).count()).toBe(0)

  const queue = await open(administrator.session, 'reviews')
  await queue.getByLabel('Allow Omar to create projects').check()
  await queue.getByText('Omar can create projects').waitFor()

  await mine.reload()
  await mine.getByRole('button', { name: 'Create project' }).waitFor()
})

describe('a refused change moves the switch back and shows the problem', () => {
  const switches = [
    { path: () => 'platform?view=operators', name: platform.secondFactor.require, operation: 'updatePlatformSettings' },
    { path: () => 'platform?view=operators', name: platform.signOn.passwords, operation: 'allowPasswordSignIn' },
    { path: () => `projects/${projectId}/settings`, name: projectSettings.trust.name, operation: 'trustProject' },
    { path: () => 'reviews', name: 'Allow Omar to create projects', operation: 'allowProjects' },
  ]

  test.for(switches)('$operation', async ({ path, name }) => {
    const page = await open(administrator.session, path())
    const field = page.getByLabel(name)
    const before = await field.isChecked()
    const refusal = { type: 'about:blank', title: 'Refused', status: 409, code: 'change_refused', detail: 'Refused.' }
    await page.route('**/console/v1/**', (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 409, contentType: 'application/problem+json', json: refusal }),
    )
    await field.press('Space')
    await page.getByRole('alert').getByText('change_refused').waitFor()
    await expect.poll(() => field.isChecked()).toBe(before)

    await page.unroute('**/console/v1/**')
    await field.press('Space')
    await page.getByRole('alert').getByText('change_refused').waitFor({ state: 'detached' })
  })
})
