import type { Locator, Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { holdRequests } from './browser.ts'
import { faults, layoutShift, maxLayoutShift, picture, watchedPage } from './console.ts'

const { url, appid, secret, trades } = inject('fixture')

/** Returns a drawn diagram by its title. */
const diagram = (page: Page, name: string) => page.locator('svg').and(page.getByLabel(name, { exact: true }))

/** A page is drawn before its scripts listen to keys and keep what is typed. */
const isMounted = () => '__vue_app__' in document.querySelector('#app')!

test('the documentation is searched, read on a phone in the dark, and names what does not exist', async () => {
  const page = await watchedPage({}, `${url}/docs/`, {})
  await page.goto('')
  await page.getByRole('heading', { name: 'Mini apps in your own application' }).waitFor()
  await picture(page, 'docs-home.en.light.desktop')
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  expect((await fetch(new URL(icon!, url))).headers.get('content-type')).toBe('image/svg+xml')

  await page.waitForFunction(isMounted)
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('sign_mismatch')
  await page.getByRole('option', { name: 'sign_mismatch', exact: true }).click()
  await page.waitForURL('**/docs/errors/sign_mismatch#sign_mismatch')
  await page.getByRole('heading', { name: 'What to do' }).waitFor()
  await picture(page, 'docs-error.en.light.desktop')
  expect(await faults(page)).toEqual([])

  const phone = await watchedPage({ scheme: 'dark', device: 'phone' }, `${url}/docs/`, {})
  await phone.goto('guides/releases')
  await phone.getByRole('heading', { level: 1 }).waitFor()
  await picture(phone, 'docs-guide.en.dark.phone')
  expect(await faults(phone)).toEqual([])

  await phone.goto('guides/operations#a-pooler')
  await phone.waitForURL('**/docs/guides/database#a-pooler')
  for (const [path, names] of Object.entries({
    'guides/login-and-payment': ['Login', 'Payment'],
    'guides/neu-functions': ['Bridge'],
  })) {
    await phone.goto(path)
    await phone.getByRole('heading', { level: 1 }).waitFor()
    for (const name of names) await diagram(phone, name).waitFor()
    expect(await faults(phone)).toEqual([])
  }
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto('guides/verify-callbacks')
  await diagram(page, 'Callback').waitFor()
  expect(requested.filter((address) => !address.startsWith(url))).toEqual([])
  expect(await faults(page)).toEqual([])

  expect((await phone.goto('guides/nothing'))!.status()).toBe(404)
  await phone.getByRole('link', { name: 'home' }).waitFor()
})

test('code names the server that the page is from, without moving anything, and is copied so', async () => {
  const page = await watchedPage({}, `${url}/docs/`, {})
  await page.goto('guides/mini-apps')
  const command = page.locator('pre code').filter({ hasText: 'npm create' }).first()
  await expect.poll(() => command.textContent()).toContain(`--@souk:registry=${url}/npm/`)
  expect(await page.locator('.vp-doc').getByText('http://localhost:7070').count()).toBe(0)
  expect(await layoutShift(page)).toBeLessThanOrEqual(maxLayoutShift)
  await command.hover()
  await page.getByRole('button', { name: 'Copy code' }).first().click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`${url}/npm/`)

  // Also on a page that the site itself opens.
  await page.getByRole('link', { name: 'Connecting a backend' }).first().click()
  await page.waitForURL('**/docs/guides/backend')
  const codes = page.locator('.vp-doc code')
  await expect.poll(async () => (await codes.allTextContents()).join('\n')).toContain(`${url}/npm/`)
  // Not where it is a default.
  await page.goto('guides/command-line')
  await page.waitForFunction(() => '__vue_app__' in document.querySelector('#app')!)
  expect(
    await page
      .locator('.vp-doc li code')
      .filter({ hasText: /^http:\/\/localhost:7070$/ })
      .count(),
  ).toBe(1)
  const color = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(color).toBe('rgb(250, 247, 242)')
  await page.getByRole('link', { name: 'Console', exact: true }).click()
  await page.waitForURL('**/console/**')
})

