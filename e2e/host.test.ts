import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { findRunningDatabase } from '../apps/server/src/kernel/db/embedded.ts'
import { connect } from '../apps/server/src/kernel/db/pool.ts'
import { archiveOf, build } from '../apps/server/test/archive.ts'
import { minute, second } from '../packages/contract/src/time.ts'
import { consoleCall, hostCall } from './calls.ts'
import { consoleCookie, faults, type Look, picture, settled } from './console.ts'
import { hostPage, newUser } from './host.ts'

const fixture = inject('fixture')
const { appid } = fixture
const [, reader] = fixture.uids as [number, number, number]

/** Sends an activity message that is valid for `validityTime` seconds; `status` 0 removes it. */
async function sendActivity(uid: number, message: Record<string, unknown>): Promise<void> {
  await consoleCall('POST', `/apps/${appid}/activities`, {
    uids: [uid],
    language: 'en_US',
    color: '8B3A62',
    templateId: 'order',
    iconUrl: `${fixture.url}/console/favicon.svg`,
    text: 'Two cappuccinos',
    path: 'pages/order/order?id=7',
    status: 1,
    validityTime: 3600,
    ...message,
  })
}

async function sendNotification(uid: number, message: Record<string, unknown>): Promise<void> {
  await consoleCall('POST', `/apps/${appid}/notifications`, {
    uids: [uid],
    language: 'en_US',
    navigateType: '1',
    text: 'Pick it up at the counter.',
    ...message,
  })
}

