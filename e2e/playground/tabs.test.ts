import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type App, openApp, openHeld, type Platform, platforms } from './fixture.ts'

/** Tests the tab bar (pages-json §2.7) with `playground/tabs`. */

const project = join(import.meta.dirname, '../../playground/tabs')
const height = 667

const bar = ({ host }: App) => host.locator(':not([inert]) > * > .neu-tabbar, :not([inert]) > .neu-tabbar')
const tabs = (app: App) => bar(app).locator('.neu-tabbar-item')
const tab = (app: App, name: string) => tabs(app).filter({ has: app.host.getByText(name, { exact: true }) })
const middle = (app: App) => bar(app).locator('.neu-tabbar-mid')
const title = ({ host }: App) => host.locator(':not([inert]) > .neu-navbar .neu-navbar-title')
const onTop = ({ app }: App, selector: string) => app.locator(`neu-page-window:not([inert]) ${selector}`)
const events = (app: App) => onTop(app, '.event').allInnerTexts()
const press = (app: App, name: string) => onTop(app, 'neu-page').getByText(name, { exact: true }).click()
const css = (element: Locator, property: string): Promise<string> =>
  element.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property)
async function box(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await element.boundingBox())!
}
/**
 * Returns the space that the page leaves for the tabs: the distance of a fixed element from the bottom, less its 10 px.
 */
