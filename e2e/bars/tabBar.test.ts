import { AxeBuilder } from '@axe-core/playwright'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Platform, TabBar } from '../../packages/pages/src/index.ts'
import { type TabBarOverrides, tabBarModel } from '../../packages/runtime/src/shell/bars.ts'
import { address, closeFixtures, type Fixture, openFixture, styleOf } from './fixture.ts'

interface More {
  platform?: Platform
  os?: 'iOS' | 'Android'
  path?: string
  overrides?: TabBarOverrides
}

const list = ['Home', 'Menu', 'Cart', 'Me'].map((text) => ({
  pagePath: `pages/${text}/${text}`,
  text,
  iconPath: 'blue.svg',
  selectedIconPath: 'red.svg',
}))

const modelOf = (own: object = {}, more: More = {}) =>
  tabBarModel({ color: '#666666', selectedColor: '#0b6b63', backgroundColor: '#ffffff', list, ...own } as TabBar, {
    platform: 'App',
    os: 'Android',
    base: address,
    path: 'pages/Home/Home',
    ...more,
  })

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(closeFixtures)

async function draw(own: object = {}, more: More = {}): Promise<void> {
  await fixture.set({ safeAreaBottom: 0, isAnimated: false, language: 'en' })
  await fixture.draw({ tabBar: modelOf(own, more) })
  await fixture.events()
}

const tab = (name: string) => fixture.page.getByRole('button', { name, exact: true })
const css = (selector: string | Locator, property: string) =>
  styleOf(typeof selector === 'string' ? fixture.page.locator(selector) : selector, property)
async function box(selector: string | Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await (typeof selector === 'string' ? fixture.page.locator(selector) : selector).boundingBox())!
}

test('color, selectedColor, backgroundColor; the open tab is told', async () => {
  await draw({}, { path: 'pages/Menu/Menu' })
  expect(await css('.neu-tabbar', 'background-color')).toBe('rgb(255, 255, 255)')
  expect(await css(tab('Menu'), 'color')).toBe('rgb(11, 107, 99)')
  expect(await css(tab('Home'), 'color')).toBe('rgb(102, 102, 102)')
  const current = await Promise.all(['Home', 'Menu', 'Cart'].map((name) => tab(name).getAttribute('aria-current')))
  expect(current).toEqual([null, 'page', null])
  expect(await tab('Menu').locator('img').getAttribute('src')).toBe(`${address}red.svg`)
  expect(await tab('Home').locator('img').getAttribute('src')).toBe(`${address}blue.svg`)
})

test('height, above what belongs to the system', async () => {
  await draw()
  expect(await box('.neu-tabbar')).toEqual({ x: 0, y: 617, width: 375, height: 50 })
  await draw({ height: '56px' })
  await fixture.set({ safeAreaBottom: 20 })
  expect(await box('.neu-tabbar')).toEqual({ x: 0, y: 591, width: 375, height: 76 })
  expect(await box(tab('Home'))).toMatchObject({ y: 591, height: 56 })
})

test('tabs are of one width', async () => {
  await draw()
  const widths = await Promise.all(list.map(async ({ text }) => (await box(tab(text))).width))
  expect(widths).toEqual([93.75, 93.75, 93.75, 93.75])
})

test('borderStyle', async () => {
  const border = () => css('.neu-tabbar-border', 'background-color')
  await draw()
  expect(await border()).toBe('rgba(0, 0, 0, 0.33)')
  expect(await box('.neu-tabbar-border')).toEqual({ x: 0, y: 617, width: 375, height: 1 })
  await draw({ borderStyle: 'white' })
  expect(await border()).toBe('rgba(255, 255, 255, 0.33)')
  await draw({ borderStyle: '#FF0000' }, { platform: 'H5' })
  expect(await border()).toBe('rgb(255, 0, 0)')
})

test('blurEffect', async () => {
  await draw({ blurEffect: 'dark', backgroundColor: '#112233' }, { os: 'iOS' })
  expect(await css('.neu-tabbar', 'backdrop-filter')).toContain('blur(20px)')
  expect(await css('.neu-tabbar', 'background-color')).toBe('rgba(17, 34, 51, 0.7)')
  await draw({ blurEffect: 'none' }, { os: 'iOS' })
  expect(await css('.neu-tabbar', 'backdrop-filter')).toBe('none')
})