describe('without a session', () => {
  test('signs in as a mock user and continues to the requested page', async () => {
    await newUser('莎拉')
    const uid = await newUser('莎拉')
    const page = await hostPage()
    await page.goto('inbox?x=1')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/host/sign-in')
    expect(await page.title()).toBe('Sign in · Souk')
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: `莎拉 ${uid}` }).click()
    await page.getByRole('heading', { name: 'Notifications' }).waitFor()
    expect(page.url()).toBe(`${fixture.url}/host/inbox?x=1`)

    await page.reload()
    await page.getByRole('heading', { name: 'Notifications' }).waitFor()
    await page.getByRole('link', { name: 'Me', exact: true }).click()
    await page.getByRole('heading', { name: '莎拉' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByRole('button', { name: `莎拉 ${uid}` }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(page.complaints).toEqual([])
  })

  test('does not redirect to another site after sign-in', async () => {
    await newUser('Maryam')
    const page = await hostPage()
    await page.goto('sign-in?next=//elsewhere.example/')
    await page.getByRole('button', { name: 'Maryam' }).click()
    await page.getByRole('heading', { name: 'Mini apps' }).waitFor()
    expect(page.url()).toBe(`${fixture.url}/host/`)
  })

  test('loads less than 110 kB of scripts and styles for the first page', async () => {
    const page = await hostPage({ device: 'phone' })
    await page.goto('sign-in')
    await page.getByRole('button', { name: 'Layla' }).first().waitFor()
    const size = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\.(js|css)$/.test(name) && !name.includes('others'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    )
    expect(size).toBeGreaterThan(20_000)
    expect(size).toBeLessThan(110_000)
  })
})

test('redirects to the sign-in page when the session has ended', async () => {
  const uid = await newUser('Nora')
  const page = await hostPage({}, uid)
  await page.goto('profile')
  await page.getByRole('heading', { name: 'Nora' }).waitFor()
  await page.getByText('No mini app knows you yet.').waitFor()
  const { token } = JSON.parse((await page.evaluate(() => localStorage.getItem('souk.host.session')))!)
  // Its event stream ends, so the page notices by itself; a click could hit a link that is about to disappear.
  await hostCall('DELETE', '/sessions', undefined, token)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByRole('button', { name: 'Nora' }).click()
  await page.getByRole('heading', { name: 'Nora' }).waitFor()
})

test('shows activity messages live in the sender’s color and language, and removes them', async () => {
  const uid = await newUser('Huda')
  const page = await hostPage({}, uid)
  await page.goto('')
  await page.getByRole('heading', { name: 'Mini apps' }).waitFor()
  await sendActivity(uid, { activityId: 'order-1', title: 'Being made' })
  const card = page.getByRole('link', { name: 'Being made' })
  await card.waitFor()
  expect(await card.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(139, 58, 98)')
  await expect
    .poll(() => card.locator('img').evaluate((icon: HTMLImageElement) => icon.naturalWidth))
    .toBeGreaterThan(0)

  // A message with the same id replaces it.
  await sendActivity(uid, {
    activityId: 'order-1',
    title: 'جاهز',
    text: 'عند المنضدة',
    language: 'ar_SA',
    color: 'F2B44A',
  })
  const ready = page.getByRole('link', { name: 'جاهز' })
  await ready.waitFor()
  expect(await card.count()).toBe(0)
  expect([await ready.getAttribute('dir'), await ready.getAttribute('lang')]).toEqual(['rtl', 'ar'])
  expect(await faults(page)).toEqual([])
  expect(await ready.getAttribute('href')).toBe(`/host/apps/${appid}?page=pages/order/order?id=7`)

  await sendActivity(uid, { activityId: 'order-1', title: 'جاهز', language: 'ar_SA', status: 0 })
  await ready.waitFor({ state: 'detached' })
})

test('removes an expired activity message when an administrator moves the clock in the device bar', async () => {
  const uid = await newUser('Sara')
  const page = await hostPage({}, uid)
  await page.goto('')
  await page.getByRole('heading', { name: 'Mini apps' }).waitFor()
  await sendActivity(uid, { activityId: 'order-2', title: 'Being made', validityTime: 170 })
  await sendActivity(uid, { activityId: 'week-2', title: 'Half price all week', validityTime: 604_800 })
  const card = page.getByRole('link', { name: 'Being made' })
  await card.waitFor()

  const bar = page.getByRole('complementary', { name: 'Device' })
  const forward = bar.getByRole('button', { name: '+1 min' })
  await forward.click()
  await bar.getByText('Only console administrators can change the clock.').waitFor()
  expect(await faults(page)).toEqual([])
  expect(await card.isVisible()).toBe(true)

  await page.context().addCookies([consoleCookie(fixture.session, fixture.url)])
  const before = (await bar.locator('time').getAttribute('datetime'))!
  // By less than the lifetime of codes, which tests of other files use on this server.
  for (let clicks = 0; clicks < 3; clicks += 1) await forward.click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Half price all week' }).waitFor()
  await expect
    .poll(async () => Date.parse((await bar.locator('time').getAttribute('datetime'))!))
    .toBeGreaterThan(Date.parse(before) + 3 * minute)
  expect(page.complaints).toEqual([])
})

test('what is above a sheet can be clicked, and a notification waits until it is closed', async () => {
  const uid = await newUser('Omar')
  const page = await hostPage({ device: 'phone' }, uid)
  await page.goto('profile')
  // A failed request, as an administrator, is told by a toast.
  await page.context().addCookies([consoleCookie(fixture.session, fixture.url)])
  await page.route('**/console/v1/sandbox/clock', (route) => route.abort())
  /** Whether a click on its middle reaches the element. */
  const isHit = (element: Locator) =>
    element.evaluate((shown) => {
      const { left, top, width, height } = shown.getBoundingClientRect()
      return shown.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
  await page.getByRole('button', { name: 'Developer options' }).click()
  const sheet = page.getByRole('dialog', { name: 'Device' })
  await sheet.waitFor()
  await sheet.getByRole('button', { name: '+1 min' }).click()
  const toast = page.locator('.toast').first()
  await toast.waitFor()
  expect(await isHit(toast)).toBe(true)

  await sendNotification(uid, { title: 'Order 8 is ready', link: 'pages/order/order?id=8' })
  await expect
    .poll(() => page.getByRole('link', { name: 'Notifications', includeHidden: true }).innerText())
    .toContain('1')
  const banner = page.locator('.banner')
  expect(await banner.count()).toBe(0)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await banner.waitFor()
  await expect.poll(() => isHit(banner)).toBe(true)
  await banner.getByRole('button', { name: 'Order 8 is ready' }).click()
  await page.waitForURL(`**/host/apps/${appid}**`)
})

test('a notification arrives live, is counted, opens its target and is marked as read', async () => {
  const uid = await newUser('Omar')
  const page = await hostPage({ device: 'phone' }, uid)
  await page.goto('')
  await page.getByRole('heading', { name: 'Mini apps' }).waitFor()
  await sendNotification(uid, { title: 'Order 7 is ready', link: 'pages/order/order?id=7' })
  const banner = page.getByRole('status').filter({ hasText: 'Order 7 is ready' })
  await banner.waitFor()
  await picture(page, 'host-arrived.en.light.phone')
  await banner.getByRole('button', { name: 'Close' }).click()
  await banner.waitFor({ state: 'detached' })

  const place = page.getByRole('link', { name: 'Notifications' })
  await expect.poll(() => place.innerText()).toContain('1 unread')
  await place.click()
  const entry = page.getByRole('listitem').getByRole('button', { name: 'Order 7 is ready' })
  await entry.waitFor()
  await sendNotification(uid, {
    title: 'حساب جديد',
    text: 'مرحبًا',
    language: 'ar_SA',
    navigateType: '2',
    url: 'https://souk.example/x',
  })
  await page.getByRole('listitem').filter({ hasText: 'حساب جديد' }).waitFor()
  expect(await page.getByRole('listitem').first().innerText()).toContain('حساب جديد')
  expect(await faults(page)).toEqual([])

  await entry.click()
  await page.waitForURL(`**/host/apps/${appid}**`)
  await page.goto('inbox')
  await entry.waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Notifications' }).innerText()).toContain('1 unread')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByText('unread').waitFor({ state: 'detached' })
  await page.reload()
  await entry.waitFor()
  expect(await page.getByRole('link', { name: 'Notifications' }).innerText()).not.toContain('unread')
})

test('users choose the level of a mini app’s messages from the notification, the inbox and their profile', async () => {
  const uid = await newUser('Dana')
  const page = await hostPage({}, uid)
  await page.goto('')
  await page.getByRole('heading', { name: 'Mini apps' }).waitFor()
  const sheet = page.getByRole('dialog', { name: 'Messages of Corner Coffee' })
  const level = (name: string) => sheet.getByRole('button', { name: new RegExp(`^${name}`) })
  const received = async () => {
    const inbox = await consoleCall<{ title: string }[]>('GET', `/sandbox/users/${uid}/inbox`)
    return inbox.map(({ title }) => title)
  }

  await sendNotification(uid, { title: 'Order 1 is ready' })
  const banner = page.getByRole('status').filter({ hasText: 'Order 1 is ready' })
  await banner.getByRole('button', { name: 'Messages of Corner Coffee' }).click()
  expect(await level('On').getAttribute('aria-pressed')).toBe('true')
  expect(await faults(page)).toEqual([])
  await level('Silent').click()
  await sheet.waitFor({ state: 'hidden' })

  await sendNotification(uid, { title: 'Order 2 is ready' })
  await expect.poll(() => page.getByRole('link', { name: 'Notifications' }).innerText()).toContain('2 unread')
  expect(await page.getByRole('status').filter({ hasText: 'Order 2 is ready' }).count()).toBe(0)

  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('button', { name: 'Messages of Corner Coffee' }).first().click()
  expect(await level('Silent').getAttribute('aria-pressed')).toBe('true')
  await level('Off').click()
  await sheet.waitFor({ state: 'hidden' })
  await sendNotification(uid, { title: 'Order 3 is ready' })
  expect(await received()).toEqual(['Order 2 is ready', 'Order 1 is ready'])

  await page.goto('profile')
  const choice = page.getByRole('combobox', { name: 'Messages of Corner Coffee' })
  expect(await choice.inputValue()).toBe('off')
  await choice.selectOption('On')
  await page.getByText('Saved').waitFor()
  await sendNotification(uid, { title: 'Order 4 is ready' })
  await page.getByRole('status').filter({ hasText: 'Order 4 is ready' }).waitFor()
  expect(page.complaints).toEqual([])
})

test('after the server has lost events the inbox is read again', async () => {
  const uid = await newUser('Rania')
  await sendNotification(uid, { title: 'Order 9 is ready' })
  const page = await hostPage({}, uid)
  const streaming = page.waitForResponse(/\/host\/v1\/events(?:\?|$)/)
  await page.goto('inbox')
  await page.getByRole('listitem').filter({ hasText: 'Order 9 is ready' }).waitFor()
  await streaming
  const sql = connect((await findRunningDatabase(join(fixture.dataDir, 'postgres')))!, { max: 1 })
  // A change that is not announced.
  await sql`update notifications set title = 'Order 9 is cold' where title = 'Order 9 is ready'`
  // The connection that listens; its heartbeat is an empty select.
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ~* '^(listen |select$)'`
  await sql.end()
  await page.getByRole('listitem').filter({ hasText: 'Order 9 is cold' }).waitFor()
})

test('counts and marks as read more notifications than fit on one page', async () => {
  const uid = await newUser('Amal')
  await Promise.all(Array.from({ length: 52 }, (_, index) => sendNotification(uid, { title: `News ${index}` })))
  const page = await hostPage({ device: 'phone' }, uid)
  await page.goto('inbox')
  const place = page.getByRole('navigation').getByRole('link', { name: 'Notifications' })
  await place.getByText('50+', { exact: true }).waitFor()
  let marked = 0
  page.on('response', (response) => {
    if (response.url().endsWith('/read')) marked++
  })
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await place.getByText('unread').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('listitem').count()).toBe(52)
  // A reload would abort the requests. Some are sent twice if the list is read again meanwhile.
  await expect.poll(() => marked).toBeGreaterThanOrEqual(52)
  await page.reload()
  await page.getByRole('button', { name: 'Show older' }).click()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(52)
  expect(await page.getByText('Unread', { exact: true }).count()).toBe(0)
})

/** Waits for the service worker, so that the network is not cut off while it is installed. */
const installed = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))

test('catches up on events after the connection was lost', async () => {
  const uid = await newUser('Amal')
  const page = await hostPage({}, uid)
  await page.goto('')
  await sendActivity(uid, { activityId: 'order-3', title: 'Being made' })
  await page.getByRole('link', { name: 'Being made' }).waitFor()
  await installed(page)
  await page.context().setOffline(true)
  await sendActivity(uid, { activityId: 'order-3', title: 'Ready' })
  await sendNotification(uid, { title: 'Order 3 is ready' })
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Ready' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Notifications' }).innerText()).toContain('1 unread')
})

test('shows an unpublished mini app to its testers only, labeled as a test', async () => {
  const { projectId } = await consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Tea House' })
  const tea = await consoleCall<{ appid: string }>('POST', '/apps', { projectId, name: 'Tea on Trial' })
  const [tester, other] = [await newUser('Tariq'), await newUser('Mona')]
  const page = await hostPage({}, tester)
  await page.goto('')
  await appOn(page).waitFor()
  const form = new FormData()
  form.append('version', '0.1.0')
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(build('Mini App')))]), 'release.tar.gz')
  const headers = { Cookie: `souk_session=${fixture.session}`, 'X-Souk-CSRF': fixture.csrf }
  const path = `${fixture.url}/console/v1/apps/${tea.appid}/releases`
  expect((await fetch(path, { method: 'POST', headers, body: form })).status).toBe(200)
  await consoleCall('POST', `/apps/${tea.appid}/testers`, { uids: [tester] })

  // The list is reloaded when the window gets the focus.
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await page.getByRole('link', { name: 'Tea on Trial' }).filter({ hasText: 'Test' }).waitFor()
  const others = await hostPage({}, other)
  await others.goto('')
  await appOn(others).waitFor()
  expect(await others.getByText('Tea on Trial').count()).toBe(0)
})

test('finds one of many mini apps by name, keyword, category and tab; renders only those near the screen', async () => {
  const sql = connect((await findRunningDatabase(join(fixture.dataDir, 'postgres')))!, { max: 1 })
  const many = 150
  await sql`
    insert into apps (
      appid, project_id, name, capabilities, default_language, languages, publication_approved, names, category,
      keywords, recommended, ctime
    )
    select
      'many' || lpad(n::text, 11, '0'), project_id, 'Shop ' || lpad(n::text, 3, '0'), '{}', 'en_US', '{en_US,ar_SA}', true,
      jsonb_build_object('ar_SA', 'متجر ' || n), case when n = 120 then 'travel' else 'shopping' end,
      case when n = 120 then '{souvenirs}' else '{}' end::text[], n = 149, 0
    from apps, generate_series(1, ${many}) as n where appid = ${appid}`
  await sql`
    insert into releases
      (release_id, appid, platform, version, stage, current, pages, tabs, inline_scripts, files, size, ctime)
    select
      gen_random_uuid(), appid, 'Mini App', '1', 'published', true, '{pages/index/index}',
      case when appid like '%120' then '[{"path": "pages/trips/trips", "title": "Trips", "titles": {"ar": "رحلات"}}]'
      else '[]' end::jsonb, '{}', 1, 1, 0
    from apps where appid like 'many%'`
  const announce = () =>
    sql`select pg_notify('souk_app', 'many' || lpad(n::text, 11, '0')) from generate_series(1, ${many}) as n`
  await announce()
  onTestFinished(async () => {
    await sql`delete from releases where appid like 'many%'`
    await sql`delete from apps where appid like 'many%'`
    await announce()
    await sql.end()
  })

  const page = await hostPage({ device: 'phone' }, await newUser('Salma'))
  await page.goto('')
  const apps = page.getByRole('region', { name: 'Mini apps' })
  const last = apps.getByRole('link', { name: 'Shop 150' })
  await apps.getByRole('link', { name: 'Shop 001' }).waitFor()
  expect(await apps.getByRole('listitem').count()).toBeLessThan(80)
  expect(await last.count()).toBe(0)
  await page.getByRole('region', { name: 'Recommended' }).getByRole('link', { name: 'Shop 149' }).waitFor()
  await picture(page, 'host-many.en.light.phone')
  // The keyboard reaches every one.
  const lastRendered = async () => Number(await apps.getByRole('listitem').last().getAttribute('aria-posinset'))
  const before = await lastRendered()
  await apps.getByRole('listitem').last().getByRole('link').focus()
  await expect.poll(lastRendered).toBeGreaterThan(before)
  // The list gets longer when rows are measured.
  await expect
    .poll(async () => {
      await page.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
      return last.count()
    })
    .toBe(1)
  expect(await faults(page)).toEqual([])

  await apps.getByRole('button', { name: 'Travel' }).click()
  await apps.getByRole('link', { name: 'Shop 120' }).waitFor()
  await expect.poll(() => apps.getByRole('listitem').count()).toBe(1)

  const search = page.getByRole('searchbox', { name: 'Search mini apps and pages' })
  for (const query of ['shop 120', 'SOUVENIR', 'travel', 'متجر 120']) {
    await search.fill(query)
    await apps.getByRole('link', { name: 'Shop 120' }).waitFor()
    await expect.poll(() => apps.getByRole('listitem').count()).toBe(1)
  }
  await search.fill('trip')
  const trips = page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: 'Trips' })
  await trips.waitFor()
  expect(await trips.getAttribute('href')).toBe('/host/apps/many00000000120?page=pages/trips/trips')
  expect(await faults(page)).toEqual([])
  await picture(page, 'host-search.en.light.phone')
  await search.fill('nowhere to be found')
  await page.getByText('Nothing found for').waitFor()

  const arabic = await hostPage({ language: 'ar', device: 'phone', scheme: 'dark' }, await newUser('Salma'))
  await arabic.goto('')
  await arabic.getByRole('searchbox').fill('رحلات')
  await arabic.getByRole('link', { name: 'رحلات' }).getByText('متجر 120').waitFor()
  await picture(arabic, 'host-search.ar.dark.phone')
  expect(await faults(arabic)).toEqual([])
})

test('shows system notifications while unfocused if turned on; a click opens the target', async () => {
  const uid = await newUser('Yusuf')
  const page = await hostPage({}, uid)
  onTestFinished(() => page.context().close())
  // Headless Chromium denies notifications, so record the calls instead.
  await page.addInitScript(() => {
    const shown: unknown[] = []
    document.hasFocus = () => false
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) =>
      void shown.push({ title, ...options })
    const close = () => void shown.pop()
    ServiceWorkerRegistration.prototype.getNotifications = async () => shown.map(() => ({ close }) as Notification)
    Object.assign(window, { shown })
  })
  await page.goto('inbox')
  await sendNotification(uid, { title: 'Order 7 is ready' })
  await page.getByRole('listitem').filter({ hasText: 'Order 7 is ready' }).waitFor()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'Turn on' }).waitFor({ state: 'detached' })
  await sendNotification(uid, { title: 'Order 8 is ready', navigateType: '2', url: 'https://souk.example/8' })
  const open = `/web?appid=${appid}&url=https://souk.example/8`
  await expect
    .poll(() => page.evaluate('window.shown'))
    .toMatchObject([{ title: 'Order 8 is ready', body: 'Pick it up at the counter.', lang: 'en', data: { open } }])

  // The page of an embedded mini app, which the user has just used, does not open notifications.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const frame = Object.assign(document.createElement('iframe'), { src: '/host/embed/check', onload: resolve })
        document.body.append(frame)
        frame.focus()
      }),
  )
  const worker = page.context().serviceWorkers().at(-1)
  await worker!.evaluate((open) => {
    const notification = { close: () => {}, data: { open } }
    dispatchEvent(
      Object.assign(new Event('notificationclick'), {
        notification,
        waitUntil: (work: Promise<unknown>) => work.catch(() => {}),
      }),
    )
  }, '/profile')
  await page.getByRole('heading', { name: 'Yusuf' }).waitFor()

  // The next user of the browser does not see them.
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect.poll(() => page.evaluate('window.shown'), { timeout: 10_000 }).toEqual([])
})

test('shows its own offline page in the chosen language and caches nothing', async () => {
  const page = await hostPage({ language: 'ar' }, reader)
  await page.goto('')
  await installed(page)
  await page.reload()
  expect(await page.evaluate(() => caches.keys())).toEqual([])
  // The chosen language differs from the browser's.
  await page.getByRole('link', { name: 'حسابي', exact: true }).click()
  // The device bar, which loads later, has a field of the same name.
  const settings = page.getByRole('region', { name: 'الإعدادات' })
  await settings.getByRole('combobox', { name: 'اللغة' }).selectOption('简体中文')
  await page.getByRole('heading', { name: '我的' }).waitFor()
  await page.context().setOffline(true)
  const offline = page.getByRole('heading', { name: '没有网络连接' })
  // The first document may be requested by a service worker that is not offline yet.
  await expect.poll(() => page.reload().then(() => offline.isVisible()), { interval: second }).toBe(true)
  expect(await page.locator('html').getAttribute('dir')).toBe('ltr')
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: '我的' }).waitFor()
})