test('the guides of the first hour are read and searched in Chinese and Arabic', async () => {
  const page = await watchedPage({}, `${url}/docs/`, {})
  await page.goto('guides/sandbox')
  await page.waitForFunction(isMounted)
  await page.getByRole('button', { name: 'Change language' }).hover()
  await page.getByRole('link', { name: '简体中文' }).click()
  await page.waitForURL('**/docs/zh/guides/sandbox')
  await page.getByRole('heading', { name: '在沙箱中测试' }).waitFor()
  await page.getByRole('button', { name: '复制代码' }).first().click()
  expect(await page.getByRole('button', { name: 'Copy code' }).count()).toBe(0)
  expect(await faults(page)).toEqual([])

  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('时钟')
  const keys = await page
    .locator('.search-keyboard-shortcuts kbd')
    .evaluateAll((all) => all.map((key) => key.ariaLabel))
  expect(keys).toEqual(['向上键', '向下键', '回车键', 'Esc 键'])
  await page.getByRole('option', { name: '时钟' }).first().click()
  await page.waitForURL('**/docs/zh/guides/sandbox#**')

  // What is not translated is found in English, by the words of the reader.
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('备份')
  const inEnglish = page.getByRole('group', { name: '没有中文译文的页面（英文）' })
  await inEnglish.getByRole('option', { name: 'Backup and restore' }).first().waitFor()
  await picture(page, 'docs-search.zh-CN.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/guides/backup#**')
  await picture(page, 'docs-guide.zh-CN.light.desktop')

  // The page says that it is in English, and what is around it stays in the language of the reader.
  const notice = page.locator('.english-notice')
  expect(await notice.textContent()).toBe('本页尚无中文译文，以下为英文原文。')
  const languages = () =>
    page.evaluate(() => [
      document.documentElement.lang,
      document.querySelector<HTMLElement>('.VPDoc main')?.lang,
      document.querySelector('.VPSidebar h2')?.textContent,
    ])
  await expect.poll(languages).toEqual(['zh-CN', 'en', '开始'])
  expect(await faults(page)).toEqual([])
  await page.reload()
  await expect.poll(languages).toEqual(['zh-CN', 'en', '开始'])
  await page.goto('guides/sandbox')
  await page.getByRole('link', { name: '阅读中文译文' }).click()
  await page.waitForURL('**/docs/zh/guides/sandbox')
  await notice.waitFor({ state: 'detached' })
  // Until they choose English.
  await page.goBack()
  await notice.waitFor()
  await page.getByRole('button', { name: '切换语言' }).hover()
  await page.getByRole('link', { name: 'English' }).click()
  await expect.poll(languages).toEqual(['en', '', 'Start'])

  const phone = await watchedPage({ scheme: 'dark', device: 'phone' }, `${url}/docs/`, {})
  await phone.goto('ar/guides/login-and-payment')
  await phone.waitForFunction(isMounted)
  await phone.keyboard.press('Control+k')
  await phone.locator('#localsearch-input').fill('نسيت كلمة المرور')
  await phone.getByRole('group', { name: 'صفحات غير مترجمة (بالإنجليزية)' }).waitFor()
  await picture(phone, 'docs-search.ar.dark.phone')
  expect(await faults(phone)).toEqual([])
  await phone.getByRole('button', { name: 'إغلاق البحث' }).click()
  await diagram(phone, 'الدفع').waitFor()
  expect(await phone.evaluate(() => [document.dir, document.documentElement.scrollWidth <= innerWidth])).toEqual([
    'rtl',
    true,
  ])
  expect(await phone.getByRole('button', { name: 'نسخ الشيفرة' }).count()).toBeGreaterThan(0)
  expect(await faults(phone)).toEqual([])
  await picture(phone, 'docs-guide.ar.dark.phone')
})

