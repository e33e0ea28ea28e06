import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type PageStyle, type Platform, readPages, resolve, titleFollowers } from '../../packages/pages/src/index.ts'
import { type NavigationBarOverrides, navigationBarModel } from '../../packages/shell/src/bars.ts'
import { violationsOf } from '../axe.ts'
import { baseUrl, openScreen, styleOf, type TestScreen } from './fixture.ts'

interface More {
  platform?: Platform
  os?: 'iOS' | 'Android'
  canGoBack?: boolean
  overrides?: NavigationBarOverrides
}

const flat = {
  navigationBarTitleText: 'Corner Coffee',
  navigationBarTextStyle: 'black',
  navigationBarBackgroundColor: '#F7F7F7',
}

const modelOf = (titleNView: object, style: object = {}, more: More = {}) => {
  const { platform = 'App' } = more
  const node = platform === 'H5' ? 'h5' : 'app-plus'
  const written = { ...flat, ...style, [node]: { titleNView } }
  const config = readPages(JSON.stringify({ pages: [{ path: 'pages/a/a', style: written }] }))
  const page = resolve(config, { platform, ...(more.os && { os: more.os }) }).pages[0]!
  return navigationBarModel(page.style as PageStyle, {
    platform,
    os: 'Android',
    base: baseUrl,
    canGoBack: true,
    followsTitle: titleFollowers(page),
    ...more,
  })
}

let screen: TestScreen
beforeAll(async () => {
  screen = await openScreen()
})

async function draw(titleNView: object, style?: object, more?: More): Promise<void> {
  // Each draw creates a new bar, as each page does.
  await screen.draw({ navigationBar: null })
  await screen.set({ scrollTop: 0, statusBarHeight: 0, viewportHeight: 600, language: 'en' })
  await screen.draw({ navigationBar: modelOf(titleNView, style, more) })
  await screen.events()
}

const $ = (selector: string): Locator => screen.page.locator(selector)
const button = (name: string) => screen.page.getByRole('button', { name, exact: true })
const css = (selector: string | Locator, property: string) =>
  styleOf(typeof selector === 'string' ? $(selector) : selector, property)
async function box(selector: string | Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await (typeof selector === 'string' ? $(selector) : selector).boundingBox())!
}
const background = '.neu-navbar-background'
const title = '.neu-navbar-title >> nth=0'