/** Locates the mini apps without a release on the home page, such as the one of the tests. */
const appOn = (page: Page) => page.getByText(/^In development/)

test('keeps loaded data while offline and retries failed reads when back online', async () => {
  const page = await hostPage({}, reader)
  await page.goto('')
  const app = appOn(page)
  await app.waitFor()
  await installed(page)
  await page.context().setOffline(true)
  /** Reads the list again, and returns whether that fails. Waits for its end: the next read would abort this one. */
  const failsToRead = async () => {
    const [request] = await Promise.all([
      page.waitForRequest(/\/host\/v1\/apps\?/),
      page.evaluate(() => void window.dispatchEvent(new Event('focus'))),
    ])
    return (await request.response()) === null
  }
  // The first read may have been sent by a service worker that was not offline yet.
  await expect.poll(failsToRead, { interval: second }).toBe(true)
  // Wait until the page has rendered the failure.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
  expect(await app.isVisible()).toBe(true)
  await page.context().setOffline(false)

  const isApps = (url: URL) => url.pathname === '/host/v1/apps'
  await page.route(isApps, (route) => route.abort())
  await page.goto('')
  await page.getByText('No connection to Souk').waitFor()
  expect(await page.getByText('souk upload').count()).toBe(0)
  await page.unroute(isApps)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await app.waitFor()
})

