import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doctorChecks, doctorSentence } from '@souk/contract'
import { expect, inject, test } from 'vitest'
import common from '../apps/console/src/i18n/locales/en.ts'
import platformTexts from '../apps/console/src/pages/platform/locales/en.ts'
import { runCommand } from '../apps/server/test/commandLine.ts'
import { consoleCall } from './calls.ts'
import { consolePage, faults, faultsOfPages, otherLooks, picture, settled } from './console.ts'

test('an administrator allows origins, and trusts and removes issuers', async () => {
  const page = await consolePage()
  await page.goto('platform?view=users')
  await settled(page)
  await picture(page, 'platform-users.en.light.desktop')

  const origins = page.getByRole('region', { name: 'Allowed origins' })
  await origins.getByLabel('Origins').fill('https://app.example/path')
  await origins.getByLabel('Origins').press('Enter')
  await page.getByRole('link', { name: 'Console accounts', exact: true }).click()
  await page.getByText('Your changes on this page have not been saved.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await origins.getByRole('button', { name: 'Save' }).click()
  await origins.getByRole('alert').getByText('parameter_invalid').waitFor()
  await origins.getByLabel('Origins').press('Backspace')
  await origins.getByLabel('Origins').press('Backspace')
  await origins.getByLabel('Origins').fill('https://app.example')
  await origins.getByLabel('Origins').press('Enter')
  await origins.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()

  const issuers = page.getByRole('region', { name: 'Trusted issuers' })
  await issuers.getByRole('button', { name: 'Add issuer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add issuer' }).click()
  await dialog.getByText(common.rule.required).first().waitFor()
  // An invalid form is not sent, so the server has not refused anything.
  await settled(page)
  expect(await dialog.getByRole('alert').filter({ hasText: 'parameter_invalid' }).count()).toBe(0)
  await dialog.getByLabel('Issuer').fill('http://id.example')
  await dialog.getByLabel('Audience').fill('souk')
  await dialog.getByLabel('Subject').fill('employee_id')
  await picture(page, 'platform-issuer.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add issuer' }).click()
  await dialog.getByRole('alert').getByText('parameter_invalid').waitFor()
  await dialog.getByLabel('Issuer').fill('https://id.example')
  await dialog.getByRole('button', { name: 'Add issuer' }).click()
  const row = issuers.getByRole('row').filter({ hasText: 'https://id.example' })
  await row.getByText('Discovery').waitFor()

  const pages = { 'platform-users': 'platform?view=users', 'platform-danger': 'platform?view=danger' }
  for (const look of otherLooks) expect(await faultsOfPages(look, pages)).toEqual({})

  await row.getByRole('button', { name: 'Remove https://id.example' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
})

test('an administrator sees at once what is wrong with the installation, and checks it again', async () => {
  const page = await consolePage()
  const disk = {
    check: 'disk',
    state: 'error',
    sentences: [doctorSentence('diskFree', { size: '0.4', folder: '/data' })],
    actions: [doctorSentence('diskFullDo')],
  }
  await page.route('**/console/v1/doctor?check=disk', (route) => route.fulfill({ json: [disk] }))
  await page.goto('platform')
  const section = page.getByRole('region', { name: platformTexts.health.title })
  const checks = section.getByRole('list', { name: platformTexts.health.list }).getByRole('listitem')
  await expect.poll(() => checks.count()).toBe(doctorChecks.length)
  const full = checks.filter({ hasText: platformTexts.health.checks.disk })
  await full.getByRole('img', { name: platformTexts.health.states.error }).waitFor()
  await full.getByText(platformTexts.health.sentences.diskFullDo).waitFor()
  // What is wrong is first.
  const states = await checks.getByRole('img').evaluateAll((icons) => icons.map((icon) => icon.ariaLabel))
  const order = ['error', 'warning', 'ok'].map((state) => platformTexts.health.states[state as 'ok'])
  expect(states).toEqual(states.toSorted((one, other) => order.indexOf(one!) - order.indexOf(other!)))
  await section
    .getByRole('status')
    .getByText(/error.* passed$/)
    .waitFor()
  const versions = page.getByRole('region', { name: 'Versions' })
  await versions.getByRole('cell', { name: /^\d{4}_\w+\.sql$/ }).waitFor()
  await settled(page)
  await picture(page, 'platform-health.en.light.desktop')
  expect(await faults(page)).toEqual([])

  // A check that takes long shows the progress, and the list stays.
  const answered = Promise.withResolvers<void>()
  await page.route('**/console/v1/doctor?check=mail', async (route) => {
    await answered.promise
    await route.continue()
  })
  await section.getByRole('button', { name: platformTexts.health.again }).click()
  const all = String(doctorChecks.length)
  const almost = platformTexts.health.checked.replace('{done}', String(doctorChecks.length - 1)).replace('{all}', all)
  await section.getByText(almost).waitFor()
  expect(await checks.count()).toBe(doctorChecks.length)
  expect(await section.getByRole('progressbar', { name: platformTexts.health.progress }).count()).toBe(1)
  answered.resolve()
  await section
    .getByRole('status')
    .getByText(/ passed$/)
    .waitFor()
  for (const look of otherLooks) expect(await faultsOfPages(look, { 'platform-health': 'platform' })).toEqual({})
})

test('the settings are in tabs, which links and reloads keep, with what was entered', async () => {
  const page = await consolePage()
  await page.goto('platform')
  const tab = (view: keyof typeof platformTexts.views) => page.getByRole('tab', { name: platformTexts.views[view] })
  await tab('users').click()
  await page.getByRole('textbox', { name: 'Origins' }).fill('https://kept.example')
  await page.getByRole('textbox', { name: 'Origins' }).press('Enter')
  await tab('danger').press('Enter')
  expect(new URL(page.url()).search).toBe('?view=danger')
  await page.getByRole('region', { name: platformTexts.keys.title }).waitFor()
  await page.getByRole('region', { name: platformTexts.adminToken.title }).waitFor()
  expect(await page.getByRole('region', { name: platformTexts.issuers.title }).isVisible()).toBe(false)
  await tab('users').click()
  await page.getByText('https://kept.example', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Console accounts', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: common.unsaved.leave }).click()
  await page.getByRole('heading', { name: 'Console accounts', level: 1 }).waitFor()
  await page.goto('platform?view=danger')
  await page.getByRole('region', { name: platformTexts.keys.title }).waitFor()
  await settled(page)
  await picture(page, 'platform-danger.en.light.desktop')
  expect(await faults(page)).toEqual([])
})

test('a page that is shown again has the stored origins', async () => {
  await consoleCall('PATCH', '/platform-settings', { allowedOrigins: ['https://again.example'] })
  const page = await consolePage()
  await page.goto('platform?view=users')
  await page.getByText('https://again.example', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Console accounts', exact: true }).click()
  await page.getByRole('heading', { name: 'Console accounts', level: 1 }).waitFor()
  await page.goBack()
  await page.getByText('https://again.example', { exact: true }).waitFor()
  await consoleCall('PATCH', '/platform-settings', { allowedOrigins: [] })
})

test('asks before origins that someone else has saved are replaced', async () => {
  const page = await consolePage()
  await page.goto('platform?view=users')
  const origins = page.getByRole('region', { name: 'Allowed origins' })
  await origins.getByLabel('Origins').fill('https://own.example')
  await origins.getByLabel('Origins').press('Enter')
  const others = { allowedOrigins: ['https://other.example'] }
  await consoleCall('PATCH', '/platform-settings', others)
  await origins.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(platformTexts.origins.replaceText).waitFor()
  expect(await faults(page)).toEqual([])
  expect(await consoleCall('GET', '/platform-settings')).toMatchObject(others)
  await dialog.getByRole('button', { name: platformTexts.origins.replace }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await consoleCall('GET', '/platform-settings')).toMatchObject({
    allowedOrigins: expect.arrayContaining(['https://own.example']),
  })
  await consoleCall('PATCH', '/platform-settings', { allowedOrigins: [] })
})

test('an administrator limits the messages that users get from a mini app in a day', async () => {
  const page = await consolePage()
  await page.goto('platform?view=users')
  const section = page.getByRole('region', { name: platformTexts.messageLimit.title })
  const field = section.getByLabel(platformTexts.messageLimit.label)
  const save = section.getByRole('button', { name: 'Save' })
  const limit = async () => (await consoleCall('GET', '/platform-settings')).maxDailyMessages
  await field.fill('0')
  await save.click()
  await section.getByText(platformTexts.messageLimit.rule).waitFor()
  await field.fill('20')
  await save.click()
  await expect.poll(limit).toBe(20)
  await page.reload()
  expect(await field.inputValue()).toBe('20')
  // What is entered elsewhere stays, and a limit that is not changed.
  await page.getByRole('textbox', { name: 'Origins' }).fill('https://kept.example')
  await page.getByRole('textbox', { name: 'Origins' }).press('Enter')
  await save.click()
  await page.getByText('Saved').first().waitFor()
  expect(await limit()).toBe(20)
  await field.fill('30')
  await save.click()
  await expect.poll(limit).toBe(30)
  await expect.poll(() => save.isEnabled()).toBe(true)
  await page.getByText('https://kept.example', { exact: true }).waitFor()
  await field.fill('')
  await save.click()
  await expect.poll(limit).toBe(null)
  expect(await faults(page)).toEqual([])
})

test('an administrator sees when the last backup was made, and its size', async () => {
  const page = await consolePage()
  await page.goto('platform')
  const section = page.getByRole('region', { name: 'Last backup' })
  await section.getByText('No backup yet.').waitFor()

  const folder = await mkdtemp(join(tmpdir(), 'souk-backup-'))
  const env = { SOUK_DATA_DIR: inject('fixture').dataDir, SOUK_BACKUP_PASSPHRASE: 'correct horse battery staple' }
  expect(await runCommand(['backup', join(folder, 'souk.age')], { folder, env })).toMatchObject({ status: 0 })
  await rm(folder, { recursive: true })

  await page.reload()
  await section.getByText(/^\d+(\.\d)? MB$/).waitFor()
  expect(await section.locator('time').count()).toBe(1)
  expect(await faults(page)).toEqual([])
  await picture(page, 'platform-backup.en.light.desktop')
})
