import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type App, openApp, openHeld } from './fixture.ts'

/** Tests the navigation bar (pages-json §2.3, §2.4, §2.6, §2.10 to §2.12) with `playground/bars`. */

const project = join(import.meta.dirname, '../../playground/bars')
/** Finds an element in the bar of the current page. */
const inBar = ({ host }: App, selector: string) => host.locator(`:not([inert]) > .neu-navbar`).locator(selector)
const bar = ({ host }: App) => host.locator(':not([inert]) > .neu-navbar')
const button = (app: App, name: string) => bar(app).getByRole('button', { name, exact: true })
const css = (element: Locator, property: string): Promise<string> =>
  element.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property)
async function box(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await element.boundingBox())!
}
/** Returns the events that the current page lists. */
const events = ({ app }: App) => app.locator('neu-page-window:not([inert]) .event').allInnerTexts()
/** Returns the top of the current page. */
const pageTop = async ({ app }: App) => (await box(app.locator('neu-page-window:not([inert]) neu-page'))).y
/** Returns the opacities of the bar's background and title. */
const opacities = (app: App) =>
  Promise.all([css(inBar(app, '.neu-navbar-background'), 'opacity'), css(inBar(app, '.neu-navbar-middle'), 'opacity')])
async function scroll(app: App, scrollTop: number): Promise<void> {
  await app.neu('pageScrollTo', { scrollTop, duration: 0 })
  await app.settled()
}