test('reloads a page whose chunks failed to load as soon as there is a connection', async () => {
  const page = await hostPage({ device: 'phone' }, reader)
  await page.goto('')
  await installed(page)
  await page.reload()
  await appOn(page).waitFor()
  await page.context().setOffline(true)
  // The browser may have cached it for another test.
  await page.route('**/assets/ProfilePage-*', (route) => route.abort())
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await page.unroute('**/assets/ProfilePage-*')
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Me', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/host/profile')
})

test.each(['{"screen":"watch"}', 'not JSON', '[]'])('starts despite invalid stored settings: %s', async (text) => {
  const page = await hostPage({}, reader)
  await page.goto('')
  await appOn(page).waitFor()
  await page.evaluate((text) => localStorage.setItem('souk.host.device', text), text)
  await page.reload()
  await appOn(page).waitFor()
  expect(await page.getByRole('combobox', { name: 'Screen' }).inputValue()).toBe('fit')
  expect(page.complaints).toEqual([])
})

test('is installable: the manifest and its icons exist', async () => {
  const page = await hostPage()
  await page.goto('sign-in')
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!
    return (await fetch(link.href)).json()
  })
  expect(manifest).toMatchObject({ start_url: '/host/', scope: '/host/', display: 'standalone' })
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (src: string) => {
          const image = new Image()
          image.src = src
          await image.decode()
          return image.naturalWidth
        }),
      ),
    manifest.icons.slice(1).map(({ src }: { src: string }) => `/host/${src}`),
  )
  expect(sizes).toEqual([192, 512, 512])
})

