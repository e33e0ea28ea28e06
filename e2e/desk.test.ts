import { expect, inject, test } from 'vitest'
import { consoleCall, hostCall } from './calls.ts'
import { consolePage, faults, focused, openMenu, picture, settled, type WatchedPage } from './console.ts'

const { projectId, appid, secret, trades, uids, wrongSign } = inject('fixture')
const project = `projects/${projectId}`

/** Loads the texts of a page. */
async function textsOf<T>(load: Promise<{ default: T }>): Promise<T> {
  return (await load).default
}

/** Selects an option by the field's label and part of the option's text. */
async function pick(page: WatchedPage, name: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await openMenu(page).getByRole('option', { name: option }).first().click()
}

test('finds a mini app by its appid, which its name does not contain', async () => {
  const page = await consolePage()
  await page.goto(`${project}/requests`)
  const field = page.getByRole('combobox', { name: 'Mini app', exact: true })
  await field.click()
  await field.fill(appid)
  await expect.poll(() => openMenu(page).getByRole('option').allInnerTexts()).toEqual(['Corner Coffee'])
  await field.press('Enter')
  await page.waitForURL(new RegExp(`appid=${appid}`))
})

test('finds trades with filters in the query string, and shows the timeline of each', async () => {
  const say = await textsOf(import('../apps/console/src/pages/trades/locales/en.ts'))
  const page = await consolePage({ language: 'en' })
  await page.goto(`${project}/trades`)
  await settled(page)
  await page.getByRole('textbox', { name: 'Search' }).fill('ER-00')
  await pick(page, say.status, 'Failed')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('textbox', { name: say.minAmount }).fill('20')
  await page.getByRole('textbox', { name: say.minAmount }).press('Enter')
  await page.waitForURL(/text=ER-00.*minAmount=2000|minAmount=2000.*text=ER-00/)
  const only = (where: WatchedPage) => expect.poll(() => where.locator('tbody').innerText())
  await only(page).toMatch(/^order-\d+\s+拿铁一杯\D+28\.00(?!.*order-)/s)

  await page.getByText('One result', { exact: true }).waitFor()
  await page
    .getByText('Searches the newest 20,000 rows. Use narrower filters to reach older ones.', { exact: true })
    .waitFor()

  // Sorted by a click or a key; the address has the order.
  const header = page.getByRole('columnheader', { name: 'Amount' })
  await header.getByRole('button').click()
  await page.waitForURL(/sort=-amount/)
  await page.locator('th[aria-sort=descending]').waitFor()
  await header.getByRole('button').press('Enter')
  await page.waitForURL(/sort=amount/)
  await page.locator('th[aria-sort=ascending]').waitFor()

  // The link shows the same to others.
  const other = await consolePage({ language: 'en' })
  await other.goto(page.url())
  await only(other).toMatch(/^order-\d+\s+拿铁一杯\D+28\.00(?!.*order-)/s)

  await page.getByRole('tab', { name: say.totals.title }).click()
  await page.getByRole('button', { name: say.totals.table }).click()
  await page.getByRole('cell', { name: '1', exact: true }).first().waitFor()
  expect(await faults(page)).toEqual([])
  await picture(page, 'trades-totals.en.light.desktop')

  await other.locator('tbody a').first().click()
  await settled(other)
  await other.getByText(say.diagnosis.failed.replace('{reason}', 'Transaction failed')).waitFor()
  const story = await other.getByRole('region', { name: say.trade.story }).textContent()
  expect(story).toContain(say.events.paymentStarted)
  expect(story).toContain('Transaction failed')
  expect(story).toContain('success')
  await other.getByText(say.trade.technical).click()
  await other.getByRole('button', { name: 'Copy tradeNo' }).click()
  await expect.poll(() => other.evaluate(() => navigator.clipboard.readText())).toBe(trades.declined)
  await other.getByRole('tab', { name: say.callback }).click()
  await other.getByText('transactionStatus', { exact: true }).waitFor()
  expect(await faults(other)).toEqual([])
})