test('the gallery draws examples of pages.json as they are edited, and names what is wrong', async () => {
  const page = await watchedPage({}, `${url}/docs/`, {})
  await page.goto('generated/pages-gallery')
  const name = 'pages[].style.navigationBarBackgroundColor'
  const example = page.getByLabel(`Example of ${name}`)
  const bar = page.getByLabel(`Drawing of ${name}`).locator('.neu-navbar-background')
  const color = () => bar.evaluate((element) => getComputedStyle(element).backgroundColor)
  await expect.poll(color).toBe('rgb(11, 107, 99)')
  const written = await example.inputValue()
  await example.fill(written.replace('#0B6B63', '#7A1FA2'))
  await expect.poll(color).toBe('rgb(122, 31, 162)')

  await example.fill(written.replace('#0B6B63', 'purple'))
  const message = page.getByRole('status').filter({ hasText: 'purple' })
  await message.waitFor()
  expect(await color()).toBe('rgb(122, 31, 162)')
  await example.fill(`${written}}`)
  await page.getByRole('status').filter({ hasText: '}' }).waitFor()
  expect(await color()).toBe('rgb(122, 31, 162)')
  await picture(page, 'docs-gallery.en.light.desktop')
  expect(await faults(page)).toEqual([])

  const phone = await watchedPage({ scheme: 'dark', device: 'phone' }, `${url}/docs/`, {})
  // Typed before the scripts of the page are loaded.
  const release = await holdRequests(phone, '**/*.js')
  await phone.goto('generated/pages-gallery', { waitUntil: 'commit' })
  await phone.getByLabel('Filter by name').fill('midButton.width')
  release()
  await phone.getByRole('heading', { name: 'tabBar.midButton.width' }).waitFor()
  await expect.poll(() => phone.getByLabel('Example of').filter({ visible: true }).count()).toBe(1)
  await phone.getByLabel('Drawing of tabBar.midButton.width').scrollIntoViewIfNeeded()
  await picture(phone, 'docs-gallery.en.dark.phone')
  expect(await faults(phone)).toEqual([])
})

test('the playground signs and sends a request, and links an error to its page', async () => {
  const page = await watchedPage({}, `${url}/docs/`, {})
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto('playground')
  await page
    .getByRole('combobox', { name: 'Operation' })
    .selectOption({ label: 'Query trade (GET /neuopenapi/pay/transactions/tradedetail)' })

  // Without a value that is required, nothing is sent and its field gets the focus.
  await page.getByLabel('appid').fill(appid)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const tradeNo = page.getByRole('textbox', { name: 'tradeNo' })
  await page.getByText('This parameter is required.').waitFor()
  expect(await tradeNo.evaluate((field) => field === document.activeElement)).toBe(true)

  await tradeNo.fill(trades.paid)
  await page.getByLabel('App secret').fill(secret)
  await page.keyboard.press('Enter')
  await page.getByText('Status 200').waitFor()
  await page.getByRole('region', { name: 'Response' }).first().getByText('"outTradeNo": "order-0017"').waitFor()
  const signed = await page.getByRole('region', { name: 'String to sign' }).innerText()
  expect(signed).toMatch(new RegExp(`^appid=${appid}secret=\\*{6}timestamp=\\d+tradeNo=${trades.paid}$`))
  const sign = (await page.getByRole('region', { name: 'Signature' }).innerText()).trim()
  expect(sent.some((request) => request.includes('/tradedetail?') && request.includes(`sign=${sign}`))).toBe(true)
  await page.getByRole('button', { name: 'Python', exact: true }).click()
  await page.getByRole('region', { name: 'Code for Python' }).getByText(`"tradeNo": "${trades.paid}"`).waitFor()
  await picture(page, 'docs-playground.en.light.desktop')
  expect(await faults(page)).toEqual([])

  await page.getByLabel('App secret').fill('0'.repeat(48))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Status 401').waitFor()
  await page.getByRole('link', { name: 'What this error means and what to do' }).click()
  await page.waitForURL('**/docs/errors/sign_mismatch')
  await page.getByRole('heading', { name: 'What to do' }).waitFor()

  // The secret is neither sent nor stored, and is gone when the page is left.
  expect(sent.filter((request) => !request.startsWith(url) || request.includes(secret))).toEqual([])
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(secret)
  await page.goBack()
  expect(await page.getByLabel('App secret').inputValue()).toBe('')
})

test('the playground does not show the response to a request beside another one', async () => {
  const page = await watchedPage({}, `${url}/docs/`, {})
  const answered = Promise.withResolvers<void>()
  await page.route('**/tradedetail?*', async (route) => {
    await answered.promise
    await route.fulfill({ json: {} })
  })
  await page.goto('playground?operation=tradedetail')
  await page.getByRole('textbox', { name: 'tradeNo' }).fill(trades.paid)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('textbox', { name: 'tradeNo' }).fill('0'.repeat(32))
  await page.getByRole('button', { name: 'Show the request only' }).click()
  answered.resolve()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await page
    .getByRole('region', { name: 'HTTP request' })
    .getByText(`tradeNo=${'0'.repeat(32)}`)
    .waitFor()
  expect(await page.getByText('Status 200').count()).toBe(0)
})

