import type { Route } from 'playwright-core'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { type App, type Mode, type Opening, openApp, type Platform } from './fixture.ts'

interface Case {
  platform: Platform
  mode: Mode
}

const everywhere: Case[] = [
  { platform: 'H5', mode: 'serve' },
  { platform: 'H5', mode: 'build' },
  { platform: 'App', mode: 'build' },
  { platform: 'Mini App', mode: 'serve' },
]

/** What runs in the mini app, with what it has as globals. */
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

async function open(own: Omit<Opening, 'project'>): Promise<App> {
  const app = await openApp({ project: 'lifecycle', ...own })
  opened.push(app)
  return app
}

/** Opened, and what happened until then forgotten. */
async function standing(own: Omit<Opening, 'project'>): Promise<App> {
  const app = await open(own)
  await forget(app)
  return app
}

afterEach(async () => {
  const faults = opened.flatMap((app) => app.faults())
  await Promise.all(opened.splice(0).map((app) => app.close()))
  expect(faults).toEqual([])
})

const forget = ({ app }: App) => app.evaluate(() => getApp().globalData.journal.splice(0).length)

/** Exactly this has happened since the last time, in this order. */
async function happened({ app }: App, ...lines: string[]): Promise<void> {
  await expect.poll(() => app.evaluate(() => [...getApp().globalData.journal]), { interval: 20 }).toEqual(lines)
  await app.evaluate(() => getApp().globalData.journal.splice(0).length)
}

const stackOf = ({ app }: App) => app.evaluate(() => getCurrentPages().map(({ $page }) => $page.fullPath))
const title = ({ host }: App) => host.locator('.neu-navbar-title').last().innerText()
const back = ({ host }: App) => host.locator('.neu-navbar').last().getByRole('button', { name: 'Back' })
const tab = ({ host }: App, name: string) => host.locator('.neu-tabbar').last().getByText(name, { exact: true })
/** What can be reached of the mini app: pages below are inert, and have the same buttons. */
const top = ({ app }: App) => app.locator('neu-page-window:not([inert])')
const button = (app: App, name: string) => top(app).getByRole('button', { name, exact: true })
const group = (app: App, name: string) => top(app).getByRole('group', { name })
/** How the call ends that the button makes. */
async function outcome(app: App, groupName: string, name: string): Promise<string> {
  await group(app, groupName).getByRole('button', { name, exact: true }).click()
  const line = group(app, groupName).locator('.call-list-outcome')
  await expect.poll(() => line.innerText(), { interval: 20 }).not.toMatch(/^…?$/)
  return line.innerText()
}
/** Ends what the page "Waits" waits for. */
const go = ({ app }: App) => app.evaluate(() => void neu.$emit!('late.go' as never))
const failure = (app: App, method: string, options?: object) =>
  app.neu(method, options).then(
    () => 'it went',
    (error: Error) => error.message,
  )

