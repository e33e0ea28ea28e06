import { expect, inject, test } from 'vitest'
import { consoleCall } from './calls.ts'
import { consolePage, faults, openMenu, picture, settled } from './console.ts'

const { url, emptyProjectId } = inject('fixture')

test('an owner adds a service account, sees its token once, and removes it', async () => {
  const page = await consolePage()
  await page.goto(`projects/${emptyProjectId}/members`)
  const section = page.getByRole('region', { name: 'Service accounts' })
  await section.getByRole('button', { name: 'Add service account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('CI')
  await dialog.getByRole('button', { name: 'Add service account' }).click()
  await dialog.getByText('This field is required.').waitFor()
  await dialog.getByRole('combobox', { name: 'Scopes' }).click()
  await page.getByRole('option').filter({ hasText: 'releases:write' }).waitFor()
  await picture(page, 'service-account-scopes.en.light.desktop')
  await openMenu(page).getByRole('option', { name: 'Read mini apps' }).click()
  await openMenu(page).getByRole('option', { name: 'Upload releases' }).click()
  await page.keyboard.press('Escape')
  await picture(page, 'service-account-add.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add service account' }).click()
  const token = await dialog.getByRole('status', { name: 'Token' }).innerText()
  await picture(page, 'service-account-token.en.light.desktop')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const apps = () => fetch(`${url}/console/v1/apps`, { headers: { Authorization: `Bearer ${token}` } })
  expect((await apps()).status).toBe(200)
  // The server records the use after its answer.
  await expect
    .poll(() => consoleCall('GET', `/projects/${emptyProjectId}/service-accounts`))
    .toMatchObject([{ lastUsedFrom: '127.0.0.1' }])

  await page.reload()
  await settled(page)
  expect(await page.content()).not.toContain(token)
  const row = section.getByRole('row').filter({ hasText: 'CI' })
  await row.getByText('127.0.0.1').waitFor()
  await picture(page, 'service-accounts.en.light.desktop')
  const arabic = await consolePage({ language: 'ar', scheme: 'dark', device: 'phone' })
  await arabic.goto(`projects/${emptyProjectId}/members`)
  await settled(arabic)
  await picture(arabic, 'service-accounts.ar.dark.phone')
  expect(await faults(arabic)).toEqual([])

  await row.getByRole('button', { name: 'Remove CI' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  // Behind the dialog, which closes when the account is removed, the row has no role.
  await dialog.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
  expect((await apps()).status).toBe(401)
})

test('Enter that is pressed twice or held does not close a token that is shown once', async () => {
  const page = await consolePage()
  await page.goto(`projects/${emptyProjectId}/members`)
  const dialog = page.getByRole('dialog')
  const token = dialog.getByRole('status', { name: 'Token' })
  for (const name of ['Twice', 'Held']) {
    await page.getByRole('button', { name: 'Add service account' }).click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('combobox', { name: 'Scopes' }).click()
    await openMenu(page).getByRole('option', { name: 'Read mini apps' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Add service account' }).focus()
    await page.keyboard.down('Enter')
    await token.waitFor()
    if (name === 'Twice') await page.keyboard.up('Enter')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await token.innerText())
    await dialog.getByRole('button', { name: 'Close' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }
})
