import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Platform, TabBar } from '../../packages/pages/src/index.ts'
import { type TabBarOverrides, tabBarModel } from '../../packages/shell/src/bars.ts'
import { violationsOf } from '../axe.ts'
import { baseUrl, openScreen, styleOf, type TestScreen } from './fixture.ts'

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

const modelOf = (changes: object = {}, more: More = {}) =>
  tabBarModel({ color: '#666666', selectedColor: '#0b6b63', backgroundColor: '#ffffff', list, ...changes } as TabBar, {
    platform: 'App',
    os: 'Android',
    base: baseUrl,
    path: 'pages/Home/Home',
    ...more,
  })

let screen: TestScreen
beforeAll(async () => {
  screen = await openScreen()
})

async function draw(changes: object = {}, more: More = {}): Promise<void> {
  await screen.set({ safeAreaBottom: 0, isAnimated: false, language: 'en' })
  await screen.draw({ tabBar: modelOf(changes, more) })
  await screen.events()
}

const tab = (name: string) => screen.page.getByRole('button', { name, exact: true })
const css = (selector: string | Locator, property: string) =>
  styleOf(typeof selector === 'string' ? screen.page.locator(selector) : selector, property)
async function box(selector: string | Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await (typeof selector === 'string' ? screen.page.locator(selector) : selector).boundingBox())!
}

test('applies color, selectedColor and backgroundColor, and marks the current tab', async () => {
  await draw({}, { path: 'pages/Menu/Menu' })
  expect(await css('.neu-tabbar', 'background-color')).toBe('rgb(255, 255, 255)')
  expect(await css(tab('Menu'), 'color')).toBe('rgb(11, 107, 99)')
  expect(await css(tab('Home'), 'color')).toBe('rgb(102, 102, 102)')
  const current = await Promise.all(['Home', 'Menu', 'Cart'].map((name) => tab(name).getAttribute('aria-current')))
  expect(current).toEqual([null, 'page', null])
  expect(await tab('Menu').locator('img').getAttribute('src')).toBe(`${baseUrl}red.svg`)
  expect(await tab('Home').locator('img').getAttribute('src')).toBe(`${baseUrl}blue.svg`)
})

test('applies height above the safe area', async () => {
  await draw()
  expect(await box('.neu-tabbar')).toEqual({ x: 0, y: 617, width: 375, height: 50 })
  await draw({ height: '56px' })
  await screen.set({ safeAreaBottom: 20 })
  expect(await box('.neu-tabbar')).toEqual({ x: 0, y: 591, width: 375, height: 76 })
  expect(await box(tab('Home'))).toMatchObject({ y: 591, height: 56 })
})

test('gives all tabs the same width', async () => {
  await draw()
  const widths = await Promise.all(list.map(async ({ text }) => (await box(tab(text))).width))
  expect(widths).toEqual([93.75, 93.75, 93.75, 93.75])
})

test('applies borderStyle', async () => {
  const border = () => css('.neu-tabbar-border', 'background-color')
  await draw()
  expect(await border()).toBe('rgba(0, 0, 0, 0.33)')
  expect(await box('.neu-tabbar-border')).toEqual({ x: 0, y: 617.25, width: 375, height: 0.5 })
  await draw({ borderStyle: 'white' })
  expect(await border()).toBe('rgba(255, 255, 255, 0.33)')
  await draw({ borderStyle: '#FF0000' }, { platform: 'H5' })
  expect(await border()).toBe('rgb(255, 0, 0)')
})

test('applies blurEffect', async () => {
  await draw({ blurEffect: 'dark', backgroundColor: '#112233' }, { os: 'iOS' })
  expect(await css('.neu-tabbar', 'backdrop-filter')).toContain('blur(20px)')
  expect(await css('.neu-tabbar', 'background-color')).toBe('rgba(17, 34, 51, 0.7)')
  await draw({ blurEffect: 'none' }, { os: 'iOS' })
  expect(await css('.neu-tabbar', 'backdrop-filter')).toBe('none')
})

test('draws text over its icon for a negative spacing, as uni-app does', async () => {
  await draw({ spacing: '-2px' })
  const [icon, text] = [await box(tab('Home').locator('img')), await box(tab('Home').locator('.neu-tabbar-text'))]
  expect(text.y - icon.y - icon.height).toBe(-2)
})

