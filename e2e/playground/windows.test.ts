import { afterEach, describe, expect, test } from 'vitest'
import { type App, type Opening, platforms } from './fixture.ts'
import { appsOf, becomes, boxOf, endOf, styleOf, top } from './measure.ts'

/** What stands beside pages on wide screens, and rpx with settings of the file's own: `playground/windows`. */

const used = new Set<App>()
afterEach(() => {
  for (const app of used) expect(app.faults()).toEqual([])
  used.clear()
})

describe.each(['serve', 'build'] as const)('%s', (mode) => {
  const apps = appsOf('windows', mode)
  const height = 700

  async function at(name: string, width: number, more: Partial<Opening> = {}): Promise<App> {
    const app = await apps('H5', { height, ...more })
    used.add(app)
    await app.page.setViewportSize({ width, height })
    await app.go(`pages/${name}/${name}`)
    return app
  }

  const sides = ['topWindow', 'leftWindow', 'rightWindow'] as const
  const shown = async ({ app }: App) => {
    const are = await Promise.all(sides.map((side) => app.locator(`.neu-side-${side}`).isVisible()))
    return sides.filter((_, index) => are[index])
  }
  const marks = (app: App) => app.app.locator('neu-pages').evaluate((element) => [...element.classList])

  test('each is there from its own width on, the first and the last pixel of it', async () => {
    const app = await at('all', 1100)
    for (const [width, expected] of [
      [1100, ['topWindow', 'leftWindow', 'rightWindow']],
      [1099, ['topWindow', 'leftWindow']],
      [900, ['topWindow', 'leftWindow']],
      [899, ['topWindow']],
      // Without matchMedia 768.
      [768, ['topWindow']],
      [767, []],
      [1100, ['topWindow', 'leftWindow', 'rightWindow']],
    ] as const) {
      await app.page.setViewportSize({ width, height })
      await becomes(() => shown(app), [...expected])
      expect(await marks(app)).toEqual(
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
    if (mode === 'serve') await app.picture('windows-all')
  })

  test('pages say which they want, else globalStyle does', async () => {
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

  test('what is fixed keeps between bars and windows', async () => {
    const app = await at('index', 1200)
    await becomes(() => shown(app), ['topWindow', 'leftWindow'])
    const [left, , width] = await boxOf(app, `${top} .frame`)
    expect([left, width]).toEqual([240, 960])
    await app.go('pages/narrow/narrow')
    expect((await boxOf(app, `${top} .frame`)).slice(0, 3)).toEqual([360, 104, 720])
  })

  test('maxWidth is what windows and page have together; of the page before globalStyle', async () => {
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
    if (mode === 'serve') await app.picture('windows-narrow')
    // Where it fits, there are no blanks.
    await app.page.setViewportSize({ width: 950, height })
    await becomes(async () => (await boxOf(app, '.neu-side-leftWindow'))[0], 0)
    expect((await boxOf(app, top)).slice(0, 3)).toEqual([240, 104, 710])
  })

  test('a rule of the app may hide the tabs beside a left window, and the page has their place', async () => {
    const app = await at('index', 1200)
    await becomes(() => app.app.locator('.uni-tabbar-bottom').isVisible(), false)
    await becomes(() => endOf(app, top), height)
    expect(await endOf(app, `${top} .frame`)).toBe(height)
    if (mode === 'serve') await app.picture('windows-tabs-hidden')
    await app.page.setViewportSize({ width: 800, height })
    await becomes(() => app.app.locator('.uni-tabbar-bottom').isVisible(), true)
    await becomes(() => endOf(app, top), height - 50)
    expect(await endOf(app, `${top} .frame`)).toBe(height - 50)
    if (mode === 'serve') await app.picture('windows-tabs-shown')
  })

  test('on a phone there is none of it, and nothing of it is loaded', async () => {
    const asked: string[] = []
    const app = await apps('H5', {
      width: 375,
      height: 667,
      prepare: async (context) => {
        context.on('request', (request) => asked.push(request.url()))
      },
    })
    used.add(app)
    expect(await shown(app)).toEqual([])
    expect(asked.filter((url) => /(?:left|top|right)-window/.test(url))).toEqual([])
    expect(await boxOf(app, 'neu-main')).toEqual([0, 0, 375, 667])
  })

  test.each(platforms.slice(1))('%s has none, however wide it is', async (platform) => {
    const app = await apps(platform, { width: 1200, height })
    used.add(app)
    await app.go('pages/all/all')
    expect(await app.app.locator('neu-side-window').count()).toBe(0)
    expect((await boxOf(app, top)).slice(0, 3)).toEqual([0, 64, 1200])
    // Neither maxWidth nor the settings of rpx count.
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
  ])('rpx, %i px: the width that counts is %i px', async (width, counted) => {
    const app = await at('lengths', width, { path: 'pages/lengths/lengths' })
    const rpx = (count: number, of: number) => Math.round((10 * count * of) / 750) / 10
    const widths = await Promise.all(
      ['.sheet', '#attribute', '#bound', '.included', '.most'].map(
        async (selector) => (await boxOf(app, `${top} ${selector}`))[2],
      ),
    )
    const other = rpx(100, counted)
    expect(widths).toEqual([other, other, other, rpx(700, width), rpx(750, counted)])
    await app.app.locator(`${top} .px`).click()
    expect(Number(await app.app.locator(`${top} .px`).innerText())).toBeCloseTo((100 * counted) / 750, 6)
  })
})
