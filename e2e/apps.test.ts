import { readFile } from 'node:fs/promises'
import { expect, inject, test } from 'vitest'
import { consoleCall } from './calls.ts'
import { choose, consolePage, faults, focused, openMenu, picture, settled } from './console.ts'

const { projectId } = inject('fixture')

test('creates a mini app, shows its secret once, saves settings and rotates the secret with an overlap', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps`)
  await page.getByRole('button', { name: 'Create mini app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Spice Route')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const secret = await dialog.getByRole('status', { name: 'Secret' }).innerText()
  expect(secret).toMatch(/^[0-9a-f]{48}$/)
  await picture(page, 'apps-created.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.mouse.click(4, 400)
  expect(await dialog.getByRole('status', { name: 'Secret' }).innerText()).toBe(secret)
  await dialog.getByRole('button', { name: 'Open settings' }).click()

  await page.getByRole('heading', { name: 'Spice Route', level: 1 }).waitFor()
  await settled(page)
  expect(await page.content()).not.toContain(secret)

  const capabilities = page.getByRole('region', { name: 'Capabilities' })
  const payment = capabilities.getByLabel('Payment')
  const before = await payment.isChecked()
  await payment.setChecked(!before)
  await capabilities.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()

  const merchant = page.getByRole('region', { name: 'Merchant' })
  await merchant.getByLabel('Merchant name').fill('Spice Route Trading')
  const logo = merchant.getByRole('textbox', { name: 'Logo URL' })
  await logo.fill('not an address')
  await merchant.getByRole('button', { name: 'Save' }).click()
  await merchant.getByText('Must be an absolute URL').waitFor()
  const file = merchant.locator('input[type=file]')
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('No image') })
  await merchant.getByText('Send PNG, JPEG, GIF or WebP').waitFor()
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await expect.poll(() => logo.inputValue()).toMatch(/\/files\/[0-9a-f]{32}\.webp$/)
  expect(await faults(page)).toEqual([])
  // The toast of the first change may still be visible, and a reload would abort a change.
  const saved = () => page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
  await Promise.all([saved(), merchant.getByRole('button', { name: 'Save' }).click()])

  const hosts = page.getByRole('region', { name: 'Private callback hosts' })
  await hosts.getByLabel('Hosts').fill('10.2.0.0/16')
  await hosts.getByLabel('Hosts').press('Enter')
  await Promise.all([saved(), hosts.getByRole('button', { name: 'Save' }).click()])

  const secrets = page.getByRole('region', { name: 'Secrets' })
  await secrets.getByRole('button', { name: 'Rotate' }).click()
  await dialog.getByText('Choose how long the old one stays valid').waitFor()
  await picture(page, 'app-rotate.en.light.desktop')
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  expect(await dialog.getByRole('status', { name: 'Secret' }).innerText()).not.toBe(secret)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await secrets.getByText('Expiring').waitFor()

  await page.reload()
  await settled(page)
  expect(await payment.isChecked()).toBe(!before)
  expect(await merchant.getByLabel('Merchant name').inputValue()).toBe('Spice Route Trading')
  await hosts.getByText('10.2.0.0/16', { exact: true }).waitFor()
})

test('archives a mini app and restores it from the archive, with the keyboard, on a phone and in Arabic', async () => {
  const { appid } = (await consoleCall('POST', '/apps', { projectId, name: 'Winter Market' })) as { appid: string }
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps/${appid}`)
  const archive = page.getByRole('button', { name: 'Archive mini app' })
  await archive.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('All requests of its backend are rejected').waitFor()
  await picture(page, 'app-archive.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await archive.click()
  await dialog.getByRole('button', { name: 'Archive mini app' }).click()
  await page.locator('header').getByText('Archived', { exact: true }).waitFor()
  expect(await page.getByRole('region', { name: 'Merchant' }).getByRole('button', { name: 'Save' }).count()).toBe(0)

  await page.getByRole('link', { name: 'Releases', exact: true }).click()
  await page.getByRole('link', { name: 'Restore it in its settings.', exact: true }).waitFor()
  await settled(page)
  await picture(page, 'releases-archived.en.light.desktop')
  expect(await faults(page)).toEqual([])

  await page.goto(`projects/${projectId}/apps/${appid}/analytics`)
  await settled(page)
  const alerts = page.getByRole('region', { name: 'Alerts' })
  expect(await alerts.getByRole('button').count()).toBe(0)

  await page.getByRole('link', { name: 'Mini apps', exact: true }).first().click()
  await page.getByRole('link', { name: 'Corner Coffee' }).waitFor()
  expect(await page.getByRole('link', { name: 'Winter Market' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Archived' }).click()
  await page.waitForURL(/view=archived/)
  await page.getByRole('link', { name: 'Winter Market' }).waitFor()
  await settled(page)
  await picture(page, 'apps-archived.en.light.desktop')
  expect(await faults(page)).toEqual([])

  const phone = await consolePage({ language: 'ar', scheme: 'dark', device: 'phone' })
  await phone.goto(`projects/${projectId}/apps?view=archived`)
  await phone.getByRole('link', { name: 'Winter Market' }).click()
  await phone.getByRole('button', { name: 'استعادة' }).waitFor()
  await settled(phone)
  await picture(phone, 'app-archived.ar.dark.phone')
  expect(await faults(phone)).toEqual([])

  await page.getByRole('link', { name: 'Winter Market' }).click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.locator('header').getByText('Enabled', { exact: true }).waitFor()
})

test('deletes an archived mini app after its name was typed, on a phone in Chinese', async () => {
  const { appid } = (await consoleCall('POST', '/apps', { projectId, name: 'Summer Market' })) as { appid: string }
  await consoleCall('POST', `/apps/${appid}/archive`, {})
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps/${appid}`)
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Enter Summer Market to confirm')
  await name.fill('Summer')
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await dialog.getByRole('alert').getByText('Enter Summer Market to confirm', { exact: true }).waitFor()
  await settled(page)
  await picture(page, 'app-delete.en.light.desktop')
  expect(await faults(page)).toEqual([])

  const phone = await consolePage({ language: 'zh-CN', scheme: 'dark', device: 'phone' })
  await phone.goto(`projects/${projectId}/apps/${appid}`)
  await phone.getByRole('button', { name: '永久删除' }).click()
  await phone.getByRole('dialog').getByLabel('输入 Summer Market 以确认').waitFor()
  await settled(phone)
  await picture(phone, 'app-delete.zh.dark.phone')
  expect(await faults(phone)).toEqual([])

  await name.fill('Summer Market')
  await name.press('Enter')
  await page.getByText('Summer Market is deleted.', { exact: true }).waitFor()
  await page.waitForURL(/view=archived/)
  await settled(page)
  expect(await page.getByRole('link', { name: 'Summer Market' }).count()).toBe(0)
})

test('asks before it disables a mini app and before unsaved changes are lost, and undoes a change', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps`)
  await page.getByRole('link', { name: '小吃摊 الوجبات' }).click()
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  const enabled = settings.getByLabel('Enabled')
  const dialog = page.getByRole('dialog')
  await enabled.setChecked(false)
  await settings.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Users cannot open the mini app.').waitFor()
  await picture(page, 'app-disable.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await dialog.getByText('Your changes on this page have not been saved.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await enabled.isChecked()).toBe(false)

  await settings.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await page.locator('header').getByText('Disabled', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('header').getByText('Enabled', { exact: true }).waitFor()
  await expect.poll(() => enabled.isChecked()).toBe(true)

  await settings.getByLabel('Name').fill('Renamed')
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
})

test('saves what was changed, keeps what others have changed, and then shows it', async () => {
  const { appid } = await consoleCall<{ appid: string }>('POST', '/apps', { projectId, name: 'Night Market' })
  const path = `/apps/${appid}`
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps/${appid}`)
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  await settings.getByLabel('Name').waitFor()
  await consoleCall('PATCH', path, { enabled: false })
  await settings.getByLabel('Name').fill('Night Bazaar')
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()
  expect(await consoleCall('GET', path)).toMatchObject({ name: 'Night Bazaar', enabled: false })
  await expect.poll(() => settings.getByLabel('Enabled').isChecked()).toBe(false)

  // Undoing the change keeps that of the other account, too.
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'Night Market', level: 1 }).waitFor()
  expect(await consoleCall('GET', path)).toMatchObject({ name: 'Night Market', enabled: false })
})

test('undoing a change keeps what someone else has changed since, and shows it', async () => {
  const { appid } = await consoleCall<{ appid: string }>('POST', '/apps', { projectId, name: 'Spice Market' })
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps/${appid}`)
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  await settings.getByLabel('Name').fill('Spice Bazaar')
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Spice Bazaar', level: 1 }).waitFor()
  await consoleCall('PATCH', `/apps/${appid}`, { name: 'Spice Harbor' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Not undone: this has been changed since.').waitFor()
  expect(await consoleCall('GET', `/apps/${appid}`)).toMatchObject({ name: 'Spice Harbor' })
  await page.getByRole('heading', { name: 'Spice Harbor', level: 1 }).waitFor()
  expect(await settings.getByLabel('Name').inputValue()).toBe('Spice Harbor')
})

test('undoing a change keeps what has been entered since', async () => {
  const { appid } = await consoleCall<{ appid: string }>('POST', '/apps', { projectId, name: 'Harbor Market' })
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps/${appid}`)
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  await settings.getByLabel('Enabled').setChecked(false)
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.locator('header').getByText('Disabled', { exact: true }).waitFor()
  await settings.getByLabel('Name').fill('Harbor Bazaar')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('header').getByText('Enabled', { exact: true }).waitFor()
  expect(await settings.getByLabel('Enabled').isChecked()).toBe(true)
  expect(await settings.getByLabel('Name').inputValue()).toBe('Harbor Bazaar')
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Harbor Bazaar', level: 1 }).waitFor()
  expect(await consoleCall('GET', `/apps/${appid}`)).toMatchObject({ name: 'Harbor Bazaar', enabled: true })
})

test('an inspection that is created after its page was left ends', async () => {
  const { appid } = await consoleCall<{ appid: string }>('POST', '/apps', { projectId, name: 'Inspected Market' })
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps/${appid}/inspect`)
  const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>()
  await page.route(`**/apps/${appid}/inspections`, async (route) => {
    await isLeft
    await route.continue()
  })
  await page.getByRole('button', { name: 'Show code' }).click()
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  const ended = page.waitForResponse((response) => /inspections\/[0-9a-f]{32}/.test(response.url()))
  leave()
  expect((await ended).ok()).toBe(true)
  expect(new URL(page.url()).search).toBe('')
})

test('the audit log shows actors and can be filtered', async () => {
  const page = await consolePage()
  /** Pages back until the entry is shown: other tests also write to this project's log. */
  async function find(action: string, detail: string) {
    await settled(page)
    const entry = page.getByRole('row').filter({ hasText: action }).filter({ hasText: detail })
    while ((await entry.count()) === 0) {
      await page.getByRole('button', { name: 'Older' }).click()
      await settled(page)
    }
  }
  await page.goto(`projects/${projectId}/audit`)
  await find('app.create', 'Corner Coffee')
  await page.getByText('Layla Haddad created a mini app').first().waitFor()
  await choose(page, 'Actor', /Layla/)
  await page.waitForURL(/who=[0-9a-f]{32}/)
  await find('project.create', 'Layla')

  // The list follows changes, except for a hidden column.
  await page.goto(`projects/${projectId}/audit`)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await openMenu(page).getByRole('checkbox', { name: 'IP address' }).uncheck()
  await page.keyboard.press('Escape')
  await consoleCall('POST', '/apps', { projectId, name: 'Live Lentils' })
  await page.getByRole('row').filter({ hasText: 'Live Lentils' }).waitFor()
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['Time', 'Event', 'Details'])

  // It has changes between its first reading and the start of the stream, too.
  const { promise: changed, resolve: openStream } = Promise.withResolvers<void>()
  await page.route('**/changes', async (route) => {
    await changed
    await route.continue()
  })
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'Live Lentils' }).waitFor()
  await consoleCall('POST', '/apps', { projectId, name: 'Early Endives' })
  openStream()
  await page.getByRole('row').filter({ hasText: 'Early Endives' }).waitFor()
  await page.unroute('**/changes')
})