test('applies fontSize, iconWidth and spacing, and keeps the aspect ratio of icons', async () => {
  await draw({ fontSize: '14px', iconWidth: '30px', spacing: '6px' })
  const [icon, text] = [await box(tab('Home').locator('img')), await box(tab('Home').locator('.neu-tabbar-text'))]
  expect(icon).toMatchObject({ width: 30, height: 15 })
  expect(await css(tab('Home'), 'font-size')).toBe('14px')
  expect(text.y - icon.y - icon.height).toBe(6)
  // The line is as high as the font wants, as in uni-app.
  expect(await css(tab('Home').locator('.neu-tabbar-text'), 'line-height')).toBe('normal')
  const middle = icon.y + (text.y + text.height - icon.y) / 2
  expect(middle).toBeCloseTo(617 + 25, 0)
})

test('names a tab without text, and centers the text of a tab without icon', async () => {
  await draw({
    list: [
      { pagePath: 'pages/Home/Home', iconPath: 'red.svg' },
      { pagePath: 'pages/Menu/Menu', text: 'Menu' },
    ],
  })
  expect(await tab('Button 1').locator('img').count()).toBe(1)
  const { y, height } = await box(tab('Menu').locator('.neu-tabbar-text'))
  expect(y + height / 2).toBeCloseTo(642, 0)
  expect(height).toBe(18)
  expect(await tab('Menu').locator('img').count()).toBe(0)
})

test('hides tabs with visible false without changing the index of others', async () => {
  await draw({ list: list.map((each, index) => ({ ...each, visible: index !== 1 })) })
  expect(await tab('Menu').count()).toBe(0)
  expect((await box(tab('Cart'))).width).toBe(125)
  await tab('Cart').click()
  expect(await screen.events()).toEqual([{ type: 'tab', index: 2 }])
})

test('prefers iconfont over iconPath', async () => {
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
  await screen.page.waitForFunction(() => [...document.fonts].some(({ status }) => status === 'loaded'))
  expect(await css(glyph('Home'), 'font-family')).toMatch(/^souk-font-\d+$/)
})

test('draws midButton in the middle, higher than the bar', async () => {
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
  expect(await css(tab('Sell'), 'background-image')).toBe(`url("${baseUrl}lime.svg")`)
  await screen.page.mouse.click(187, 602)
  await tab('Me').click()
  expect(await screen.events()).toEqual([{ type: 'midButton' }, { type: 'tab', index: 3 }])
  await draw({ midButton: { iconPath: 'red.svg' } })
  expect(await box('.neu-tabbar-mid')).toMatchObject({ width: 80, height: 50 })
  await draw({ midButton: { iconfont: { text: 'x', fontSize: '30px', color: '#00FF00' }, iconPath: 'red.svg' } })
  expect(await css('.neu-tabbar-mid .neu-tabbar-glyph', 'color')).toBe('rgb(0, 255, 0)')
  expect(await screen.page.locator('.neu-tabbar-mid img').count()).toBe(0)
})

test.each<[string, number[], string[], number]>([
  ['two on one side', [0, 1], ['Home', 'Sell', 'Menu'], 150],
  ['two on both sides', [1, 2], ['Menu', 'Sell', 'Cart'], 150],
  ['three', [0, 1, 3], ['Home', 'Menu', 'Sell', 'Me'], 200],
  ['three, fewer on the left', [1, 2, 3], ['Menu', 'Sell', 'Cart', 'Me'], 100],
  ['one on the left', [0], ['Home', 'Sell'], 300],
  ['one on the right', [3], ['Sell', 'Me'], 0],
])('shares the bar beside midButton equally when only some tabs are visible: %s', async (_, visible, texts, x) => {
  const some = list.map((each, index) => ({ ...each, visible: visible.includes(index) }))
  await draw({ midButton: { text: 'Sell', width: '75px' }, list: some })
  expect(await screen.page.locator('.neu-tabbar button').allInnerTexts()).toEqual(texts)
  expect(await box(tab('Sell'))).toMatchObject({ x, width: 75 })
  const tabs = texts.filter((text) => text !== 'Sell')
  const widths = await Promise.all(tabs.map(async (text) => (await box(tab(text))).width))
  expect(widths).toEqual(tabs.map(() => 300 / tabs.length))
})

