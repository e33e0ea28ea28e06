import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { startServer } from '../apps/server/test/server.ts'
import { consolePage, faults, picture } from './console.ts'

const { administrator } = inject('stage')

test('the one-time link creates the first administrator, and counts once', async () => {
  const server = await startServer()
  try {
    const token = (await readFile(join(server.dataDir, 'setup-token'), 'utf8')).trim()
    const page = await consolePage({}, null, server.url)
    await page.goto(`setup#${token}`)
    await page.getByRole('heading', { name: 'Welcome to Souk' }).waitFor()
    await picture(page, 'setup-open.en.light.desktop')
    expect(await faults(page)).toEqual([])

    // A password that is too short does not leave the page.
    await page.getByLabel('Name', { exact: true }).fill('Nora')
    await page.getByLabel('User name').fill('nora')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create the administrator' }).click()
    await page.getByText('10 to 200 characters.').waitFor()

    await page.getByLabel('Password', { exact: true }).fill('a market at dawn')
    await page.getByRole('button', { name: 'Create the administrator' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()

    await page.getByRole('button', { name: 'Account of Nora' }).click()
    await page.getByText('Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`setup#${token}`)
    await page.getByRole('heading', { name: 'Already set up' }).waitFor()
  } finally {
    await server.stop()
  }
})

test('a wrong password is refused with its reason, the right one leads where one wanted to go', async () => {
  const page = await consolePage({}, null)
  await page.goto('profile')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('User name').fill(administrator.username)
  await page.getByLabel('Password', { exact: true }).fill('wrong horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'The user name or the password is wrong' })
  await alert.getByText('sign_in_failed').waitFor()

  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/profile')
})

test('whoever has no session sees no page of a project', async () => {
  const page = await consolePage({}, null)
  await page.goto(`projects/${inject('stage').projectId}/members`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByText('Layla').count()).toBe(0)
})
