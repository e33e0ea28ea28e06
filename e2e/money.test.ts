import { readFile } from 'node:fs/promises'
import { day } from '@souk/contract'
import { type FakeProvider, startStripe, stripeSecrets } from '@souk/fake-providers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import moneyTexts from '../apps/console/src/pages/money/locales/en.ts'
import providerTexts from '../apps/console/src/pages/providers/locales/en.ts'
import tradeTexts from '../apps/console/src/pages/trades/locales/en.ts'
import { signParameters } from '../packages/contract/src/open/sign.ts'
import { consoleCall } from './calls.ts'
import { choose, consolePage, faults, faultsOfPages, type Look, otherLooks, picture, settled } from './console.ts'

const { url, uids } = inject('fixture')

let stripe: FakeProvider
let projectId: string
let appid: string
const trades: string[] = []

/** A project with a mini app and three paid trades. */
beforeAll(async () => {
  stripe = await startStripe()
  const project = await consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Spice Route' })
  projectId = project.projectId
  const app = await consoleCall<{ appid: string; secret: string }>('POST', '/apps', {
    projectId,
    name: 'Saffron & Sons',
  })
  appid = app.appid
  const { code } = await consoleCall<{ code: string }>('POST', '/sandbox/codes', { appid, uid: uids[0] })
  const signed = async <T>(path: string, own: Record<string, string>): Promise<T> => {
    const parameters = Object.entries({ appid, timestamp: String(Date.now()), ...own })
    const form = new URLSearchParams([...parameters, ['sign', signParameters(parameters, app.secret)]])
    const answer = await fetch(`${url}/neuopenapi${path}`, { method: 'POST', body: form })
    return ((await answer.json()) as { response: T }).response
  }
  const { accessToken } = await signed<{ accessToken: string }>('/oauth/mini/accessToken', {
    code,
    grantType: 'authorization_code',
    scope: 'user.info',
  })
  const user = await fetch(`${url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
  const { openId } = ((await user.json()) as { response: { openId: string } }).response
  for (const amount of [1250, 8900, 43_000]) {
    const { tradeNo } = await signed<{ tradeNo: string }>('/pay/transactions/trade', {
      outTradeNo: `spice-${amount}`,
      amount: String(amount),
      currency: 'SAR',
      openId,
      notifyUrl: 'http://localhost:9/paid',
    })
    trades.push(tradeNo)
    await consoleCall('POST', '/sandbox/payments', { tradeNo, uid: uids[0] })
  }
  await consoleCall('POST', `/trades/${trades[1]}/refunds`, { amount: 900, note: 'One bag was torn' })
})
afterAll(() => stripe?.close())

test('an owner refunds part of a payment by keyboard, and sees its state', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/trades/${trades[0]}`)
  await settled(page)
  await page.getByRole('button', { name: tradeTexts.refund.button }).press('Enter')
  const dialog = page.getByRole('dialog')
  const amount = dialog.getByRole('textbox', { name: 'Amount in SAR' })
  await expect.poll(() => amount.inputValue()).toBe('12.50')
  await amount.fill('12.51')
  await dialog.getByRole('textbox', { name: tradeTexts.refund.reason }).fill('One glass was cold')
  await page.keyboard.press('Enter')
  await dialog.getByText('Enter an amount up to').waitFor()
  await amount.fill('4.5')
  await dialog.getByText('Enter an amount up to').waitFor({ state: 'detached' })
  await picture(page, 'refund.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('One glass was cold').first().waitFor()
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: tradeTexts.trade.refresh }).click()
      return page.locator('.chip', { hasText: /^Refunded$/ }).count()
    })
    .toBe(1)
  await page.getByText('Partly refunded · merchant not informed', { exact: true }).waitFor()
  expect(await faults(page)).toEqual([])

  await page.goto(`projects/${projectId}/money`)
  await settled(page)
  await page.getByText('One glass was cold').waitFor()
  await page
    .getByRole('row', { name: /Saffron/ })
    .getByText('518.00')
    .waitFor()
  // The total of the currency is that of its only mini app.
  await page.getByRole('region', { name: 'Saudi Riyal (SAR)' }).locator('dl').getByText('518.00').waitFor()
  await page.getByText(moneyTexts.mismatches.none).waitFor()
  await page.getByRole('tab', { name: moneyTexts.reconciliations.title }).click()
  await page.getByText(moneyTexts.reconciliations.empty).waitFor()
})

