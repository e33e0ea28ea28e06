import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import texts from '../apps/console/src/pages/platform/locales/en.ts'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { consolePage, faults, faultsOfPages, otherLooks, picture, settled } from './console.ts'

/** A separate server, since its admin token ends. */
let server: RunningServer
let session: string

beforeAll(async () => {
  server = await startServer()
  const token = (await readFile(join(server.dataDir, 'setup-token'), 'utf8')).trim()
  const answer = await fetch(`${server.url}/console/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, username: 'layla', name: 'Layla', password: 'a rather long phrase' }),
  })
  session = /souk_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')![1]!
})
afterAll(() => server?.stop())

test('an administrator rotates the master keys and follows the progress', async () => {
  const page = await consolePage({}, session, server.url)
  await page.goto('platform?view=danger')
  await settled(page)
  const section = page.getByRole('region', { name: texts.keys.title })
  await section.getByText(texts.keys.states.current, { exact: true }).waitFor()
  await section.getByRole('button', { name: texts.keys.rotate }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(texts.keys.rotateText).waitFor()
  await picture(page, 'master-keys-dialog.en.light.desktop')
  await dialog.getByRole('button', { name: texts.keys.rotate }).click()
  await section.getByText(texts.keys.states.old, { exact: true }).waitFor()
  await section.getByText(texts.keys.phases.retiring).waitFor()
  expect(await faults(page)).toEqual([])
  await picture(page, 'master-keys.en.light.desktop')

  await section.getByRole('button', { name: /^Retire / }).click()
  await dialog.getByRole('button', { name: texts.keys.retire }).click()
  await dialog.getByRole('alert').getByText('key_in_use').waitFor()
  expect(await faults(page)).toEqual([])

  for (const look of otherLooks) {
    const pages = { 'master-keys': 'platform?view=danger' }
    expect(await faultsOfPages(look, pages, { session, url: server.url })).toEqual({})
  }
})

test('an administrator sees the ids of keys that the installation has never had', async () => {
  const page = await consolePage({}, session, server.url)
  const keyId = '0123456789abcdef'
  await page.route('**/console/v1/key-ring', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), missing: [keyId] } })
  })
  await page.goto('platform?view=danger')
  const section = page.getByRole('region', { name: texts.keys.title })
  await section.locator('.alert', { hasText: texts.keys.missing }).getByText(keyId).waitFor()
  expect(await faults(page)).toEqual([])
})

test('an administrator rotates and disables the admin token', async () => {
  const file = join(server.dataDir, 'admin-token')
  const page = await consolePage({}, session, server.url)
  await page.goto('platform?view=danger')
  await settled(page)
  const section = page.getByRole('region', { name: texts.adminToken.title })
  await section.getByRole('button', { name: texts.adminToken.rotate }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: texts.adminToken.rotate }).click()
  const shown = dialog.getByRole('status', { name: texts.adminToken.title })
  await shown.waitFor()
  await picture(page, 'admin-token-rotated.en.light.desktop')
  expect(await faults(page)).toEqual([])
  expect((await readFile(file, 'utf8')).trim()).toBe(await shown.innerText())
  expect(await shown.innerText()).not.toBe(server.adminToken)
  await dialog.getByRole('button', { name: 'Close' }).click()

  await section.getByRole('button', { name: texts.adminToken.disable }).click()
  await dialog.getByRole('button', { name: texts.adminToken.disable }).click()
  await section.getByText(texts.adminToken.disabled, { exact: true }).waitFor()
  await section.getByText(texts.adminToken.enableText).waitFor()
  expect(existsSync(file)).toBe(false)
  await picture(page, 'admin-token-disabled.en.light.desktop')
  expect(await faults(page)).toEqual([])
})
