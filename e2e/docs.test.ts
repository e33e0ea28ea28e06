import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { faults, newPage, picture } from './console.ts'

const { url } = inject('fixture')

/** Returns a drawn diagram by its title. */
const diagram = (page: Page, name: string) => page.locator('svg').and(page.getByLabel(name, { exact: true }))

test('the documentation is searched, read on a phone in the dark, and names what does not exist', async () => {
  const page = await newPage({}, `${url}/docs/`, {})
  await page.goto('')
  await page.getByRole('heading', { name: 'Mini apps in your own application' }).waitFor()
  await picture(page, 'docs-home.en.light.desktop')

  // The page is drawn before its scripts listen to keys.
  await page.waitForFunction(() => '__vue_app__' in document.querySelector('#app')!)
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('sign_mismatch')
  await page.getByRole('option', { name: 'Errors > sign_mismatch' }).click()
  await page.waitForURL('**/docs/generated/errors#sign_mismatch')
  expect(await faults(page)).toEqual([])
  await page.goto('errors/sign_mismatch')
  await page.getByRole('heading', { name: 'What to do' }).waitFor()
  await picture(page, 'docs-error.en.light.desktop')
  expect(await faults(page)).toEqual([])

  const phone = await newPage({ scheme: 'dark', device: 'phone' }, `${url}/docs/`, {})
  await phone.goto('guides/releases')
  await phone.getByRole('heading', { level: 1 }).waitFor()
  await picture(phone, 'docs-guide.en.dark.phone')
  expect(await faults(phone)).toEqual([])

  await phone.goto('guides/mini-apps')
  await phone.getByRole('heading', { level: 1 }).waitFor()
  for (const name of ['Login', 'Payment', 'Bridge']) await diagram(phone, name).waitFor()
  expect(await faults(phone)).toEqual([])
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto('guides/verify-callbacks')
  await diagram(page, 'Callback').waitFor()
  expect(requested.filter((address) => !address.startsWith(url))).toEqual([])
  expect(await faults(page)).toEqual([])

  expect((await phone.goto('guides/nothing'))!.status()).toBe(404)
  await phone.getByRole('link', { name: 'home' }).waitFor()
})
