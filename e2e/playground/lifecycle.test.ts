import type { BrowserContext, Request, Route } from 'playwright-core'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { type App, type Opening, openApp } from './fixture.ts'

/** An App navigates like a Mini App. */
const everywhere = (['H5', 'Mini App'] as const).map((platform) => ({ platform, mode: 'build' as const }))

/** Globals of the mini app. */
interface Scope {
  neu: Record<string, (options?: object) => Promise<unknown>>
  getApp(): { globalData: { journal: string[] } }
  getCurrentPages(): Page[]
}
interface Page {
  route: string
  options: Record<string, string>
  $page: { fullPath: string }
  $vm: unknown
  [key: string]: unknown
}
declare const neu: Scope['neu']
declare const getApp: Scope['getApp']
declare const getCurrentPages: Scope['getCurrentPages']

const opened: App[] = []

async function open(options: Omit<Opening, 'project'>): Promise<App> {
  const app = await openApp({ project: 'lifecycle', ...options })
  opened.push(app)
  return app
}

/** Opens the app and clears the journal of its launch. */
async function openStarted(options: Omit<Opening, 'project'>): Promise<App> {
  const app = await open(options)
  await clearJournal(app)
  return app
}

afterEach(async () => {
  const faults = opened.flatMap((app) => app.faults())
  await Promise.all(opened.splice(0).map((app) => app.close()))
  expect(faults).toEqual([])
})

/**
 * Returns a function that opens the app once for the tests of a describe block, and then returns it with only its first
 * page open and an empty journal.
 */
function shareStarted(where: Omit<Opening, 'project'>) {
  let shared: Promise<App> | undefined
  afterEach(async () => expect((await shared)?.faults() ?? []).toEqual([]))
  afterAll(async () => (await shared)?.close())
  return async (): Promise<App> => {
    shared ??= openApp({ project: 'lifecycle', ...where })
    const app = await shared
    await app.go('pages/start/start')
    await clearJournal(app)
    return app
  }
}

const clearJournal = ({ app }: App) => app.evaluate(() => getApp().globalData.journal.splice(0).length)

/** Expects exactly these journal entries in this order, and clears the journal. */
async function expectJournal({ app }: App, ...lines: string[]): Promise<void> {
  await expect.poll(() => app.evaluate(() => [...getApp().globalData.journal]), { interval: 20 }).toEqual(lines)
  await app.evaluate(() => getApp().globalData.journal.splice(0).length)
}

const stackOf = ({ app }: App) => app.evaluate(() => getCurrentPages().map(({ $page }) => $page.fullPath))
const title = ({ host }: App) => host.locator('.neu-navbar-title').last().innerText()
const back = ({ host }: App) => host.locator('.neu-navbar').last().getByRole('button', { name: 'Back' })
const tab = ({ host }: App, name: string) => host.locator('.neu-tabbar').last().getByText(name, { exact: true })
/** Returns the current page. Pages below are inert and may have the same buttons. */
const top = ({ app }: App) => app.locator('neu-page-window:not([inert])')
const button = (app: App, name: string) => top(app).getByRole('button', { name, exact: true })
const group = (app: App, name: string) => top(app).getByRole('group', { name })
/** Clicks a button that makes a call, and returns the outcome shown. */
async function outcome(app: App, groupName: string, name: string): Promise<string> {
  await group(app, groupName).getByRole('button', { name, exact: true }).click()
  const line = group(app, groupName).locator('.call-list-outcome')
  await expect.poll(() => line.innerText(), { interval: 20 }).not.toMatch(/^…?$/)
  return line.innerText()
}
/** Lets the setup of the page "Async setup" continue. */
const finishSetup = ({ app }: App) => app.evaluate(() => void neu.$emit!('late.go' as never))
const errorOf = (app: App, method: string, options?: object) =>
  app.neu(method, options).then(
    () => 'no error',
    (error: Error) => error.message,
  )

/** Returns what App hooks get when the app is opened by its user. */
const launch = (address: { path: string; query: object }) =>
  JSON.stringify({ ...address, scene: 1001, referrerInfo: {} })
const launched = launch({ path: 'pages/start/start', query: {} })
const options = '/pages/options/options'
const setup = '/pages/setup/setup'
/** Journal entries of a page that opens. */
const opens = {
  start: ['start.onLoad {}', 'start.onShow', 'start.mounted', 'start.onReady'],
  shelf: ['shelf.onLoad {}', 'shelf.onShow', 'shelf.mounted', 'shelf.onReady'],
  corner: ['corner.onLoad {}', 'corner.onShow', 'corner.mounted', 'corner.onReady'],
  guard: ['guard.onLoad {}', 'guard.onShow', 'guard.mounted', 'guard.onReady'],
  links: ['links.onLoad {}', 'links.onShow', 'links.mounted', 'links.onReady'],
  far: ['far.onLoad {}', 'far.onShow', 'far.mounted', 'far.onReady'],
  options: (query: object = {}) => [
    'options.created',
    `options.onLoad ${JSON.stringify(query)}`,
    'options.onShow',
    'options.mounted',
    'options.onReady',
  ],
  setup: (query: object = {}) => [
    `setup.onLoad ${JSON.stringify(query)}`,
    'setup.onShow',
    'setup.mounted',
    'setup.onReady',
  ],
}
/** Journal entries of a page that closes. */
const closes = {
  options: ['options.onUnload, counted 0', 'options.unmounted'],
  /** `drawn` is the number of pages drawn while it closes. */
  setup: (drawn: number) => [`setup.onUnload, drawn ${drawn}`, 'setup.unmounted'],
}

