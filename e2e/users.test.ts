import { expect, inject, test } from 'vitest'
import { archiveOf, build } from '../apps/server/test/archive.ts'
import { administrator, consoleCall } from './calls.ts'
import { consolePage, faults, faultsOfPages, openMenu, otherLooks, picture, settled } from './console.ts'
import { hostPage } from './host.ts'

const { url, session, csrf } = inject('fixture')

/** Creates a mock user and returns its uid. */
async function newUser(nickname: string): Promise<number> {
  const answer = await fetch(`${url}/console/v1/sandbox/users`, {
    method: 'POST',
    headers: { Cookie: `souk_session=${session}`, 'X-Souk-CSRF': csrf, 'Content-Type': 'application/json' },
    body: JSON.stringify({ nickname, country: '+966', phone: '501234567', email: 'rana@mail.example' }),
  })
  return ((await answer.json()) as { uid: number }).uid
}

test('an administrator finds, exports, disables and erases a user', async () => {
  const uid = await newUser('Rana Aziz')
  const page = await consolePage()
  await page.goto('users?text=rana')
  await settled(page)
  const row = page.getByRole('row').filter({ hasText: 'Rana Aziz' })
  await row.waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  await picture(page, 'users.en.light.desktop')
  expect(await faults(page)).toEqual([])

  const menu = row.getByRole('button', { name: 'Actions for Rana Aziz' })
  const act = async (action: string) => {
    await menu.click()
    await openMenu(page).getByText(action, { exact: true }).click()
    await page.getByRole('menu', { name: 'Actions for Rana Aziz' }).waitFor({ state: 'hidden' })
  }
  const [file] = await Promise.all([page.waitForEvent('download'), act('Export data')])
  expect(file.suggestedFilename()).toBe(`user-${uid}.json`)

  const dialog = page.getByRole('dialog')
  await act('Disable')
  await dialog.getByLabel('Reason').fill('Sends spam.')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await row.getByText('Disabled', { exact: true }).waitFor()

  await act('Erase')
  await dialog.getByLabel(`Enter ${uid} to confirm`).fill('1')
  await dialog.getByRole('button', { name: 'Erase' }).click()
  expect(await dialog.isVisible()).toBe(true)
  await dialog.getByLabel(`Enter ${uid} to confirm`).fill(String(uid))
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await page.getByText(`User ${uid} is erased`).waitFor()

  for (const look of otherLooks) expect(await faultsOfPages(look, { users: 'users' })).toEqual({})
})

test('a user sends feedback and a report, and sees the answer of the developers', async () => {
  const { projectId } = await consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Kettle' })
  const { appid } = await consoleCall<{ appid: string }>('POST', '/apps', { projectId, name: 'Kettle Coffee' })
  const form = new FormData()
  form.append('version', '1.0.0')
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(build()))]), 'release.tar.gz')
  const releases = `${url}/console/v1/apps/${appid}/releases`
  const uploaded = await fetch(releases, { method: 'POST', headers: administrator, body: form })
  const { releaseId } = (await uploaded.json()) as { releaseId: string }
  await consoleCall('POST', `/apps/${appid}/releases/${releaseId}/publish`, {})

  const page = await consolePage()
  await page.goto(`projects/${projectId}/feedback`)
  await page.getByText('No feedback yet', { exact: true }).waitFor()
  const host = await hostPage({ device: 'phone' }, await newUser('Huda'))
  await host.goto(`apps/${appid}`)
  const sheet = host.getByRole('dialog')
  const openForm = async (name: string) => {
    await host.getByRole('button', { name: 'Mini app menu' }).click()
    await sheet.getByRole('button', { name, exact: true }).click()
    await sheet.getByRole('button', { name: 'Send', exact: true }).waitFor()
  }
  await openForm('Feedback')
  // The host reports that the release has no pages to draw.
  host.complaints = []
  await sheet.getByRole('radio', { name: 'An idea' }).check()
  await sheet.getByLabel('Your message').fill('Sell cake.\nAlso on Fridays.')
  await picture(host, 'host-feedback.en.light.phone')
  expect(await faults(host)).toEqual([])
  await sheet.getByRole('button', { name: 'Send', exact: true }).click()
  await host.getByText('Sent. Replies appear under Me.').waitFor()
  const reports = await consolePage()
  await reports.goto('reports')
  await settled(reports)
  await openForm('Report')
  expect(await sheet.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
  await sheet.getByRole('radio', { name: 'Fraud or deception' }).check()
  await picture(host, 'host-report.en.light.phone')
  expect(await faults(host)).toEqual([])
  await sheet.getByRole('button', { name: 'Send', exact: true }).click()
  await sheet.waitFor({ state: 'detached' })
  await host.getByRole('button', { name: 'Leave mini app' }).click()
  await host.getByRole('link', { name: 'Me', exact: true }).click()
  await host.getByRole('link', { name: 'Your feedback', exact: true }).click()
  await host.getByText('No reply yet').first().waitFor()

  // The open list shows it without a reload.
  const sent = page.getByRole('link', { name: 'Sell cake.' })
  await sent.waitFor()
  await settled(page)
  const counted = page.getByRole('navigation').getByRole('link', { name: 'User feedback 1 unanswered' })
  await counted.waitFor()
  await page.getByRole('link', { name: /^Abuse reports \d+ open$/ }).waitFor()
  await picture(page, 'feedback.en.light.desktop')
  expect(await faults(page)).toEqual([])
  expect(await page.getByRole('row').count()).toBe(2)
  await sent.click()
  await page.getByText('1.0.0', { exact: true }).waitFor()
  await page.getByLabel('Your answer').fill('From Monday.')
  await picture(page, 'feedback-message.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  // Someone else answers first: the page shows it, and keeps what is being written.
  const path = `/feedback/${page.url().split('/').at(-1)}/answer`
  await consoleCall('POST', path, { text: 'From Sunday.' })
  await page.getByText('Answered by', { exact: false }).waitFor()
  await counted.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Your answer').inputValue()).toBe('From Monday.')
  await page.getByLabel('Your answer').fill('From Monday.\n')
  await page.getByRole('button', { name: 'Replace answer' }).click()
  await page.getByText('Answer sent').first().waitFor()
  // Nothing is being written, so the next answer of someone else replaces this one.
  await consoleCall('POST', path, { text: 'From Tuesday.' })
  await expect.poll(() => page.getByLabel('Your answer').inputValue()).toBe('From Tuesday.')
  await page.getByRole('button', { name: 'Close message' }).click()
  await page.getByText('Closed', { exact: true }).waitFor()

  // The open page of the host shows the answer immediately.
  await host.getByText('From Tuesday.', { exact: true }).waitFor()
  await picture(host, 'host-own-feedback.en.light.phone')
  expect(await faults(host)).toEqual([])

  // The open list of reports has it without a reload, too.
  await reports.getByRole('row').filter({ hasText: 'Kettle Coffee' }).getByRole('link', { name: 'No details' }).click()
  await reports.getByRole('heading', { name: 'Report of Kettle Coffee' }).waitFor()
  await reports.getByText('Fraud or deception', { exact: true }).waitFor()
  for (const look of [
    { language: 'ar', scheme: 'dark', device: 'phone' },
    { language: 'zh-CN', scheme: 'dark', device: 'desktop' },
  ] as const) {
    const other = await consolePage(look)
    for (const path of [`projects/${projectId}/feedback`, 'reports']) {
      await other.goto(path)
      await settled(other)
      await picture(other, `${path.split('/').at(-1)}.${look.language}.${look.scheme}.${look.device}`)
      expect(await faults(other)).toEqual([])
    }
  }
})