// An App differs from a Mini App in the attributes that `resolve` keeps: see globalStyle.test.ts, and below.
describe.each(['H5', 'Mini App'] as const)('%s', (platform) => {
  const isH5 = platform === 'H5'
  const statusBarHeight = isH5 ? 0 : 20
  const barHeight = 44 + statusBarHeight
  let app: App
  const background = () => inBar(app, '.neu-navbar-background')
  const title = () => inBar(app, '.neu-navbar-title').first()

  beforeAll(async () => {
    app = await openApp({ project: 'bars', platform, mode: 'build' })
  })
  afterAll(() => app?.close())
  afterEach(() => expect(app?.faults()).toEqual([]))

  /** Opens a page above the launch page. */
  async function open(name: string): Promise<void> {
    const depth = await app.app.evaluate(() => document.querySelectorAll('neu-page-window').length)
    await app.go(`pages/${name}/${name}`, depth > 1 ? 'redirectTo' : 'navigateTo')
    await app.screenshot(`bars-${platform.replace(' ', '')}-${name}`)
  }

  test('applies globalStyle to a page without style', async () => {
    await app.go('pages/index/index')
    expect(await title().innerText()).toBe('Playground')
    expect(await css(title(), 'color')).toBe('rgb(0, 0, 0)')
    expect(await css(background(), 'background-color')).toBe('rgb(220, 238, 234)')
    expect(await box(bar(app))).toEqual({ x: 0, y: 0, width: 375, height: barHeight })
    expect(await pageTop(app)).toBe(barHeight)
    expect(await css(app.app.locator('neu-page-window'), 'background-color')).toBe('rgb(242, 242, 245)')
    expect(await inBar(app, '.neu-navbar-back').count()).toBe(0)
    await app.screenshot(`bars-${platform.replace(' ', '')}-index`)
  })

  test('applies navigationBarBackgroundColor, navigationBarTextStyle and navigationBarTitleText', async () => {
    await open('colors')
    expect(await title().innerText()).toBe('Colors')
    expect(await css(title(), 'color')).toBe('rgb(255, 255, 255)')
    expect(await css(inBar(app, '.neu-navbar-back'), 'color')).toBe('rgb(255, 255, 255)')
    expect(await css(background(), 'background-color')).toBe('rgb(11, 107, 99)')
    if (isH5) expect(await app.page.title()).toBe('Colors')
    else expect((await app.screenSettings()).statusBar).toBe('white')
    await button(app, 'Back').click()
    await app.app.waitForSelector('neu-page-window:not([inert]) neu-page[data-page="pages/index/index"]')
    if (!isH5) await expect.poll(async () => (await app.screenSettings()).statusBar).toBe('black')
    await expect.poll(() => title().innerText()).toBe('Playground')
  })

  test('hides the bar for navigationStyle custom, and sets --status-bar-height to the status bar', async () => {
    await open('custom')
    expect(await bar(app).count()).toBe(0)
    expect(await pageTop(app)).toBe(0)
    expect(await css(app.app.locator('.status'), 'height')).toBe(`${statusBarHeight}px`)
  })

  test('hides the bar for titleNView false', async () => {
    await open('without')
    expect(await bar(app).count()).toBe(0)
    expect(await pageTop(app)).toBe(0)
  })

  test('shows the titleImage of a page instead of its title on H5 only', async () => {
    await open('title-image')
    const image = bar(app).getByRole('img', { name: 'With image' })
    if (isH5) {
      // The image is 120 × 40 px.
      await expect.poll(() => box(image)).toMatchObject({ width: 84, height: 28 })
      expect(await image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(120)
      expect(await title().count()).toBe(0)
    } else {
      expect(await title().innerText()).toBe('With image')
      expect(await image.count()).toBe(0)
    }
  })

  test('keeps the bar transparent for transparentTitle always', async () => {
    await open('always')
    expect(await opacities(app)).toEqual(['0', '0'])
    expect(await pageTop(app)).toBe(0)
    await scroll(app, 400)
    expect(await opacities(app)).toEqual(['0', '0'])
  })

  test('fades in the bar on scrolling for transparentTitle auto', async () => {
    await open('auto')
    expect(await opacities(app)).toEqual(['0', '0'])
    expect(await pageTop(app)).toBe(0)
    await scroll(app, 66)
    expect(await opacities(app)).toEqual(['0.5', '0.5'])
    await scroll(app, 132)
    expect(await opacities(app)).toEqual(['1', '1'])
  })

  test('passes clicks through the bar, but not its buttons, for titlePenetrate on H5 only', async () => {
    await open('penetrate')
    await app.page.mouse.click(180, statusBarHeight + 22)
    await expect.poll(() => events(app)).toEqual(isH5 ? ['the page'] : [])
    await button(app, 'Menu').click()
    await app.settled()
    expect(await events(app)).toEqual(isH5 ? ['the page'] : [])
  })

  test('draws navigationBarShadow', async () => {
    await open('shadow')
    expect(await css(background(), 'box-shadow')).toBe('rgba(24, 104, 219, 0.5) 0px 2px 6px 0px')
  })

  test('fades in a bar of type transparent over a coverage in px, and draws button discs', async () => {
    await open('transparent')
    expect(await pageTop(app)).toBe(0)
    expect(await opacities(app)).toEqual(['0', '0'])
    const discs = inBar(app, '.neu-navbar-face').evaluateAll((all) =>
      all.map((disc) => getComputedStyle(disc).backgroundColor),
    )
    expect(await discs).toEqual([
      // pages-json §2.11 has no back button, so the one of app-plus applies.
      'rgba(0, 0, 0, 0.5)',
      'rgba(11, 107, 99, 0.8)',
      'rgba(128, 128, 128, 0.5)',
    ])
    await scroll(app, 50)
    expect(await opacities(app)).toEqual(['0.5', '0.5'])
    await scroll(app, 100)
    expect(await opacities(app)).toEqual(['1', '1'])
    expect(await css(background(), 'background-color')).toBe('rgb(229, 154, 24)')
    expect(await title().innerText()).toBe('Shown on scrolling')
    await app.screenshot(`bars-${platform.replace(' ', '')}-transparent-scrolled`)
    await scroll(app, 0)
    expect(await opacities(app)).toEqual(['0', '0'])
  })

  test('resolves coverage in percent of the visible height', async () => {
    await open('coverage')
    await scroll(app, 200)
    const [half] = await opacities(app)
    expect(Number(half)).toBeCloseTo(200 / (667 / 2), 2)
    await scroll(app, 334)
    expect(await opacities(app)).toEqual(['1', '1'])
  })

  test('draws a bar of type float translucent over the page', async () => {
    await open('float')
    expect(await css(background(), 'background-color')).toBe('rgba(229, 154, 24, 0.5)')
    expect(await opacities(app)).toEqual(['1', '1'])
    expect(await pageTop(app)).toBe(0)
  })

  test('blurs the page behind the bar for blurEffect', async () => {
    await open('blur')
    expect(await css(background(), 'backdrop-filter')).toContain('blur')
    expect(await css(background(), 'background-color')).toBe('rgba(255, 255, 255, 0.5)')
  })

  test('applies titleText, titleColor, titleSize, titleAlign, titleOverflow and backgroundColor', async () => {
    await open('title')
    expect(await title().innerText()).toMatch(/^A title that/)
    expect(await css(title(), 'color')).toBe('rgb(139, 58, 98)')
    expect(await css(title(), 'font-size')).toBe('20px')
    expect(await css(title(), 'text-overflow')).toBe('clip')
    expect(await css(background(), 'background-color')).toBe('rgb(244, 239, 226)')
    // The title is centered between the back button and the end of the bar.
    const { x, width } = await box(inBar(app, '.neu-navbar-middle'))
    expect(x).toBeGreaterThanOrEqual(44)
    expect(x + width).toBeLessThanOrEqual(375)
    expect(await css(inBar(app, '.neu-navbar-middle'), 'justify-content')).toBe('center')
  })

  test('draws subtitle, titleIcon and splitLine', async () => {
    await open('subtitle')
    const subtitle = inBar(app, '.neu-navbar-title').nth(1)
    expect(await subtitle.innerText()).toMatch(/^Open until 6 pm/)
    expect(await css(subtitle, 'color')).toBe('rgb(139, 58, 98)')
    expect(await css(subtitle, 'font-size')).toBe('13px')
    expect(await css(subtitle, 'text-overflow')).toBe('clip')
    const [above, below] = [await box(title()), await box(subtitle)]
    expect(below.y).toBeGreaterThanOrEqual(above.y + above.height - 1)
    expect(below.x).toBe(above.x)
    const icon = inBar(app, '.neu-navbar-icon')
    await expect.poll(() => icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(68)
    expect(await box(icon)).toMatchObject({ width: 34, height: 34 })
    expect(await css(icon, 'border-radius')).toBe('17px')
    expect((await box(icon)).x).toBeLessThan(above.x)
    const line = inBar(app, '.neu-navbar-line')
    expect(await css(line, 'background-color')).toBe('rgb(229, 154, 24)')
    // The height is 5% of the bar's 44 px.
    expect((await box(line)).height).toBeCloseTo(2.2, 1)
    expect((await box(line)).y).toBeCloseTo(barHeight - 2.2, 1)
  })

  test('draws a gradient as backgroundImage, and the default splitLine', async () => {
    await open('gradient')
    expect(await css(background(), 'background-image')).toBe(
      'linear-gradient(to right, rgb(244, 239, 226), rgb(159, 211, 199))',
    )
    expect(await css(inBar(app, '.neu-navbar-line'), 'background-color')).toBe('rgb(204, 204, 204)')
    expect(await css(inBar(app, '.neu-navbar-line'), 'height')).toBe('1px')
  })

  test('draws an image of the project as backgroundImage with backgroundRepeat', async () => {
    await open('pattern')
    const [, url = ''] = /^url\("(.*)"\)$/.exec(await css(background(), 'background-image')) ?? []
    expect((await app.context.request.get(url)).ok()).toBe(true)
    expect(url).toBe(`${app.url}static/tile.svg`)
    expect(await css(background(), 'background-repeat')).toMatch(/^repeat(-x| no-repeat)$/)
    expect(await css(background(), 'background-size')).toBe('auto')
  })

  test('draws buttons with text, font, color, width, float and select, and reports taps', async () => {
    await open('buttons')
    const left = button(app, 'Left')
    expect(await css(left, 'color')).toBe('rgb(139, 58, 98)')
    expect((await box(left)).width).toBe(60)
    expect((await box(left)).x).toBe(44)
    const wide = button(app, 'Everything')
    expect([await css(wide, 'font-size'), await css(wide, 'font-weight')]).toEqual(['18px', '700'])
    expect((await box(wide)).width).toBeGreaterThan(90)
    expect(await inBar(app, '.neu-navbar-select').count()).toBe(1)
    const icon = button(app, 'Button 3')
    expect(await css(icon, 'font-size')).toBe('24px')
    const family = await css(icon.locator('.neu-navbar-text'), 'font-family')
    await expect
      .poll(() =>
        app.host.evaluate(
          (family) => [...document.fonts].filter((face) => face.family === family).map(({ status }) => status),
          family,
        ),
      )
      .toEqual(['loaded'])
    expect(await icon.innerText()).toBe('\uE002')
    for (const each of [left, wide, icon, button(app, 'Share')]) await each.click()
    await expect
      .poll(() => events(app))
      .toEqual([
        'onNavigationBarButtonTap 0 Left',
        'onNavigationBarButtonTap 1 Everything',
        'onNavigationBarButtonTap 2 \uE002',
        'onNavigationBarButtonTap 3 share',
      ])
    await app.screenshot(`bars-${platform.replace(' ', '')}-buttons-tapped`)
  })

  test('applies colorPressed to pressed buttons except on H5', async () => {
    await open('buttons')
    const { x, y, width, height } = await box(button(app, 'Everything'))
    await app.page.mouse.move(x + width / 2, y + height / 2)
    await app.page.mouse.down()
    expect(await css(button(app, 'Everything'), 'color')).toBe(isH5 ? 'rgba(11, 107, 99, 0.3)' : 'rgb(229, 154, 24)')
    await app.page.mouse.up()
    await expect.poll(() => events(app)).toHaveLength(1)
  })

  test('hides the back button for autoBackButton false, and draws buttons of every type', async () => {
    await open('types')
    expect(await inBar(app, '.neu-navbar-back').count()).toBe(0)
    const names = ['Back', 'Forward', 'Close', 'Home', 'Share', 'Favorite', 'Menu', 'None']
    const places = []
    for (const name of names) {
      await button(app, name).click()
      places.push((await box(button(app, name))).x)
    }
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    await expect
      .poll(() => events(app))
      .toEqual(
        names.map((name, index) => `onNavigationBarButtonTap ${index} ${name === 'None' ? name : name.toLowerCase()}`),
      )
  })

  test('draws backButton and homeButton', async () => {
    await open('back')
    const back = inBar(app, '.neu-navbar-back')
    expect(await css(back, 'color')).toBe('rgb(139, 58, 98)')
    expect([await css(back, 'font-size'), await css(back, 'font-weight')]).toEqual(['20px', '700'])
    expect(await back.locator('.neu-navbar-text').innerText()).toBe('Orders')
    expect(await css(back.locator('.neu-navbar-text'), 'font-weight')).toBe('700')
    expect(await back.locator('.neu-badge').innerText()).toBe('...')
    expect(await back.locator('.neu-badge-dot').count()).toBe(0)
    const { x, y, width, height } = await box(back)
    await app.page.mouse.move(x + width / 2, y + height / 2)
    await app.page.mouse.down()
    expect(await css(back, 'color')).toBe('rgb(229, 154, 24)')
    await app.page.mouse.up()
    await expect.poll(() => title().innerText()).toBe('Playground')
    await app.go('pages/back/back', 'navigateTo')
    await button(app, 'Home').click()
    await expect.poll(() => title().innerText()).toBe('Playground')
    expect(await inBar(app, '.neu-navbar-back').count()).toBe(0)
  })

  test('draws redDot on the back button', async () => {
    await open('dot')
    expect(await box(inBar(app, '.neu-navbar-back .neu-badge-dot'))).toMatchObject({ width: 8, height: 8 })
  })

  test('draws searchInput and reports its three events', async () => {
    await open('search')
    const input = bar(app).getByRole('searchbox', { name: 'Beans, cups, cakes' })
    expect(await input.evaluate((input) => input === document.activeElement)).toBe(true)
    const field = inBar(app, '.neu-search')
    expect(await css(field, 'background-color')).toBe('rgb(255, 255, 255)')
    expect(await css(field, 'border-radius')).toBe('15px')
    expect(await css(inBar(app, '.neu-search-hint'), 'color')).toBe('rgb(139, 58, 98)')
    expect(await css(field, '--neu-search-align')).toBe('left')
    // The field fills the space between the back button and the button Go.
    expect((await box(field)).width).toBe(375 - 44 - 44 - 16)
    await input.click()
    await app.page.keyboard.type('cup')
    await app.page.keyboard.press('Enter')
    await expect
      .poll(() => events(app))
      .toEqual([
        'onNavigationBarSearchInputClicked',
        'onNavigationBarSearchInputChanged c',
        'onNavigationBarSearchInputChanged cu',
        'onNavigationBarSearchInputChanged cup',
        'onNavigationBarSearchInputConfirmed cup',
      ])
    await app.screenshot(`bars-${platform.replace(' ', '')}-search-typed`)
  })

  test('reports clicks on a disabled searchInput, but accepts no text', async () => {
    await open('search-closed')
    await bar(app).getByRole('searchbox', { name: 'Opens a page' }).click()
    await app.page.keyboard.type('x')
    await app.settled()
    expect(await events(app)).toEqual(['onNavigationBarSearchInputClicked'])
  })

  test('merges h5.titleNView over app-plus key by key on H5 only', async () => {
    await open('h5')
    expect(await title().textContent()).toMatch(isH5 ? 'From h5' : 'From app-plus')
    expect(await css(title(), 'color')).toBe('rgb(139, 58, 98)')
    expect(await css(title(), 'font-size')).toBe('18px')
    expect(await inBar(app, '.neu-navbar-title').nth(1).textContent()).toMatch('On every platform')
    expect(await opacities(app)).toEqual(isH5 ? ['0', '0'] : ['1', '1'])
    const endButton = inBar(app, '.neu-navbar-end button')
    expect(await endButton.count()).toBe(1)
    expect(await endButton.locator('.neu-navbar-text').innerText()).toBe(isH5 ? 'Web' : 'App')
    expect(await endButton.locator('.neu-badge').allInnerTexts()).toEqual(isH5 ? ['...'] : [])
    if (isH5) expect(await css(endButton.locator('.neu-navbar-face'), 'background-color')).toBe('rgb(244, 239, 226)')
    await endButton.click()
    await expect.poll(() => events(app)).toEqual([`onNavigationBarButtonTap 0 ${isH5 ? 'Web' : 'App'}`])
  })

  test('ignores h5.titleNView on other platforms', async () => {
    await open('h5-search')
    expect(await bar(app).getByRole('searchbox').count()).toBe(isH5 ? 1 : 0)
  })

  test('applies titleColor, titleSize and buttons of h5.titleNView', async () => {
    await open('h5-title')
    const style = [await title().innerText(), await css(title(), 'color'), await css(title(), 'font-size')]
    if (!isH5) {
      expect(style).toEqual(['Elsewhere', 'rgb(0, 0, 0)', '16px'])
      expect(await inBar(app, '.neu-navbar-end button').count()).toBe(0)
      return
    }
    expect(style).toEqual(['Web', 'rgb(139, 58, 98)', '20px'])
    const [share, icon, sort] = [button(app, 'Share'), button(app, 'Button 2'), button(app, 'Sort')]
    expect(await box(share)).toMatchObject({ x: 44, width: 60 })
    expect([await icon.innerText(), await css(icon, 'font-size')]).toEqual(['\uE002', '26px'])
    expect(await css(icon.locator('.neu-navbar-text'), 'font-family')).toMatch(/^souk-/)
    expect([await css(sort, 'font-size'), await css(sort, 'font-weight')]).toEqual(['18px', '700'])
    expect(await sort.locator('.neu-navbar-select').count()).toBe(1)
    expect((await box(sort)).x + (await box(sort)).width).toBe(375)
  })

  test('changes title, colors, loading indicator and home button by API, for the current page only', async () => {
    await open('changes')
    const press = (name: string) =>
      app.app.locator('neu-page-window:not([inert])').getByText(name, { exact: true }).click()
    expect(await title().innerText()).toBe('Before')
    await press('Title')
    await expect.poll(() => title().innerText()).toBe('After')
    await press('Colors')
    await expect.poll(() => css(background(), 'background-color')).toBe('rgb(139, 58, 98)')
    expect(await css(title(), 'color')).toBe('rgb(255, 255, 255)')
    expect(await css(button(app, 'Share'), 'color')).toBe('rgb(255, 255, 255)')
    if (!isH5) expect((await app.screenSettings()).statusBar).toBe('white')
    await press('Colors, slowly')
    await expect.poll(() => css(bar(app), '--neu-navbar-change')).toBe('400ms ease-in')
    await expect.poll(() => css(background(), 'background-color')).toBe('rgb(229, 154, 24)')
    await press('Loading')
    await bar(app).getByRole('status', { name: 'Loading' }).waitFor()
    await press('Loaded')
    await bar(app).getByRole('status').waitFor({ state: 'detached' })
    expect(await button(app, 'Home').count()).toBe(1)
    await press('No home button')
    await button(app, 'Home').waitFor({ state: 'detached' })
    // The changes belong to the page: other pages do not have them, and it keeps them.
    await app.go('pages/colors/colors', 'navigateTo')
    expect(await title().innerText()).toBe('Colors')
    expect(await css(background(), 'background-color')).toBe('rgb(11, 107, 99)')
    await app.neu('navigateBack')
    await expect.poll(() => title().innerText()).toBe('After')
    expect(await css(background(), 'background-color')).toBe('rgb(229, 154, 24)')
    if (isH5) await expect.poll(() => app.page.title()).toBe('After')
  })
})

describe.each(['H5', 'Mini App'] as const)('%s', (platform) => {
  test('mirrors the bar in a right-to-left language', async () => {
    const app = await openApp({ project: 'bars', platform, mode: 'build', language: 'ar' })
    // On H5 the document belongs to the project, which sets the direction.
    if (platform === 'H5') await app.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await app.go('pages/subtitle/subtitle', 'navigateTo')
    const back = inBar(app, '.neu-navbar-back')
    expect((await box(back)).x).toBe(375 - 44)
    await expect.poll(() => back.getAttribute('aria-label')).toBe('رجوع')
    expect(await css(back.locator('.neu-icon'), 'transform')).toBe('matrix(-1, 0, 0, 1, 0, 0)')
    // Left-to-right text is also truncated at its end.
    const subtitle = inBar(app, '.neu-navbar-title').nth(1)
    const [boxLeft, textLeft] = await subtitle.evaluate((element) => {
      const range = document.createRange()
      range.setStart(element.firstChild!, 0)
      range.setEnd(element.firstChild!, 1)
      return [element.getBoundingClientRect().left, range.getBoundingClientRect().left]
    })
    expect(textLeft).toBeCloseTo(boxLeft!, 0)
    const [title, icon] = [
      await box(inBar(app, '.neu-navbar-title').first()),
      await box(inBar(app, '.neu-navbar-icon')),
    ]
    expect(title.x + title.width).toBeCloseTo(icon.x - 8, 0)
    expect(await css(inBar(app, '.neu-navbar-title').first(), 'text-align')).toBe('right')
    await app.screenshot(`bars-${platform.replace(' ', '')}-rtl`)
    await app.close()
  })
})

test.each(['always', 'auto'])('an App keeps the bar opaque for transparentTitle %s of a page', async (path) => {
  const app = await openApp({ project: 'bars', platform: 'App', mode: 'build', path: `pages/${path}/${path}` })
  expect(await opacities(app)).toEqual(['1', '1'])
  expect(await pageTop(app)).toBe(64)
  await scroll(app, 400)
  expect(await opacities(app)).toEqual(['1', '1'])
  await app.close()
})

test('on iOS, centers the title for titleAlign auto', async () => {
  const app = await openApp({ project: 'bars', platform: 'Mini App', mode: 'build', os: 'iOS' })
  await app.go('pages/colors/colors', 'navigateTo')
  const { x, width } = await box(inBar(app, '.neu-navbar-title'))
  expect(x + width / 2).toBeCloseTo(375 / 2, 0)
  await app.go('pages/subtitle/subtitle', 'navigateTo')
  expect((await box(inBar(app, '.neu-navbar-icon'))).x).toBeLessThan(60)
  await app.close()
})

test('draws the bar of the page before any script of the mini app runs', async () => {
  const path = 'pages/subtitle/subtitle'
  const { app, release } = await openHeld({ project: 'bars', platform: 'Mini App', mode: 'build', path })
  const titles = () => inBar(app, '.neu-navbar-title').allInnerTexts()
  const initialTitles = await titles()
  expect(initialTitles[0]).toBe('Corner Coffee')
  expect(await css(inBar(app, '.neu-navbar-line'), 'background-color')).toBe('rgb(229, 154, 24)')
  expect(await inBar(app, '.neu-navbar-icon').count()).toBe(1)
  expect(await app.screenSettings()).toEqual({ orientation: 'portrait', statusBar: 'black' })
  expect(await app.app.locator('neu-page').count()).toBe(0)
  await app.screenshot('bars-MiniApp-held')
  const before = await box(bar(app))
  release()
  await app.app.waitForSelector('neu-page')
  await app.settled()
  expect(await titles()).toEqual(initialTitles)
  expect(await box(bar(app))).toEqual(before)
  await app.close()
})

describe('on the device page', () => {
  let copy: string
  let app: App

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'souk-bars-'))
    await cp(project, copy, { recursive: true, filter: (path) => !/node_modules|dist/.test(path) })
    app = await openApp({ project: copy, platform: 'Mini App', mode: 'serve', isOnDevicePage: true })
  })
  afterAll(async () => {
    await app?.close()
    await rm(copy, { recursive: true, force: true })
  })
  afterEach(() => expect(app?.faults()).toEqual([]))

  test('draws the status bar of the device page in the color that the page requests', async () => {
    const statusBar = app.host.locator('.souk-status-bar')
    const [place, screen] = [await box(statusBar), await box(app.host.locator('.screen'))]
    expect(place).toEqual({ ...screen, height: 20 })
    expect(await statusBar.innerText()).toMatch(/^\d+:\d\d/)
    for (const [name, color] of [
      ['colors', 'rgb(255, 255, 255)'],
      ['shadow', 'rgb(0, 0, 0)'],
      // A page without a bar.
      ['custom', 'rgb(255, 255, 255)'],
    ] as const) {
      await app.go(`pages/${name}/${name}`)
      expect(await css(statusBar, 'color')).toBe(color)
      await app.screenshot(`bars-MiniApp-device-${name}`)
    }
    await app.go('pages/changes/changes')
    await app.neu('setNavigationBarColor', { frontColor: '#ffffff', backgroundColor: '#8b3a62' })
    await expect.poll(() => css(statusBar, 'color')).toBe('rgb(255, 255, 255)')
  })

  test('updates title and colors of the open page without a reload when pages.json changes', async () => {
    await app.go('pages/buttons/buttons')
    await app.app.evaluate(() => Object.assign(window, { isMarked: true }))
    await button(app, 'Left').click()
    await expect.poll(() => events(app)).toHaveLength(1)

    const text = await readFile(join(copy, 'pages.json'), 'utf8')
    const change = (from: string, to: string) => {
      expect(text).toContain(from)
      return writeFile(join(copy, 'pages.json'), text.replace(from, to))
    }
    await change(
      '"text": "Left", "float": "left", "width": "60px"',
      '"text": "Other", "float": "right", "width": "70px"',
    )
    await button(app, 'Other').waitFor()
    expect((await box(button(app, 'Other'))).width).toBe(70)
    await button(app, 'Other').click()
    await expect
      .poll(() => events(app))
      .toEqual(['onNavigationBarButtonTap 0 Left', 'onNavigationBarButtonTap 0 Other'])
    await change(
      '"navigationBarBackgroundColor": "#DCEEEA"',
      '"titleImage": "/static/logo.svg", "navigationBarBackgroundColor": "#123456"',
    )
    await expect.poll(() => css(inBar(app, '.neu-navbar-background'), 'background-color')).toBe('rgb(18, 52, 86)')
    // titleImage of globalStyle applies on every platform (pages-json §2.3).
    await expect.poll(() => inBar(app, '.neu-navbar-image').count()).toBe(1)
    expect(await app.app.evaluate(() => 'isMarked' in window)).toBe(true)
    await app.screenshot('bars-MiniApp-updated')
  })
})