test('draws badges, shortened if too long, and dots', async () => {
  await draw({}, { overrides: { items: { 0: { badge: '12' }, 1: { badge: '1000' }, 3: { redDot: true } } } })
  expect(await screen.page.locator('.neu-tabbar .neu-badge:not(.neu-badge-dot)').allInnerTexts()).toEqual(['12', '...'])
  const [icon, badge] = [await box(tab('Home 12').locator('img')), await box(tab('Home 12').locator('.neu-badge'))]
  expect(badge.x).toBeGreaterThan(icon.x + icon.width / 2)
  expect(badge.y).toBeLessThan(icon.y + icon.height / 2)
  expect(await box(tab('Me New').locator('.neu-badge'))).toMatchObject({ width: 8, height: 8 })
})

test('reports clicks on tabs, including the current one', async () => {
  await draw()
  await tab('Menu').click()
  await tab('Home').click()
  expect(await screen.events()).toEqual([
    { type: 'tab', index: 1 },
    { type: 'tab', index: 0 },
  ])
})

test('moves the focus by arrow keys, Home and End, mirrored from right to left, and opens by Enter', async () => {
  await draw()
  const focused = () => screen.page.evaluate(() => document.activeElement?.textContent)
  const press = async (...keys: string[]) => {
    for (const key of keys) await screen.page.keyboard.press(key)
    return await focused()
  }
  await tab('Home').focus()
  expect(await press('ArrowRight', 'ArrowRight')).toBe('Cart')
  expect(await press('ArrowLeft')).toBe('Menu')
  expect(await press('End')).toBe('Me')
  expect(await press('ArrowRight')).toBe('Home')
  await screen.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  expect(await press('ArrowLeft')).toBe('Menu')
  const [first, second] = [await box(tab('Home')), await box(tab('Menu'))]
  expect(first.x).toBeGreaterThan(second.x)
  await screen.page.evaluate(() => document.documentElement.removeAttribute('dir'))
  await press('Enter')
  expect(await screen.events()).toEqual([{ type: 'tab', index: 1 }])
})

test('appears and disappears immediately, or slides if animated', async () => {
  await draw()
  await screen.draw({ tabBar: null })
  expect(await screen.page.locator('.neu-tabbar').count()).toBe(0)
  await screen.page.emulateMedia({ reducedMotion: 'no-preference' })
  // An animation can be over before the test sees it, its event cannot.
  const animations = await screen.page.evaluateHandle(() => {
    const names: string[] = []
    document.addEventListener('animationstart', ({ animationName }) => names.push(animationName))
    return names
  })
  const lastAnimation = () => animations.evaluate((names) => names.at(-1))
  await screen.set({ isAnimated: true })
  await screen.draw({ tabBar: modelOf() })
  await expect.poll(lastAnimation).toBe('neu-tabbar-enter')
  await screen.page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  await screen.draw({ tabBar: null })
  await expect.poll(lastAnimation).toBe('neu-tabbar-leave')
  await screen.page.locator('.neu-tabbar').waitFor({ state: 'detached' })
  // Show it again while it is disappearing.
  await screen.draw({ tabBar: modelOf() })
  await screen.draw({ tabBar: null })
  await screen.draw({ tabBar: modelOf({}, { path: 'pages/Me/Me' }) })
  await screen.page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  expect(await tab('Me').getAttribute('aria-current')).toBe('page')
  await screen.page.emulateMedia({ reducedMotion: 'reduce' })
})

test('can be hidden by a CSS rule beside side windows (pages-json §2.7)', async () => {
  await draw()
  await screen.page.addStyleTag({ content: '.neu-left-window--show .neu-tabbar { display: none }' })
  expect(await css('.neu-tabbar', 'display')).toBe('flex')
  await screen.page.evaluate(() => document.body.classList.add('neu-left-window--show'))
  expect(await css('.neu-tabbar', 'display')).toBe('none')
  await screen.page.evaluate(() => document.body.classList.remove('neu-left-window--show'))
})

test('has no accessibility violations', async () => {
  await draw(
    { midButton: { iconPath: 'red.svg' } },
    { overrides: { items: { 0: { badge: '3' }, 1: { redDot: true } } } },
  )
  const violations = await violationsOf(screen.page, { within: '.neu-tabbar' })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  await screen.set({ language: 'zh-CN' })
  await expect.poll(() => screen.page.getByRole('navigation', { name: '标签栏' }).count()).toBe(1)
})
