import { expect, inject, test } from 'vitest'
import overview from '../apps/console/src/pages/overview/locales/en.ts'
import { consolePage, faults, settled } from './console.ts'
import { addFailingReceiver } from './incidents.ts'

const { projectId, emptyProjectId } = inject('fixture')
const project = `projects/${projectId}`

test('names what needs attention, with one action each', async () => {
  const page = await consolePage()
  await addFailingReceiver(page)
  await page.goto(project)
  const incidents = page.getByRole('region', { name: overview.incidents.title })
  const receiver = incidents.getByRole('listitem').filter({ hasText: 'does not confirm payments: 1 callback' })
  await receiver.getByRole('button', { name: overview.incidents.resend }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(overview.incidents.resendTitle).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const wrongSigns = incidents.getByRole('listitem').filter({ hasText: /Corner Coffee: \d+ requests with a wrong/ })
  await wrongSigns.getByRole('link', { name: overview.incidents.seeDiagnosis }).click()
  // The last one: other tests send such requests, too.
  await page.waitForURL(/\/requests\/[0-9a-f]{32}$/)
  await settled(page)
  expect(await faults(page)).toEqual([])
})

test('says so if nothing needs attention', async () => {
  const page = await consolePage()
  await page.goto(`projects/${emptyProjectId}`)
  await page.getByText(overview.incidents.none).waitFor()
  await page.getByText(overview.noTrades).waitFor()
  expect(await page.locator('dd.value').allInnerTexts()).toEqual(['–', '0', '–', '–'])
})

test('figures and charts follow the currency, and a day opens the filtered list', async () => {
  const page = await consolePage()
  await page.goto(project)
  const currency = page.getByRole('group', { name: overview.currency })
  // Most was paid in US dollars.
  expect(await currency.getByRole('button').first().textContent()).toContain('USD')
  await currency.getByRole('button', { name: 'SAR' }).click()
  await expect.poll(() => page.url()).toContain('currency=SAR')
  await page.getByRole('img', { name: `${overview.moneyPerDay} · SAR` }).waitFor()
  await page.locator('dd.value', { hasText: 'SAR' }).first().waitFor()
  await page.getByRole('button', { name: overview.trades, exact: true }).click()
  await page.getByRole('img', { name: overview.perDay }).waitFor()
  await page.reload()
  await page.getByRole('img', { name: overview.perDay }).waitFor()
  await page.getByRole('table', { name: overview.perDay }).getByRole('link').last().press('Enter')
  await expect.poll(() => page.url()).toMatch(/\/trades\?from=\d+&to=\d+&currency=SAR/)
})

test('the last ten trades and the mini apps open their pages', async () => {
  const page = await consolePage()
  await page.goto(project)
  const latest = page.getByRole('region', { name: overview.latest })
  await latest.getByRole('listitem').first().waitFor()
  expect(await latest.getByRole('listitem').count()).toBe(10)
  await page.getByRole('table', { name: overview.apps.title }).getByRole('row').nth(1).click()
  await expect.poll(() => page.url()).toMatch(/\/apps\/[a-z0-9]{15}$/)
  await settled(page)
})