describe('bar', () => {
  test('is 44px high below the status bar, across the whole width', async () => {
    await draw({})
    expect(await box('.neu-navbar')).toEqual({ x: 0, y: 0, width: 375, height: 44 })
    await screen.set({ statusBarHeight: 30 })
    expect(await box('.neu-navbar')).toMatchObject({ height: 74 })
    const { y, height } = await box(title)
    expect(y + height / 2).toBeCloseTo(52, 0)
    expect((await box('.neu-navbar-back')).y).toBe(30)
  })

  test('applies navigationBarBackgroundColor, navigationBarTextStyle and navigationBarTitleText', async () => {
    await draw({}, { navigationBarBackgroundColor: '#123456', navigationBarTextStyle: 'white' })
    expect(await css(background, 'background-color')).toBe('rgb(18, 52, 86)')
    expect(await css(title, 'color')).toBe('rgb(255, 255, 255)')
    await screen.page.getByRole('heading', { name: 'Corner Coffee', level: 1 }).waitFor()
  })

  test('is hidden for navigationStyle custom and for titleNView false', async () => {
    await draw({}, { navigationStyle: 'custom' })
    expect(await $('.neu-navbar').count()).toBe(0)
    await screen.draw({
      navigationBar: navigationBarModel(
        { 'app-plus': { titleNView: false } },
        { platform: 'App', os: 'iOS', base: baseUrl, canGoBack: true },
      ),
    })
    expect(await $('.neu-navbar').count()).toBe(0)
  })

  test('can be hidden by a CSS rule with a single class, wherever the rule is', async () => {
    await draw({})
    const style = await screen.page.evaluateHandle(() => {
      const element = document.createElement('style')
      element.textContent = '.neu-navbar { display: none }'
      document.head.prepend(element)
      return element
    })
    expect(await css('.neu-navbar', 'display')).toBe('none')
    await style.evaluate((element) => element.remove())
  })

  test('shows titleImage instead of the title, and the title as its accessible name', async () => {
    await draw({}, { titleImage: 'orange.svg' }, { platform: 'H5' })
    const image = screen.page.getByRole('img', { name: 'Corner Coffee' })
    expect(await image.evaluate((element: HTMLImageElement) => element.src)).toBe(`${baseUrl}orange.svg`)
    expect(await box(image)).toMatchObject({ width: 56, height: 28 })
    expect(await $('.neu-navbar-title').count()).toBe(0)
  })

  test('draws a different navigationBarShadow for each colorType', async () => {
    const shadows = new Set<string>()
    for (const colorType of ['grey', 'blue', 'green', 'orange', 'red', 'yellow']) {
      await draw({}, { navigationBarShadow: { colorType } })
      shadows.add(await css(background, 'box-shadow'))
    }
    expect(shadows.size).toBe(6)
    expect([...shadows].every((shadow) => /^rgba\(.*0px 2px 6px/.test(shadow))).toBe(true)
  })

  test('passes clicks through to the page, but not those on buttons, for titlePenetrate', async () => {
    await draw({ buttons: [{ type: 'share' }] }, { titlePenetrate: 'YES' }, { platform: 'H5' })
    await screen.page.mouse.click(180, 20)
    await button('Share').click()
    expect(await screen.events()).toEqual([{ type: 'content' }, { type: 'button', index: 0 }])
    await draw({}, { titlePenetrate: 'NO' }, { platform: 'H5' })
    await screen.page.mouse.click(180, 20)
    expect(await screen.events()).toEqual([])
  })

  test('hides background and title always, or until scrolled, for transparentTitle', async () => {
    await draw({}, { transparentTitle: 'always' }, { platform: 'Mini App' })
    await screen.set({ scrollTop: 400 })
    expect([await css(background, 'opacity'), await css('.neu-navbar-middle', 'opacity')]).toEqual(['0', '0'])
    await draw({}, { transparentTitle: 'auto' }, { platform: 'Mini App' })
    expect(await css(background, 'opacity')).toBe('0')
    await screen.set({ scrollTop: 132 })
    expect([await css(background, 'opacity'), await css('.neu-navbar-middle', 'opacity')]).toEqual(['1', '1'])
  })

  test('scrolls to the top on a double tap on the title', async () => {
    await draw({})
    await $('.neu-navbar-middle').dblclick()
    expect(await screen.events()).toEqual([{ type: 'toTop' }])
  })

  test('animates colors of setNavigationBarColor, and changes title and loading indicator at once', async () => {
    await draw(
      {},
      {},
      {
        overrides: {
          title: 'New',
          isLoading: true,
          frontColor: '#ffffff',
          backgroundColor: '#ff0000',
          colorTransition: '400ms ease-in',
        },
      },
    )
    expect(await css(background, 'transition-property')).toBe('none')
    await screen.page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await css(background, 'transition')).toBe('background-color 0.4s ease-in')
    await screen.page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await css(background, 'background-color')).toBe('rgb(255, 0, 0)')
    expect(await css('.neu-navbar-back', 'color')).toBe('rgb(255, 255, 255)')
    await screen.page.getByRole('status', { name: 'Loading' }).waitFor()
    expect(await $(title).textContent()).toMatch(/New/)
  })
})

