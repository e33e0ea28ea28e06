import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { consolePage, faults, type Look, otherLooks, picture, settled, type WatchedPage } from './console.ts'
import { administratorOf } from './fixture.ts'

let server: RunningServer
let administrator: Awaited<ReturnType<typeof administratorOf>>
/** Session of the project's owner. */
let owner: string
let projectId: string
let appid: string

const reason = 'It sells tickets that do not exist.'
const explanation = 'The tickets are from a partner, whose contract is in the attachment of our request.'

beforeAll(async () => {
  server = await startServer({ env: { SOUK_ENVIRONMENT: 'live' } })
  administrator = await administratorOf(server)
  projectId = (await manage<{ projectId: string }>('projects', { name: 'Harbor Tickets' })).projectId
  appid = (await manage<{ appid: string }>('apps', { projectId, name: 'Tickets' })).appid
  const { token } = await manage<{ token: string }>(`projects/${projectId}/invitations`, { role: 'owner' })
  const joined = await fetch(`${server.url}/console/v1/invitations/join`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, username: 'omar', name: 'Omar', password: 'bread before the sun' }),
  })
  owner = /souk_session=([^;]+)/.exec(joined.headers.get('set-cookie') ?? '')?.[1] as string
})
afterAll(() => server?.stop())

/** Calls the console's API as the administrator. */
async function manage<T>(path: string, input: object): Promise<T> {
  const response = await fetch(`${server.url}/console/v1/${path}`, {
    method: 'POST',
    headers: {
      Cookie: `souk_session=${administrator.session}`,
      'X-Souk-CSRF': administrator.csrf,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(input),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as T
}

const open = async (session: string, path: string, look: Partial<Look> = {}): Promise<WatchedPage> => {
  const page = await consolePage(look, session, server.url)
  await page.goto(path)
  await settled(page)
  return page
}

test('an administrator disables a mini app with a reason, its owner appeals, and the administrator lifts it', async () => {
  const path = `projects/${projectId}/apps/${appid}/settings`
  const theirs = await open(administrator.session, path)
  const settings = theirs.getByRole('region', { name: 'General' })
  await settings.getByLabel('Enabled').uncheck()
  await theirs.getByRole('button', { name: 'Save' }).click()
  const asking = theirs.getByRole('dialog')
  await asking.getByRole('button', { name: 'Disable' }).click()
  await asking.getByText('This field is required.').waitFor()
  await asking.getByLabel('Reason').fill(reason)
  await picture(theirs, 'blocks-dialog.en.light.desktop')
  expect(await faults(theirs)).toEqual([])
  await asking.getByRole('button', { name: 'Disable' }).click()
  await theirs.getByRole('list', { name: 'Blocked by administrators' }).getByText(reason).waitFor()

  const mine = await open(owner, path)
  const notices = mine.getByRole('list', { name: 'Blocked by administrators' })
  await notices.getByText('Blocked by an administrator: the mini app Tickets is disabled').waitFor()
  await notices.getByText(reason).waitFor()
  expect(await mine.getByRole('region', { name: 'General' }).getByLabel('Enabled').isDisabled()).toBe(true)
  await picture(mine, 'blocks-owner.en.light.desktop')
  expect(await faults(mine)).toEqual([])
  for (const look of otherLooks) {
    const page = await open(owner, path, look)
    await page.getByText(reason).waitFor()
    expect(await faults(page)).toEqual([])
    await picture(page, `blocks-owner.${look.language}.${look.scheme}.${look.device}`)
  }

  await notices.getByRole('button', { name: 'Appeal' }).click()
  const appealing = mine.getByRole('dialog')
  await appealing.getByLabel('Explanation').fill(explanation)
  await appealing.getByRole('button', { name: 'Appeal' }).click()
  await notices.getByText('The administrators have not answered yet.').waitFor()
  expect(await notices.getByRole('button', { name: 'Appeal' }).count()).toBe(0)

  const queue = await open(administrator.session, 'reviews')
  await queue.getByText(explanation).waitFor()
  expect(await faults(queue)).toEqual([])
  await picture(queue, 'blocks-queue.en.light.desktop')
  for (const look of otherLooks) {
    const page = await open(administrator.session, 'reviews', look)
    await page.getByText(explanation).waitFor()
    expect(await faults(page)).toEqual([])
    await picture(page, `blocks-queue.${look.language}.${look.scheme}.${look.device}`)
  }
  await queue.getByRole('button', { name: 'Lift block: the mini app Tickets is disabled' }).click()
  const lifting = queue.getByRole('dialog')
  await lifting.getByLabel('Answer').fill('Thank you.')
  await lifting.getByRole('button', { name: 'Lift block' }).click()
  await queue.getByText('Nothing to review').waitFor()

  await mine.reload()
  await settled(mine)
  expect(await notices.count()).toBe(0)
  expect(await mine.getByRole('region', { name: 'General' }).getByLabel('Enabled').isChecked()).toBe(true)
})