test('the playground works on a phone in the dark, and says that it needs a server', async () => {
  const phone = await watchedPage({ scheme: 'dark', device: 'phone' }, `${url}/docs/`, {})
  await phone.goto('playground?operation=listDatasets')
  await phone.getByLabel('API key or token').fill('souk_test_wrong')
  await phone.getByRole('button', { name: 'Send', exact: true }).click()
  await phone.getByText('Status 401').waitFor()
  expect(await phone.locator('main').innerText()).not.toContain('souk_test_wrong')
  await picture(phone, 'docs-playground.en.dark.phone')
  expect(await faults(phone)).toEqual([])

  await phone.route('**/openapi.json', (route) => route.fulfill({ status: 404 }))
  await phone.goto('playground')
  await phone.getByText('The playground needs a running Souk').waitFor()
  await phone.getByLabel('Address of your Souk').fill(`${url}/console/`)
  const link = phone.getByRole('link', { name: `Open ${url}/docs/playground` })
  expect(await link.getAttribute('href')).toBe(`${url}/docs/playground`)
  expect(await faults(phone)).toEqual([])
})

test('the playground and the gallery are used with the keyboard alone', async () => {
  const page = await watchedPage({}, `${url}/docs/`, {})
  const key = (name: string) => page.keyboard.press(name)
  const hasFocus = (locator: Locator) =>
    expect.poll(() => locator.evaluate((it) => it === document.activeElement)).toBe(true)

  await page.goto('playground')
  const operation = page.getByRole('combobox', { name: 'Operation' })
  const summary = page.locator('.playground-summary')
  await operation.focus()
  const before = await summary.innerText()
  await key('ArrowDown')
  await expect.poll(() => summary.innerText()).not.toBe(before)
  await key('ArrowUp')
  await expect.poll(() => summary.innerText()).toBe(before)
  await page.keyboard.type('Query trade')
  await expect.poll(() => summary.innerText()).toContain('/neuopenapi/pay/transactions/tradedetail')
  await key('Tab')
  await hasFocus(page.getByLabel('appid'))
  await page.keyboard.type(appid)
  await key('Tab')
  await page.keyboard.type(secret)
  await key('Enter')
  const tradeNo = page.getByRole('textbox', { name: 'tradeNo' })
  await hasFocus(tradeNo)
  await page.keyboard.type(trades.paid)
  await key('Enter')
  await page.getByText('Status 200').waitFor()
  await hasFocus(tradeNo)
  for (const name of ['Send', 'Show the request only']) {
    while (!(await page.getByRole('button', { name, exact: true }).evaluate((it) => it === document.activeElement))) {
      await key('Tab')
    }
  }
  await key('Control+k')
  await hasFocus(page.locator('#localsearch-input'))
  await key('Escape')
  await page.locator('#localsearch-input').waitFor({ state: 'detached' })

  await page.goto('generated/pages-gallery')
  await page.waitForFunction(isMounted)
  const filter = page.getByLabel('Filter by name')
  await filter.focus()
  await page.keyboard.type('subNVues[].type')
  await page.getByRole('heading', { name: 'app-plus.subNVues[].type' }).waitFor()
  const example = page.getByLabel('Example of app-plus.subNVues[].type')
  // Past the links of the headings.
  while (!(await example.evaluate((it) => it === document.activeElement))) await key('Tab')
  const drawing = page.getByLabel('Drawing of app-plus.subNVues[].type')
  // A pop-up with its mask.
  await expect.poll(() => drawing.locator('.neu-preview-windows > *').count()).toBe(2)
  await key('Control+Home')
  await page.keyboard.type('x')
  await page.getByRole('status').filter({ hasText: 'x' }).waitFor()
  await key('Backspace')
  await key('Tab')
  const body = page.getByRole('region', { name: 'Page of app-plus.subNVues[].type' })
  await hasFocus(body)
  await key('ArrowDown')
  await expect.poll(() => body.evaluate((it) => it.scrollTop)).toBeGreaterThan(0)
  await key('Shift+Tab')
  await hasFocus(example)

  await filter.focus()
  await key('Escape')
  await expect.poll(() => filter.inputValue()).toBe('')
  await page.getByText('The drawing is the same without it.').first().waitFor()
})