describe('titleNView', () => {
  test('fades in a bar of type transparent over a coverage in px, but always shows its buttons', async () => {
    await draw({ type: 'transparent', coverage: '100px', buttons: [{ type: 'share' }] })
    const opacities = async () => [await css(background, 'opacity'), await css('.neu-navbar-middle', 'opacity')]
    expect(await opacities()).toEqual(['0', '0'])
    expect(await button('Share').isVisible()).toBe(true)
    await screen.set({ scrollTop: 25 })
    expect(await opacities()).toEqual(['0.25', '0.25'])
    await screen.set({ scrollTop: 300 })
    expect(await opacities()).toEqual(['1', '1'])
  })

  test('fades in a search box with a bar of type transparent', async () => {
    const box = screen.page.getByRole('searchbox')
    await draw({ type: 'transparent', coverage: '100px', searchInput: { placeholder: 'Find' } })
    await $('.neu-search').waitFor({ state: 'attached' })
    expect(await css('.neu-search', 'opacity')).toBe('0')
    expect(await box.isVisible()).toBe(false)
    await screen.set({ scrollTop: 25 })
    expect(await css('.neu-search', 'opacity')).toBe('0.25')
    await box.fill('tea')
    expect(await screen.events()).toMatchObject([{ type: 'searchChanged', text: 'tea' }])
  })

  test('resolves coverage in percent of the visible height', async () => {
    await draw({ type: 'transparent', coverage: '50%' })
    await screen.set({ scrollTop: 150, viewportHeight: 600 })
    expect(await css(background, 'opacity')).toBe('0.5')
  })

  test('draws a bar of type float translucent and fully visible', async () => {
    await draw({ type: 'float', backgroundColor: 'rgba(255,0,0,0.5)' })
    expect(await css(background, 'opacity')).toBe('1')
    expect(await css(background, 'background-color')).toBe('rgba(255, 0, 0, 0.5)')
  })

  test('applies blurEffect only to a bar of type float', async () => {
    await draw({ type: 'float', blurEffect: 'light' })
    expect(await css(background, 'backdrop-filter')).toContain('blur(20px)')
    await draw({ type: 'default', blurEffect: 'light' })
    expect(await css(background, 'backdrop-filter')).toBe('none')
  })

  test('applies titleText, titleColor and titleSize, even in rpx', async () => {
    await draw({ titleText: 'Own', titleColor: '#0000FF', titleSize: '40rpx' })
    expect(await $(title).textContent()).toContain('Own')
    expect(await css(title, 'color')).toBe('rgb(0, 0, 255)')
    expect(await css(title, 'font-size')).toBe('20px')
  })

  test('truncates a long title by titleOverflow', async () => {
    const titleText = 'A title that is much too long for the bar of a phone held upright'
    for (const titleOverflow of ['ellipsis', 'clip']) {
      await draw({ titleText, titleOverflow })
      expect(await css(title, 'text-overflow')).toBe(titleOverflow)
      const { x, width } = await box(title)
      expect(x + width).toBeLessThanOrEqual(375)
    }
  })

  test('aligns the title beside the back button or in the middle of the bar by titleAlign', async () => {
    const middle = async () => {
      const { x, width } = await box('.neu-navbar-titles')
      return x + width / 2
    }
    await draw({ titleAlign: 'center', buttons: [{ type: 'share' }, { type: 'menu' }] })
    expect(await middle()).toBeCloseTo(187.5, 0)
    await draw({ titleAlign: 'left' })
    expect((await box('.neu-navbar-titles')).x).toBe(52)
    await draw({ titleAlign: 'auto' }, {}, { os: 'iOS' })
    expect(await middle()).toBeCloseTo(187.5, 0)
    await draw({ titleAlign: 'auto' }, {}, { os: 'iOS', canGoBack: false })
    expect(await middle()).toBeCloseTo(187.5, 0)
    await draw({ titleAlign: 'auto' }, {}, { os: 'Android', canGoBack: false })
    expect((await box('.neu-navbar-titles')).x).toBe(16)
  })

  test('keeps a long centered title clear of the buttons', async () => {
    await draw({
      titleAlign: 'center',
      titleText: 'A title that is much too long for this bar',
      buttons: [{ type: 'share' }, { type: 'menu' }],
    })
    const { x, width } = await box('.neu-navbar-titles')
    expect(x).toBeGreaterThanOrEqual(44)
    expect(x + width).toBeLessThanOrEqual(375 - 88)
  })

  test('applies subtitleText, subtitleColor, subtitleSize and subtitleOverflow', async () => {
    await draw({
      subtitleText: 'Open until six',
      subtitleColor: '#FF0000',
      subtitleSize: '13px',
      subtitleOverflow: 'clip',
      titleAlign: 'center',
    })
    const subtitle = '.neu-navbar-title >> nth=1'
    expect(await css(subtitle, 'color')).toBe('rgb(255, 0, 0)')
    expect(await css(subtitle, 'font-size')).toBe('13px')
    expect(await css(subtitle, 'text-overflow')).toBe('clip')
    const [first, second] = [await box(title), await box(subtitle)]
    expect(second.y).toBeGreaterThanOrEqual(first.y + first.height)
    expect(second.y + second.height).toBeLessThanOrEqual(44)
    expect(second.x).toBe(52)
    await draw({ subtitleText: 'Open until six', titleColor: '#00FF00' })
    expect(await css(subtitle, 'color')).toBe('rgb(0, 255, 0)')
    expect(await css(subtitle, 'font-size')).toBe('12px')
  })

  test('draws titleIcon with titleIconRadius', async () => {
    await draw({ titleIcon: './red.svg', titleIconRadius: '17px', titleAlign: 'center' })
    expect(await box('.neu-navbar-icon')).toEqual({ x: 52, y: 5, width: 34, height: 34 })
    expect(await css('.neu-navbar-icon', 'border-radius')).toBe('17px')
    expect((await box(title)).x).toBe(94)
  })

  test('draws backgroundImage with backgroundRepeat', async () => {
    await draw({ backgroundImage: 'linear-gradient(to right, #ff0000, #0000ff)' })
    expect(await css(background, 'background-image')).toBe('linear-gradient(to right, rgb(255, 0, 0), rgb(0, 0, 255))')
    await draw({ backgroundImage: '/lime.svg' })
    expect(await css(background, 'background-image')).toBe(`url("${baseUrl}lime.svg")`)
    expect(await css(background, 'background-size')).toBe('100% 100%')
    await draw({ backgroundImage: '/lime.svg', backgroundRepeat: 'repeat-y' })
    expect(await css(background, 'background-repeat')).toBe('repeat-y')
    expect(await css(background, 'background-size')).toBe('auto')
  })

  test('draws splitLine', async () => {
    await draw({ splitLine: true })
    expect(await box('.neu-navbar-line')).toEqual({ x: 0, y: 43, width: 375, height: 1 })
    expect(await css('.neu-navbar-line', 'background-color')).toBe('rgb(204, 204, 204)')
    await draw({ splitLine: { color: '#FF0000', height: '25%' } })
    await screen.set({ statusBarHeight: 20 })
    expect(await box('.neu-navbar-line')).toEqual({ x: 0, y: 53, width: 375, height: 11 })
    await draw({ splitLine: null })
    expect(await $('.neu-navbar-line').count()).toBe(0)
  })

  test('draws homeButton unless it is hidden at run time', async () => {
    await draw({ homeButton: true, autoBackButton: false })
    await button('Home').click()
    expect(await screen.events()).toEqual([{ type: 'home' }])
    await draw({ homeButton: true }, {}, { overrides: { homeButton: false } })
    expect(await button('Home').count()).toBe(0)
  })

  test('draws a back button by default if there is a page to go back to', async () => {
    await draw({})
    await button('Back').click()
    expect(await screen.events()).toEqual([{ type: 'back' }])
    await draw({ autoBackButton: false })
    expect(await button('Back').count()).toBe(0)
    await draw({}, {}, { canGoBack: false })
    expect(await button('Back').count()).toBe(0)
  })
})