const options = '/pages/options/options'
const setup = '/pages/setup/setup'
/** What a page that is opened tells. */
const comes = {
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
const goes = {
  options: ['options.onUnload, counted 0', 'options.unmounted'],
  /** While it goes, so many are drawn. */
  setup: (drawn: number) => [`setup.onUnload, drawn ${drawn}`, 'setup.unmounted'],
}

describe.each(everywhere)('$platform, $mode', (where) => {
  test('the app is launched and shown, then its first page', async () => {
    const app = await open(where)
    await happened(
      app,
      'App.onLaunch {"path":"pages/start/start","query":{}}',
      'App.onShow {"path":"pages/start/start","query":{}}',
      ...comes.start,
    )
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
    expect(await title(app)).toBe('Start')
    expect(await back(app).count()).toBe(0)
    await app.picture(`navigation-start.${where.platform}.${where.mode}`)
  })

  test('an app that begins elsewhere is launched with that page and its query', async () => {
    const query = { from: 'a & b=c', name: '拿铁 50% #1/2?', smile: '😀', plus: '1+1', empty: '' }
    const app = await open({ ...where, path: 'pages/setup/setup', query })
    const start = JSON.stringify({ path: 'pages/setup/setup', query })
    await happened(app, `App.onLaunch ${start}`, `App.onShow ${start}`, ...comes.setup(query))
    expect(await top(app).locator('.from').innerText()).toBe('from: a & b=c')
    await app.picture(`navigation-setup.${where.platform}.${where.mode}`)
  })

  test('navigateTo hides the page below; navigateBack shows it again', async () => {
    const app = await standing(where)
    await button(app, 'Options API').click()
    await happened(app, 'start.onHide', ...comes.options({ from: 'start' }))
    expect(await title(app)).toBe('Options API')
    await app.neu('navigateTo', { url: '../setup/setup?x=1' })
    await happened(app, 'options.onHide', ...comes.setup({ x: '1' }))
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${options}?from=start`, `${setup}?x=1`])
    await back(app).click()
    await happened(app, 'setup.onUnload, drawn 3', 'options.onShow', 'setup.unmounted')
    await app.neu('navigateBack')
    await happened(app, goes.options[0]!, 'start.onShow', goes.options[1]!)
    expect(await title(app)).toBe('Start')
    expect(await back(app).count()).toBe(0)
  })

  test('redirectTo: the old page goes when the new one stands', async () => {
    const app = await standing(where)
    await app.neu('navigateTo', { url: setup })
    await happened(app, 'start.onHide', ...comes.setup())
    await button(app, 'Redirect').click()
    // Three are drawn: start, the one that goes, and the one that has come.
    await happened(app, ...comes.options(), ...goes.setup(3))
    expect(await stackOf(app)).toEqual(['/pages/start/start', options])
    await app.neu('navigateBack')
    await happened(app, goes.options[0]!, 'start.onShow', goes.options[1]!)
    // Of a tab too, which is kept no longer.
    await button(app, 'Redirect').click()
    await happened(app, ...comes.setup(), 'start.onUnload', 'start.unmounted')
    expect(await stackOf(app)).toEqual([setup])
    await app.neu('switchTab', { url: '/pages/start/start' })
    await happened(app, ...comes.start, ...goes.setup(2))
  })

  test('redirectTo keeps the old page in sight and alive while the new one is on its way', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const app = await standing({
      ...where,
      prepare: (context) =>
        context.route(/setup[^/]*\.(vue|js)(\?t=\d+)?$/, async (route) => {
          await held
          await route.continue()
        }),
    })
    onTestFinished(release)
    await app.neu('navigateTo', { url: options })
    await happened(app, 'start.onHide', ...comes.options())
    await group(app, 'Navigation').getByRole('button', { name: 'Redirect' }).click()
    await button(app, 'Counted: 0').click()
    await button(app, 'Counted: 1').waitFor()
    expect(await title(app)).toBe('Options API')
    expect(await stackOf(app)).toEqual(['/pages/start/start', options])
    await happened(app)
    release()
    await happened(app, ...comes.setup(), 'options.onUnload, counted 1', 'options.unmounted')
  })

  test('reLaunch: all pages go, tabs too, top first, when the new one stands', async () => {
    const app = await standing(where)
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await app.neu('navigateTo', { url: options })
    await app.neu('navigateTo', { url: setup })
    await forget(app)
    await app.neu('reLaunch', { url: '/pages/guard/guard' })
    await happened(
      app,
      ...comes.guard,
      'setup.onUnload, drawn 5',
      goes.options[0]!,
      'shelf.onUnload',
      'start.onUnload',
      'start.unmounted',
      'shelf.unmounted',
      'options.unmounted',
      'setup.unmounted',
    )
    expect(await stackOf(app)).toEqual(['/pages/guard/guard'])
    // To a tab as well.
    await app.neu('reLaunch', { url: '/pages/corner/corner?a=1' })
    await happened(app, 'corner.onLoad {"a":"1"}', ...comes.corner.slice(1), 'guard.onUnload', 'guard.unmounted')
  })

  test('switchTab makes a tab once, and then shows and hides it', async () => {
    const app = await standing(where)
    await app.neu('switchTab', { url: '/pages/shelf/shelf?left=out' })
    await happened(app, 'start.onHide', ...comes.shelf)
    await app.neu('switchTab', { url: '/pages/start/start' })
    await happened(app, 'shelf.onHide', 'start.onShow')
    await app.neu('switchTab', { url: 'pages/shelf/shelf'.replace('pages', '../../pages') })
    await happened(app, 'start.onHide', 'shelf.onShow')
    // To where one is: nothing.
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await happened(app)
    expect(await stackOf(app)).toEqual(['/pages/shelf/shelf'])
    // From a page above: that one goes, whether the tab is new or not.
    await app.neu('navigateTo', { url: options })
    await happened(app, 'shelf.onHide', ...comes.options())
    await app.neu('switchTab', { url: '/pages/corner/corner' })
    await happened(app, ...comes.corner, ...goes.options)
    await app.neu('navigateTo', { url: options })
    await happened(app, 'corner.onHide', ...comes.options())
    await app.neu('switchTab', { url: '/pages/start/start' })
    await happened(app, goes.options[0]!, 'start.onShow', goes.options[1]!)
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
  })

  test('a tap on a tab is told to the page that the tab shows', async () => {
    const app = await standing(where)
    const shelf = 'shelf.onTabItemTap {"index":1,"text":"Shelf","pagePath":"pages/shelf/shelf"}'
    await tab(app, 'Shelf').click()
    await happened(app, 'start.onHide', ...comes.shelf, shelf)
    expect(await title(app)).toBe('Shelf')
    await tab(app, 'Shelf').click()
    await happened(app, shelf)
    await tab(app, 'Start').click()
    await happened(
      app,
      'shelf.onHide',
      'start.onShow',
      'start.onTabItemTap {"index":0,"text":"Start","pagePath":"pages/start/start"}',
    )
    // A call is no tap.
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await happened(app, 'start.onHide', 'shelf.onShow')
  })

  test('a tab keeps what was done in it, and where it was scrolled to', async () => {
    const app = await standing(where)
    await tab(app, 'Shelf').click()
    await button(app, 'Count: 0').click()
    await top(app).locator('input').fill('for Layla')
    const scroller = top(app).locator('neu-page-scroll')
    await scroller.evaluate((element) => element.scrollTo(0, 300))
    await app.picture(`navigation-shelf.${where.platform}.${where.mode}`)
    await tab(app, 'Start').click()
    await button(app, 'Composition API').click()
    await top(app).getByText('from: start', { exact: true }).waitFor()
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await button(app, 'Count: 1').waitFor()
    expect(await top(app).locator('input').inputValue()).toBe('for Layla')
    expect(await scroller.evaluate((element) => element.scrollTop)).toBe(300)
  })

  test('navigateBack by several pages: those between are never shown', async () => {
    const app = await standing(where)
    for (const depth of [1, 2, 3]) await app.neu('navigateTo', { url: `${options}?depth=${depth}` })
    await forget(app)
    await button(app, 'Back two pages').click()
    await happened(
      app,
      'options.onUnload, counted 0',
      'options.onUnload, counted 0',
      'options.onShow',
      'options.unmounted',
      'options.unmounted',
    )
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${options}?depth=1`])
    await button(app, 'Back too far').click()
    await happened(app, goes.options[0]!, 'start.onShow', goes.options[1]!)
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
    // No less than one.
    await app.neu('navigateTo', { url: options })
    await app.neu('navigateBack', { delta: 0 })
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
  })

  test('onBackPress keeps the page, and hears who asked', async () => {
    const app = await standing(where)
    await app.neu('navigateTo', { url: '/pages/guard/guard' })
    await happened(app, 'start.onHide', ...comes.guard)
    await back(app).click()
    await happened(app, 'guard.onBackPress {"from":"backbutton"}')
    expect(await outcome(app, 'Navigation', 'Back')).toBe('navigateBack:fail onBackPress')
    await happened(app, 'guard.onBackPress {"from":"navigateBack"}')
    expect(await stackOf(app)).toEqual(['/pages/start/start', '/pages/guard/guard'])
    await app.picture(`navigation-guard.${where.platform}.${where.mode}`)
    await top(app).locator('neu-switch').click()
    await back(app).click()
    await happened(app, 'guard.onBackPress {"from":"backbutton"}', 'guard.onUnload', 'start.onShow', 'guard.unmounted')
    // What is no way back is not asked about.
    await app.neu('navigateTo', { url: '/pages/guard/guard' })
    await happened(app, 'start.onHide', ...comes.guard)
    await button(app, 'Redirect').click()
    await happened(app, ...comes.setup(), 'guard.onUnload', 'guard.unmounted')
  })

  test('the event channel leads both ways', async () => {
    const app = await standing(where)
    await button(app, 'Event channel').click()
    await happened(app, 'start.onHide', 'start heard "I am here."', 'channel heard "How are you?"')
    await top(app).getByText('Question: How are you?').waitFor()
    await button(app, 'Answer').click()
    await happened(app, 'start heard "Fine, thank you."')
    await app.neu('navigateBack')
    await happened(app, 'start.onShow')
    // Each opening has a channel of its own.
    await app.app.evaluate(async () => {
      const { eventChannel } = (await neu.navigateTo!({ url: '/pages/channel/channel' })) as {
        eventChannel: { on(name: string, listener: (text: string) => void): void }
      }
      eventChannel.on('answer', (text) => getApp().globalData.journal.push(`test heard ${text}`))
    })
    await happened(app, 'start.onHide', 'test heard I am here.')
  })

  test('getCurrentPages gives the pages with what their components have', async () => {
    const app = await standing(where)
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

  test('queries with special characters arrive as they were meant', async () => {
    const app = await standing(where)
    const name = '拿铁 & "50%" ?#/=+\\😀'
    await app.neu('navigateTo', {
      url: `${setup}?name=${encodeURIComponent(name)}&twice=1&equals=a=b&space=a+b&flag&broken=%E4%&twice=2&__proto__=x&from=قهوة`,
    })
    const query = { name, twice: '2', equals: 'a=b', space: 'a b', flag: '', broken: '%E4%' }
    const given = JSON.parse(await top(app).locator('.query').innerText())
    expect(given).toEqual(JSON.parse(`{${JSON.stringify(query).slice(1, -1)},"__proto__":"x","from":"قهوة"}`))
    expect(await top(app).locator('.from').innerText()).toBe('from: قهوة')
    // They survive being told on.
    const { url } = await app.app.evaluate(() => ({ url: getCurrentPages().at(-1)!.$page.fullPath }))
    await app.neu('redirectTo', { url })
    expect(JSON.parse(await top(app).locator('.query').innerText())).toEqual(given)
  })

  test('what cannot be done says why, and changes nothing', async () => {
    const app = await standing(where)
    const none = 'page "pages/none/none" is not found'
    expect(await outcome(app, 'Errors', 'Missing page')).toBe(`navigateTo:fail ${none}`)
    expect(await outcome(app, 'Errors', 'Tab page')).toBe('navigateTo:fail can not navigateTo a tabbar page')
    expect(await outcome(app, 'Errors', 'Not a tab')).toBe('switchTab:fail can not switch to no-tabBar page')
    expect(await outcome(app, 'Errors', 'Back')).toBe('navigateBack:fail cannot navigate back at first page')
    await app.picture(`navigation-failures.${where.platform}.${where.mode}`)
    for (const method of ['navigateTo', 'redirectTo', 'reLaunch', 'preloadPage']) {
      expect(await failure(app, method, { url: '/pages/none/none?a=1' })).toBe(`${method}:fail ${none}`)
      expect(await failure(app, method, { url: 'none' })).toBe(`${method}:fail page "pages/start/none" is not found`)
    }
    expect(await failure(app, 'navigateTo', { url: '/' })).toBe('navigateTo:fail page "" is not found')
    expect(await failure(app, 'redirectTo', { url: '/pages/shelf/shelf' })).toBe(
      'redirectTo:fail can not redirectTo a tabbar page',
    )
    expect(await failure(app, 'switchTab', { url: '/pages/none/none' })).toBe(
      'switchTab:fail can not switch to no-tabBar page',
    )
    const wrong = 'parameter error: parameter'
    for (const method of ['navigateTo', 'redirectTo', 'reLaunch', 'switchTab', 'preloadPage']) {
      expect(await failure(app, method)).toBe(`${method}:fail ${wrong}.url should be String instead of Undefined`)
      expect(await failure(app, method, { url: 1 })).toBe(
        `${method}:fail ${wrong}.url should be String instead of Number`,
      )
    }
    expect(await failure(app, 'navigateTo', { url: setup, events: [] })).toBe(
      `navigateTo:fail ${wrong}.events should be Object instead of Array`,
    )
    expect(await failure(app, 'navigateBack', { delta: '2' })).toBe(
      `navigateBack:fail ${wrong}.delta should be Number instead of String`,
    )
    expect(await failure(app, 'navigateTo', 'setup' as unknown as object)).toBe(
      `navigateTo:fail ${wrong} should be Object instead of String`,
    )
    await happened(app)
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
  })

  test('with callbacks nothing is returned, and complete comes last', async () => {
    const app = await standing(where)
    const told = (method: string, options: object) =>
      app.app.evaluate(
        ([method, options]) =>
          new Promise<string[]>((resolve) => {
            const heard: string[] = []
            const hear = (name: string) => (result: { errMsg: string }) => heard.push(`${name} ${result.errMsg}`)
            const returned = neu[method]!({
              ...options,
              success: hear('success'),
              fail: hear('fail'),
              complete: (result: { errMsg: string }) => {
                hear('complete')(result)
                resolve(heard)
              },
            })
            heard.push(String(returned))
          }),
        [method, options] as const,
      )
    expect(await told('navigateTo', { url: setup })).toEqual([
      'undefined',
      'success navigateTo:ok',
      'complete navigateTo:ok',
    ])
    const failed = 'navigateTo:fail can not navigateTo a tabbar page'
    expect(await told('navigateTo', { url: '/pages/start/start' })).toEqual([
      'undefined',
      `fail ${failed}`,
      `complete ${failed}`,
    ])
    expect(await told('redirectTo', { url: options })).toContain('success redirectTo:ok')
    expect(await told('navigateBack', {})).toContain('success navigateBack:ok')
    expect(await told('navigateBack', {})).toContain('fail navigateBack:fail cannot navigate back at first page')
    expect(await told('switchTab', { url: '/pages/shelf/shelf' })).toContain('success switchTab:ok')
    expect(await told('reLaunch', { url: options })).toContain('success reLaunch:ok')
  })

  test('a navigator goes as its open-type says', async () => {
    const app = await standing(where)
    const link = (name: string) => top(app).getByText(name, { exact: true })
    const links = async () => {
      await app.neu('reLaunch', { url: '/pages/start/start' })
      await app.neu('navigateTo', { url: '/pages/links/links' })
      await forget(app)
    }
    await links()
    await app.picture(`navigation-links.${where.platform}.${where.mode}`)
    await link('navigate').click()
    await happened(app, 'links.onHide', ...comes.setup({ from: 'link' }), 'link success')
    await app.neu('navigateBack')
    await forget(app)
    await link('without open-type').click()
    await happened(app, 'links.onHide', ...comes.setup())
    await app.neu('navigateBack')
    await forget(app)
    await link('missing page').click()
    await happened(app, 'link fail "navigateTo:fail page \\"pages/none/none\\" is not found"')
    expect(app.faults()).toEqual([expect.stringContaining('page "pages/none/none" is not found')])
    await link('redirect').click()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/start/start', options])
    await links()
    await link('reLaunch').click()
    await expect.poll(() => stackOf(app)).toEqual([options])
    await links()
    await link('switchTab').click()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/shelf/shelf'])
    await links()
    await link('navigateBack').click()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/start/start'])
    await app.neu('navigateTo', { url: options })
    await app.neu('navigateTo', { url: '/pages/links/links' })
    await link('Back two pages').click()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/start/start'])
    // By the keyboard too.
    await links()
    await top(app).getByRole('link', { name: 'navigate', exact: true }).press('Enter')
    await happened(app, 'links.onHide', ...comes.setup({ from: 'link' }), 'link success')
  })

  test('two quick taps open a page once', async () => {
    const app = await standing(where)
    await button(app, 'Options API').dblclick()
    await happened(app, 'start.onHide', ...comes.options({ from: 'start' }))
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${options}?from=start`])
    await button(app, 'Back').click()
    await happened(app, goes.options[0]!, 'start.onShow', goes.options[1]!)
    // Called twice in one go: the second one is told so. Another page is another matter.
    const outcomes = await app.app.evaluate(async () => {
      const url = '/pages/options/options'
      const all = [url, url, `${url}?depth=2`].map((url) => neu.navigateTo!({ url }))
      return (await Promise.allSettled(all)).map((each) =>
        each.status === 'fulfilled' ? 'opened' : (each.reason as { errMsg: string }).errMsg,
      )
    })
    expect(outcomes).toEqual(['opened', `navigateTo:fail "${options}" is already being opened`, 'opened'])
    expect(await stackOf(app)).toEqual(['/pages/start/start', options, `${options}?depth=2`])
    // When it stands, it may be opened again.
    await app.neu('navigateTo', { url: `${options}?depth=2` })
    expect((await stackOf(app)).length).toBe(4)
  })

  test('calls made at once are done one after the other, whole', async () => {
    const app = await standing(where)
    await app.app.evaluate(async () => {
      await Promise.all([
        neu.navigateTo!({ url: '/pages/setup/setup' }),
        neu.redirectTo!({ url: '/pages/options/options' }),
        neu.switchTab!({ url: '/pages/corner/corner' }),
        neu.navigateTo!({ url: '/pages/setup/setup' }),
        neu.navigateBack!(),
      ])
    })
    await happened(
      app,
      'start.onHide',
      ...comes.setup(),
      ...comes.options(),
      ...goes.setup(3),
      ...comes.corner,
      ...goes.options,
      'corner.onHide',
      ...comes.setup(),
      'setup.onUnload, drawn 3',
      'corner.onShow',
      'setup.unmounted',
    )
    expect(await stackOf(app)).toEqual(['/pages/corner/corner'])
  })

  test('a hook that fails is told to the app and stops nothing', async () => {
    const app = await standing(where)
    await app.neu('navigateTo', { url: `${options}?throws=coffee` })
    const [created, onLoad, ...more] = comes.options({ throws: 'coffee' })
    await happened(app, 'start.onHide', created!, onLoad!, 'App.onError "Error: onLoad throws coffee"', ...more)
    expect(app.faults()).toEqual([expect.stringContaining('onLoad throws coffee')])
    await app.app.evaluate(() => void Promise.reject(new Error('spilled')))
    await happened(app, 'App.onUnhandledRejection "spilled"')
    expect(app.faults()).toEqual([expect.stringContaining('spilled')])
    await app.neu('navigateBack')
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
  })

  test('where the app begins with a page that is not there, it says so and begins with its first', async () => {
    const app = await open({ ...where, path: 'pages/none/none', query: { a: '1' }, isAwaited: false })
    await app.page.waitForSelector('.neu-navbar-title')
    await app.app.waitForFunction(() => 'getApp' in globalThis)
    const start = '{"path":"pages/none/none","query":{"a":"1"}'
    await happened(
      app,
      `App.onLaunch ${start}}`,
      `App.onShow ${start}}`,
      `App.onPageNotFound ${start},"isEntryPage":true}`,
      ...comes.start,
    )
    expect(await stackOf(app)).toEqual(['/pages/start/start'])
    expect(app.faults()).toEqual([expect.stringContaining('page "pages/none/none" is not found')])
  })

  test('a page that waits in its setup is drawn, and its hooks are called, when it goes on', async () => {
    const app = await standing(where)
    await app.neu('navigateTo', { url: '/pages/late/late?from=start' })
    await expect.poll(() => title(app), { interval: 20 }).toBe('Async setup')
    await happened(app, 'start.onHide')
    expect(await top(app).innerText()).toBe('')
    await go(app)
    await happened(app, 'late.onLoad {"from":"start"}', 'late.onShow', 'late.mounted', 'late.onReady')
    expect(await top(app).innerText()).toContain('Setup has finished.')
    await app.picture(`navigation-late.${where.platform}.${where.mode}`)
    await app.neu('navigateBack')
    await happened(app, 'late.onUnload', 'start.onShow', 'late.unmounted')
    // Left before that, it has never been there.
    await app.neu('navigateTo', { url: '/pages/late/late' })
    await app.neu('navigateBack')
    await go(app)
    await happened(app, 'start.onHide', 'start.onShow')
  })

  test('a subpackage is loaded when it is entered, or before by preloadPage', async () => {
    const asked: string[] = []
    const app = await standing(where)
    app.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await app.neu('navigateTo', { url: setup })
    await app.neu('navigateBack')
    await forget(app)
    expect(asked.join(' ')).not.toMatch(/far|parcel/)
    await app.neu('preloadPage', { url: '/parcel/pages/far/far' })
    expect(asked.join(' ')).toMatch(/far|parcel/)
    await happened(app)
    await app.context.setOffline(true)
    await app.neu('navigateTo', { url: '/parcel/pages/far/far' })
    await happened(app, 'start.onHide', ...comes.far)
    expect(await title(app)).toBe('Subpackage')
  })

  test('a page that cannot be loaded fails, and can be opened when the network is there again', async () => {
    // The browser keeps the failure; a release has another address to ask for.
    if (where.mode === 'serve') return
    let isCut = true
    const cut = (route: Route) => (isCut ? route.abort() : route.continue())
    const app = await standing({
      ...where,
      prepare: (context) => context.route(/\/(parcel|far)[^/]*(\/pages\/far\/far)?[^/]*\.(vue|js)(\?.*)?$/, cut),
    })
    expect(await failure(app, 'navigateTo', { url: '/parcel/pages/far/far' })).toMatch(
      /^navigateTo:fail .*(load|fetch)/i,
    )
    await happened(app)
    app.faults()
    isCut = false
    await app.neu('navigateTo', { url: '/parcel/pages/far/far' })
    await happened(app, 'start.onHide', ...comes.far)
  })
})

describe.each(everywhere.filter(({ platform }) => platform === 'H5'))('the browser’s history, $mode', (where) => {
  const hash = ({ page }: App, expected: string) =>
    expect.poll(() => new URL(page.url()).hash, { interval: 20 }).toBe(`#${expected}`)
  const edit = ({ page }: App, hash: string) =>
    page.evaluate((hash) => {
      location.hash = hash
    }, hash)

  /** What is gone back to for the first time after a reload is made then. */
  const setupAnew = (from: string) => [
    goes.options[0]!,
    `setup.onLoad {"from":"${from}"}`,
    'setup.onShow',
    goes.options[1]!,
    'setup.mounted',
    'setup.onReady',
  ]

  test('back and forward go through the pages', async () => {
    const app = await open(where)
    const { page } = app
    await hash(app, '/pages/start/start')
    await app.neu('navigateTo', { url: `${setup}?from=1` })
    await app.neu('navigateTo', { url: options })
    await hash(app, options)
    await forget(app)
    await page.goBack()
    await happened(app, goes.options[0]!, 'setup.onShow', goes.options[1]!)
    await hash(app, `${setup}?from=1`)
    await page.goForward()
    await happened(app, 'setup.onHide', ...comes.options())
    await hash(app, options)
    await page.evaluate(() => history.go(-2))
    await happened(
      app,
      goes.options[0]!,
      'setup.onUnload, drawn 3',
      'start.onShow',
      'setup.unmounted',
      goes.options[1]!,
    )
    await page.evaluate(() => history.go(2))
    // Both are there again; of the lower one nothing but its place, until it is gone back to.
    await happened(app, 'start.onHide', ...comes.options())
    await page.goBack()
    await happened(app, ...setupAnew('1'))
    await hash(app, `${setup}?from=1`)
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${setup}?from=1`])
    // What the app does itself goes the same way: no entry is left over.
    await app.neu('navigateBack')
    await hash(app, '/pages/start/start')
    await app.neu('redirectTo', { url: setup })
    await hash(app, setup)
    await app.neu('switchTab', { url: '/pages/shelf/shelf' })
    await hash(app, '/pages/shelf/shelf')
    await tab(app, 'Corner').click()
    await hash(app, '/pages/corner/corner')
    await page.goBack()
    await expect.poll(() => page.url()).toBe('about:blank')
  })

  test('a page that stays keeps its address', async () => {
    const app = await standing(where)
    await app.neu('navigateTo', { url: '/pages/guard/guard' })
    await happened(app, 'start.onHide', ...comes.guard)
    await app.page.goBack()
    await happened(app, 'guard.onBackPress {"from":"backbutton"}')
    await hash(app, '/pages/guard/guard')
    expect(await stackOf(app)).toEqual(['/pages/start/start', '/pages/guard/guard'])
    await top(app).locator('neu-switch').click()
    await app.page.goBack()
    await happened(app, 'guard.onBackPress {"from":"backbutton"}', 'guard.onUnload', 'start.onShow', 'guard.unmounted')
    await hash(app, '/pages/start/start')
  })

  test('an edited address is gone to: a page above, a tab, and no page nowhere', async () => {
    const app = await standing(where)
    await edit(app, `${setup}?from=address`)
    await happened(app, 'start.onHide', ...comes.setup({ from: 'address' }))
    expect(await stackOf(app)).toEqual(['/pages/start/start', `${setup}?from=address`])
    await edit(app, '/pages/none/none?a=1')
    await happened(app, 'App.onPageNotFound {"path":"pages/none/none","query":{"a":"1"},"isEntryPage":false}')
    await hash(app, `${setup}?from=address`)
    expect(app.faults()).toEqual([expect.stringContaining('"pages/none/none" is not found')])
    await edit(app, 'anchor')
    await hash(app, `${setup}?from=address`)
    await happened(app)
    await edit(app, '/pages/shelf/shelf')
    await happened(app, ...comes.shelf, ...goes.setup(3))
    expect(await stackOf(app)).toEqual(['/pages/shelf/shelf'])
  })

  test('a reload keeps the pages, which come back one by one', async () => {
    const app = await open(where)
    await app.neu('navigateTo', { url: `${setup}?from=${encodeURIComponent('a & b')}` })
    await app.neu('navigateTo', { url: options })
    await hash(app, options)
    await app.page.reload()
    await happened(
      app,
      'App.onLaunch {"path":"pages/options/options","query":{}}',
      'App.onShow {"path":"pages/options/options","query":{}}',
      ...comes.options(),
    )
    await back(app).click()
    await happened(app, ...setupAnew('a & b'))
    await app.page.goBack()
    await happened(
      app,
      'setup.onUnload, drawn 1',
      'start.onLoad {}',
      'start.onShow',
      'setup.unmounted',
      'start.mounted',
      'start.onReady',
    )
    await hash(app, '/pages/start/start')
  })

  test('out of sight page and app are hidden, and shown in the other order', async () => {
    const app = await standing(where)
    const show = (isShown: boolean) =>
      app.page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, !isShown)
    await show(false)
    await happened(app, 'start.onHide', 'App.onHide')
    await show(true)
    await happened(app, 'App.onShow {"path":"pages/start/start","query":{}}', 'start.onShow')
    // Hidden by a page above it, it is not hidden twice.
    await app.neu('navigateTo', { url: setup })
    await happened(app, 'start.onHide', ...comes.setup())
    await show(false)
    await happened(app, 'setup.onHide', 'App.onHide')
    await show(true)
    await happened(app, 'App.onShow {"path":"pages/start/start","query":{}}', 'setup.onShow')
  })
})

describe.each(everywhere.filter(({ platform }) => platform !== 'H5'))('in the host, $platform', (where) => {
  const { platform } = where
  type Host = { host: { back(): void; open(props: object): void } }
  const pressBack = ({ host }: App) => host.evaluate(() => (window as unknown as Host).host.back())

  test('out of sight page and app are hidden, and shown in the other order', async () => {
    const app = await standing(where)
    const show = (visible: boolean) =>
      app.host.evaluate((visible) => (window as unknown as Host).host.open({ visible, appid: 'playground' }), visible)
    await show(false)
    await happened(app, 'start.onHide', 'App.onHide')
    await show(true)
    await happened(app, 'App.onShow {"path":"pages/start/start","query":{}}', 'start.onShow')
  })

  test('the way back of the system goes back, asks the page, and leaves the app on its first page', async () => {
    const app = await standing(where)
    await app.neu('navigateTo', { url: '/pages/guard/guard' })
    await happened(app, 'start.onHide', ...comes.guard)
    await pressBack(app)
    await happened(app, 'guard.onBackPress {"from":"backbutton"}')
    await top(app).locator('neu-switch').click()
    await pressBack(app)
    await happened(app, 'guard.onBackPress {"from":"backbutton"}', 'guard.onUnload', 'start.onShow', 'guard.unmounted')
    await pressBack(app)
    await app.host.getByText('The host closes the mini app here.').waitFor()
    await happened(app)
    // The first page may refuse too.
    await app.neu('reLaunch', { url: '/pages/guard/guard' })
    await forget(app)
    await pressBack(app)
    await happened(app, 'guard.onBackPress {"from":"backbutton"}')
  })

  test('a navigator with open-type exit leaves the app', async () => {
    const app = await standing(where)
    await app.neu('navigateTo', { url: '/pages/links/links' })
    await forget(app)
    await top(app).getByText('exit', { exact: true }).click()
    await app.host.getByText('The host closes the mini app here.').waitFor()
    await happened(app, 'link success')
  })

  test.each(['en', 'ar'])('bars of a page that is covered end where the new page begins, %s', async (language) => {
    const app = await standing({ ...where, hasMotion: true, language })
    /** Halfway: how far the two layers reach towards each other, px. */
    const gap = () =>
      app.host.evaluate(() => {
        const [below, above] = ['cover', 'uncover'].some((role) => document.querySelector(`[data-role=${role}]`))
          ? ['[data-role=cover], [data-role=uncover]', '[data-role=enter], [data-role=leave]'].map(
              (selector) => document.querySelector(`.souk-mini-app-layer:is(${selector})`)!,
            )
          : []
        for (const layer of [below!, above!])
          for (const animation of layer.getAnimations()) {
            animation.pause()
            animation.currentTime = 500
          }
        // `inset(<top> <right> <bottom> <left>)` as far as it is written.
        const inset = getComputedStyle(below!).clipPath.slice('inset('.length).split(/[ )]/).map(Number.parseFloat)
        const [covered, covering] = [below!, above!].map((layer) => layer.getBoundingClientRect())
        return document.querySelector('[dir=rtl]')
          ? covered!.left + (covered!.width * inset[3]!) / 100 - covering!.right
          : covered!.right - (covered!.width * inset[1]!) / 100 - covering!.left
      })
    const call = (method: string, options: object) =>
      app.app.evaluate(([method, options]) => void neu[method]!(options), [method, options] as const)
    await call('navigateTo', { url: '/pages/setup/setup', animationDuration: 1000 })
    await app.host.waitForSelector('.souk-mini-app-layer[data-role=cover]', { state: 'attached' })
    expect(Math.abs(await gap())).toBeLessThan(1)
    await app.picture(`navigation-moving.${language}.${platform}`)
    await expect.poll(() => app.host.locator('.souk-mini-app-layer').count()).toBe(1)
    await call('navigateBack', { animationDuration: 1000 })
    await app.host.waitForSelector('.souk-mini-app-layer[data-role=uncover]', { state: 'attached' })
    expect(Math.abs(await gap())).toBeLessThan(1)
    await expect.poll(() => app.host.locator('.souk-mini-app-layer').count()).toBe(1)
  })

  test('while pages move, what is done meanwhile is done on the page that comes', async () => {
    const app = await standing({ ...where, hasMotion: true })
    await button(app, 'Options API').dblclick()
    await happened(app, 'start.onHide', ...comes.options({ from: 'start' }))
    const moving = app.app.locator('neu-page-window[data-motion]')
    await expect.poll(() => moving.count()).toBe(0)
    await expect.poll(() => app.host.locator('.souk-mini-app-layer').count()).toBe(1)
    await app.picture(`navigation-moved.${platform}`)
    // Back, and at once to another page: each is whole.
    await app.app.evaluate(async () => {
      void neu.navigateBack!()
      await neu.navigateTo!({ url: '/pages/setup/setup' })
    })
    await happened(
      app,
      goes.options[0]!,
      'start.onShow',
      'start.onHide',
      'setup.onLoad {}',
      'setup.onShow',
      goes.options[1]!,
      'setup.mounted',
      'setup.onReady',
    )
    await expect.poll(() => moving.count()).toBe(0)
    expect(await title(app)).toBe('Composition API')
    expect(await app.app.locator('neu-page-window').count()).toBe(2)
    // Two quick taps on the bar’s way back go back twice at most, and never to nothing.
    await back(app).dblclick()
    await expect.poll(() => stackOf(app)).toEqual(['/pages/start/start'])
    await expect.poll(() => moving.count()).toBe(0)
    expect(await app.app.locator('neu-page-window').count()).toBe(1)
  })
})
