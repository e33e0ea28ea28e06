import { gzipSync } from 'node:zlib'
import { expect, inject, onTestFinished, test } from 'vitest'
import { holdRequests } from './browser.ts'
import { consolePage, faults, openMenu, picture, settled, type WatchedPage } from './console.ts'
import { hostPage } from './host.ts'
import { addFailingReceiver } from './incidents.ts'

const { projectId, appid, emptyProjectId, uids } = inject('fixture')

test('by keyboard: the skip link is first, navigation focuses the heading, dialogs trap the focus', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps`)
  await settled(page)
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())

  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Skip to content')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')

  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Members' }).press('Enter')
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  expect(await focused()).toBe('Members')
  expect(await page.title()).toBe('Members · Souk')

  const invite = page.getByRole('button', { name: 'Invite' })
  await invite.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  for (let tab = 0; tab < 12; tab += 1) {
    await page.keyboard.press('Tab')
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => invite.evaluate((button) => button === document.activeElement)).toBe(true)

  await invite.press('Enter')
  await dialog.waitFor()
  // The dialog hides the rest of the page from screen readers.
  const heading = page.locator('h1')
  // A dialog returns the focus when it closes, and does not take it again from what got it afterwards.
  await heading.evaluate(async (element) => {
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
    for (let turn = 0; turn < 1000 && document.querySelector('[role=dialog]'); turn += 1) await Promise.resolve()
    element.focus()
  })
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true)
})

test.each([
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'zh-CN', scheme: 'dark', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
] as const)('the navigation has groups that stay collapsed, and counts what waits ($language)', async (look) => {
  const say = (await import(`../apps/console/src/i18n/locales/${look.language}.ts`)).default
  const page = await consolePage(look)
  const counters = { callbacks: 16, feedback: 100, reviews: 2, reports: 0 }
  await page.route('**/counters', (route) => route.fulfill({ json: counters }))
  const open = async () => {
    await page.goto(`projects/${projectId}`)
    await settled(page)
    if (look.device === 'phone') await page.getByRole('button', { name: say.nav.open }).click()
  }
  await open()
  const navigation = page.getByRole('navigation', { name: say.nav.label })
  const named = (name: string, counter: string, count: string) => `${name} ${counter.replace('{shown}', count)}`
  await navigation.getByRole('link', { name: named(say.nav.callbacks, say.counters.callbacks, '16') }).waitFor()
  await navigation.getByRole('link', { name: named(say.nav.feedback, say.counters.feedback, '99+') }).waitFor()
  await navigation.getByRole('link', { name: say.nav.reports, exact: true }).waitFor()
  if (look.device === 'desktop') {
    const last = await navigation.getByRole('link', { name: say.nav.platform }).boundingBox()
    expect(last!.y + last!.height).toBeLessThanOrEqual(860)
    expect(await page.locator('.side').evaluate((side) => side.scrollHeight - side.clientHeight)).toBeLessThanOrEqual(0)
  }
  await picture(page, `navigation.${look.language}.${look.scheme}.${look.device}`)
  expect(await faults(page)).toEqual([])

  const group = navigation.getByRole('button', { name: say.navGroups.operate })
  await group.press('Enter')
  const inGroup = navigation.getByRole('link', { name: say.nav.callbacks })
  await inGroup.waitFor({ state: 'detached' })
  await navigation
    .getByRole('button', { name: named(say.navGroups.operate, say.counters.waiting, '99+'), expanded: false })
    .waitFor()
  await open()
  await group.waitFor()
  expect(await group.getAttribute('aria-expanded')).toBe('false')
  expect(await inGroup.count()).toBe(0)
  await picture(page, `navigation-collapsed.${look.language}.${look.scheme}.${look.device}`)
  // The page that is shown stays in its group.
  await page.goto(`projects/${projectId}/callbacks`)
  await settled(page)
  if (look.device === 'phone') await page.getByRole('button', { name: say.nav.open }).click()
  await inGroup.waitFor()
  await group.press('Enter')
  await navigation.getByRole('link', { name: say.nav.requests }).waitFor()
})

test('language and color scheme can be switched and are remembered', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/members`)
  await page.getByRole('button', { name: 'Language' }).click()
  await openMenu(page).getByText('العربية').click()
  await page.getByRole('heading', { name: 'أعضاء المشروع', exact: true }).waitFor()
  const html = page.locator('html')
  expect(await html.getAttribute('dir')).toBe('rtl')
  expect(await html.getAttribute('lang')).toBe('ar')

  await page.getByRole('button', { name: 'المظهر' }).click()
  await openMenu(page).getByText('داكن', { exact: true }).click()
  await expect.poll(() => html.getAttribute('data-scheme')).toBe('dark')
  await page.reload()
  await page.getByRole('heading', { name: 'أعضاء المشروع', exact: true }).waitFor()
  expect(await html.getAttribute('data-scheme')).toBe('dark')
})