describe('buttons', () => {
  test('draws a different icon with a name for each type', async () => {
    const types = ['forward', 'back', 'share', 'favorite', 'home', 'menu', 'close']
    await draw({ titleText: '', buttons: types.map((type) => ({ type, width: '40px' })) }, {}, { canGoBack: false })
    const icons = new Set<string>()
    for (const [index, name] of ['Forward', 'Back', 'Share', 'Favorite', 'Home', 'Menu', 'Close'].entries()) {
      await button(name).click()
      expect(await screen.events()).toEqual([{ type: 'button', index }])
      icons.add((await button(name).locator('path').getAttribute('d'))!)
    }
    expect(icons.size).toBe(7)
  })

  test('applies text, color, fontSize, fontWeight, width and float', async () => {
    await draw({
      buttons: [
        { text: 'One', color: '#FF0000', fontSize: '20px', fontWeight: 'bold', width: '60px', float: 'left' },
        { text: 'Two' },
        { text: 'Somewhat longer', width: 'auto' },
      ],
    })
    const one = button('One')
    expect(await css(one, 'color')).toBe('rgb(255, 0, 0)')
    expect(await css(one, 'font-size')).toBe('20px')
    expect(await css(one, 'font-weight')).toBe('700')
    expect(await box(one)).toEqual({ x: 44, y: 0, width: 60, height: 44 })
    expect((await box(button('Two'))).width).toBe(44)
    const longer = button('Somewhat longer')
    const { x, width } = await box(longer)
    expect(x + width).toBe(375)
    expect(await longer.locator('.neu-navbar-text').evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true)
  })

  test('truncates text that is wider than its button', async () => {
    await draw({ buttons: [{ text: 'Much too long' }] })
    const [outer, inner] = [
      await box(button('Much too long')),
      await box(button('Much too long').locator('.neu-navbar-text')),
    ]
    expect(outer.width).toBe(44)
    expect(inner.width).toBeLessThanOrEqual(44)
  })

  test('applies colorPressed while pressed, by default a translucent color', async () => {
    await draw({
      buttons: [
        { text: 'A', color: '#FF0000' },
        { text: 'B', colorPressed: '#00FF00' },
      ],
    })
    const whilePressed = async (name: string) => {
      await button(name).hover()
      await screen.page.mouse.down()
      const color = await css(button(name), 'color')
      await screen.page.mouse.up()
      return color
    }
    expect(await whilePressed('A')).toBe('rgba(255, 0, 0, 0.3)')
    expect(await whilePressed('B')).toBe('rgb(0, 255, 0)')
  })

  test('draws background as a disc, only on a transparent bar', async () => {
    const disc = (name: string) => css(button(name).locator('.neu-navbar-face'), 'background-color')
    await draw({ type: 'transparent', buttons: [{ text: 'A' }, { text: 'B', background: '#FF0000' }] })
    expect(await disc('A')).toBe('rgba(128, 128, 128, 0.5)')
    expect(await disc('B')).toBe('rgb(255, 0, 0)')
    expect(await box(button('A').locator('.neu-navbar-face'))).toMatchObject({ width: 32, height: 32 })
    await draw({ buttons: [{ text: 'B', background: '#FF0000' }] })
    expect(await disc('B')).toBe('rgba(0, 0, 0, 0)')
  })

  test('draws text in the font of fontSrc, and gives the button a name', async () => {
    await draw({ buttons: [{ type: 'share' }, { text: '\ue60d', fontSrc: '/icons.ttf' }] })
    await screen.page.waitForFunction(() => [...document.fonts].some(({ status }) => status === 'loaded'))
    const family = await css(button('Button 2').locator('.neu-navbar-text'), 'font-family')
    expect(
      await screen.page.evaluate(
        (family) => [...document.fonts].filter((face) => face.family === family).length,
        family,
      ),
    ).toBe(1)
  })

  test('draws an arrow for select', async () => {
    await draw({
      buttons: [
        { text: 'City', select: 'true', width: 'auto' },
        { text: 'No', select: 'false' },
      ],
    })
    expect(await button('City').locator('.neu-navbar-select').count()).toBe(1)
    expect(await button('No').locator('.neu-navbar-select').count()).toBe(0)
  })

  test('draws badgeText, shortened if too long', async () => {
    await draw(
      {
        buttons: [
          { type: 'share', badgeText: '7' },
          { type: 'menu', badgeText: '1000' },
        ],
      },
      {},
      { platform: 'H5' },
    )
    expect(await $('.neu-badge').allTextContents()).toEqual(['7', '...'])
    const [outer, badge] = [await box(button('Share, 7')), await box('.neu-badge >> nth=0')]
    expect(badge.y).toBeLessThan(10)
    expect(badge.x).toBeGreaterThan(outer.x + 22)
    expect(badge.x + badge.width).toBeLessThanOrEqual(outer.x + outer.width)
  })

  test('are pressed by Enter and Space', async () => {
    await draw({ buttons: [{ type: 'menu' }] })
    await button('Menu').press('Enter')
    await button('Menu').press('Space')
    expect(await screen.events()).toEqual(Array(2).fill({ type: 'button', index: 0 }))
  })
})