test('a dataset is created, filled from a CSV file, filtered, exported and deleted', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/datasets`)
  await page.getByRole('link', { name: 'trades', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create dataset' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).first().and(focused(page)).fill('beans')
  const first = dialog.getByRole('group', { name: 'Field 1' })
  await first.getByRole('textbox', { name: 'Name', exact: true }).fill('origin')
  await first.getByRole('checkbox', { name: 'Required' }).check()
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await dialog.getByRole('group', { name: 'Field 2' }).getByRole('textbox', { name: 'Name', exact: true }).fill('bags')
  await dialog.getByRole('group', { name: 'Field 2' }).locator('.v-select').click()
  await openMenu(page).getByRole('option', { name: 'Integer', exact: true }).click()
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { name: 'beans', level: 1 }).waitFor()
  await page.getByText('No records yet', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Import CSV' }).click()
  const choose = (text: string) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'beans.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('origin,bags\nYemen,many\n')
  await dialog.getByText('Line 2: bags is not an integer: many', { exact: true }).waitFor()
  const rows = Array.from({ length: 1200 }, (_, n) => `${n % 2 ? 'Yemen' : 'Sumatra'},${n},`)
  await choose(['origin,bags,note', ...rows, ''].join('\r\n'))
  await dialog.getByText('The first 5 of 1,200 records', { exact: true }).waitFor()
  await dialog.getByText('Ignored columns that match no field: note', { exact: true }).waitFor()
  expect(await faults(page)).toEqual([])
  await picture(page, 'dataset-import.en.light.desktop')
  await dialog.getByRole('button', { name: 'Import 1,200 records' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: '1199', exact: true }).waitFor()

  await page.locator('.v-select', { has: page.getByRole('combobox', { name: 'Field' }) }).click()
  await openMenu(page).getByRole('option', { name: 'bags', exact: true }).click()
  await page.locator('.v-select', { has: page.getByRole('combobox', { name: 'Condition' }) }).click()
  await openMenu(page).getByRole('option', { name: 'is less than', exact: true }).click()
  await page.getByRole('textbox', { name: 'Value' }).fill('2')
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.waitForURL(/filter=bags/)
  await page.getByRole('cell', { name: '1199', exact: true }).waitFor({ state: 'detached' })
  expect(await page.locator('tbody tr').count()).toBe(2)
  await settled(page)
  await picture(page, 'dataset.en.light.desktop')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    openMenu(page).getByRole('link', { name: 'All matching records as CSV' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  expect(text.split('\r\n').map((line) => line.split(',').slice(-2).join())).toEqual([
    'origin,bags',
    'Yemen,1',
    'Sumatra,0',
    '',
  ])

  const phone = await consolePage({ device: 'phone', scheme: 'dark', language: 'ar' })
  await phone.goto(new URL(page.url()).href)
  await phone.getByText('Sumatra', { exact: true }).waitFor()
  await settled(phone)
  await picture(phone, 'dataset.ar.dark.phone')
  expect(await faults(phone)).toEqual([])

  await page.keyboard.press('Escape')
  await page.getByText('2 results', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add record' }).click()
  await dialog.getByRole('textbox', { name: 'bags' }).fill('few')
  await dialog.getByRole('button', { name: 'Add record' }).click()
  await dialog.getByText('bags is not an integer: few', { exact: true }).waitFor()
  await dialog.getByRole('textbox', { name: 'bags' }).fill('-1')
  await dialog.getByRole('textbox', { name: 'origin' }).fill('Ethiopia')
  expect(await faults(page)).toEqual([])
  await picture(page, 'dataset-record.en.light.desktop')
  await dialog.getByRole('button', { name: 'Add record' }).click()
  await page.getByText('3 results', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Actions of Ethiopia' }).click()
  await openMenu(page).getByText('Edit record', { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'bags' }).fill('-2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: '-2', exact: true }).waitFor()
  await phone.reload()
  await phone.getByText('Ethiopia', { exact: true }).waitFor()
  await settled(phone)
  expect(await faults(phone)).toEqual([])
  await picture(phone, 'dataset.ar.dark.phone')
  await page.getByRole('button', { name: 'Actions of Ethiopia' }).click()
  await openMenu(page).getByText('Delete record', { exact: true }).click()
  await dialog.getByText('The record Ethiopia is deleted permanently.', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Delete record' }).click()
  await page.getByText('2 results', { exact: true }).waitFor()

  // A later page counts again after a deletion, and is replaced by the previous one when its last row is deleted.
  await page.goto(`${new URL(page.url()).pathname}?filter=${encodeURIComponent('bags<52')}`)
  await page.getByText('52 results', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Older' }).click()
  await page.waitForURL(/cursor=/)
  for (const left of [51, 50]) {
    await settled(page)
    await page.locator('tbody').getByRole('button').first().click()
    await openMenu(page).getByText('Delete record', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Delete record' }).click()
    await page.getByText(`${left} results`, { exact: true }).waitFor()
  }
  await page.waitForURL((url) => !url.searchParams.has('cursor'))
  await expect.poll(() => page.locator('tbody tr').count()).toBe(50)
  await page.getByRole('button', { name: 'Delete dataset' }).click()
  await dialog.getByRole('button', { name: 'Delete dataset' }).click()
  await page.getByRole('link', { name: 'trades', exact: true }).waitFor()
  await settled(page)
  expect(await page.getByRole('link', { name: 'beans', exact: true }).count()).toBe(0)
})

test('shows the analytics of a mini app on a phone and in Arabic, and exports them', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps`)
  await page.getByRole('link', { name: '小吃摊 الوجبات' }).click()
  await page.getByRole('link', { name: 'Analytics', exact: true }).click()
  await page.getByRole('heading', { name: 'Launch time', exact: true }).waitFor()
  await page.getByText('No errors in this range.', { exact: true }).waitFor()
  const alerts = page.getByRole('region', { name: 'Alerts', exact: true })
  const suggested = 'More than 5% of launches fail in 15 minutes'
  await alerts.getByRole('button', { name: suggested, exact: true }).click()
  await alerts.getByRole('listitem').filter({ hasText: suggested }).waitFor()
  await alerts.getByRole('button', { name: 'Add rule', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Raise above', { exact: true }).fill('7')
  await settled(page)
  await picture(page, 'alert-rule.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await alerts.getByText('More than 7 JavaScript errors per 100 openings in 1 hour', { exact: true }).waitFor()
  const rules = alerts.getByRole('listitem')
  await rules.filter({ hasText: suggested }).getByRole('button').click()
  await openMenu(page).getByText('Delete', { exact: true }).click()
  await page.getByText(`Deleted: ${suggested}`, { exact: true }).waitFor()
  expect(await rules.count()).toBe(1)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await rules.filter({ hasText: suggested }).waitFor()
  await settled(page)
  await picture(page, 'analytics.en.light.desktop')
  expect(await faults(page)).toEqual([])
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/-analytics-30\.csv$/)
  // While another range loads, the page still has the rows of the one before.
  const loads = Promise.withResolvers<void>()
  await page.route(/\/analytics\?.*days=7/, async (route) => {
    await loads.promise
    await route.continue()
  })
  await choose(page, 'Time range', 'Last 7 days')
  await page.waitForURL(/days=7/)
  expect(await page.getByRole('button', { name: 'Export as CSV' }).isDisabled()).toBe(true)
  loads.resolve()
  await expect.poll(() => page.getByRole('button', { name: 'Export as CSV' }).isEnabled()).toBe(true)

  const phone = await consolePage({ device: 'phone', scheme: 'dark', language: 'ar' })
  await phone.goto(new URL(page.url()).href)
  await phone.getByRole('heading', { name: 'زمن التشغيل', exact: true }).waitFor()
  // As the link in a mail about an alert.
  await phone.goto(`${new URL(page.url()).href}#alerts`)
  await phone.reload()
  const heading = phone.getByRole('heading', { name: 'التنبيهات', exact: true })
  await expect.poll(async () => Math.round((await heading.boundingBox())?.y ?? Number.NaN)).toBeLessThan(200)
  expect((await heading.boundingBox())!.y).toBeGreaterThan(72)
  await settled(phone)
  await picture(phone, 'analytics.ar.dark.phone')
  await phone.setViewportSize({ width: 360, height: 740 })
  const suggestions = phone.getByRole('region', { name: 'التنبيهات', exact: true }).getByRole('button')
  expect(await suggestions.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)).toBe(
    0,
  )
  expect(await faults(phone)).toEqual([])
})