test('the list of projects shows sales of today, and projects with failing callbacks before others', async () => {
  await consoleCall('POST', '/projects', { name: 'A quiet corner' })
  const page = await consolePage()
  await page.goto('')
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  // The first attempt to deliver takes a moment.
  await expect
    .poll(async () => {
      await page.reload()
      await row('Spice Route').waitFor()
      return row('Spice Route').innerText()
    })
    .toContain('3 unconfirmed callbacks')
  expect(await row('Spice Route').innerText()).toContain('531.50')
  const names = await page.getByRole('row').getByRole('link').allInnerTexts()
  expect(names.indexOf('Spice Route')).toBeLessThan(names.indexOf('A quiet corner'))
  await settled(page)
  await picture(page, 'projects-figures.en.light.desktop')
  expect(await faults(page)).toEqual([])
  for (const look of otherLooks) expect(await faultsOfPages(look, { 'projects-figures': '' })).toEqual({})
  // The row is clickable as a whole.
  await row('Spice Route').getByText('531.50').click()
  await page.getByRole('heading', { name: 'Spice Route', level: 1 }).waitFor()
})

test('refunded trades are marked, found, summed up net, and exported as a workbook', async () => {
  await consoleCall('POST', `/trades/${trades[2]}/refunds`, { note: 'Out of saffron' })
  const page = await consolePage()
  await page.goto(`projects/${projectId}/trades`)
  const row = (order: string) => page.getByRole('row', { name: new RegExp(order) })
  await row('spice-43000').getByText('Refunded', { exact: true }).waitFor()
  await row('spice-8900').getByText('Partly refunded', { exact: true }).waitFor()
  expect(await row('spice-8900').innerText()).toContain('80.00')
  await picture(page, 'trades-refunded.en.light.desktop')
  await page.goto(`projects/${projectId}/trades?refund=full`)
  await page.getByText('One result', { exact: true }).waitFor()
  await row('spice-43000').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel workbook' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('trades.xlsx')
  // Workbooks are ZIP files.
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')
  expect(await faults(page)).toEqual([])
})

test('asks before routing rules that someone else has saved are replaced', async () => {
  const own = await consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Cardamom' })
  const app = await consoleCall<{ appid: string }>('POST', '/apps', { projectId: own.projectId, name: 'Cardamom' })
  const { providerAccountId } = await consoleCall<{ providerAccountId: string }>('POST', '/provider-accounts', {
    appid: app.appid,
    provider: 'stripe',
    name: 'Cards',
    settings: { baseUrl: stripe.url },
    secrets: stripeSecrets,
  })
  const rule = { providerAccountIds: [providerAccountId], share: 100 }
  const stored = () => consoleCall<{ currency?: string }[]>('GET', `/routing?appid=${app.appid}`)
  await consoleCall('POST', '/routing', { appid: app.appid, rules: [{ ...rule, currency: 'SAR' }] })
  const page = await consolePage()
  await page.goto(`projects/${own.projectId}/providers`)
  await page.getByRole('group', { name: 'Rule 1' }).waitFor()
  await consoleCall('POST', '/routing', { appid: app.appid, rules: [{ ...rule, currency: 'USD' }] })
  await page.getByRole('textbox', { name: providerTexts.routing.from }).fill('12.50')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(providerTexts.routing.replaceText).waitFor()
  await picture(page, 'routing-replace.en.light.desktop')
  expect(await faults(page)).toEqual([])
  expect(await stored()).toMatchObject([{ currency: 'USD' }])
  await dialog.getByRole('button', { name: providerTexts.routing.replace }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await stored()).toMatchObject([{ currency: 'SAR', amountFrom: 1250 }])
})