describe('backButton', () => {
  test('applies color, fontSize, fontWeight, title, titleWeight and colorPressed', async () => {
    await draw({
      backButton: {
        color: '#FF0000',
        fontSize: '30px',
        fontWeight: 'bold',
        title: 'Menu',
        titleWeight: 'bold',
        colorPressed: '#0000FF',
      },
    })
    const back = button('Back, Menu')
    expect(await css(back, 'color')).toBe('rgb(255, 0, 0)')
    expect(await box(back.locator('.neu-icon'))).toMatchObject({ width: 30, height: 30 })
    expect(await css(back.locator('.neu-icon'), 'stroke-width')).toBe('3px')
    expect(await css(back.locator('.neu-navbar-text'), 'font-weight')).toBe('700')
    const [icon, text] = [await box(back.locator('.neu-icon')), await box(back.locator('.neu-navbar-text'))]
    expect(text.x).toBeGreaterThanOrEqual(icon.x + icon.width)
    await back.hover()
    await screen.page.mouse.down()
    expect(await css(back, 'color')).toBe('rgb(0, 0, 255)')
    await screen.page.mouse.up()
  })

  test('has a default fontSize of 27px, and of 22px with a disc on a transparent bar', async () => {
    await draw({})
    expect(await box('.neu-navbar-back .neu-icon')).toMatchObject({ width: 27 })
    expect(await css('.neu-navbar-back .neu-navbar-face', 'background-color')).toBe('rgba(0, 0, 0, 0)')
    await draw({ type: 'transparent', backButton: { background: '#00FF00' } })
    expect(await box('.neu-navbar-back .neu-icon')).toMatchObject({ width: 22 })
    expect(await css('.neu-navbar-back .neu-navbar-face', 'background-color')).toBe('rgb(0, 255, 0)')
  })

  test('prefers badgeText over redDot', async () => {
    await draw({ backButton: { badgeText: '12345', redDot: true } })
    expect(await $('.neu-badge').allTextContents()).toEqual(['...'])
    await draw({ backButton: { redDot: true } })
    expect(await box('.neu-badge')).toMatchObject({ width: 8, height: 8 })
    expect(await button('Back, New').count()).toBe(1)
  })
})

