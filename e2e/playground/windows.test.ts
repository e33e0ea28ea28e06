import { expect, test } from 'vitest'
import type { App } from './fixture.ts'
import { appsOf, becomes, boxOf, endOf, styleOf, top, usedApps } from './measure.ts'

/** Tests side windows on wide screens, and custom rpx settings, with `playground/windows`. */

const used = usedApps()

const apps = appsOf('windows')
const height = 700

async function at(name: string, width: number): Promise<App> {
  const app = await apps('H5', { height })
  used.add(app)
  await app.page.setViewportSize({ width, height })
  await app.go(`pages/${name}/${name}`)
  return app
}

const sides = ['topWindow', 'leftWindow', 'rightWindow'] as const
const shown = async ({ app }: App) => {
  const visible = await Promise.all(sides.map((side) => app.locator(`.neu-side-${side}`).isVisible()))
  return sides.filter((_, index) => visible[index])
}
const classes = (app: App) => app.app.locator('neu-pages').evaluate((element) => [...element.classList])

test('shows each side window exactly from its minimum width', async () => {
  const app = await at('all', 1100)
  for (const [width, expected] of [
    [1100, ['topWindow', 'leftWindow', 'rightWindow']],
    [1099, ['topWindow', 'leftWindow']],
    [900, ['topWindow', 'leftWindow']],
    [899, ['topWindow']],
    // The default of matchMedia is 768 px.
    [768, ['topWindow']],
    [767, []],
    [1100, ['topWindow', 'leftWindow', 'rightWindow']],
  ] as const) {
    await app.page.setViewportSize({ width, height })
    await becomes(() => shown(app), [...expected])
    expect(await classes(app)).toEqual(
      expected.flatMap((name) => [`neu-app--show${name.toLowerCase()}`, `uni-app--show${name.toLowerCase()}`]),
    )
    const [left, right] = [expected.length > 1 ? 240 : 0, expected.length > 2 ? 200 : 0]
    const above = expected.length > 0 ? 60 : 0
    expect(await boxOf(app, 'neu-main')).toEqual([left, above, width - left - right, height - above])
    expect((await boxOf(app, '.neu-navbar')).slice(0, 3)).toEqual([left, above, width - left - right])
  }
  expect(await boxOf(app, '.neu-side-topWindow')).toEqual([0, 0, 1100, 60])
  expect(await boxOf(app, '.neu-side-leftWindow')).toEqual([0, 60, 240, height - 60])
  expect(await boxOf(app, '.neu-side-rightWindow')).toEqual([900, 60, 200, height - 60])
  expect(await styleOf(app, '.neu-side-leftWindow', 'background-color')).toBe('rgb(237, 230, 214)')
  expect(await app.app.locator('.neu-side-topWindow').innerText()).toBe('Corner Coffee, on a wide screen')
  await app.screenshot('windows-all')
})

test('lets a page override which side windows globalStyle shows', async () => {
  const app = await at('index', 1200)
  await becomes(() => shown(app), ['topWindow', 'leftWindow'])
  await app.go('pages/alone/alone')
  await becomes(() => shown(app), [])
  expect(await boxOf(app, 'neu-main')).toEqual([0, 0, 1200, height])
  // The left window has links to the pages.
  await app.go('pages/all/all')
  await becomes(() => shown(app), [...sides])
  await app.app.locator('.neu-side-leftWindow neu-button', { hasText: 'narrow' }).click()
  await app.app.waitForSelector(`${top} neu-page[data-page="pages/narrow/narrow"]`)
  await becomes(() => shown(app), ['topWindow', 'leftWindow'])
})

test('keeps fixed elements between bars and side windows', async () => {
  const app = await at('index', 1200)
  await becomes(() => shown(app), ['topWindow', 'leftWindow'])
  const [left, , width] = await boxOf(app, `${top} .frame`)
  expect([left, width]).toEqual([240, 960])
  await app.go('pages/narrow/narrow')
  expect((await boxOf(app, `${top} .frame`)).slice(0, 3)).toEqual([360, 104, 720])
})