test('the overview shows totals and failures, and the project can be switched', async () => {
  const page = await consolePage()
  await addFailingReceiver(page)
  await page.goto(`projects/${projectId}`)
  await settled(page)
  await page.getByText(/does not confirm payments/).waitFor()
  await page.getByText(/with a wrong signature/).waitFor()
  const day = page
    .locator('figure', { has: page.getByRole('img', { name: 'Paid per day' }) })
    .getByRole('link')
    .last()
  await day.focus()
  await day.press('Enter')
  await page.getByRole('heading', { name: 'Trades', level: 1 }).waitFor()
  expect(new URL(page.url()).searchParams.get('from')).toMatch(/^\d+$/)
  await page.goBack()
  await page.getByRole('link', { name: 'Success rate' }).click()
  await page.waitForURL(/status=3%2C4%2C5%2C6|status=3,4,5,6/)
  await page.goBack()

  const range = page.getByRole('button', { name: 'Time range' })
  await range.press('Enter')
  await openMenu(page).getByText('Last 7 days', { exact: true }).click()
  await range.getByText('Last 7 days').waitFor()
  await settled(page)
  await range.click()
  await page.locator('[aria-current=true]', { hasText: 'Last 7 days' }).waitFor()
  await picture(page, 'overview-range.en.light.desktop')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Switch project' }).click()
  await openMenu(page).getByRole('menuitem', { name: /新店/ }).click()
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  expect(page.url()).toContain(emptyProjectId)
  await page.getByRole('link', { name: 'Open mini apps' }).click()
  await page.getByRole('heading', { name: 'No mini apps yet' }).waitFor()
})

test('lists, menus and the search show the first of thousands of projects at once', async () => {
  const page = await consolePage()
  await page.route('**/console/v1/projects', async (route) => {
    const response = await route.fetch()
    const [first, ...others] = (await response.json()) as { projectId: string; name: string }[]
    const many = Array.from({ length: 5000 }, (_, index) => ({
      ...first,
      projectId: index.toString(16).padStart(32, '0'),
      name: `Stall ${index}`,
    }))
    await route.fulfill({ response, json: [first, ...others, ...many] })
  })
  // The server gives the list in pages.
  await page.goto('')
  const rows = page.getByRole('table', { name: 'Projects' }).getByRole('row')
  await rows.first().waitFor()
  expect(await rows.count()).toBeLessThan(62)
  expect(await faults(page)).toEqual([])

  await page.getByRole('button', { name: 'Switch project' }).click()
  await page.getByRole('menuitem', { name: 'All projects' }).waitFor()
  expect(await page.getByRole('menu', { name: 'Switch project' }).getByRole('menuitem').count()).toBeLessThan(60)
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('option').first().waitFor()
  expect(await dialog.getByRole('option').count()).toBeLessThan(60)
  await dialog.getByRole('combobox').fill('stall 4321')
  await dialog.getByRole('option', { name: 'Stall 4321' }).waitFor()
})