describe('searchInput', () => {
  const search = () => screen.page.getByRole('searchbox')

  test('fills the space between its neighbors', async () => {
    await draw({ searchInput: { placeholder: 'Find' }, buttons: [{ type: 'menu' }] })
    await search().waitFor()
    expect(await box('.neu-search')).toEqual({ x: 52, y: 7, width: 375 - 52 - 8 - 44, height: 30 })
    expect(await $('.neu-navbar-title').count()).toBe(0)
    await draw({ searchInput: {} }, {}, { canGoBack: false })
    expect(await box('.neu-search')).toMatchObject({ x: 8, width: 359 })
  })

  test('applies backgroundColor, borderRadius, placeholder and placeholderColor', async () => {
    await draw({
      searchInput: {
        placeholder: 'Find coffee',
        placeholderColor: '#FF0000',
        backgroundColor: '#00FF00',
        borderRadius: '15px',
      },
    })
    expect(await css('.neu-search', 'background-color')).toBe('rgb(0, 255, 0)')
    expect(await css('.neu-search', 'border-radius')).toBe('15px')
    expect(await $('.neu-search-hint').innerText()).toBe('Find coffee')
    expect(await css('.neu-search-hint', 'color')).toBe('rgb(255, 0, 0)')
    expect(await search().getAttribute('aria-label')).toBe('Find coffee')
    await draw({ searchInput: {} })
    expect(await css('.neu-search', 'background-color')).toBe('rgba(255, 255, 255, 0.5)')
    expect(await css('.neu-search', 'border-radius')).toBe('0px')
    expect(await css('.neu-search-hint', 'color')).toBe('rgb(204, 204, 204)')
    expect(await search().getAttribute('aria-label')).toBe('Search')
  })

  test('applies align until it has focus', async () => {
    const place = async () => {
      const [outer, hint] = [await box('.neu-search'), await box('.neu-search-hint')]
      return { left: hint.x - outer.x, right: outer.x + outer.width - hint.x - hint.width }
    }
    await draw({ searchInput: { placeholder: 'Find', align: 'left' } })
    expect((await place()).left).toBe(8)
    await draw({ searchInput: { placeholder: 'Find', align: 'right' } })
    expect((await place()).right).toBe(8)
    await draw({ searchInput: { placeholder: 'Find', align: 'center' } })
    const { left, right } = await place()
    expect(left).toBeCloseTo(right, 0)
    await search().focus()
    expect((await place()).left).toBe(8)
    await search().fill('tea')
    expect(await css(search(), 'text-align')).toBe('start')
    await search().blur()
    expect(await css(search(), 'text-align')).toBe('center')
  })

  test('reports click, change and confirmation', async () => {
    await draw({ searchInput: {} })
    await search().click()
    await search().pressSequentially('te')
    await search().press('Enter')
    expect(await screen.events()).toEqual([
      { type: 'searchClicked' },
      { type: 'searchChanged', text: 't' },
      { type: 'searchChanged', text: 'te' },
      { type: 'searchConfirmed', text: 'te' },
    ])
  })

  test('reports a tap anywhere in the box as one click', async () => {
    await draw({ searchInput: { placeholder: 'Find', align: 'left' } })
    await screen.page.mouse.click(62, 22)
    expect(await screen.events()).toEqual([{ type: 'searchClicked' }])
  })

  test('has focus for autoFocus', async () => {
    await draw({ searchInput: { autoFocus: true } })
    await screen.page.waitForFunction(() => document.activeElement?.matches('.neu-search-input'))
    await draw({ searchInput: {} })
    await search().waitFor()
    expect(await search().evaluate((input) => input === document.activeElement)).toBe(false)
  })

  test('accepts no text but reports clicks if disabled', async () => {
    await draw({ searchInput: { disabled: true, autoFocus: true } })
    await search().click()
    await screen.page.keyboard.type('tea')
    await screen.page.keyboard.press('Enter')
    expect(await search().inputValue()).toBe('')
    expect(await screen.events()).toEqual([{ type: 'searchClicked' }, { type: 'searchClicked' }])
  })

  test('restores the text when its page is shown again', async () => {
    await draw({ searchInput: {} }, {}, { overrides: { searchText: 'tea' } })
    expect(await search().inputValue()).toBe('tea')
  })
})

