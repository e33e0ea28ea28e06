import { expect, inject, test } from 'vitest'
import { consolePage, faults, picture, settled } from './console.ts'

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
    await page.getByText(action, { exact: true }).click()
    await page.getByRole('list', { name: 'Actions for Rana Aziz' }).waitFor({ state: 'hidden' })
  }
  const [file] = await Promise.all([page.waitForEvent('download'), act('Export data')])
  expect(file.suggestedFilename()).toBe(`user-${uid}.json`)

  const dialog = page.getByRole('dialog')
  await act('Disable')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await row.getByText('Disabled', { exact: true }).waitFor()

  await act('Erase')
  await dialog.getByLabel(`Type ${uid} to confirm`).fill('1')
  await dialog.getByRole('button', { name: 'Erase' }).click()
  expect(await dialog.isVisible()).toBe(true)
  await dialog.getByLabel(`Type ${uid} to confirm`).fill(String(uid))
  await dialog.getByRole('button', { name: 'Erase' }).click()
  await page.getByText(`User ${uid} is erased`).waitFor()

  for (const look of [
    { language: 'ar', scheme: 'dark', device: 'phone' },
    { language: 'zh-CN', scheme: 'light', device: 'desktop' },
  ] as const) {
    const other = await consolePage(look)
    await other.goto('users')
    await settled(other)
    expect(await faults(other)).toEqual([])
    await picture(other, `users.${look.language}.${look.scheme}.${look.device}`)
  }
})