test('a project is created from the list', async () => {
  const page = await consolePage()
  await page.goto('')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('dialog').getByLabel('Project name').fill('Harbour Stalls')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Harbour Stalls' }).waitFor()
})

test('reports an unreachable server and retries on demand', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}/apps`)
  await settled(page)
  await page.route('**/console/v1/projects/*/members?*', (route) => route.abort())
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('alert').getByText('Souk cannot be reached').waitFor()
  await page.unroute('**/console/v1/projects/*/members?*')
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row', { name: /layla/ }).waitFor()
})

test('providers of an unreachable server are a problem, not an empty list', async () => {
  const page = await consolePage()
  await page.route('**/console/v1/apps?*', (route) => route.abort())
  await page.goto(`projects/${projectId}/providers`)
  await page.getByRole('alert').getByText('Souk cannot be reached').waitFor()
  expect(await page.getByText('No accounts yet').count()).toBe(0)
})

test('a page whose code is missing after an upgrade is loaded with the new build, and only then', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}`)
  await settled(page)
  await page.route('**/assets/MembersPage*.js', (route) => route.fulfill({ status: 404, body: '' }))
  const members = page.getByRole('link', { name: 'Members', exact: true })
  const heading = page.getByRole('heading', { name: 'Members', level: 1 })
  await members.click()
  await page.getByText('Souk cannot be reached').waitFor()
  expect(await heading.count()).toBe(0)

  const upgraded = '<script type="module" src="/console/assets/index-upgraded.js"></script>'
  await page.route('**/console/', (route) => route.fulfill({ contentType: 'text/html', body: upgraded }))
  page.on('framenavigated', () => void page.unroute('**/assets/MembersPage*.js'))
  await members.click()
  await heading.waitFor()
})

test.each([
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
] as const)('says in $language that the server has a new version, and keeps unsaved changes', async (look) => {
  const say = (await import(`../apps/console/src/i18n/locales/${look.language}.ts`)).default
  const page = await consolePage(look)
  const answered = page.waitForResponse('**/console/v1/session')
  await page.goto(`projects/${projectId}/apps/${appid}/settings`)
  await settled(page)
  const entry = await page.locator('script[type=module][src]').getAttribute('src')
  expect((await answered).headers()['x-souk-console']).toBe(entry)
  const notice = page.getByRole('status').getByText(say.newVersion)
  expect(await notice.count()).toBe(0)

  await page.locator('main').getByRole('textbox').first().fill('Not saved yet')
  await page.route('**/console/v1/search?*', async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), 'x-souk-console': '/console/assets/index-upgraded.js' }
    await route.fulfill({ response, headers })
  })
  const search = async () => {
    await page.keyboard.press('Control+k')
    const found = page.waitForResponse('**/console/v1/search?*')
    await page.getByRole('dialog').getByRole('combobox').fill('order-0018')
    await found
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await search()
  await notice.waitFor()
  await picture(page, `upgraded.${look.language}.${look.scheme}.${look.device}`)
  expect(await faults(page)).toEqual([])

  const asked = page.waitForEvent('dialog')
  const reload = notice.getByRole('button', { name: say.reload }).press('Enter')
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await reload
  expect(await page.locator('main').getByRole('textbox').first().inputValue()).toBe('Not saved yet')

  await notice.getByRole('button', { name: say.close }).press('Enter')
  await notice.waitFor({ state: 'detached' })
  await search()
  expect(await notice.count()).toBe(0)
})