test('fontSize, iconWidth, spacing: the height of icons follows from their width', async () => {
  await draw({ fontSize: '14px', iconWidth: '30px', spacing: '6px' })
  const [icon, text] = [await box(tab('Home').locator('img')), await box(tab('Home').locator('.neu-tabbar-text'))]
  expect(icon).toMatchObject({ width: 30, height: 15 })
  expect(await css(tab('Home'), 'font-size')).toBe('14px')
  expect(text.y - icon.y - icon.height).toBe(6)
  const middle = icon.y + (text.y + text.height - icon.y) / 2
  expect(middle).toBeCloseTo(617 + 25, 0)
})

test('a tab without text has a name, one without icon its text in the middle', async () => {
  await draw({
    list: [
      { pagePath: 'pages/Home/Home', iconPath: 'red.svg' },
      { pagePath: 'pages/Menu/Menu', text: 'Menu' },
    ],
  })
  expect(await tab('Button 1').locator('img').count()).toBe(1)
  const { y, height } = await box(tab('Menu').locator('.neu-tabbar-text'))
  expect(y + height / 2).toBeCloseTo(642, 0)
  expect(await tab('Menu').locator('img').count()).toBe(0)
})

test('visible: the others share the room, indexes stay', async () => {
  await draw({ list: list.map((each, index) => ({ ...each, visible: index !== 1 })) })
  expect(await tab('Menu').count()).toBe(0)
  expect((await box(tab('Cart'))).width).toBe(125)
  await tab('Cart').click()
  expect(await fixture.events()).toEqual([{ type: 'tab', index: 2 }])
})

test('iconfont before iconPath, in the font of the app', async () => {
  const iconfont = { text: 'a', selectedText: 'b', fontSize: '26px', color: '#FF0000', selectedColor: '#0000FF' }
  await draw({ iconfontSrc: '/icons.ttf', list: list.map((each) => ({ ...each, iconfont })) })
  const glyph = (name: string) => tab(name).locator('.neu-tabbar-glyph')
  expect([await glyph('Home').textContent(), await glyph('Menu').textContent()]).toEqual(['b', 'a'])
  expect([await css(glyph('Home'), 'color'), await css(glyph('Menu'), 'color')]).toEqual([
    'rgb(0, 0, 255)',
    'rgb(255, 0, 0)',
  ])
  expect(await css(glyph('Home'), 'font-size')).toBe('26px')
  expect(await tab('Home').locator('img').count()).toBe(0)
  await fixture.page.waitForFunction(() => [...document.fonts].some(({ status }) => status === 'loaded'))
  expect(await css(glyph('Home'), 'font-family')).toMatch(/^souk-.*icons-ttf$/)
})

test('midButton stands in the middle and out at the top', async () => {
  const midButton = {
    width: '75px',
    height: '70px',
    text: 'Sell',
    iconPath: 'orange.svg',
    iconWidth: '40px',
    backgroundImage: 'lime.svg',
  }
  await draw({ midButton })
  expect(await box(tab('Sell'))).toEqual({ x: 150, y: 597, width: 75, height: 70 })
  expect((await box(tab('Home'))).width).toBe(75)
  expect(await box(tab('Sell').locator('img'))).toMatchObject({ width: 40, height: 20 })
  expect(await css(tab('Sell'), 'background-image')).toBe(`url("${address}lime.svg")`)
  await fixture.page.mouse.click(187, 602)
  await tab('Me').click()
  expect(await fixture.events()).toEqual([{ type: 'midButton' }, { type: 'tab', index: 3 }])
  await draw({ midButton: { iconPath: 'red.svg' } })
  expect(await box('.neu-tabbar-mid')).toMatchObject({ width: 80, height: 50 })
  await draw({ midButton: { iconfont: { text: 'x', fontSize: '30px', color: '#00FF00' }, iconPath: 'red.svg' } })
  expect(await css('.neu-tabbar-mid .neu-tabbar-glyph', 'color')).toBe('rgb(0, 255, 0)')
  expect(await fixture.page.locator('.neu-tabbar-mid img').count()).toBe(0)
})

test('midButton stays when all tabs on one side of it are hidden', async () => {
  await draw({ midButton: { text: 'Sell' }, list: list.map((each, index) => ({ ...each, visible: index < 2 })) })
  expect(await fixture.page.locator('.neu-tabbar button').allInnerTexts()).toEqual(['Home', 'Menu', 'Sell'])
})

