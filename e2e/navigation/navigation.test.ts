import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { release, serve } from '../../packages/vite-plugin/src/index.ts'
import { lendPage } from '../browser.ts'

/** Globals of the app under test. */
declare const neu: typeof import('../../packages/runtime/src/index.ts').neu
declare const getCurrentPages: typeof import('../../packages/runtime/src/index.ts').getCurrentPages
declare const getApp: typeof import('../../packages/runtime/src/index.ts').getApp
declare const log: string[]

const project = join(import.meta.dirname, '../../playground/navigation')
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

describe.each(['serve', 'build'] as const)('an H5 app, by %s', (mode) => {
  let base: string
  let folder: string | undefined
  let close = async () => {}
  let page: Page
  let giveBack: () => Promise<void>
  let problems: string[]

  beforeAll(async () => {
    if (mode === 'serve') {
      const server = await serve({ project, platform: 'H5' })
      base = server.urls[0]!
      close = server.close
    } else {
      const built = await mkdtemp(join(tmpdir(), 'souk-navigation-'))
      folder = join(built, 'release')
      await release({ project, platform: 'H5', out: folder })
      base = 'http://app.test/mini/'
      close = () => rm(built, { recursive: true })
    }
  })
  afterAll(() => close())

  afterEach(async () => {
    await giveBack()
    expect(problems).toEqual([])
  })

  async function open(path = '', expected: string[] = []): Promise<void> {
    ;({ page, giveBack } = await lendPage({ viewport: { width: 390, height: 700 } }))
    if (folder !== undefined)
      await page.route(`${base}**`, async (route) => {
        const { pathname } = new URL(route.request().url())
        const file = join(folder!, pathname.slice('/mini/'.length) || 'index.html')
        const body = await readFile(file).catch(() => undefined)
        await route.fulfill(body ? { body, contentType: types[extname(file)] ?? '' } : { status: 404 })
      })
    problems = []
    page.on('pageerror', ({ message }) => !expected.includes(message) && problems.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !expected.includes(message.text())) problems.push(message.text())
    })
    await page.goto(base + path)
    await takeLog(/onReady$/)
  }

  /** Waits until the last log entry matches, then returns and clears the log. */
  async function takeLog(last: RegExp | string): Promise<string[]> {
    const pattern = typeof last === 'string' ? `^${last.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` : last.source
    await page.waitForFunction(
      (pattern) => new RegExp(pattern).test((globalThis as { log?: string[] }).log?.at(-1) ?? ''),
      pattern,
    )
    return page.evaluate(() => log.splice(0))
  }

  const call = (name: 'navigateTo' | 'redirectTo' | 'reLaunch' | 'switchTab' | 'navigateBack', options: object = {}) =>
    page.evaluate(
      ([name, options]) =>
        (neu[name] as (options: object) => Promise<{ errMsg: string }>)(options)
          .catch((error: { errMsg: string }) => error)
          .then(({ errMsg }) => errMsg),
      [name, options] as const,
    )
  const hash = (expected: string) =>
    expect.poll(() => new URL(page.url()).hash, { message: 'URL fragment' }).toBe(expected)
  const title = (text: string) => page.getByRole('heading', { name: text, level: 1, exact: true }).waitFor()

  test('opens its launch page, and navigates to a page and back', async () => {
    await open()
    await hash('#/')
    await title('Home')
    expect(await page.title()).toBe('Home')
    expect(await call('navigateTo', { url: '/pages/detail/detail?id=%E4%BD%A0' })).toBe('navigateTo:ok')
    expect(await takeLog('detail.onReady')).toEqual([
      'home.onHide',
      'detail.onLoad {"id":"你"}',
      'detail.onShow',
      'detail.onReady',
    ])
    await page.getByText('Detail of 你').waitFor()
    await hash('#/pages/detail/detail?id=%E4%BD%A0')
    await title('Detail')
    await page.getByRole('button', { name: 'Back' }).click()
    expect(await takeLog('home.onShow')).toEqual(['detail.onUnload', 'home.onShow'])
    await hash('#/')
    expect(await page.getByText('Detail of 你').count()).toBe(0)
  })

  test('keeps the page and the pages below it over a reload', async () => {
    await open()
    await call('navigateTo', { url: '/pages/detail/detail?id=1' })
    await call('navigateTo', { url: '/pages/form/form' })
    await page.reload()
    await takeLog('form.onReady')
    expect(await call('navigateBack')).toBe('navigateBack:ok')
    expect(await takeLog('detail.onReady')).toEqual([
      'form.onBackPress navigateBack',
      'form.onUnload',
      'detail.onLoad {"id":"1"}',
      'detail.onShow',
      'detail.onReady',
    ])
    await hash('#/pages/detail/detail?id=1')
    await page.goBack()
    await takeLog('home.onReady')
    await hash('#/')
  })

  // From here on, an app behaves the same in both modes.
  if (mode === 'serve') return

  test('calls the launch hooks in order, with the page and query of the URL', async () => {
    await open('#/pages/detail/detail?id=1')
    await page.reload()
    expect(await takeLog('detail.onReady')).toEqual([
      'App.onLaunch pages/detail/detail {"id":"1"}',
      'App.onShow',
      'detail.onLoad {"id":"1"}',
      'detail.onShow',
      'detail.onReady',
    ])
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0)
    expect(await call('navigateBack')).toBe('navigateBack:fail cannot navigate back at first page')
    expect(await page.evaluate(() => getApp().globalData)).toEqual({ user: 'Ada' })
  })

  test('handles back with onBackPress, and forward, in the browser history', async () => {
    await open()
    await call('navigateTo', { url: '/pages/form/form?id=1' })
    await takeLog('form.onReady')
    await page.getByText('Clean').click()
    await page.getByText('Dirty').waitFor()
    await page.goBack()
    expect(await takeLog('form.onBackPress backbutton')).toEqual(['form.onBackPress backbutton'])
    await hash('#/pages/form/form?id=1')
    await page.getByText('Dirty').click()
    await page.goBack()
    expect(await takeLog('home.onShow')).toEqual(['form.onBackPress backbutton', 'form.onUnload', 'home.onShow'])
    await hash('#/')
    await page.goForward()
    expect(await takeLog('form.onReady')).toEqual([
      'home.onHide',
      'form.onLoad {"id":"1"}',
      'form.onShow',
      'form.onReady',
    ])
    await page.getByText('Clean').waitFor()
    await hash('#/pages/form/form?id=1')
  })

  test('keeps tabs with their scroll position, in a single history entry', async () => {
    await open()
    await page.locator('#row40').scrollIntoViewIfNeeded()
    const rowTop = () => page.locator('#row40').evaluate((row) => Math.round(row.getBoundingClientRect().top))
    const before = await rowTop()
    const length = await page.evaluate(() => history.length)
    await page.getByRole('button', { name: 'Mine' }).click()
    expect(await takeLog(/onTabItemTap/)).toEqual([
      'home.onHide',
      'mine.onLoad {}',
      'mine.onShow',
      'mine.onReady',
      'mine.onTabItemTap 1 Mine tabs/mine/mine',
    ])
    await hash('#/tabs/mine/mine')
    await title('Mine')
    expect(await page.locator('.home').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Home' }).click()
    expect(await takeLog(/onTabItemTap/)).toEqual([
      'mine.onHide',
      'home.onShow',
      'home.onTabItemTap 0 Home tabs/home/home',
    ])
    expect(await rowTop()).toBe(before)
    expect(await page.evaluate(() => history.length)).toBe(length)
  })

  test('follows an edited URL to a page or tab, and rejects missing pages and other fragments', async () => {
    await open('', ['page "pages/x/x" is not found'])
    const edit = (hash: string) =>
      page.evaluate((hash) => {
        location.hash = hash
      }, hash)
    await edit('#/pages/detail/detail?id=2')
    await takeLog('detail.onReady')
    await page.getByRole('button', { name: 'Back' }).waitFor()
    await edit('#/tabs/mine/mine')
    expect(await takeLog('detail.onUnload')).toEqual([
      'mine.onLoad {}',
      'mine.onShow',
      'mine.onReady',
      'detail.onUnload',
    ])
    await expect.poll(() => page.evaluate(() => history.state)).toEqual({ souk: ['/tabs/mine/mine'] })
    await edit('#/pages/x/x')
    expect(await takeLog(/NotFound/)).toEqual(['App.onPageNotFound pages/x/x'])
    await hash('#/tabs/mine/mine')
    await edit('#part')
    await hash('#/tabs/mine/mine')
    expect(await page.evaluate(() => log)).toEqual([])
  })

  test('opens the launch page if the page of the URL is missing', async () => {
    await open('#/pages/x/x', ['page "pages/x/x" is not found'])
    await hash('#/')
  })

  test('fails with the standard error messages', async () => {
    await open()
    expect(await call('navigateTo', { url: '/tabs/mine/mine' })).toBe(
      'navigateTo:fail can not navigateTo a tabbar page',
    )
    expect(await call('switchTab', { url: '/pages/form/form' })).toBe('switchTab:fail can not switch to no-tabBar page')
    expect(await call('navigateTo', { url: '../../pages/x/x' })).toBe('navigateTo:fail page "pages/x/x" is not found')
    const calls = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const calls: string[] = []
          neu.redirectTo({
            url: '/x',
            fail: ({ errMsg }) => calls.push(errMsg),
            complete: () => resolve([...calls, 'complete']),
          })
        }),
    )
    expect(calls).toEqual(['redirectTo:fail page "x" is not found', 'complete'])
  })

  test('passes events between a page and its opener', async () => {
    await open()
    await page.evaluate(() =>
      neu
        .navigateTo({ url: '/pages/form/form', events: { saved: (id: number) => log.push(`opener heard ${id}`) } })
        .then(({ eventChannel }) => eventChannel.emit('greet', 'hello')),
    )
    await takeLog('form heard hello')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await takeLog(/opener/)).toEqual(['form.onNavigationBarButtonTap 0 Save', 'opener heard 7'])
    expect(await page.evaluate(() => getCurrentPages().map(({ route }) => route))).toEqual([
      'tabs/home/home',
      'pages/form/form',
    ])
  })

  test('processes concurrent navigation in order, and keeps the history in sync', async () => {
    await open()
    await page.evaluate(() => {
      neu.navigateTo({ url: '/pages/detail/detail?id=1' })
      neu.navigateTo({ url: '/pages/form/form' })
      neu.redirectTo({ url: '/pages/detail/detail?id=2' })
      return neu.navigateBack()
    })
    await hash('#/pages/detail/detail?id=1')
    await page.goBack()
    await takeLog('home.onShow')
    await hash('#/')
  })

  test('reports visibility changes and uncaught errors to the app', async () => {
    await open('', ['boom'])
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: true })
      document.dispatchEvent(new Event('visibilitychange'))
      Object.defineProperty(document, 'hidden', { configurable: true, value: false })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await takeLog('home.onShow')).toEqual(['home.onHide', 'App.onHide', 'App.onShow', 'home.onShow'])
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('boom')
      })
    })
    expect(await takeLog(/onError/)).toEqual(['App.onError Error: boom'])
  })

  test('scrolls to elements, measures and observes them, and refreshes', async () => {
    await open()
    expect(
      await page.evaluate(() => neu.pageScrollTo({ selector: '#row20', duration: 0 }).then(({ errMsg }) => errMsg)),
    ).toBe('pageScrollTo:ok')
    const found = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const query = neu.createSelectorQuery()
          query.select('#row20').fields({ rect: true, size: true, dataset: true })
          query.selectAll('.row').boundingClientRect()
          query.selectViewport().scrollOffset()
          query.select('#none').boundingClientRect()
          query.exec(([row, rows, viewport, none]) =>
            resolve([row, (rows as object[]).length, (viewport as { scrollTop: number }).scrollTop, none]),
          )
        }),
    )
    expect(found).toEqual([
      { dataset: { row: '20' }, left: 0, right: 390, top: 0, bottom: 40, width: 390, height: 40 },
      60,
      760,
      null,
    ])
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const observer = neu.createIntersectionObserver()
          observer.relativeToViewport().observe('#row60', (result) => {
            log.push(`seen ${(result as { id: string }).id}`)
            observer.disconnect()
            resolve()
          })
          neu.pageScrollTo({ scrollTop: 9999, duration: 0 })
        }),
    )
    await expect.poll(() => page.evaluate(() => log)).toContain('seen row60')
    await page.evaluate(() => log.splice(0))
    await page.evaluate(() => neu.startPullDownRefresh())
    await takeLog('home.onPullDownRefresh')
  })
})