test('a page whose code could not be loaded once opens by the next click', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}`)
  await settled(page)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.route('**/assets/MembersPage*.js', (route) => route.abort())
  const members = page.getByRole('link', { name: 'Members', exact: true })
  await members.click()
  await page.getByText('Souk cannot be reached').waitFor()
  await page.unroute('**/assets/MembersPage*.js')
  await members.click()
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  expect(await page.evaluate('isSameDocument')).toBe(true)
})

test('Ctrl+K finds pages, trades and actions by keyboard', async () => {
  const page = await consolePage()
  await page.goto(`projects/${projectId}`)
  await settled(page)
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const field = dialog.getByRole('combobox')
  await field.fill('order-0018')
  await dialog.getByRole('option', { name: /order-0018/ }).waitFor()
  await picture(page, 'palette.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await field.press('Enter')
  await page.getByRole('heading', { name: 'order-0018', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Search' }).click()
  await field.fill('dark')
  await dialog.getByRole('option', { name: 'Appearance: Dark' }).waitFor()
  await field.press('Enter')
  await expect.poll(() => page.locator('html').getAttribute('data-scheme')).toBe('dark')

  await page.keyboard.press('Control+k')
  await field.fill('audit')
  await field.press('Enter')
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
})

test.each([
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'zh-CN', scheme: 'dark', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
] as const)('the search finds what is in another project, and says where it searched ($language)', async (look) => {
  const say = (await import(`../apps/console/src/i18n/locales/${look.language}.ts`)).default
  const page = await consolePage(look)
  await page.goto(`projects/${emptyProjectId}`)
  await settled(page)
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: say.palette.title })
  const field = dialog.getByRole('combobox')
  await field.fill('order-001')
  const found = dialog.getByRole('option', { name: 'order-0018' })
  await found.getByText('Old Town Market').waitFor()
  await picture(page, `palette-other.${look.language}.${look.scheme}.${look.device}`)
  await field.fill('order-9999')
  await dialog.getByRole('status').getByText(say.palette.try).waitFor()
  await dialog.getByRole('status').getByText(say.palette.searchedAll).waitFor()
  await picture(page, `palette-nothing.${look.language}.${look.scheme}.${look.device}`)
  expect(await faults(page)).toEqual([])
  await field.fill('order-0018')
  await found.click()
  await page.getByRole('heading', { name: 'order-0018', level: 1 }).waitFor()
  expect(page.url()).toContain(projectId)
})

test('on a phone the header says which project and environment, and how far the clock is', async () => {
  const page = await consolePage({ device: 'phone', language: 'ar' })
  await page.goto(`projects/${projectId}/members`)
  await settled(page)
  await page.getByRole('banner').getByText('Old Town Market', { exact: true }).waitFor()
  await page
    .getByRole('complementary', { name: 'البيئة' })
    .getByRole('link', { name: /الساعة متقدمة/ })
    .waitFor()
  await page.getByRole('button', { name: 'بحث', exact: true }).click()
  await page.getByRole('option').first().waitFor()
  await picture(page, 'palette.ar.light.phone')
  expect(await faults(page)).toEqual([])
})

test('on a phone the navigation opens over the page and closes after a choice', async () => {
  const page = await consolePage({ device: 'phone' })
  await page.goto(`projects/${projectId}`)
  await settled(page)
  await page.getByRole('button', { name: 'Toggle navigation' }).click()
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Mini apps' }).click()
  await page.getByRole('heading', { name: 'Mini apps', level: 1 }).waitFor()
  await expect.poll(() => page.locator('.scrim').count()).toBe(0)
})

/** Returns what the page has loaded, in KB compressed with gzip. */
async function loadedSize(page: WatchedPage) {
  const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const size = { scripts: 0, fonts: 0 }
  for (const url of urls) {
    const kind = url.endsWith('.js') ? 'scripts' : url.endsWith('.woff2') ? 'fonts' : undefined
    if (!kind) continue
    const body = Buffer.from(await (await fetch(url)).arrayBuffer())
    size[kind] += (kind === 'fonts' ? body.length : gzipSync(body).length) / 1000
  }
  return size
}

test('shows an outline before scripts run, and loads no more than its budget', async () => {
  // The projects include one with a Chinese and Arabic name, which loads no font in English (ADR 322).
  for (const [page, scripts] of [
    [await consolePage(), 150],
    [await hostPage({ device: 'phone' }, uids[0]), 75],
  ] as const) {
    onTestFinished(() => page.context().close())
    // Prefetches while the browser is idle do not count.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    const release = await holdRequests(page, '**/*.js')
    await page.goto('', { waitUntil: 'commit' })
    await page.locator('.starting img').waitFor()
    release()
    await settled(page)
    expect(await page.locator('.starting').count()).toBe(0)
    const size = await loadedSize(page)
    expect(size.scripts).toBeGreaterThan(30)
    expect(size.scripts).toBeLessThan(scripts)
    expect(size.fonts).toBeGreaterThan(0)
    expect(size.fonts).toBeLessThan(35)
  }
})

test('a Chinese page on a system without Chinese fonts loads only the characters of its texts', async () => {
  const page = await consolePage({ language: 'zh-CN' })
  await page.goto(`projects/${projectId}/callbacks`)
  await settled(page)
  const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  expect(urls.some((url) => /noto-sans-sc-.*-texts-/.test(url))).toBe(true)
  expect(urls.filter((url) => /noto-sans-sc-/.test(url) && !url.includes('-texts-'))).toEqual([])
  expect((await loadedSize(page)).fonts).toBeLessThan(260)
})

/** Records the layout shifts of the next page, and returns a function that returns their sum. */
async function watchShifts(page: WatchedPage): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0))
}

test('the overview shows its figures before it has loaded its charts, which move nothing', async () => {
  const page = await consolePage()
  await addFailingReceiver(page)
  onTestFinished(() => page.context().close())
  const shifted = await watchShifts(page)
  const release = await holdRequests(page, '**/assets/{SeriesChart,MoneyChart,TradesChart}-*.js')
  await page.goto(`projects/${projectId}`)
  await page.getByRole('link', { name: 'Success rate' }).waitFor()
  await page.getByText(/does not confirm payments/).waitFor()
  // All data, so that only the charts are missing.
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  expect((await loadedSize(page)).scripts).toBeLessThan(150)
  const skeletons = page.locator('main .skeleton')
  expect(await skeletons.count()).toBeGreaterThan(0)
  const before = await shifted()
  const height = () => page.locator('main').evaluate((main) => main.scrollHeight)
  const heightBefore = await height()
  release()
  await page.getByRole('img', { name: 'Paid per day' }).waitFor()
  await settled(page)
  expect(await height()).toBe(heightBefore)
  expect((await shifted()) - before).toBe(0)
})

test.each(['desktop', 'phone'] as const)('on a %s, the overview hardly moves while it loads', async (device) => {
  for (const project of [projectId, emptyProjectId]) {
    const page = await consolePage({ device })
    const shifted = await watchShifts(page)
    await page.goto(`projects/${project}`)
    await page.getByRole('heading', { name: 'Latest trades' }).waitFor()
    await settled(page)
    expect(await shifted()).toBeLessThanOrEqual(0.05)
    await page.context().close()
  }
})

test('shows for the address of an unknown project that the page was not found', async () => {
  const page = await consolePage()
  for (const unknown of [[...projectId].reverse().join(''), 'nowhere']) {
    await page.goto(`projects/${unknown}/trades`)
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/projects/${unknown}/trades`)
    expect(await page.getByRole('button', { name: 'Deleted project' }).count()).toBe(0)
  }
  expect(await faults(page)).toEqual([])
})

test('works where the browser denies storage', async () => {
  const page = await consolePage()
  onTestFinished(() => page.context().close())
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Denied by the test', 'SecurityError')
        },
      })
    }
  })
  for (const path of ['', '/callbacks', '/requests']) {
    await page.goto(`projects/${projectId}${path}`)
    await settled(page)
  }
  await page.getByRole('button', { name: 'Columns' }).click()
  await openMenu(page).getByRole('menuitemcheckbox', { name: 'Duration' }).click()
  await expect.poll(() => page.getByRole('columnheader', { name: 'Duration' }).count()).toBe(0)
  expect(page.complaints).toEqual([])
})