async function tabSpace(app: App): Promise<number> {
  const fixed = await box(onTop(app, '.fixed'))
  return height - (fixed.y + fixed.height) - 10
}
/** Returns the file name of the picture of a tab, or an empty string until it is loaded. */
const picture = (element: Locator) =>
  element
    .locator('img')
    .evaluate((image: HTMLImageElement) => (image.naturalWidth > 0 ? image.src.replace(/^.*\//, '') : ''))
const name = (platform: Platform, what: string) => `tabs-${platform.replace(' ', '')}-${what}`

describe.each(platforms)('%s', (platform) => {
  /** App and H5 support all attributes of the tab bar (pages-json §2.7). */
  const isFull = platform !== 'Mini App'
  const barHeight = isFull ? 60 : 50
  let app: App

  beforeAll(async () => {
    app = await openApp({ project: 'tabs', platform, mode: 'build' })
  })
  afterAll(() => app?.close())
  afterEach(() => expect(app?.faults()).toEqual([]))

  async function screenshot(what: string): Promise<void> {
    await app.screenshot(name(platform, what))
  }

  test('draws a black navigation bar with a white title without globalStyle', async () => {
    expect(await css(title(app), 'color')).toBe('rgb(255, 255, 255)')
    expect(await css(app.host.locator('.neu-navbar-background'), 'background-color')).toBe('rgb(0, 0, 0)')
  })

  test('applies color, selectedColor, backgroundColor and borderStyle', async () => {
    await app.go('pages/home/home')
    expect(await css(tab(app, 'Home'), 'color')).toBe('rgb(194, 65, 12)')
    expect(await css(tab(app, 'Orders'), 'color')).toBe('rgb(95, 100, 112)')
    expect(await bar(app).locator('[aria-current="page"]').innerText()).toBe('Home')
    expect(await css(bar(app), 'background-color')).toBe('rgb(255, 247, 232)')
    expect(await css(bar(app).locator('.neu-tabbar-border'), 'background-color')).toBe(
      isFull ? 'rgb(194, 65, 12)' : 'rgba(0, 0, 0, 0.33)',
    )
    await screenshot('home')
  })

  test('applies height, fontSize, iconWidth and spacing on App and H5, and ends the page above the tabs', async () => {
    expect(await box(bar(app))).toEqual({ x: 0, y: height - barHeight, width: 375, height: barHeight })
    expect(await tabSpace(app)).toBe(barHeight)
    const scroller = await box(onTop(app, 'neu-page-scroll'))
    expect(scroller.y + scroller.height).toBe(height - barHeight)
    expect(await css(tab(app, 'Home').locator('.neu-tabbar-text'), 'font-size')).toBe(isFull ? '12px' : '10px')
    const icon = await box(tab(app, 'Home').locator('img'))
    expect(icon).toMatchObject(isFull ? { width: 28, height: 28 } : { width: 24, height: 24 })
    const text = await box(tab(app, 'Home').locator('.neu-tabbar-text'))
    expect(text.y - (icon.y + icon.height)).toBe(isFull ? 5 : 3)
  })

  test('hides tabs with visible false on App and H5 only', async () => {
    expect(await tabs(app).locator('.neu-tabbar-text').allInnerTexts()).toEqual(
      isFull ? ['Home', 'Orders', 'Star'] : ['Home', 'Orders', 'Star', 'Me'],
    )
  })

  test('accepts iconPath and selectedIconPath with or without a leading slash', async () => {
    await expect.poll(() => picture(tab(app, 'Home'))).toBe('home-selected.svg')
    await expect.poll(() => picture(tab(app, 'Orders'))).toBe('orders.svg')
  })

  test('prefers iconfont over iconPath on App only', async () => {
    const star = tab(app, 'Star')
    if (platform !== 'App') {
      await expect.poll(() => picture(star)).toBe('star.svg')
      expect(await star.locator('.neu-tabbar-glyph').count()).toBe(0)
      return
    }
    const glyph = star.locator('.neu-tabbar-glyph')
    expect(await star.locator('img').count()).toBe(0)
    expect(await glyph.innerText()).toBe('\uE001')
    expect([await css(glyph, 'font-size'), await css(glyph, 'color')]).toEqual(['26px', 'rgb(139, 58, 98)'])
    const family = await css(glyph, 'font-family')
    const statuses = () =>
      app.host.evaluate(
        (family) => [...document.fonts].filter((face) => face.family === family).map(({ status }) => status),
        family,
      )
    await expect.poll(statuses).toEqual(['loaded'])
    await app.go('pages/star/star', 'switchTab')
    expect(await glyph.innerText()).toBe('\uE002')
    expect(await css(glyph, 'color')).toBe('rgb(11, 107, 99)')
    await screenshot('star')
    await app.go('pages/home/home', 'switchTab')
  })

  test('draws midButton above the bar on App and H5, and reports taps', async () => {
    if (!isFull) {
      expect(await middle(app).count()).toBe(0)
      return
    }
    // Two tabs precede it, and the only other visible one follows; all three are equally wide.
    expect(await box(middle(app))).toEqual({ x: ((375 - 90) / 3) * 2, y: height - 76, width: 90, height: 76 })
    expect(await middle(app).locator('.neu-tabbar-text').innerText()).toBe('New')
    expect(await css(middle(app), 'background-image')).toBe(`url("${app.url}static/disc.svg")`)
    if (platform === 'App') {
      const glyph = middle(app).locator('.neu-tabbar-glyph')
      expect([await glyph.innerText(), await css(glyph, 'font-size')]).toEqual(['\uE003', '30px'])
      expect(await css(glyph, 'color')).toBe('rgb(29, 29, 38)')
    } else {
      await expect.poll(() => picture(middle(app))).toBe('plus.svg')
      expect(await box(middle(app).locator('img'))).toMatchObject({ width: 32, height: 32 })
    }
    await middle(app).click()
    await expect.poll(() => onTop(app, '.taps').innerText()).toBe('Middle button: 1')
    expect(await title(app).innerText()).toBe('Home')
  })

  test('shows the page of a tapped tab again if it exists, and calls its onTabItemTap', async () => {
    await app.go('pages/home/home')
    await tab(app, 'Orders').click()
    await expect.poll(() => events(app)).toEqual(['onLoad', 'onShow', 'onTabItemTap 1 Orders pages/orders/orders'])
    await expect.poll(() => title(app).innerText()).toBe('Orders')
    await expect.poll(() => bar(app).locator('[aria-current="page"]').innerText()).toBe('Orders')
    await expect.poll(() => picture(tab(app, 'Orders'))).toBe('orders-selected.svg')
    expect(await app.host.locator('.neu-navbar-back').count()).toBe(0)
    await tab(app, 'Orders').click()
    await tab(app, 'Home').click()
    await expect
      .poll(() => events(app))
      .toEqual(['onLoad', 'onShow', 'onHide', 'onShow', 'onTabItemTap 0 Home pages/home/home'])
    await app.go('pages/orders/orders', 'switchTab')
    expect(await events(app)).toEqual([
      'onLoad',
      'onShow',
      'onTabItemTap 1 Orders pages/orders/orders',
      'onTabItemTap 1 Orders pages/orders/orders',
      'onHide',
      'onShow',
    ])
  })

  test('opens tabs only by switchTab, and by switchTab only tabs', async () => {
    await app.go('pages/home/home')
    await expect(app.neu('navigateTo', { url: '/pages/orders/orders' })).rejects.toThrow(
      'navigateTo:fail can not navigateTo a tabbar page',
    )
    await expect(app.neu('redirectTo', { url: '/pages/orders/orders' })).rejects.toThrow('redirectTo:fail')
    await expect(app.neu('switchTab', { url: '/pages/detail/detail' })).rejects.toThrow(
      'switchTab:fail can not switch to no-tabBar page',
    )
    await press(app, 'Orders, with switchTab')
    await expect.poll(() => title(app).innerText()).toBe('Orders')
  })

  test('hides the tab bar on other pages, which use its space', async () => {
    await app.go('pages/home/home')
    await press(app, 'A page outside of the tabs')
    await expect.poll(() => title(app).innerText()).toBe('Not a tab')
    await app.settled()
    expect(await bar(app).count()).toBe(0)
    expect(await tabSpace(app)).toBe(0)
    await screenshot('detail')
    await app.neu('navigateBack')
    await app.settled()
    expect((await box(bar(app))).height).toBe(barHeight)
    expect(await tabSpace(app)).toBe(barHeight)
  })

  test('sets and removes badges and red dots of tabs', async () => {
    await app.go('pages/orders/orders')
    const badge = tab(app, 'Orders').locator('.neu-badge')
    await press(app, 'setTabBarBadge')
    await expect.poll(() => badge.allInnerTexts()).toEqual(['7'])
    await press(app, 'showTabBarRedDot')
    await tab(app, 'Home').locator('.neu-badge-dot').waitFor()
    await screenshot('badges')
    // A badge belongs to the bar, not to the page that has set it.
    await app.go('pages/home/home', 'switchTab')
    expect(await badge.allInnerTexts()).toEqual(['7'])
    await app.neu('setTabBarBadge', { index: 1, text: '1234' })
    await app.settled()
    expect(await badge.innerText()).toBe('...')
    await app.go('pages/orders/orders', 'switchTab')
    await press(app, 'removeTabBarBadge')
    await badge.waitFor({ state: 'detached' })
    await press(app, 'hideTabBarRedDot')
    await bar(app).locator('.neu-badge').waitFor({ state: 'detached' })
    await expect(app.neu('setTabBarBadge', { index: 9, text: '1' })).rejects.toThrow('setTabBarBadge:fail')
  })

  test('gives the space of the tabs to the page for hideTabBar, and takes it back for showTabBar', async () => {
    await app.go('pages/orders/orders')
    await press(app, 'hideTabBar')
    await bar(app).waitFor({ state: 'detached' })
    await app.settled()
    expect(await tabSpace(app)).toBe(0)
    // The bar is hidden on all tabs.
    await app.go('pages/home/home', 'switchTab')
    expect(await bar(app).count()).toBe(0)
    await app.go('pages/orders/orders', 'switchTab')
    await press(app, 'showTabBar')
    await bar(app).waitFor()
    await app.settled()
    expect(await tabSpace(app)).toBe(barHeight)
  })

  test('changes text, icon, page and visibility of a tab by setTabBarItem', async () => {
    await app.go('pages/orders/orders')
    await press(app, 'setTabBarItem')
    await tab(app, 'Basket').waitFor()
    await expect.poll(() => picture(tab(app, 'Basket'))).toBe('me-selected.svg')
    await press(app, 'setTabBarItem, visible')
    await tab(app, 'Me').waitFor()
    expect(await tabs(app).locator('.neu-tabbar-text').allInnerTexts()).toEqual(['Home', 'Basket', 'Star', 'Me'])
    if (isFull) expect((await box(middle(app))).x).toBe((375 - 90) / 2)
    await screenshot('items')
    await tab(app, 'Me').click()
    await expect.poll(() => events(app)).toContain('onTabItemTap 3 Me pages/me/me')
  })

  test('changes colors and border by setTabBarStyle', async () => {
    await app.go('pages/orders/orders')
    await press(app, 'setTabBarStyle')
    await expect.poll(() => css(bar(app), 'background-color')).toBe('rgb(220, 238, 234)')
    expect(await css(tab(app, 'Home'), 'color')).toBe('rgb(11, 107, 99)')
    expect(await css(tab(app, 'Basket'), 'color')).toBe('rgb(139, 58, 98)')
    expect(await css(bar(app).locator('.neu-tabbar-border'), 'background-color')).toBe('rgba(255, 255, 255, 0.33)')
    await screenshot('style')
  })
})

// A Mini App does this like an App.
describe('App', () => {
  const platform = 'App'

  test('draws the tabs before any script of the mini app runs', async () => {
    const { app, release } = await openHeld({ project: 'tabs', platform, mode: 'build' })
    expect(await title(app).innerText()).toBe('Home')
    const texts = () => tabs(app).locator('.neu-tabbar-text').allInnerTexts()
    const initialTexts = await texts()
    expect(initialTexts).toEqual(['Home', 'Orders', 'Star'])
    await expect.poll(() => picture(tab(app, 'Home'))).toBe('home-selected.svg')
    expect(await app.app.locator('neu-page').count()).toBe(0)
    await app.screenshot(name(platform, 'held'))
    const before = await box(bar(app))
    release()
    await app.app.waitForSelector('neu-page')
    await app.settled()
    expect(await texts()).toEqual(initialTexts)
    expect(await box(bar(app))).toEqual(before)
    await tab(app, 'Orders').click()
    await expect.poll(() => title(app).innerText()).toBe('Orders')
    await app.close()
  })

  test('keeps the bottom safe area free below the tabs', async () => {
    const app = await openApp({ project: 'tabs', platform, mode: 'build', device: { safeAreaBottom: 34 } })
    const barHeight = 60
    expect(await box(bar(app))).toMatchObject({ y: height - barHeight - 34, height: barHeight + 34 })
    const home = await box(tab(app, 'Home'))
    expect(home.y + home.height).toBe(height - 34)
    expect(await tabSpace(app)).toBe(barHeight + 34)
    await app.screenshot(name(platform, 'safe-area'))
    await app.close()
  })

  test('updates the tabs of the open page without a reload when pages.json changes', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'souk-tabs-'))
    onTestFinished(() => rm(copy, { recursive: true, force: true }))
    await cp(project, copy, { recursive: true, filter: (path) => !/node_modules|dist/.test(path) })
    const app = await openApp({ project: copy, platform, mode: 'serve', isOnDevicePage: true, os: 'iOS' })
    await app.app.evaluate(() => Object.assign(window, { isMarked: true }))
    const text = await readFile(join(copy, 'pages.json'), 'utf8')
    const write = async (change: (text: string) => string) => {
      const changed = change(text)
      expect(changed).not.toBe(text)
      await writeFile(join(copy, 'pages.json'), changed)
    }

    await write((text) => text.replace('"text": "Orders"', '"text": "Basket"').replace('#FFF7E8', '#DCEEEA'))
    await tab(app, 'Basket').waitFor()
    expect(await css(bar(app), 'background-color')).toBe('rgb(220, 238, 234)')

    // Without optional attributes, the defaults of pages-json §2.7 apply.
    await write((text) =>
      text
        .replace(/"(borderStyle|fontSize|iconWidth|spacing|height|width|backgroundImage)": "[^"]*",/g, '')
        .replace('"text": "Home"', '"text": "Begin"')
        .replace('"text": "Star",', '')
        .replace('"list":', '"blurEffect": "extralight", "list":'),
    )
    await tab(app, 'Begin').waitFor()
    expect((await box(bar(app))).height).toBe(50)
    expect(await css(bar(app).locator('.neu-tabbar-border'), 'background-color')).toBe('rgba(0, 0, 0, 0.33)')
    expect(await css(tab(app, 'Begin').locator('.neu-tabbar-text'), 'font-size')).toBe('10px')
    expect((await box(tab(app, 'Begin').locator('img'))).width).toBe(24)
    expect(await css(tab(app, 'Begin').locator('.neu-tabbar-body'), 'gap')).toBe('3px')
    expect(await box(middle(app))).toMatchObject({ width: 80, height: 50 })
    // A tab without text has a fallback name.
    await bar(app).getByRole('button', { name: 'Button 3', exact: true }).waitFor()
    expect(await app.host.getByRole('dialog').count()).toBe(0)
    expect(await css(bar(app), 'backdrop-filter')).toContain('blur')
    await app.screenshot(name(platform, 'defaults'))

    // The middle button requires an even number of tabs.
    await write((text) => text.replace(/,\s*\{\s*"pagePath": "pages\/me\/me"[^}]*\}/, ''))
    await middle(app).waitFor({ state: 'detached' })
    await expect.poll(() => tabs(app).count()).toBe(3)
    await tab(app, 'Orders').click()
    await expect.poll(() => title(app).innerText()).toBe('Orders')
    expect(await app.app.evaluate(() => 'isMarked' in window)).toBe(true)
    expect(app.faults()).toEqual([])
    await app.close()
  })
})

test.each(['H5', 'App'] as const)(
  '%s: draws the first tab on the right in a right-to-left language',
  async (platform) => {
    const app = await openApp({ project: 'tabs', platform, mode: 'build', language: 'ar' })
    // On H5 the document belongs to the project, which sets the direction.
    if (platform === 'H5') await app.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect((await box(tab(app, 'Home'))).x).toBeGreaterThan((await box(tab(app, 'Star'))).x)
    await app.screenshot(name(platform, 'rtl'))
    await app.close()
  },
)