test('corner marks: a badge, trimmed, or a dot', async () => {
  await draw({}, { overrides: { items: { 0: { badge: '12' }, 1: { badge: '1000' }, 3: { redDot: true } } } })
  expect(await fixture.page.locator('.neu-tabbar .neu-badge:not(.neu-badge-dot)').allInnerTexts()).toEqual([
    '12',
    '...',
  ])
  const [icon, badge] = [await box(tab('Home 12').locator('img')), await box(tab('Home 12').locator('.neu-badge'))]
  expect(badge.x).toBeGreaterThan(icon.x + icon.width / 2)
  expect(badge.y).toBeLessThan(icon.y + icon.height / 2)
  expect(await box(tab('Me New').locator('.neu-badge'))).toMatchObject({ width: 8, height: 8 })
})

test('a click on a tab is told, also on the open one', async () => {
  await draw()
  await tab('Menu').click()
  await tab('Home').click()
  expect(await fixture.events()).toEqual([
    { type: 'tab', index: 1 },
    { type: 'tab', index: 0 },
  ])
})

test('arrow keys, Home and End go from tab to tab, mirrored from right to left; Enter opens', async () => {
  await draw()
  const focused = () => fixture.page.evaluate(() => document.activeElement?.textContent)
  const press = async (...keys: string[]) => {
    for (const key of keys) await fixture.page.keyboard.press(key)
    return await focused()
  }
  await tab('Home').focus()
  expect(await press('ArrowRight', 'ArrowRight')).toBe('Cart')
  expect(await press('ArrowLeft')).toBe('Menu')
  expect(await press('End')).toBe('Me')
  expect(await press('ArrowRight')).toBe('Home')
  await fixture.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  expect(await press('ArrowLeft')).toBe('Menu')
  const [first, second] = [await box(tab('Home')), await box(tab('Menu'))]
  expect(first.x).toBeGreaterThan(second.x)
  await fixture.page.evaluate(() => document.documentElement.removeAttribute('dir'))
  await press('Enter')
  expect(await fixture.events()).toEqual([{ type: 'tab', index: 1 }])
})

test('comes and goes at once, or slides', async () => {
  await draw()
  await fixture.draw({ tabBar: null })
  expect(await fixture.page.locator('.neu-tabbar').count()).toBe(0)
  await fixture.page.emulateMedia({ reducedMotion: 'no-preference' })
  await fixture.set({ isAnimated: true })
  await fixture.draw({ tabBar: modelOf() })
  expect(await css('.neu-tabbar', 'animation-name')).toBe('neu-tabbar-enter')
  await fixture.page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  await fixture.draw({ tabBar: null })
  expect(await css('.neu-tabbar', 'animation-name')).toBe('neu-tabbar-leave')
  await fixture.page.locator('.neu-tabbar').waitFor({ state: 'detached' })
  // Wanted back while it goes.
  await fixture.draw({ tabBar: modelOf() })
  await fixture.draw({ tabBar: null })
  await fixture.draw({ tabBar: modelOf({}, { path: 'pages/Me/Me' }) })
  await fixture.page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  expect(await tab('Me').getAttribute('aria-current')).toBe('page')
  await fixture.page.emulateMedia({ reducedMotion: 'reduce' })
})

test('the rules of an app hide it: pages-json §2.7 on side windows', async () => {
  await draw()
  await fixture.page.addStyleTag({ content: '.neu-left-window--show .neu-tabbar { display: none }' })
  expect(await css('.neu-tabbar', 'display')).toBe('flex')
  await fixture.page.evaluate(() => document.body.classList.add('neu-left-window--show'))
  expect(await css('.neu-tabbar', 'display')).toBe('none')
  await fixture.page.evaluate(() => document.body.classList.remove('neu-left-window--show'))
})

test('is accessible', async () => {
  await draw(
    { midButton: { iconPath: 'red.svg' } },
    { overrides: { items: { 0: { badge: '3' }, 1: { redDot: true } } } },
  )
  const { violations } = await new AxeBuilder({ page: fixture.page }).include('.neu-tabbar').analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  await fixture.set({ language: 'zh-CN' })
  await expect.poll(() => fixture.page.getByRole('navigation', { name: '标签栏' }).count()).toBe(1)
})
