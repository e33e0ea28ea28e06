import { AxeBuilder } from '@axe-core/playwright'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageStyle, Platform } from '../../packages/pages/src/index.ts'
import { type NavigationBarOverrides, navigationBarModel } from '../../packages/runtime/src/shell/bars.ts'
import { address, closeFixtures, type Fixture, openFixture, styleOf } from './fixture.ts'

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
  return navigationBarModel({ ...flat, ...style, [node]: { titleNView } } as PageStyle, {
    platform,
    os: 'Android',
    base: address,
    canGoBack: true,
    ...more,
  })
}

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(closeFixtures)

async function draw(titleNView: object, style?: object, more?: More): Promise<void> {
  // A bar of its own for each, as each page has.
  await fixture.draw({ navigationBar: null })
  await fixture.set({ scrollTop: 0, statusBarHeight: 0, viewportHeight: 600, language: 'en' })
  await fixture.draw({ navigationBar: modelOf(titleNView, style, more) })
  await fixture.events()
}

const $ = (selector: string): Locator => fixture.page.locator(selector)
const button = (name: string) => fixture.page.getByRole('button', { name, exact: true })
const css = (selector: string | Locator, property: string) =>
  styleOf(typeof selector === 'string' ? $(selector) : selector, property)
async function box(selector: string | Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await (typeof selector === 'string' ? $(selector) : selector).boundingBox())!
}
const background = '.neu-navbar-background'
const title = '.neu-navbar-title >> nth=0'

describe('the bar', () => {
  test('is 44px high below the status bar, across the whole width', async () => {
    await draw({})
    expect(await box('.neu-navbar')).toEqual({ x: 0, y: 0, width: 375, height: 44 })
    await fixture.set({ statusBarHeight: 30 })
    expect(await box('.neu-navbar')).toMatchObject({ height: 74 })
    const { y, height } = await box(title)
    expect(y + height / 2).toBeCloseTo(52, 0)
    expect((await box('.neu-navbar-back')).y).toBe(30)
  })

  test('navigationBarBackgroundColor, navigationBarTextStyle, navigationBarTitleText', async () => {
    await draw({}, { navigationBarBackgroundColor: '#123456', navigationBarTextStyle: 'white' })
    expect(await css(background, 'background-color')).toBe('rgb(18, 52, 86)')
    expect(await css(title, 'color')).toBe('rgb(255, 255, 255)')
    await fixture.page.getByRole('heading', { name: 'Corner Coffee', level: 1 }).waitFor()
  })

  test('navigationStyle custom and titleNView false: none', async () => {
    await draw({}, { navigationStyle: 'custom' })
    expect(await $('.neu-navbar').count()).toBe(0)
    await fixture.draw({
      navigationBar: navigationBarModel(
        { 'app-plus': { titleNView: false } },
        { platform: 'App', os: 'iOS', base: address, canGoBack: true },
      ),
    })
    expect(await $('.neu-navbar').count()).toBe(0)
  })

  test('an app hides it by a rule of a single class, wherever that stands', async () => {
    await draw({})
    const style = await fixture.page.evaluateHandle(() => {
      const own = document.createElement('style')
      own.textContent = '.neu-navbar { display: none }'
      document.head.prepend(own)
      return own
    })
    expect(await css('.neu-navbar', 'display')).toBe('none')
    await style.evaluate((own) => own.remove())
  })

  test('titleImage stands in place of the title, which is its name', async () => {
    await draw({}, { titleImage: 'orange.svg' }, { platform: 'H5' })
    const image = fixture.page.getByRole('img', { name: 'Corner Coffee' })
    expect(await image.evaluate((element: HTMLImageElement) => element.src)).toBe(`${address}orange.svg`)
    expect(await box(image)).toMatchObject({ width: 56, height: 28 })
    expect(await $('.neu-navbar-title').count()).toBe(0)
  })

  test('navigationBarShadow', async () => {
    const seen = new Set<string>()
    for (const colorType of ['grey', 'blue', 'green', 'orange', 'red', 'yellow']) {
      await draw({}, { navigationBarShadow: { colorType } })
      seen.add(await css(background, 'box-shadow'))
    }
    expect(seen.size).toBe(6)
    expect([...seen].every((shadow) => /^rgba\(.*0px 2px 6px/.test(shadow))).toBe(true)
  })

  test('titlePenetrate lets clicks through to the page, but not those on buttons', async () => {
    await draw({ buttons: [{ type: 'share' }] }, { titlePenetrate: 'YES' }, { platform: 'H5' })
    await fixture.page.mouse.click(180, 20)
    await button('Share').click()
    expect(await fixture.events()).toEqual([{ type: 'content' }, { type: 'button', index: 0 }])
    await draw({}, { titlePenetrate: 'NO' }, { platform: 'H5' })
    await fixture.page.mouse.click(180, 20)
    expect(await fixture.events()).toEqual([])
  })

  test('transparentTitle: background and title always gone, or there with scrolling', async () => {
    await draw({}, { transparentTitle: 'always' }, { platform: 'Mini App' })
    await fixture.set({ scrollTop: 400 })
    expect([await css(background, 'opacity'), await css('.neu-navbar-middle', 'opacity')]).toEqual(['0', '0'])
    await draw({}, { transparentTitle: 'auto' }, { platform: 'Mini App' })
    expect(await css(background, 'opacity')).toBe('0')
    await fixture.set({ scrollTop: 132 })
    expect([await css(background, 'opacity'), await css('.neu-navbar-middle', 'opacity')]).toEqual(['1', '1'])
  })

  test('tapping the title twice is a way to the top', async () => {
    await draw({})
    await $('.neu-navbar-middle').dblclick()
    expect(await fixture.events()).toEqual([{ type: 'toTop' }])
  })

  test('setNavigationBarColor changes colours over time, setNavigationBarTitle and the loading sign at once', async () => {
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
    await fixture.page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await css(background, 'transition')).toBe('background-color 0.4s ease-in')
    await fixture.page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await css(background, 'background-color')).toBe('rgb(255, 0, 0)')
    expect(await css('.neu-navbar-back', 'color')).toBe('rgb(255, 255, 255)')
    await fixture.page.getByRole('status', { name: 'Loading' }).waitFor()
    expect(await $(title).textContent()).toMatch(/New/)
  })
})