test('lists granted access in the profile and revokes it by keyboard alone', async () => {
  const uid = await newUser('Dana')
  const page = await hostPage({}, uid)
  await page.goto('profile')
  await page.getByText('No mini app knows you yet.').waitFor()
  const { token } = JSON.parse((await page.evaluate(() => localStorage.getItem('souk.host.session')))!)
  await hostCall('POST', `/apps/${appid}/auth-code`, { scope: 'user.info,user.phone', consent: true }, token)
  await page.reload()
  const revoke = page.getByRole('button', { name: 'Revoke access for Corner Coffee' })
  await page.getByText('Country and phone number').waitFor()
  await revoke.focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Revoke access for Corner Coffee' })
  await sheet.waitFor()
  expect(await faults(page)).toEqual([])
  await picture(page, 'host-revoke.en.light.desktop')

  // The focus cycles within the sheet.
  const focused = () => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    expect(await focused()).toBe(true)
  }
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => revoke.evaluate((button) => button === document.activeElement)).toBe(true)

  await page.keyboard.press('Enter')
  await sheet.getByRole('button', { name: 'Revoke', exact: true }).press('Enter')
  await revoke.waitFor({ state: 'detached' })
  await page.getByText('Name, picture, and an ID for this mini app').waitFor()
  expect(await page.getByText('Country and phone number').count()).toBe(0)
  const consent = await hostCall<{ scopes: string[] }>('GET', `/apps/${appid}/consent`, undefined, token)
  expect(consent.scopes).toEqual([])
})