test('applies maxWidth to side windows and page together, and prefers the value of the page', async () => {
  const app = await at('index', 1600)
  await becomes(() => shown(app), ['topWindow', 'leftWindow'])
  expect((await boxOf(app, '.neu-side-topWindow')).slice(0, 3)).toEqual([100, 0, 1400])
  expect((await boxOf(app, '.neu-side-leftWindow')).slice(0, 3)).toEqual([100, 60, 240])
  expect((await boxOf(app, top)).slice(0, 3)).toEqual([340, 104, 1160])
  const [left, , width] = await boxOf(app, `${top} .frame`)
  expect([left, width]).toEqual([340, 1160])
  await app.go('pages/narrow/narrow')
  expect((await boxOf(app, '.neu-side-leftWindow'))[0]).toBe(320)
  expect((await boxOf(app, top)).slice(0, 3)).toEqual([560, 104, 720])
  await app.screenshot('windows-narrow')
  // There are no margins once the page fits.
  await app.page.setViewportSize({ width: 950, height })
  await becomes(async () => (await boxOf(app, '.neu-side-leftWindow'))[0], 0)
  expect((await boxOf(app, top)).slice(0, 3)).toEqual([240, 104, 710])
})

test('gives the page the space of tabs that a style of the app hides beside a left window', async () => {
  const app = await at('index', 1200)
  await becomes(() => app.app.locator('.uni-tabbar-bottom').isVisible(), false)
  await becomes(() => endOf(app, top), height)
  expect(await endOf(app, `${top} .frame`)).toBe(height)
  await app.screenshot('windows-tabs-hidden')
  await app.page.setViewportSize({ width: 800, height })
  await becomes(() => app.app.locator('.uni-tabbar-bottom').isVisible(), true)
  await becomes(() => endOf(app, top), height - 50)
  expect(await endOf(app, `${top} .frame`)).toBe(height - 50)
  await app.screenshot('windows-tabs-shown')
})

test('does not show or load side windows on a phone', async () => {
  const requests: string[] = []
  const app = await apps('H5', {
    width: 375,
    height: 667,
    prepare: async (context) => {
      context.on('request', (request) => requests.push(request.url()))
    },
  })
  used.add(app)
  expect(await shown(app)).toEqual([])
  expect(requests.filter((url) => /(?:left|top|right)-window/.test(url))).toEqual([])
  expect(await boxOf(app, 'neu-main')).toEqual([0, 0, 375, 667])
})

test('in a frame, has no side windows on a wide screen', async () => {
  const app = await apps('Mini App', { width: 1200, height })
  used.add(app)
  await app.go('pages/all/all')
  expect(await app.app.locator('neu-side-window').count()).toBe(0)
  expect((await boxOf(app, top)).slice(0, 3)).toEqual([0, 64, 1200])
  // maxWidth and the rpx settings have no effect.
  await app.go('pages/lengths/lengths')
  expect((await boxOf(app, `${top} .sheet`))[2]).toBe(160)
  expect((await boxOf(app, `${top} .most`))[2]).toBe(1200)
})

// rpxCalcMaxDeviceWidth 1000, rpxCalcBaseDeviceWidth 400, rpxCalcIncludeWidth 700.
test.each([
  [320, 320],
  [750, 750],
  [1000, 1000],
  [1001, 400],
  [1200, 400],
])('converts rpx at a width of %i px based on %i px', async (width, baseWidth) => {
  const app = await at('lengths', width)
  const rpx = (count: number, of: number) => Math.round((10 * count * of) / 750) / 10
  const widths = await Promise.all(
    ['.sheet', '#attribute', '#bound', '.included', '.most'].map(
      async (selector) => (await boxOf(app, `${top} ${selector}`))[2],
    ),
  )
  const expected = rpx(100, baseWidth)
  expect(widths).toEqual([expected, expected, expected, rpx(700, width), rpx(750, baseWidth)])
  await app.app.locator(`${top} .px`).click()
  expect(Number(await app.app.locator(`${top} .px`).innerText())).toBeCloseTo((100 * baseWidth) / 750, 6)
})