describe.each(everywhere)('$platform', (where) => {
  const startShared = shareStarted(where)

  test('launches and shows the app, then its first page', async () => {
    const app = await open(where)
    await expectJournal(app, `App.onLaunch ${launched}`, `App.onShow ${launched}`, ...opens.start)
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
    await expect.poll(() => title(app)).toBe('Start')
    await expect.poll(() => back(app).count()).toBe(0)
    await app.screenshot(`navigation-start.${where.platform}`)
  })

  test('launches the app with the requested start page and its query', async () => {
    const query = { from: 'a & b=c', name: '拿铁 50% #1/2?', smile: '😀', plus: '1+1', empty: '' }
    const app = await open({ ...where, path: 'pages/setup/setup', query })
    const start = launch({ path: 'pages/setup/setup', query })
    await expectJournal(app, `App.onLaunch ${start}`, `App.onShow ${start}`, ...opens.setup(query))
    expect(await top(app).locator('.from').innerText()).toBe('from: a & b=c')
    await app.screenshot(`navigation-setup.${where.platform}`)
  })

  test('redirectTo: keeps the old page visible and interactive while the new one loads', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    onTestFinished(() => release())
    const hold = (context: BrowserContext) =>
      context.route(/setup[^/]*\.js$/, async (route) => {
        await released
        await route.continue()
      })
    const app = await openStarted({ ...where, prepare: hold })
    await app.neu('navigateTo', { url: options })
    await expectJournal(app, 'start.onHide', ...opens.options())
    await group(app, 'Navigation').getByRole('button', { name: 'Redirect' }).click()
    await button(app, 'Counted: 0').click()
    await button(app, 'Counted: 1').waitFor()
    await expect.poll(() => title(app)).toBe('Options API')
    expect(await stackOf(app)).toEqual(['/pages/start/start', options])
    await expectJournal(app)
    release()
    await expectJournal(app, ...opens.setup(), 'options.onUnload, counted 1', 'options.unmounted')
  })

  test('loads pages before they are opened, except those of subpackages', async () => {
    const requests: string[] = []
    const record = async (context: BrowserContext) => {
      context.on('request', (request) => requests.push(new URL(request.url()).pathname))
    }
    const app = await openStarted({ ...where, prepare: record })
    // A script is requested twice, once from the cache.
    const loaded = (pattern: RegExp) => [...new Set(requests)].filter((path) => pattern.test(path))
    await expect.poll(() => loaded(/setup[^/]*\.js$/)).toHaveLength(1)
    await expect.poll(() => loaded(/links[^/]*\.(css|js)$/)).toHaveLength(2)
    expect(loaded(/(parcel|far)[^/]*$/)).toEqual([])
    await expectJournal(app)
    await app.neu('navigateTo', { url: '/pages/links/links' })
    await expectJournal(app, 'start.onHide', ...opens.links)
    const link = top(app).locator('.link').first()
    expect(await link.evaluate((link) => getComputedStyle(link).backgroundColor)).toBe('rgb(255, 255, 255)')
  })

  test('loads a subpackage on navigation, or earlier by preloadPage', async () => {
    const requests: string[] = []
    const app = await startShared()
    const record = (request: Request) => requests.push(new URL(request.url()).pathname)
    app.page.on('request', record)
    onTestFinished(() => void app.page.off('request', record))
    await app.neu('navigateTo', { url: setup })
    await app.neu('navigateBack')
    await clearJournal(app)
    expect(requests.join(' ')).not.toMatch(/far|parcel/)
    await app.neu('preloadPage', { url: '/parcel/pages/far/far' })
    expect(requests.join(' ')).toMatch(/far|parcel/)
    await expectJournal(app)
    await app.context.setOffline(true)
    onTestFinished(() => app.context.setOffline(false))
    await app.neu('navigateTo', { url: '/parcel/pages/far/far' })
    await expectJournal(app, 'start.onHide', ...opens.far)
    await expect.poll(() => title(app)).toBe('Subpackage')
  })

  test('navigateTo: hides the page below, and navigateBack shows it again', async () => {
    const app = await startShared()
    await button(app, 'Options API').click()
    await expectJournal(app, 'start.onHide', ...opens.options({ from: 'start' }))
    await expect.poll(() => title(app)).toBe('Options API')
    await app.neu('navigateTo', { url: '../setup/setup?x=1' })
    await expectJournal(app, 'options.onHide', ...opens.setup({ x: '1' }))
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${options}?from=start`, `${setup}?x=1`])
    await back(app).click()
    await expectJournal(app, 'setup.onUnload, drawn 3', 'options.onShow', 'setup.unmounted')
    await app.neu('navigateBack')
    await expectJournal(app, closes.options[0]!, 'start.onShow', closes.options[1]!)
    await expect.poll(() => title(app)).toBe('Start')
    await expect.poll(() => back(app).count()).toBe(0)
  })

  test('redirectTo: closes the old page after the new one is ready', async () => {
    const app = await startShared()
    await app.neu('navigateTo', { url: setup })
    await expectJournal(app, 'start.onHide', ...opens.setup())
    await button(app, 'Redirect').click()
    // Three pages are drawn: the first, the closing and the new one.
    await expectJournal(app, ...opens.options(), ...closes.setup(3))
    expect(await stackOf(app)).toEqual(['/pages/start/start', options])
    await app.neu('navigateBack')
    await expectJournal(app, closes.options[0]!, 'start.onShow', closes.options[1]!)
    // A tab that is redirected is closed too.
    await button(app, 'Redirect').click()
    await expectJournal(app, ...opens.setup(), 'start.onUnload', 'start.unmounted')
    expect(await stackOf(app)).toEqual([setup])
    await app.neu('switchTab', { url: '/pages/start/start' })
    await expectJournal(app, ...opens.start, ...closes.setup(2))
  })

  test('reLaunch: closes all pages including tabs, topmost first, after the new one is ready', async () => {
    const app = await startShared()
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await app.neu('navigateTo', { url: options })
    await app.neu('navigateTo', { url: setup })
    await clearJournal(app)
    await app.neu('reLaunch', { url: '/pages/guard/guard' })
    await expectJournal(
      app,
      ...opens.guard,
      'setup.onUnload, drawn 5',
      closes.options[0]!,
      'shelf.onUnload',
      'start.onUnload',
      'start.unmounted',
      'shelf.unmounted',
      'options.unmounted',
      'setup.unmounted',
    )
    expect(await stackOf(app)).toEqual(['/pages/guard/guard'])
    // reLaunch also opens tabs.
    await app.neu('reLaunch', { url: '/pages/corner/corner?a=1' })
    await expectJournal(app, 'corner.onLoad {"a":"1"}', ...opens.corner.slice(1), 'guard.onUnload', 'guard.unmounted')
  })

  test('switchTab: creates a tab once, then shows and hides it', async () => {
    const app = await startShared()
    await app.neu('switchTab', { url: '/pages/shelf/shelf?left=out' })
    await expectJournal(app, 'start.onHide', ...opens.shelf)
    await app.neu('switchTab', { url: '/pages/start/start' })
    await expectJournal(app, 'shelf.onHide', 'start.onShow')
    await app.neu('switchTab', { url: 'pages/shelf/shelf'.replace('pages', '../../pages') })
    await expectJournal(app, 'start.onHide', 'shelf.onShow')
    // Switching to the current tab has no effect.
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await expectJournal(app)
    expect(await stackOf(app)).toEqual(['/pages/shelf/shelf'])
    // Switching from a page above closes that page, whether or not the tab exists.
    await app.neu('navigateTo', { url: options })
    await expectJournal(app, 'shelf.onHide', ...opens.options())
    await app.neu('switchTab', { url: '/pages/corner/corner' })
    await expectJournal(app, ...opens.corner, ...closes.options)
    await app.neu('navigateTo', { url: options })
    await expectJournal(app, 'corner.onHide', ...opens.options())
    await app.neu('switchTab', { url: '/pages/start/start' })
    await expectJournal(app, closes.options[0]!, 'start.onShow', closes.options[1]!)
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
  })

  test('reports a tap on a tab to the page of the tab', async () => {
    const app = await startShared()
    const shelf = 'shelf.onTabItemTap {"index":1,"text":"Shelf","pagePath":"pages/shelf/shelf"}'
    await tab(app, 'Shelf').click()
    await expectJournal(app, 'start.onHide', ...opens.shelf, shelf)
    await expect.poll(() => title(app)).toBe('Shelf')
    await tab(app, 'Shelf').click()
    await expectJournal(app, shelf)
    await tab(app, 'Start').click()
    await expectJournal(
      app,
      'shelf.onHide',
      'start.onShow',
      'start.onTabItemTap {"index":0,"text":"Start","pagePath":"pages/start/start"}',
    )
    // Calls of switchTab are not reported.
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await expectJournal(app, 'start.onHide', 'shelf.onShow')
  })

  test('keeps the state and scroll position of a hidden tab', async () => {
    const app = await startShared()
    await tab(app, 'Shelf').click()
    await button(app, 'Count: 0').click()
    await top(app).locator('input').fill('for Layla')
    const scroller = top(app).locator('neu-page-scroll')
    await scroller.evaluate((element) => element.scrollTo(0, 300))
    await app.screenshot(`navigation-shelf.${where.platform}`)
    await tab(app, 'Start').click()
    await button(app, 'Composition API').click()
    await top(app).getByText('from: start', { exact: true }).waitFor()
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await button(app, 'Count: 1').waitFor()
    expect(await top(app).locator('input').inputValue()).toBe('for Layla')
    expect(await scroller.evaluate((element) => element.scrollTop)).toBe(300)
  })

  test('navigateBack: does not show the pages it skips', async () => {
    const app = await startShared()
    for (const depth of [1, 2, 3]) await app.neu('navigateTo', { url: `${options}?depth=${depth}` })
    await clearJournal(app)
    await button(app, 'Back two pages').click()
    await expectJournal(
      app,
      'options.onUnload, counted 0',
      'options.onUnload, counted 0',
      'options.onShow',
      'options.unmounted',
      'options.unmounted',
    )
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${options}?depth=1`])
    await button(app, 'Back too far').click()
    await expectJournal(app, closes.options[0]!, 'start.onShow', closes.options[1]!)
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
    // The minimum is one page.
    await app.neu('navigateTo', { url: options })
    await app.neu('navigateBack', { delta: 0 })
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
  })

  test('onBackPress: can keep the page open, and receives the source of the event', async () => {
    const app = await startShared()
    await app.neu('navigateTo', { url: '/pages/guard/guard' })
    await expectJournal(app, 'start.onHide', ...opens.guard)
    await back(app).click()
    await expectJournal(app, 'guard.onBackPress {"from":"backbutton"}')
    expect(await outcome(app, 'Navigation', 'Back')).toBe('navigateBack:fail onBackPress')
    await expectJournal(app, 'guard.onBackPress {"from":"navigateBack"}')
    expect(await stackOf(app)).toEqual(['/pages/start/start', '/pages/guard/guard'])
    await app.screenshot(`navigation-guard.${where.platform}`)
    await top(app).locator('neu-switch').click()
    await back(app).click()
    await expectJournal(
      app,
      'guard.onBackPress {"from":"backbutton"}',
      'guard.onUnload',
      'start.onShow',
      'guard.unmounted',
    )
    // onBackPress is not called for redirectTo.
    await app.neu('navigateTo', { url: '/pages/guard/guard' })
    await expectJournal(app, 'start.onHide', ...opens.guard)
    await button(app, 'Redirect').click()
    await expectJournal(app, ...opens.setup(), 'guard.onUnload', 'guard.unmounted')
  })

  test('passes events through the event channel in both directions', async () => {
    const app = await startShared()
    await button(app, 'Event channel').click()
    await expectJournal(app, 'start.onHide', 'start heard "I am here."', 'channel heard "How are you?"')
    await top(app).getByText('Question: How are you?').waitFor()
    await button(app, 'Answer').click()
    await expectJournal(app, 'start heard "Fine, thank you."')
    await app.neu('navigateBack')
    await expectJournal(app, 'start.onShow')
    // Each opened page has a separate channel.
    await app.app.evaluate(async () => {
      const { eventChannel } = (await neu.navigateTo!({ url: '/pages/channel/channel' })) as {
        eventChannel: { on(name: string, listener: (text: string) => void): void }
      }
      eventChannel.on('answer', (text) => getApp().globalData.journal.push(`test heard ${text}`))
    })
    await expectJournal(app, 'start.onHide', 'test heard I am here.')
  })

  test('getCurrentPages: returns the pages with the properties of their components', async () => {
    const app = await startShared()
    await app.neu('navigateTo', { url: `${options}?depth=1` })
    await app.neu('navigateTo', { url: setup })
    const pages = await app.app.evaluate(() => {
      const pages = getCurrentPages()
      const [, below] = pages
      ;(below as unknown as { countUp(): void }).countUp()
      below!.count = (below!.count as number) + 1
      return {
        routes: pages.map(({ route }) => route),
        options: pages.map(({ options }) => options),
        data: [below!.count, below!.query],
        vms: pages.map(({ $vm }) => typeof $vm),
        isSame: pages[1] === getCurrentPages()[1],
      }
    })
    expect(pages).toEqual({
      routes: ['pages/start/start', 'pages/options/options', 'pages/setup/setup'],
      options: [{}, { depth: '1' }, {}],
      data: [2, { depth: '1' }],
      vms: ['object', 'object', 'object'],
      isSame: true,
    })
    await app.neu('navigateBack')
    await button(app, 'Counted: 2').waitFor()
  })

  test('passes queries with special characters to the page unchanged', async () => {
    const app = await startShared()
    const name = '拿铁 & "50%" ?#/=+\\😀'
    await app.neu('navigateTo', {
      url: `${setup}?name=${encodeURIComponent(name)}&twice=1&equals=a=b&space=a+b&flag&broken=%E4%&twice=2&__proto__=x&from=قهوة`,
    })
    const query = { name, twice: '2', equals: 'a=b', space: 'a b', flag: '', broken: '%E4%' }
    const received = JSON.parse(await top(app).locator('.query').innerText())
    expect(received).toEqual(JSON.parse(`{${JSON.stringify(query).slice(1, -1)},"__proto__":"x","from":"قهوة"}`))
    expect(await top(app).locator('.from').innerText()).toBe('from: قهوة')
    // Passing the full path on preserves them.
    const { url } = await app.app.evaluate(() => ({ url: getCurrentPages().at(-1)!.$page.fullPath }))
    await app.neu('redirectTo', { url })
    expect(JSON.parse(await top(app).locator('.query').innerText())).toEqual(received)
  })

  test('rejects invalid navigation with the reason, and changes nothing', async () => {
    const app = await startShared()
    const none = 'page "pages/none/none" is not found'
    expect(await outcome(app, 'Errors', 'Missing page')).toBe(`navigateTo:fail ${none}`)
    expect(await outcome(app, 'Errors', 'Tab page')).toBe('navigateTo:fail can not navigateTo a tabbar page')
    expect(await outcome(app, 'Errors', 'Not a tab')).toBe('switchTab:fail can not switch to no-tabBar page')
    expect(await outcome(app, 'Errors', 'Back')).toBe('navigateBack:fail cannot navigate back at first page')
    await app.screenshot(`navigation-failures.${where.platform}`)
    for (const method of ['navigateTo', 'redirectTo', 'reLaunch', 'preloadPage']) {
      expect(await errorOf(app, method, { url: '/pages/none/none?a=1' })).toBe(`${method}:fail ${none}`)
      expect(await errorOf(app, method, { url: 'none' })).toBe(`${method}:fail page "pages/start/none" is not found`)
    }
    expect(await errorOf(app, 'navigateTo', { url: '/' })).toBe('navigateTo:fail page "" is not found')
    expect(await errorOf(app, 'redirectTo', { url: '/pages/shelf/shelf' })).toBe(
      'redirectTo:fail can not redirectTo a tabbar page',
    )
    expect(await errorOf(app, 'switchTab', { url: '/pages/none/none' })).toBe(
      'switchTab:fail can not switch to no-tabBar page',
    )
    const wrong = 'parameter error: parameter'
    for (const method of ['navigateTo', 'redirectTo', 'reLaunch', 'switchTab', 'preloadPage']) {
      expect(await errorOf(app, method)).toBe(`${method}:fail ${wrong}.url should be String instead of Undefined`)
      expect(await errorOf(app, method, { url: 1 })).toBe(
        `${method}:fail ${wrong}.url should be String instead of Number`,
      )
    }
    expect(await errorOf(app, 'navigateTo', { url: setup, events: [] })).toBe(
      `navigateTo:fail ${wrong}.events should be Object instead of Array`,
    )
    expect(await errorOf(app, 'navigateBack', { delta: '2' })).toBe(
      `navigateBack:fail ${wrong}.delta should be Number instead of String`,
    )
    expect(await errorOf(app, 'navigateTo', 'setup' as unknown as object)).toBe(
      `navigateTo:fail ${wrong} should be Object instead of String`,
    )
    await expectJournal(app)
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
  })

  test('returns undefined if callbacks are passed, and calls complete last', async () => {
    const app = await startShared()
    const callbacks = (method: string, options: object) =>
      app.app.evaluate(
        ([method, options]) =>
          new Promise<string[]>((resolve) => {
            const calls: string[] = []
            const record = (name: string) => (result: { errMsg: string }) => calls.push(`${name} ${result.errMsg}`)
            const returned = neu[method]!({
              ...options,
              success: record('success'),
              fail: record('fail'),
              complete: (result: { errMsg: string }) => {
                record('complete')(result)
                resolve(calls)
              },
            })
            calls.push(String(returned))
          }),
        [method, options] as const,
      )
    expect(await callbacks('navigateTo', { url: setup })).toEqual([
      'undefined',
      'success navigateTo:ok',
      'complete navigateTo:ok',
    ])
    const failed = 'navigateTo:fail can not navigateTo a tabbar page'
    expect(await callbacks('navigateTo', { url: '/pages/start/start' })).toEqual([
      'undefined',
      `fail ${failed}`,
      `complete ${failed}`,
    ])
    expect(await callbacks('redirectTo', { url: options })).toContain('success redirectTo:ok')
    expect(await callbacks('navigateBack', {})).toContain('success navigateBack:ok')
    expect(await callbacks('navigateBack', {})).toContain('fail navigateBack:fail cannot navigate back at first page')
    expect(await callbacks('switchTab', { url: '/pages/shelf/shelf' })).toContain('success switchTab:ok')
    expect(await callbacks('reLaunch', { url: options })).toContain('success reLaunch:ok')
  })

  test('navigates by the open-type of a navigator', async () => {
    const app = await startShared()
    const link = (name: string) => top(app).getByText(name, { exact: true })
    const openLinks = async () => {
      await app.neu('reLaunch', { url: '/pages/start/start' })
      await app.neu('navigateTo', { url: '/pages/links/links' })
      await clearJournal(app)
    }
    await openLinks()
    await app.screenshot(`navigation-links.${where.platform}`)
    await link('navigate').click()
    await expectJournal(app, 'links.onHide', ...opens.setup({ from: 'link' }), 'link success')
    await app.neu('navigateBack')
    await clearJournal(app)
    await link('without open-type').click()
    await expectJournal(app, 'links.onHide', ...opens.setup())
    await app.neu('navigateBack')
    await clearJournal(app)
    await link('missing page').click()
    await expectJournal(app, 'link fail "navigateTo:fail page \\"pages/none/none\\" is not found"')
    expect(app.faults()).toEqual([expect.stringContaining('page "pages/none/none" is not found')])
    await link('redirect').click()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/start/start', options])
    await openLinks()
    await link('reLaunch').click()
    await expect.poll(() => stackOf(app)).toEqual([options])
    await openLinks()
    await link('switchTab').click()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/shelf/shelf'])
    await openLinks()
    await link('navigateBack').click()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/start/start'])
    await app.neu('navigateTo', { url: options })
    await app.neu('navigateTo', { url: '/pages/links/links' })
    await link('Back two pages').click()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/start/start'])
    // Enter activates it too.
    await openLinks()
    await top(app).getByRole('link', { name: 'navigate', exact: true }).press('Enter')
    await expectJournal(app, 'links.onHide', ...opens.setup({ from: 'link' }), 'link success')
  })

  test('opens a page once on a double tap', async () => {
    const app = await startShared()
    // Two real clicks could be so far apart that the second one hits the next page.
    await button(app, 'Options API').evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })
    await expectJournal(app, 'start.onHide', ...opens.options({ from: 'start' }))
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${options}?from=start`])
    await button(app, 'Back').click()
    await expectJournal(app, closes.options[0]!, 'start.onShow', closes.options[1]!)
    // The second of two equal calls in the same tick fails. A different query is a different page.
    const outcomes = await app.app.evaluate(async () => {
      const url = '/pages/options/options'
      const all = [url, url, `${url}?depth=2`].map((url) => neu.navigateTo!({ url }))
      return (await Promise.allSettled(all)).map((each) =>
        each.status === 'fulfilled' ? 'opened' : (each.reason as { errMsg: string }).errMsg,
      )
    })
    expect(outcomes).toEqual(['opened', `navigateTo:fail "${options}" is already being opened`, 'opened'])
    expect(await stackOf(app)).toEqual(['/pages/start/start', options, `${options}?depth=2`])
    // Once the page is open, it can be opened again.
    await app.neu('navigateTo', { url: `${options}?depth=2` })
    expect((await stackOf(app)).length).toBe(4)
  })

  test('processes concurrent calls one after the other', async () => {
    const app = await startShared()
    await app.app.evaluate(async () => {
      await Promise.all([
        neu.navigateTo!({ url: '/pages/setup/setup' }),
        neu.redirectTo!({ url: '/pages/options/options' }),
        neu.switchTab!({ url: '/pages/corner/corner' }),
        neu.navigateTo!({ url: '/pages/setup/setup' }),
        neu.navigateBack!(),
      ])
    })
    await expectJournal(
      app,
      'start.onHide',
      ...opens.setup(),
      ...opens.options(),
      ...closes.setup(3),
      ...opens.corner,
      ...closes.options,
      'corner.onHide',
      ...opens.setup(),
      'setup.onUnload, drawn 3',
      'corner.onShow',
      'setup.unmounted',
    )
    expect(await stackOf(app)).toEqual(['/pages/corner/corner'])
  })

  test('reports an error in a hook to the app, and continues', async () => {
    const app = await startShared()
    await app.neu('navigateTo', { url: `${options}?throws=coffee` })
    const [created, onLoad, ...more] = opens.options({ throws: 'coffee' })
    await expectJournal(app, 'start.onHide', created!, onLoad!, 'App.onError "Error: onLoad throws coffee"', ...more)
    expect(app.faults()).toEqual([expect.stringContaining('onLoad throws coffee')])
    await app.app.evaluate(() => void Promise.reject(new Error('spilled')))
    await expectJournal(app, 'App.onUnhandledRejection "spilled"')
    expect(app.faults()).toEqual([expect.stringContaining('spilled')])
    await app.neu('navigateBack')
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
  })

  test('reports a missing start page, and opens the first page instead', async () => {
    const app = await open({ ...where, path: 'pages/none/none', query: { a: '1' }, isAwaited: false })
    await app.page.waitForSelector('.neu-navbar-title')
    await app.app.waitForFunction(() => 'getApp' in globalThis)
    const start = '{"path":"pages/none/none","query":{"a":"1"}'
    await expectJournal(
      app,
      `App.onLaunch ${start},"scene":1001,"referrerInfo":{}}`,
      `App.onShow ${start},"scene":1001,"referrerInfo":{}}`,
      `App.onPageNotFound ${start},"isEntryPage":true}`,
      ...opens.start,
    )
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
    expect(app.faults()).toEqual([expect.stringContaining('page "pages/none/none" is not found')])
  })

  test('draws a page with async setup, and calls its hooks, after setup has finished', async () => {
    const app = await startShared()
    await app.neu('navigateTo', { url: '/pages/late/late?from=start' })
    await expect.poll(() => title(app), { interval: 20 }).toBe('Async setup')
    await expectJournal(app, 'start.onHide')
    expect(await top(app).innerText()).toBe('')
    await finishSetup(app)
    await expectJournal(app, 'late.onLoad {"from":"start"}', 'late.onShow', 'late.mounted', 'late.onReady')
    expect(await top(app).innerText()).toContain('Setup has finished.')
    await app.screenshot(`navigation-late.${where.platform}`)
    await app.neu('navigateBack')
    await expectJournal(app, 'late.onUnload', 'start.onShow', 'late.unmounted')
    // No hook is called if the page is closed before that.
    await app.neu('navigateTo', { url: '/pages/late/late' })
    await app.neu('navigateBack')
    await finishSetup(app)
    await expectJournal(app, 'start.onHide', 'start.onShow')
  })

  test('says in place of a page that it cannot be loaded, and loads it when tapped once the network is back', async () => {
    let isCut = true
    const cut = (route: Route) => (isCut ? route.abort() : route.continue())
    const app = await openStarted(where)
    // The runtime retries with a query.
    await app.page.route(/\/(parcel|far)[^/]*\.js(\?.*)?$/, cut)
    await app.neu('navigateTo', { url: '/parcel/pages/far/far' })
    const message = app.app.getByRole('button', { name: 'This page could not be loaded. Tap to try again.' })
    await message.waitFor()
    await expectJournal(app, expect.stringMatching(/^App\.onError .*(load|fetch)/i), 'start.onHide')
    app.faults()
    isCut = false
    await message.click()
    await expectJournal(app, ...opens.far)
  })
})

describe('browser history', () => {
  const where = { platform: 'H5', mode: 'build' } as const
  const startShared = shareStarted(where)

  const hash = ({ page }: App, expected: string) =>
    expect.poll(() => new URL(page.url()).hash, { interval: 20 }).toBe(`#${expected}`)
  const edit = ({ page }: App, hash: string) =>
    page.evaluate((hash) => {
      location.hash = hash
    }, hash)

  /** Returns the journal entries of a page that is created when it is first returned to. */
  const recreatesSetup = (from: string) => [
    closes.options[0]!,
    `setup.onLoad {"from":"${from}"}`,
    'setup.onShow',
    closes.options[1]!,
    'setup.mounted',
    'setup.onReady',
  ]

  test('navigates through the pages by back and forward', async () => {
    const app = await open(where)
    const { page } = app
    await hash(app, '/')
    await app.neu('navigateTo', { url: `${setup}?from=1` })
    await app.neu('navigateTo', { url: options })
    await hash(app, options)
    await clearJournal(app)
    await page.goBack()
    await expectJournal(app, closes.options[0]!, 'setup.onShow', closes.options[1]!)
    await hash(app, `${setup}?from=1`)
    await page.goForward()
    await expectJournal(app, 'setup.onHide', ...opens.options())
    await hash(app, options)
    await page.evaluate(() => history.go(-2))
    await expectJournal(
      app,
      closes.options[0]!,
      'setup.onUnload, drawn 3',
      'start.onShow',
      'setup.unmounted',
      closes.options[1]!,
    )
    await page.evaluate(() => history.go(2))
    // Both pages are in the stack again; the lower one is created only on return.
    await expectJournal(app, 'start.onHide', ...opens.options())
    await page.goBack()
    await expectJournal(app, ...recreatesSetup('1'))
    await hash(app, `${setup}?from=1`)
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${setup}?from=1`])
    // Navigation by the app leaves no extra history entries.
    await app.neu('navigateBack')
    await hash(app, '/')
    await app.neu('redirectTo', { url: setup })
    await hash(app, setup)
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await hash(app, '/pages/shelf/shelf')
    await tab(app, 'Corner').click()
    await hash(app, '/pages/corner/corner')
    await page.goBack()
    await expect.poll(() => page.url()).toBe('about:blank')
  })

  test('restores the URL of a page that refuses to close', async () => {
    const app = await startShared()
    await app.neu('navigateTo', { url: '/pages/guard/guard' })
    await expectJournal(app, 'start.onHide', ...opens.guard)
    await app.page.goBack()
    await expectJournal(app, 'guard.onBackPress {"from":"backbutton"}')
    await hash(app, '/pages/guard/guard')
    expect(await stackOf(app)).toEqual(['/pages/start/start', '/pages/guard/guard'])
    await top(app).locator('neu-switch').click()
    await app.page.goBack()
    await expectJournal(
      app,
      'guard.onBackPress {"from":"backbutton"}',
      'guard.onUnload',
      'start.onShow',
      'guard.unmounted',
    )
    await hash(app, '/')
  })

  test('opens the page or tab of an edited URL, and reports a missing page', async () => {
    const app = await startShared()
    await edit(app, `${setup}?from=address`)
    await expectJournal(app, 'start.onHide', ...opens.setup({ from: 'address' }))
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${setup}?from=address`])
    await edit(app, '/pages/none/none?a=1')
    await expectJournal(app, 'App.onPageNotFound {"path":"pages/none/none","query":{"a":"1"},"isEntryPage":false}')
    await hash(app, `${setup}?from=address`)
    expect(app.faults()).toEqual([expect.stringContaining('"pages/none/none" is not found')])
    await edit(app, 'anchor')
    await hash(app, `${setup}?from=address`)
    await expectJournal(app)
    await edit(app, '/pages/shelf/shelf')
    await expectJournal(app, ...opens.shelf, ...closes.setup(3))
    expect(await stackOf(app)).toEqual(['/pages/shelf/shelf'])
  })

  test('keeps the page stack over a reload, and creates each page on return', async () => {
    const app = await open(where)
    await app.neu('navigateTo', { url: `${setup}?from=${encodeURIComponent('a & b')}` })
    await app.neu('navigateTo', { url: options })
    await hash(app, options)
    await app.page.reload()
    await expectJournal(
      app,
      `App.onLaunch ${launch({ path: 'pages/options/options', query: {} })}`,
      `App.onShow ${launch({ path: 'pages/options/options', query: {} })}`,
      ...opens.options(),
    )
    await back(app).click()
    await expectJournal(app, ...recreatesSetup('a & b'))
    await app.page.goBack()
    await expectJournal(
      app,
      'setup.onUnload, drawn 1',
      'start.onLoad {}',
      'start.onShow',
      'setup.unmounted',
      'start.mounted',
      'start.onReady',
    )
    await hash(app, '/')
  })

  test('hides page and app when invisible, and shows them in reverse order', async () => {
    const app = await startShared()
    const show = (isShown: boolean) =>
      app.page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, !isShown)
    await show(false)
    await expectJournal(app, 'start.onHide', 'App.onHide')
    await show(true)
    await expectJournal(app, `App.onShow ${launched}`, 'start.onShow')
    // A page already hidden by a page above is not hidden again.
    await app.neu('navigateTo', { url: setup })
    await expectJournal(app, 'start.onHide', ...opens.setup())
    await show(false)
    await expectJournal(app, 'setup.onHide', 'App.onHide')
    await show(true)
    await expectJournal(app, `App.onShow ${launched}`, 'setup.onShow')
  })
})