describe('languages', () => {
  test('localizes button names in the language of the device', async () => {
    await draw({ homeButton: true, buttons: [{ type: 'share' }, { type: 'menu' }] })
    const names = () => $('.neu-navbar-button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    await screen.set({ language: 'zh-CN' })
    await expect.poll(names).toEqual(['返回', '首页', '分享', '菜单'])
    await screen.set({ language: 'ar-SA' })
    await expect.poll(names).toEqual(['رجوع', 'الرئيسية', 'مشاركة', 'القائمة'])
    await screen.set({ language: 'fr' })
    await expect.poll(names).toEqual(['Back', 'Home', 'Share', 'Menu'])
  })

  test('mirrors the bar in a right-to-left language', async () => {
    await draw({ buttons: [{ type: 'forward' }, { type: 'share' }] })
    await screen.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    const back = await box('.neu-navbar-back')
    expect(back.x + back.width).toBe(375)
    expect(await css('.neu-navbar-back .neu-icon', 'transform')).toBe('matrix(-1, 0, 0, 1, 0, 0)')
    expect(await css(button('Share').locator('.neu-icon'), 'transform')).toBe('none')
    expect((await box(button('Share'))).x).toBe(0)
    const titles = await box('.neu-navbar-titles')
    expect(titles.x + titles.width).toBe(375 - 52)
    await screen.page.evaluate(() => document.documentElement.removeAttribute('dir'))
  })
})

test('has no accessibility violations', async () => {
  const kinds = [
    {
      homeButton: true,
      backButton: { badgeText: '3' },
      buttons: [{ type: 'share' }, { text: '\ue60d', fontSrc: '/icons.ttf' }],
    },
    { searchInput: { placeholder: 'Find', placeholderColor: '#555555', backgroundColor: '#ffffff' } },
    { subtitleText: 'Sub', titleIcon: '/red.svg' },
  ]
  for (const kind of kinds) {
    await draw(kind)
    const violations = await violationsOf(screen.page, { within: '.neu-navbar' })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }
})