test('editing an account keeps what others have changed', async () => {
  const own = await consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Fennel' })
  const app = await consoleCall<{ appid: string }>('POST', '/apps', { projectId: own.projectId, name: 'Fennel' })
  const { providerAccountId } = await consoleCall<{ providerAccountId: string }>('POST', '/provider-accounts', {
    appid: app.appid,
    provider: 'paytabs',
    name: 'Cards',
    settings: { baseUrl: stripe.url, profileId: '1001' },
    secrets: { serverKey: 'S1' },
  })
  const page = await consolePage()
  await page.goto(`projects/${own.projectId}/providers`)
  await page.getByRole('button', { name: `${providerTexts.edit}: Cards` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: providerTexts.name }).fill('PayTabs')
  await consoleCall('PATCH', `/provider-accounts/${providerAccountId}`, { settings: { profileId: '2002' } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await consoleCall('GET', `/provider-accounts?appid=${app.appid}`)).toMatchObject([
    { name: 'PayTabs', settings: { profileId: '2002' } },
  ])
})

test('adds, tests and routes to an account without ever showing its secrets', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/providers`)
  await settled(page)
  await page.getByText(providerTexts.empty).waitFor()
  await page.getByRole('button', { name: providerTexts.add }).click()
  const dialog = page.getByRole('dialog')
  await choose(page, providerTexts.provider, 'Stripe')
  await dialog.getByRole('textbox', { name: providerTexts.name }).fill('Cards')
  await dialog.getByRole('textbox', { name: 'Base URL' }).fill(stripe.url)
  await dialog.getByLabel('Secret key').fill('pk_wrong')
  await dialog.getByLabel('Webhook signing secret').fill(stripeSecrets.webhookSecret)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must start with sk_ or rk_').first().waitFor()
  await dialog.getByLabel('Secret key').fill(stripeSecrets.secretKey)
  await picture(page, 'provider-account.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: `${providerTexts.test}: Cards` }).click()
  await page.getByText('Cards responds and accepts the keys.').waitFor()
  expect(await page.content()).not.toContain(stripeSecrets.secretKey)

  // A new base URL requires entering the secrets again.
  await page.getByRole('button', { name: `${providerTexts.edit}: Cards` }).click()
  await dialog.getByText(providerTexts.keep).first().waitFor()
  await dialog.getByRole('textbox', { name: 'Base URL' }).fill('http://localhost:9')
  await dialog.getByText(providerTexts.again).first().waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('must start with sk_ or rk_').first().waitFor()
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: providerTexts.routing.add }).click()
  await choose(page, providerTexts.routing.currency, 'SAR')
  const from = page.getByRole('textbox', { name: providerTexts.routing.from })
  await from.fill('1,250')
  await from.blur()
  await page.getByText(providerTexts.routing.amount).waitFor()
  await from.fill('12.50')
  await page.getByText(providerTexts.routing.amount).waitFor({ state: 'detached' })
  await choose(page, providerTexts.routing.accounts, 'Cards')
  await page.locator('.chip', { hasText: 'Cards' }).waitFor()
  await page.keyboard.press('Escape')
  // Delays the response until a dialog is open.
  const opened = Promise.withResolvers<void>()
  await page.route('**/console/v1/routing', async (route) => {
    const response = await route.fetch()
    await opened.promise
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(() => consoleCall('GET', `/routing?appid=${appid}`))
    .toMatchObject([{ currency: 'SAR', amountFrom: 1250, share: 100 }])
  await page.getByRole('button', { name: `${providerTexts.shadow.button}: Cards` }).click()
  await page.getByText(providerTexts.shadow.none).waitFor()
  opened.resolve()
  await page.getByText('Saved').waitFor()
  await page.waitForFunction(() => !document.querySelector('.button.loading'))
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await faults(page)).toEqual([])

  await page.getByRole('button', { name: `${providerTexts.disable}: Cards` }).click()
  await dialog.getByRole('textbox').fill('Its contract has ended.')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: providerTexts.disable, exact: true }).click()
  await page.getByText('Its contract has ended.').waitFor()
  await page.getByText(providerTexts.disabled, { exact: true }).waitFor()
})

const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'zh-CN', scheme: 'dark', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
]

test.each(looks)('the pages are accessible: $language, $scheme, $device', async (look) => {
  const page = await consolePage(look)
  const today = Math.floor(Date.now() / day) * day
  const reconciliation = {
    reconciliationId: '1'.repeat(32),
    appid,
    merchantId: '2'.repeat(32),
    account: 'provider:sandbox',
    accountName: null,
    state: 'finished',
    attempts: 1240,
    ctime: 0,
    mtime: 0,
  }
  const difference = {
    attemptId: '3'.repeat(32),
    tradeNo: trades[0],
    booked: 1250,
    bookedCurrency: 'SAR',
    repaired: false,
    detail: null,
  }
  // Mocked, because a reconciliation takes a day.
  await page.route('**/console/v1/projects/*/reconciliations*', (route) =>
    route.fulfill({
      json: {
        next: null,
        items: [
          { ...reconciliation, day: today - 2 * day, differences: 2 },
          { ...reconciliation, reconciliationId: '4'.repeat(32), day: today - 3 * day, differences: 0 },
        ],
      },
    }),
  )
  await page.route('**/console/v1/reconciliations/*', (route) =>
    route.fulfill({
      json: {
        reconciliation,
        differences: [
          { ...difference, difference: 'amount', told: 1200, toldCurrency: 'SAR' },
          { ...difference, difference: 'notBooked', booked: null, told: 1250, toldCurrency: 'SAR', repaired: true },
        ],
      },
    }),
  )
  const name = `${look.language}.${look.scheme}.${look.device}`
  const found: Record<string, string[]> = {}
  for (const [of, path] of [
    ['money', 'money'],
    ['reconciliations', 'money?view=reconciliations'],
    ['providers', 'providers'],
    ['refunded', `trades/${trades[1]}`],
  ]) {
    await page.goto(`projects/${projectId}/${path}`)
    await settled(page)
    const heading = page.locator('#mismatches')
    if (of === 'money') {
      // Differences come before the balances, and one of the two is repaired.
      await heading.waitFor()
      await page.locator('section', { has: heading }).locator('button[aria-expanded=false]').click()
      await page.locator('section', { has: heading }).getByRole('link').first().waitFor()
      await settled(page)
    }
    if (of === 'reconciliations') {
      await page.locator('[aria-expanded=false]').last().click()
      await page
        .getByText(new Date(today - 2 * day).toISOString().slice(0, 10))
        .last()
        .waitFor()
      await settled(page)
    }
    await picture(page, `${of}.${name}`)
    const here = await faults(page)
    if (here.length > 0) found[of!] = here
  }
  expect(found).toEqual({})
})