test('asks before text is lost that was entered while a form was saved', async () => {
  const { projectId } = await consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Old Quay' })
  const page = await consolePage()
  await page.goto(`projects/${projectId}/settings`)
  const requested = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  await page.route(`**/console/v1/projects/${projectId}`, async (route) => {
    if (route.request().method() === 'PATCH') {
      requested.resolve()
      await goesOn.promise
    }
    await route.continue()
  })
  const name = page.getByLabel('Project name')
  await name.fill('New Quay')
  await name.press('Enter')
  await requested.promise
  await name.fill('New Quay Market')
  goesOn.resolve()
  await page.getByText('Saved').first().waitFor()
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your changes on this page have not been saved.').waitFor()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
})

/** Opens the dialog that changes the only alert rule of a new mini app. */
async function changeAlertRule(name: string) {
  const { appid } = await consoleCall<{ appid: string }>('POST', '/apps', { projectId, name })
  const rule = { metric: 'errors', threshold: 10, window: 60, minCount: 20, roles: ['owner'], accountIds: [] }
  const { ruleId } = await consoleCall<{ ruleId: string }>('POST', `/apps/${appid}/alerts`, rule)
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps/${appid}/analytics`)
  const alerts = page.getByRole('region', { name: 'Alerts', exact: true })
  await alerts.getByRole('listitem').getByRole('button').click()
  await openMenu(page).getByText('Change', { exact: true }).click()
  return { appid, ruleId, dialog: page.getByRole('dialog') }
}

test('changing an alert rule keeps what others have changed', async () => {
  const { appid, ruleId, dialog } = await changeAlertRule('Watched Coffee')
  await consoleCall('PATCH', `/apps/${appid}/alerts/${ruleId}`, { threshold: 8 })
  await dialog.getByLabel('Minimum number of openings').fill('30')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { rules } = await consoleCall<{ rules: unknown[] }>('GET', `/apps/${appid}/alerts`)
  expect(rules).toMatchObject([{ threshold: 8, minCount: 30 }])
})

test('a threshold is saved with the metric that it was entered for', async () => {
  const { appid, ruleId, dialog } = await changeAlertRule('Measured Coffee')
  await consoleCall('PATCH', `/apps/${appid}/alerts/${ruleId}`, { metric: 'launchTime', threshold: 4000 })
  await dialog.getByLabel('Raise above', { exact: true }).fill('7')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { rules } = await consoleCall<{ rules: unknown[] }>('GET', `/apps/${appid}/alerts`)
  expect(rules).toMatchObject([{ metric: 'errors', threshold: 7, minCount: 20 }])
})