test('shows 15 trades on a laptop, and opens one by a click on its row', async () => {
  const page = await consolePage({ language: 'en' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${project}/trades`)
  await settled(page)
  const bottoms = await page
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom))
  expect(bottoms.filter((bottom) => bottom <= 800).length).toBeGreaterThanOrEqual(15)
  const row = page.getByRole('row', { name: /order-0017/ })
  expect(await row.innerText()).toMatch(/Two cappuccinos.*Corner Coffee.*Card/s)
  await row.getByText('Succeeded').click()
  await page.waitForURL(`**/trades/${trades.paid}`)
})

test.each([
  [`${project}/callbacks`, 'State', 'Created', '-ctime', 'ctime'],
  [`${project}/requests`, 'Time', 'Duration', '-duration', 'duration'],
  ['users', 'Since', 'User', '-nickName', 'nickName'],
  [`${project}/apps`, 'Created', 'Name', '-name', 'name'],
])('%s is sorted by its headings, with the order in the address', async (path, first, then, down, up) => {
  const page = await consolePage({ language: 'en' })
  await page.goto(path)
  await settled(page)
  const header = (name: string) => page.getByRole('columnheader', { name })
  expect(await header(first).getAttribute('aria-sort')).toBe('descending')
  await header(then).getByRole('button').click()
  await page.waitForURL(new RegExp(`sort=${down}$`))
  await expect.poll(() => header(then).getAttribute('aria-sort')).toBe('descending')
  await header(then).getByRole('button').press('Enter')
  await page.waitForURL(new RegExp(`sort=${up}$`))
  await page.reload()
  await expect.poll(() => header(then).getAttribute('aria-sort')).toBe('ascending')
  await settled(page)
  const cells = await page.locator('tbody tr').allInnerTexts()
  expect(cells.length).toBeGreaterThan(0)
  expect(await faults(page)).toEqual([])
})

test.each([
  ['desktop', 'en'],
  ['phone', 'ar'],
] as const)('a list of 5,000 rows shows 100 of them, and 100 more at a time, on a %s', async (device, language) => {
  const page = await consolePage({ device, language })
  await page.route('**/console/v1/accounts?*', async (route) => {
    const response = await route.fetch()
    const { items } = (await response.json()) as { items: object[] }
    const many = Array.from({ length: 5000 }, (_, index) => ({
      ...items[0],
      accountId: `${index}`,
      name: `Account ${index}`,
    }))
    await route.fulfill({ response, json: { items: many, next: null } })
  })
  await page.goto('accounts')
  await page.getByText('Account 99', { exact: true }).waitFor()
  const table = page.getByRole('table')
  expect(await table.getAttribute('aria-rowcount')).toBe('5001')
  expect(await table.locator('tbody tr').count()).toBe(100)
  await picture(page, `accounts-many.${language}.light.${device}`)
  expect(await faults(page)).toEqual([])
  await page.locator('.more button').click()
  await page.getByText('Account 199', { exact: true }).waitFor()
  expect(await table.locator('tbody tr').count()).toBe(200)
})

test('a year is typed into the time filter digit by digit', async () => {
  const page = await consolePage({ language: 'en' })
  await page.goto(`${project}/trades?from=${Date.UTC(2026, 2, 15, 7, 30)}`)
  await settled(page)
  const from = page.getByLabel('From')
  await from.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  for (const digit of '2025') {
    await page.keyboard.press(digit)
  }
  await page.waitForURL((url) => url.searchParams.get('from') === String(Date.UTC(2025, 2, 15, 7, 30)))
  expect(await from.inputValue()).toBe('2025-03-15T10:30')
})

test('neither amounts of the overview nor states of callbacks are cut or broken in narrow windows', async () => {
  const phone = await consolePage({ language: 'ar', device: 'phone' })
  await phone.goto(project)
  await phone.locator('dd.value').first().waitFor()
  const broken = await phone.locator('dd.value').evaluateAll((values) =>
    values
      .filter((value) => {
        const text = document.createRange()
        text.selectNodeContents(value)
        const lines = new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom)))
        return lines.size > 1 || value.scrollWidth > value.clientWidth
      })
      .map(({ textContent }) => textContent),
  )
  expect(broken).toEqual([])

  const page = await consolePage({ language: 'en' })
  await page.setViewportSize({ width: 1000, height: 800 })
  await page.goto(`${project}/callbacks`)
  await settled(page)
  const chips = page.locator('tbody .chip')
  expect(await chips.count()).toBeGreaterThan(1)
  expect(await chips.evaluateAll((all) => all.filter((chip) => chip.scrollWidth > chip.clientWidth).length)).toBe(0)
})

test('lists failed callbacks first, resends one, then several with progress', async () => {
  const say = await textsOf(import('../apps/console/src/pages/callbacks/locales/ar.ts'))
  const page = await consolePage({ language: 'ar' })
  await page.goto(`${project}/callbacks`)
  await settled(page)
  expect(await page.locator('tbody tr').first().innerText()).toContain('out of coffee')
  await page.getByRole('button', { name: `${say.replay.one} order-0017` }).click()
  await page.getByText(say.replay.done).waitFor()

  await page.getByRole('button', { name: say.replay.many }).click()
  const dialog = page.getByRole('dialog')
  // It starts with the failures that the list shows, and has nothing to do where there are none.
  const which = dialog.getByRole('combobox', { name: say.replay.which })
  expect(await which.innerText()).toBe(say.states.failing)
  await which.click()
  await openMenu(page).getByRole('option', { name: say.states.dead }).click()
  const start = dialog.getByRole('button', { name: say.replay.start })
  await expect.poll(() => start.isDisabled()).toBe(true)
  await which.click()
  await openMenu(page).getByRole('option', { name: say.states.delivered }).click()
  await dialog.getByText(/يُعاد إرسال \d+ إشعار/).waitFor()
  expect(await faults(page)).toEqual([])
  await start.click()
  const progress = page.getByRole('status').filter({ hasText: say.replay.progress })
  await progress.getByText(/اكتمل الإرسال/).waitFor({ timeout: 30_000 })
  await picture(page, 'callbacks-replayed.ar.light.desktop')
  expect(await faults(page)).toEqual([])

  await page.getByRole('link', { name: `${say.open} order-0018` }).click()
  await page.getByRole('heading', { name: say.callback.replies }).waitFor()
  expect(await page.locator('main').innerText()).toContain('HTTP 500')
})

test('composes a test message with a preview, and shows it on the phone', async () => {
  const say = await textsOf(import('../apps/console/src/pages/messages/locales/zh-CN.ts'))
  const page = await consolePage({ language: 'zh-CN' })
  await page.goto(`${project}/messages`)
  await settled(page)
  await page.getByRole('link', { name: say.compose }).click()
  // The page that is left has a filter of the same name.
  await page.getByRole('button', { name: say.composer.send, exact: true }).waitFor()
  await pick(page, '小程序', 'Corner Coffee')
  await page.getByRole('radio', { name: say.composer.activity }).check()
  await pick(page, say.composer.language, '阿拉伯语')
  const title = `عرض ${Date.now()}`
  await page.getByRole('textbox', { name: say.composer.titleField }).fill(title)
  await page.getByRole('textbox', { name: say.composer.color }).fill('1F5FA8')
  const preview = page.getByRole('region', { name: say.composer.preview }).getByRole('article').first()
  expect(await preview.getAttribute('dir')).toBe('rtl')
  expect(await preview.innerText()).toContain(title)
  expect(await preview.evaluate((card) => getComputedStyle(card).backgroundColor)).toBe('rgb(31, 95, 168)')
  await picture(page, 'messages-composed.zh-CN.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: say.composer.send, exact: true }).click()
  await page.waitForURL(/view=activities/)
  await page.getByRole('article').filter({ hasText: title }).waitFor()
})

test('explains a wrong sign with the mistake and the received pairs', async () => {
  const say = await textsOf(import('../apps/console/src/pages/requests/locales/ar.ts'))
  const page = await consolePage({ language: 'ar', device: 'phone' })
  await page.goto(`${project}/requests?code=sign_mismatch&operation=tradedetail`)
  await settled(page)
  await page.locator(`main a[href$="${wrongSign}"]`).click()
  await page.getByText(say.mistakes.ampersand_between_pairs).waitFor()
  const help = page.getByRole('link', { name: 'sign_mismatch' })
  expect(await help.getAttribute('href')).toBe('/docs/ar/errors/sign_mismatch')
  const pairs = await page.getByRole('row').allInnerTexts()
  expect(pairs.map((row) => row.split('\t')[0])).toEqual([
    say.diagnosis.name,
    ...['appid', 'secret', 'timestamp', 'tradeNo'],
  ])
  expect(await page.content()).not.toContain(secret)
})

test('finds an operation in the reference and sends a request signed in the browser', async () => {
  const say = await textsOf(import('../apps/console/src/pages/reference/locales/en.ts'))
  const page = await consolePage({ language: 'en' })
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto('reference')
  await settled(page)
  await page.getByRole('textbox', { name: say.search }).fill('query trade')
  await page.getByRole('link', { name: /Query trade/ }).click()
  // Until the link is followed, the page has the form of another operation.
  const operation = page.getByRole('article', { name: 'Query trade' })
  const form = operation.getByRole('region', { name: say.try.title })
  await form.getByRole('combobox', { name: say.try.appid }).fill(appid)
  await form.getByLabel(say.try.secret).fill(secret)
  await form.getByRole('textbox', { name: 'tradeNo' }).fill(trades.paid)
  await form.getByRole('button', { name: say.try.send }).click()
  await form.getByText('"outTradeNo": "order-0017"').waitFor()
  await form.getByRole('button', { name: 'Python', exact: true }).click()
  await form.getByRole('region', { name: 'Code for Python' }).getByText(`"tradeNo": "${trades.paid}"`).waitFor()
  expect(await page.locator('main').innerText()).not.toContain(secret)
  await picture(page, 'reference-tried.en.light.desktop')
  expect(await faults(page)).toEqual([])
  // Loads nothing from other origins and never sends the secret.
  expect(sent.filter((request) => !request.startsWith(inject('fixture').url) || request.includes(secret))).toEqual([])
})

test('a trade leads to its requests, callbacks and ledger entries, and back', async () => {
  const say = await textsOf(import('../apps/console/src/pages/trades/locales/en.ts'))
  const page = await consolePage({ language: 'en' })
  await page.goto(`${project}/trades/${trades.paid}`)
  await settled(page)
  // The clock of this sandbox was moved.
  const created = page.locator('time').first()
  expect(await created.getAttribute('title')).toMatch(/\(sandbox clock\)\nReal time: /)
  await created.getByRole('img', { name: /^Real time: / }).waitFor()
  await page.getByText(say.paid, { exact: true }).click()
  await page.getByRole('link', { name: say.trade.openLedger }).first().click()
  await page.waitForURL(/#ledger$/)
  expect(await page.getByRole('tabpanel').innerText()).toContain(say.trade.movements.captured)
  await picture(page, 'trade-ledger.en.light.desktop')
  await page.getByRole('tab', { name: say.trade.requests }).click()
  await page.getByRole('tabpanel').getByRole('link').first().click()
  await page.getByRole('region', { name: 'Response body' }).first().waitFor()
  expect(await page.locator('main').innerText()).toContain('"outTradeNo": "order-0017"')
  expect(await faults(page)).toEqual([])
  await picture(page, 'request.en.light.desktop')
  await page.getByRole('link', { name: trades.paid }).click()
  await page.getByRole('tab', { name: say.callback }).click()
  await page.getByRole('link', { name: say.trade.openCallback }).click()
  await page.getByRole('link', { name: 'order-0017' }).click()
  await page.waitForURL(/\/trades\//)
})

test('the sandbox pays a trade, injects callback faults and creates a user', async () => {
  const say = await textsOf(import('../apps/console/src/pages/sandbox/locales/zh-CN.ts'))
  const page = await consolePage({ language: 'zh-CN', scheme: 'dark' })
  await page.goto(`${project}/sandbox?tradeNo=${trades.open}`)
  await settled(page)
  const pay = page.getByRole('region', { name: say.pay.title })
  await pick(page, say.pay.outcome, /^pending/)
  await pay.getByRole('button', { name: say.pay.pay, exact: true }).click()
  await pay.getByText(say.pay.decideText).waitFor()
  await pay.getByRole('button', { name: say.pay.decide, exact: true }).click()
  await pay.getByText(say.pay.result[2]).waitFor()
  await picture(page, 'sandbox-paid.zh-CN.dark.desktop')

  const faultsSection = page.getByRole('region', { name: say.faults.title })
  await faultsSection.getByRole('radio', { name: new RegExp(say.faults.names.twice) }).check()
  await faultsSection.getByRole('button', { name: say.faults.set, exact: true }).click()
  await faultsSection.getByText(/还将影响 3 次/).waitFor()
  await faultsSection.getByRole('button', { name: say.faults.end, exact: true }).click()
  await faultsSection.getByText(say.faults.none).waitFor()

  await page.getByRole('button', { name: say.users.create }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: say.users.nickname }).and(focused(page)).fill('Nour')
  await dialog.getByRole('textbox', { name: say.users.country }).fill('+966')
  await dialog.getByRole('textbox', { name: say.users.phone }).fill('500000009')
  await dialog.getByRole('button', { name: say.users.create }).click()
  await page.getByRole('cell', { name: '+966 500000009' }).waitFor()
  expect(await faults(page)).toEqual([])
  expect(uids.length).toBeGreaterThan(0)
})

test('feedback links the trade that it names', async () => {
  const { uid } = await consoleCall<{ uid: number }>('POST', '/sandbox/users', { nickname: 'Nora' })
  const { session } = await hostCall<{ session: string }>('POST', '/sessions', { uid })
  const sent = { kind: 'problem', text: 'I paid order-0017, not order-9999.\nWhere is it?' }
  const { feedbackId } = await hostCall<{ feedbackId: string }>('POST', `/apps/${appid}/feedback`, sent, session)
  const page = await consolePage({ language: 'en' })
  await page.goto(`${project}/feedback/${feedbackId}`)
  await page.getByRole('link', { name: 'order-0017', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'order-9999' }).count()).toBe(0)
  await settled(page)
  await picture(page, 'feedback-trade.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.getByRole('link', { name: 'order-0017', exact: true }).click()
  await page.waitForURL(/\/trades\//)
})