describe('titleNView', () => {
  test('type transparent: only the buttons at first, the rest with coverage in px', async () => {
    await draw({ type: 'transparent', coverage: '100px', buttons: [{ type: 'share' }] })
    const opacities = async () => [await css(background, 'opacity'), await css('.neu-navbar-middle', 'opacity')]
    expect(await opacities()).toEqual(['0', '0'])
    expect(await button('Share').isVisible()).toBe(true)
    await fixture.set({ scrollTop: 25 })
    expect(await opacities()).toEqual(['0.25', '0.25'])
    await fixture.set({ scrollTop: 300 })
    expect(await opacities()).toEqual(['1', '1'])
  })

  test('coverage in percent of the visible height', async () => {
    await draw({ type: 'transparent', coverage: '50%' })
    await fixture.set({ scrollTop: 150, viewportHeight: 600 })
    expect(await css(background, 'opacity')).toBe('0.5')
  })

  test('type float: there at once, translucent, with the page behind', async () => {
    await draw({ type: 'float', backgroundColor: 'rgba(255,0,0,0.5)' })
    expect(await css(background, 'opacity')).toBe('1')
    expect(await css(background, 'background-color')).toBe('rgba(255, 0, 0, 0.5)')
  })

  test('blurEffect', async () => {
    await draw({ type: 'float', blurEffect: 'light' })
    expect(await css(background, 'backdrop-filter')).toContain('blur(20px)')
    expect(await css(background, 'background-color')).toBe('rgba(255, 255, 255, 0.5)')
    await draw({ type: 'default', blurEffect: 'light' })
    expect(await css(background, 'backdrop-filter')).toBe('none')
  })

  test('titleText, titleColor, titleSize also in rpx', async () => {
    await draw({ titleText: 'Own', titleColor: '#0000FF', titleSize: '40rpx' })
    expect(await $(title).textContent()).toContain('Own')
    expect(await css(title, 'color')).toBe('rgb(0, 0, 255)')
    expect(await css(title, 'font-size')).toBe('20px')
  })

  test('titleOverflow', async () => {
    const titleText = 'A title that is much too long for the bar of a phone held upright'
    for (const titleOverflow of ['ellipsis', 'clip']) {
      await draw({ titleText, titleOverflow })
      expect(await css(title, 'text-overflow')).toBe(titleOverflow)
      const { x, width } = await box(title)
      expect(x + width).toBeLessThanOrEqual(375)
    }
  })

  test('titleAlign: left beside the back button, or in the middle of the bar', async () => {
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

  test('a centred title that is too long gives way to the buttons', async () => {
    await draw({
      titleAlign: 'center',
      titleText: 'A title that is much too long for this bar',
      buttons: [{ type: 'share' }, { type: 'menu' }],
    })
    const { x, width } = await box('.neu-navbar-titles')
    expect(x).toBeGreaterThanOrEqual(44)
    expect(x + width).toBeLessThanOrEqual(375 - 88)
  })

  test('subtitleText, subtitleColor, subtitleSize, subtitleOverflow', async () => {
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

  test('titleIcon, titleIconRadius', async () => {
    await draw({ titleIcon: './red.svg', titleIconRadius: '17px', titleAlign: 'center' })
    expect(await box('.neu-navbar-icon')).toEqual({ x: 52, y: 5, width: 34, height: 34 })
    expect(await css('.neu-navbar-icon', 'border-radius')).toBe('17px')
    expect((await box(title)).x).toBe(94)
  })

  test('backgroundImage, backgroundRepeat', async () => {
    await draw({ backgroundImage: 'linear-gradient(to right, #ff0000, #0000ff)' })
    expect(await css(background, 'background-image')).toBe('linear-gradient(to right, rgb(255, 0, 0), rgb(0, 0, 255))')
    await draw({ backgroundImage: '/lime.svg' })
    expect(await css(background, 'background-image')).toBe(`url("${address}lime.svg")`)
    expect(await css(background, 'background-size')).toBe('100% 100%')
    await draw({ backgroundImage: '/lime.svg', backgroundRepeat: 'repeat-y' })
    expect(await css(background, 'background-repeat')).toBe('repeat-y')
    expect(await css(background, 'background-size')).toBe('auto')
  })

  test('splitLine', async () => {
    await draw({ splitLine: true })
    expect(await box('.neu-navbar-line')).toEqual({ x: 0, y: 43, width: 375, height: 1 })
    expect(await css('.neu-navbar-line', 'background-color')).toBe('rgb(204, 204, 204)')
    await draw({ splitLine: { color: '#FF0000', height: '25%' } })
    await fixture.set({ statusBarHeight: 20 })
    expect(await box('.neu-navbar-line')).toEqual({ x: 0, y: 53, width: 375, height: 11 })
    await draw({ splitLine: null })
    expect(await $('.neu-navbar-line').count()).toBe(0)
  })

  test('homeButton', async () => {
    await draw({ homeButton: true, autoBackButton: false })
    await button('Home').click()
    expect(await fixture.events()).toEqual([{ type: 'home' }])
    await draw({ homeButton: true }, {}, { overrides: { homeButton: false } })
    expect(await button('Home').count()).toBe(0)
  })

  test('autoBackButton', async () => {
    await draw({})
    await button('Back').click()
    expect(await fixture.events()).toEqual([{ type: 'back' }])
    await draw({ autoBackButton: false })
    expect(await button('Back').count()).toBe(0)
    await draw({}, {}, { canGoBack: false })
    expect(await button('Back').count()).toBe(0)
  })
})

describe('buttons', () => {
  test('type: an icon each, with a name', async () => {
    const types = ['forward', 'back', 'share', 'favorite', 'home', 'menu', 'close']
    await draw({ titleText: '', buttons: types.map((type) => ({ type, width: '40px' })) }, {}, { canGoBack: false })
    const drawn = new Set<string>()
    for (const [index, name] of ['Forward', 'Back', 'Share', 'Favorite', 'Home', 'Menu', 'Close'].entries()) {
      await button(name).click()
      expect(await fixture.events()).toEqual([{ type: 'button', index }])
      drawn.add((await button(name).locator('path').getAttribute('d'))!)
    }
    expect(drawn.size).toBe(7)
  })

  test('text, color, fontSize, fontWeight, width, float', async () => {
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

  test('a text that is wider than its button ends in dots and stays inside', async () => {
    await draw({ buttons: [{ text: 'Much too long' }] })
    const [outer, inner] = [
      await box(button('Much too long')),
      await box(button('Much too long').locator('.neu-navbar-text')),
    ]
    expect(outer.width).toBe(44)
    expect(inner.width).toBeLessThanOrEqual(44)
  })

  test('colorPressed', async () => {
    await draw({
      buttons: [
        { text: 'A', color: '#FF0000' },
        { text: 'B', colorPressed: '#00FF00' },
      ],
    })
    const whilePressed = async (name: string) => {
      await button(name).hover()
      await fixture.page.mouse.down()
      const color = await css(button(name), 'color')
      await fixture.page.mouse.up()
      return color
    }
    expect(await whilePressed('A')).toBe('rgba(255, 0, 0, 0.3)')
    expect(await whilePressed('B')).toBe('rgb(0, 255, 0)')
  })

  test('background: a disc, on a transparent bar alone', async () => {
    const disc = (name: string) => css(button(name).locator('.neu-navbar-face'), 'background-color')
    await draw({ type: 'transparent', buttons: [{ text: 'A' }, { text: 'B', background: '#FF0000' }] })
    expect(await disc('A')).toBe('rgba(128, 128, 128, 0.5)')
    expect(await disc('B')).toBe('rgb(255, 0, 0)')
    expect(await box(button('A').locator('.neu-navbar-face'))).toMatchObject({ width: 32, height: 32 })
    await draw({ buttons: [{ text: 'B', background: '#FF0000' }] })
    expect(await disc('B')).toBe('rgba(0, 0, 0, 0)')
  })

  test('fontSrc loads the font, text is drawn in it, and the button has a name', async () => {
    await draw({ buttons: [{ type: 'share' }, { text: '\ue60d', fontSrc: '/icons.ttf' }] })
    await fixture.page.waitForFunction(() => [...document.fonts].some(({ status }) => status === 'loaded'))
    const family = await css(button('Button 2').locator('.neu-navbar-text'), 'font-family')
    expect(
      await fixture.page.evaluate(
        (family) => [...document.fonts].filter((face) => face.family === family).length,
        family,
      ),
    ).toBe(1)
  })

  test('select', async () => {
    await draw({
      buttons: [
        { text: 'City', select: 'true', width: 'auto' },
        { text: 'No', select: 'false' },
      ],
    })
    expect(await button('City').locator('.neu-navbar-select').count()).toBe(1)
    expect(await button('No').locator('.neu-navbar-select').count()).toBe(0)
  })

  test('badgeText, trimmed', async () => {
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

  test('Enter and space press them', async () => {
    await draw({ buttons: [{ type: 'menu' }] })
    await button('Menu').press('Enter')
    await button('Menu').press('Space')
    expect(await fixture.events()).toEqual(Array(2).fill({ type: 'button', index: 0 }))
  })
})

describe('backButton', () => {
  test('color, fontSize, fontWeight, title, titleWeight, colorPressed', async () => {
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
    await fixture.page.mouse.down()
    expect(await css(back, 'color')).toBe('rgb(0, 0, 255)')
    await fixture.page.mouse.up()
  })

  test('fontSize is 27px, and 22px on a transparent bar with a disc behind', async () => {
    await draw({})
    expect(await box('.neu-navbar-back .neu-icon')).toMatchObject({ width: 27 })
    expect(await css('.neu-navbar-back .neu-navbar-face', 'background-color')).toBe('rgba(0, 0, 0, 0)')
    await draw({ type: 'transparent', backButton: { background: '#00FF00' } })
    expect(await box('.neu-navbar-back .neu-icon')).toMatchObject({ width: 22 })
    expect(await css('.neu-navbar-back .neu-navbar-face', 'background-color')).toBe('rgb(0, 255, 0)')
  })

  test('badgeText, redDot', async () => {
    await draw({ backButton: { badgeText: '12345', redDot: true } })
    expect(await $('.neu-badge').allTextContents()).toEqual(['...'])
    await draw({ backButton: { redDot: true } })
    expect(await box('.neu-badge')).toMatchObject({ width: 8, height: 8 })
    expect(await button('Back, New').count()).toBe(1)
  })
})

describe('searchInput', () => {
  const search = () => fixture.page.getByRole('searchbox')

  test('fills what the neighbours leave', async () => {
    await draw({ searchInput: { placeholder: 'Find' }, buttons: [{ type: 'menu' }] })
    await search().waitFor()
    expect(await box('.neu-search')).toEqual({ x: 52, y: 7, width: 375 - 52 - 8 - 44, height: 30 })
    expect(await $('.neu-navbar-title').count()).toBe(0)
    await draw({ searchInput: {} }, {}, { canGoBack: false })
    expect(await box('.neu-search')).toMatchObject({ x: 8, width: 359 })
  })

  test('backgroundColor, borderRadius, placeholder, placeholderColor', async () => {
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

  test('align, until somebody types', async () => {
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

  test('its three events', async () => {
    await draw({ searchInput: {} })
    await search().click()
    await search().pressSequentially('te')
    await search().press('Enter')
    expect(await fixture.events()).toEqual([
      { type: 'searchClicked' },
      { type: 'searchChanged', text: 't' },
      { type: 'searchChanged', text: 'te' },
      { type: 'searchConfirmed', text: 'te' },
    ])
  })

  test('a tap anywhere in the box is one click', async () => {
    await draw({ searchInput: { placeholder: 'Find', align: 'left' } })
    await fixture.page.mouse.click(62, 22)
    expect(await fixture.events()).toEqual([{ type: 'searchClicked' }])
  })

  test('autoFocus', async () => {
    await draw({ searchInput: { autoFocus: true } })
    await fixture.page.waitForFunction(() => document.activeElement?.matches('.neu-search-input'))
    await draw({ searchInput: {} })
    await search().waitFor()
    expect(await search().evaluate((input) => input === document.activeElement)).toBe(false)
  })

  test('disabled: nothing can be typed, clicks are told', async () => {
    await draw({ searchInput: { disabled: true, autoFocus: true } })
    await search().click()
    await fixture.page.keyboard.type('tea')
    await fixture.page.keyboard.press('Enter')
    expect(await search().inputValue()).toBe('')
    expect(await fixture.events()).toEqual([{ type: 'searchClicked' }, { type: 'searchClicked' }])
  })

  test('keeps what was typed when its page is on top again', async () => {
    await draw({ searchInput: {} }, {}, { overrides: { searchText: 'tea' } })
    expect(await search().inputValue()).toBe('tea')
  })
})

describe('languages', () => {
  test('names are in the language of the device', async () => {
    await draw({ homeButton: true, buttons: [{ type: 'share' }, { type: 'menu' }] })
    const names = () => $('.neu-navbar-button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    await fixture.set({ language: 'zh-CN' })
    await expect.poll(names).toEqual(['返回', '首页', '分享', '菜单'])
    await fixture.set({ language: 'ar-SA' })
    await expect.poll(names).toEqual(['رجوع', 'الرئيسية', 'مشاركة', 'القائمة'])
    await fixture.set({ language: 'fr' })
    await expect.poll(names).toEqual(['Back', 'Home', 'Share', 'Menu'])
  })

  test('right to left: the back button stands at the right and points there', async () => {
    await draw({ buttons: [{ type: 'forward' }, { type: 'share' }] })
    await fixture.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    const back = await box('.neu-navbar-back')
    expect(back.x + back.width).toBe(375)
    expect(await css('.neu-navbar-back .neu-icon', 'transform')).toBe('matrix(-1, 0, 0, 1, 0, 0)')
    expect(await css(button('Share').locator('.neu-icon'), 'transform')).toBe('none')
    expect((await box(button('Share'))).x).toBe(0)
    const titles = await box('.neu-navbar-titles')
    expect(titles.x + titles.width).toBe(375 - 52)
    await fixture.page.evaluate(() => document.documentElement.removeAttribute('dir'))
  })
})

test('bars of every kind are accessible', async () => {
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
    const { violations } = await new AxeBuilder({ page: fixture.page }).include('.neu-navbar').analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }
})
