import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import common from '../apps/console/src/i18n/locales/en.ts'
import platformTexts from '../apps/console/src/pages/platform/locales/en.ts'
import { runCommand } from '../apps/server/test/commandLine.ts'
import { consoleCall } from './calls.ts'
import { consolePage, faults, faultsOfPages, otherLooks, picture, settled } from './console.ts'

test('an administrator allows origins, and trusts and removes issuers', async () => {
  const page = await consolePage()
  await page.goto('platform')
  await settled(page)
  await picture(page, 'platform-empty.en.light.desktop')

  const origins = page.getByRole('region', { name: 'Allowed origins' })
  await origins.getByLabel('Origins').fill('https://app.example/path')
  await origins.getByLabel('Origins').press('Enter')
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
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

  const versions = page.getByRole('region', { name: 'Versions' })
  await versions.getByRole('cell', { name: /^\d{4}_\w+\.sql$/ }).waitFor()

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

  for (const look of otherLooks) expect(await faultsOfPages(look, { platform: 'platform' })).toEqual({})

  await row.getByRole('button', { name: 'Remove https://id.example' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
})

test('asks before origins that someone else has saved are replaced', async () => {
  const page = await consolePage()
  await page.goto('platform')
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