describe('in the host', () => {
  const where = { platform: 'Mini App', mode: 'build' } as const
  const startShared = shareStarted(where)
  type Host = { host: { back(): void; open(props: object): void } }
  const pressBack = ({ host }: App) => host.evaluate(() => (window as unknown as Host).host.back())
  /** Waits for the message that the host closes the mini app, and hides it. */
  async function expectClosed(app: App): Promise<void> {
    const message = app.host.getByText('The host closes the mini app here.')
    await message.waitFor()
    await app.neu('hideToast')
    await message.waitFor({ state: 'detached' })
  }

  test('hides page and app when invisible, and shows them in reverse order', async () => {
    const app = await startShared()
    const show = (visible: boolean) =>
      app.host.evaluate((visible) => (window as unknown as Host).host.open({ visible, appid: 'playground' }), visible)
    await show(false)
    await expectJournal(app, 'start.onHide', 'App.onHide')
    await show(true)
    await expectJournal(app, `App.onShow ${launched}`, 'start.onShow')
  })

  test('handles the system back button: asks the page, goes back, and exits from the first page', async () => {
    const app = await startShared()
    await app.neu('navigateTo', { url: '/pages/guard/guard' })
    await expectJournal(app, 'start.onHide', ...opens.guard)
    await pressBack(app)
    await expectJournal(app, 'guard.onBackPress {"from":"backbutton"}')
    await top(app).locator('neu-switch').click()
    await pressBack(app)
    await expectJournal(
      app,
      'guard.onBackPress {"from":"backbutton"}',
      'guard.onUnload',
      'start.onShow',
      'guard.unmounted',
    )
    await pressBack(app)
    await expectClosed(app)
    await expectJournal(app)
    // The first page can also stay open.
    await app.neu('reLaunch', { url: '/pages/guard/guard' })
    await clearJournal(app)
    await pressBack(app)
    await expectJournal(app, 'guard.onBackPress {"from":"backbutton"}')
  })

  test('exits the app by a navigator with open-type exit', async () => {
    const app = await startShared()
    await app.neu('navigateTo', { url: '/pages/links/links' })
    await clearJournal(app)
    await top(app).getByText('exit', { exact: true }).click()
    await expectClosed(app)
    await expectJournal(app, 'link success')
  })

  test.each(['en', 'ar'])('clips the bars of the covered page at the edge of the new page, %s', async (language) => {
    const app = await openStarted({ ...where, hasMotion: true, language })
    /**
     * Waits for an animation, and returns the gap between the two layers halfway through it, in px. To be called before
     * it starts: a second call to the page could be later than its end.
     */
    const gap = () =>
      app.host.evaluate(async () => {
        const layers = () =>
          ['[data-role=cover], [data-role=uncover]', '[data-role=enter], [data-role=leave]'].map((selector) =>
            document.querySelector(`.souk-mini-app-layer:is(${selector})`),
          )
        while (!layers().every((layer) => layer && layer.getAnimations().length > 0))
          await new Promise(requestAnimationFrame)
        const [below, above] = layers()
        for (const layer of [below!, above!])
          for (const animation of layer.getAnimations()) {
            animation.pause()
            animation.currentTime = 500
          }
        // `inset(<top> <right> <bottom> <left>)`, possibly shortened.
        const inset = getComputedStyle(below!).clipPath.slice('inset('.length).split(/[ )]/).map(Number.parseFloat)
        const [covered, covering] = [below!, above!].map((layer) => layer.getBoundingClientRect())
        return document.querySelector('[dir=rtl]')
          ? covered!.left + (covered!.width * inset[3]!) / 100 - covering!.right
          : covered!.right - (covered!.width * inset[1]!) / 100 - covering!.left
      })
    const call = (method: string, options: object) =>
      app.app.evaluate(([method, options]) => void neu[method]!(options), [method, options] as const)
    const forward = gap()
    await call('navigateTo', { url: '/pages/setup/setup', animationDuration: 1000 })
    expect(Math.abs(await forward)).toBeLessThan(1)
    await app.screenshot(`navigation-moving.${language}`)
    await expect.poll(() => app.host.locator('.souk-mini-app-layer').count()).toBe(1)
    const backward = gap()
    await call('navigateBack', { animationDuration: 1000 })
    expect(Math.abs(await backward)).toBeLessThan(1)
    await expect.poll(() => app.host.locator('.souk-mini-app-layer').count()).toBe(1)
  })

  test('handles navigation during an animation without leaving pages behind', async () => {
    const app = await openStarted({ ...where, hasMotion: true })
    await button(app, 'Options API').dblclick()
    await expectJournal(app, 'start.onHide', ...opens.options({ from: 'start' }))
    const moving = app.app.locator('neu-page-window[data-motion]')
    await expect.poll(() => moving.count()).toBe(0)
    await expect.poll(() => app.host.locator('.souk-mini-app-layer').count()).toBe(1)
    await app.screenshot('navigation-moved')
    // Going back and directly to another page completes both. The page below must not load longer than the animation.
    await app.neu('preloadPage', { url: setup })
    await app.app.evaluate(async () => {
      void neu.navigateBack!({ animationDuration: 3000 })
      await neu.navigateTo!({ url: '/pages/setup/setup' })
    })
    await expectJournal(
      app,
      closes.options[0]!,
      'start.onShow',
      'start.onHide',
      'setup.onLoad {}',
      'setup.onShow',
      closes.options[1]!,
      'setup.mounted',
      'setup.onReady',
    )
    await expect.poll(() => moving.count()).toBe(0)
    await expect.poll(() => title(app)).toBe('Composition API')
    expect(await app.app.locator('neu-page-window').count()).toBe(2)
    // A double tap on the back button goes back at most twice, and never beyond the first page.
    await back(app).dblclick()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/start/start'])
    await expect.poll(() => moving.count()).toBe(0)
    expect(await app.app.locator('neu-page-window').count()).toBe(1)
  })
})