test('synchronizes sign-in and sign-out between windows', async () => {
  const [lina, karim] = [await newUser('Lina'), await newUser('Karim')]
  const page = await hostPage({}, lina)
  await page.goto('profile')
  await page.getByRole('heading', { name: 'Lina' }).waitFor()
  const other = await page.context().newPage()
  await other.goto('sign-in')
  await other.getByRole('button', { name: 'Karim' }).click()
  await page.getByRole('heading', { name: 'Karim' }).waitFor()
  await page.getByText(`User ${karim}`).waitFor()
  await other.getByRole('link', { name: 'Me: Karim' }).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('applies and stores language and appearance immediately', async () => {
  const page = await hostPage({ device: 'phone' }, reader)
  await page.goto('profile')
  await page.getByLabel('Language').selectOption('العربية')
  await page.getByRole('heading', { name: 'حسابي' }).waitFor()
  await page.getByLabel('المظهر').selectOption('داكن')
  const seen = () =>
    page.evaluate(() => ({
      dir: document.documentElement.dir,
      lang: document.documentElement.lang,
      title: document.title,
      dark: getComputedStyle(document.documentElement).colorScheme,
    }))
  const arabic = { dir: 'rtl', lang: 'ar', title: 'حسابي · Souk', dark: 'dark' }
  expect(await seen()).toEqual(arabic)
  await page.reload()
  await page.getByRole('heading', { name: 'حسابي' }).waitFor()
  expect(await seen()).toEqual(arabic)
})

test('the device bar changes screen, orientation and status bar; phones show it in a sheet', async () => {
  const page = await hostPage({}, reader)
  await page.goto('')
  const bar = page.getByRole('complementary', { name: 'Device' })
  const phone = page.locator('.phone')
  const size = () => phone.evaluate((element) => [element.clientWidth, element.clientHeight])
  await bar.getByLabel('Screen').selectOption('Small 320 × 568')
  expect(await size()).toEqual([320, 568])
  await bar.getByRole('button', { name: 'Landscape' }).click()
  expect(await size()).toEqual([568, 320])
  await bar.getByRole('button', { name: 'Landscape' }).click()
  const top = () => page.getByRole('heading', { level: 1 }).evaluate((title) => title.getBoundingClientRect().top)
  const before = await top()
  await bar.getByRole('button', { name: 'Status bar' }).click()
  expect(before - (await top())).toBe(20)
  await page.reload()
  expect(await size()).toEqual([320, 568])

  const small = await hostPage({ device: 'phone' }, reader)
  await small.goto('profile')
  await small.getByRole('button', { name: 'Developer options' }).waitFor()
  expect(await small.getByRole('complementary').count()).toBe(0)
  await small.getByRole('button', { name: 'Developer options' }).click()
  const sheet = small.getByRole('dialog', { name: 'Device' })
  await sheet.getByLabel('Platform').waitFor()
  expect(await faults(small)).toEqual([])
  await picture(small, 'host-device.en.light.phone')

  // A short pull snaps back; a long one closes the sheet.
  const handle = (await sheet.getByRole('heading', { name: 'Device' }).boundingBox())!
  for (const distance of [40, 160]) {
    expect(await sheet.count()).toBe(1)
    await small.mouse.move(handle.x + 10, handle.y + 10)
    await small.mouse.down()
    await small.mouse.move(handle.x + 10, handle.y + 10 + distance, { steps: 4 })
    await small.mouse.up()
  }
  await sheet.waitFor({ state: 'detached' })
})

const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'zh-CN', scheme: 'dark', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
]
describe.concurrent.each(looks)('$language, $scheme, $device', (look) => {
  async function visit(page: Awaited<ReturnType<typeof hostPage>>, paths: string[]): Promise<void> {
    const found: Record<string, string[]> = {}
    for (const path of paths) {
      await page.goto(path)
      await settled(page)
      await pictureOfScreen(page, `host-${path || 'home'}.${look.language}.${look.scheme}.${look.device}`)
      expect(await page.locator('html').getAttribute('dir')).toBe(look.language === 'ar' ? 'rtl' : 'ltr')
      const here = await faults(page)
      if (here.length > 0) found[path] = here
    }
    expect(found).toEqual({})
  }

  test('every page is accessible, fits the screen and respects the content security policy', async () =>
    visit(await hostPage(look, reader), ['', 'inbox', 'profile', 'feedback']))
  test('the sign-in page is accessible as well', async () => visit(await hostPage(look), ['sign-in']))
})

async function pictureOfScreen(page: Page, name: string): Promise<void> {
  await page.waitForFunction(() => [...document.images].every((image) => image.complete))
  await picture(page, name)
}
