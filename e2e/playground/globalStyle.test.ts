import { expect, test } from 'vitest'
import { type App, type Platform, platforms } from './fixture.ts'
import { appsOf, becomes, boxOf, styleOf, top, touch, usedApps } from './measure.ts'

/** Tests `globalStyle` (pages-json §2.3) and its overrides by pages, with `playground/globalStyle`. */

const used = usedApps()

const apps = appsOf('globalStyle')

async function at(name: string, platform: Platform): Promise<App> {
  const app = await apps(platform, { hasTouch: true })
  used.add(app)
  await app.page.setViewportSize({ width: 375, height: 667 })
  await app.go(`pages/${name}/${name}`)
  return app
}

const bar = ({ host }: App) => host.locator(':not([inert]) > .neu-navbar')
const part = (app: App, name: string, property: string) =>
  bar(app)
    .locator(`.neu-navbar-${name}`)
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property)
const opacities = (app: App) => Promise.all(['background', 'middle'].map((name) => part(app, name, 'opacity')))
const scroll = async (app: App, scrollTop: number) => {
  await app.neu('pageScrollTo', { scrollTop, duration: 0 })
  await app.settled()
}
const pageTop = async (app: App) => (await boxOf(app, `${top} neu-page`))[1]
const below = (app: App) => app.app.locator(`${top} .below`).innerText()

test.each(platforms)('%s: hides the bar for a custom navigationStyle', async (platform) => {
  const app = await at('bare', platform)
  expect(await bar(app).count()).toBe(0)
  await app.go('pages/index/index')
  expect(await bar(app).count()).toBe(1)
})

// In a page, unlike in globalStyle, App does not support transparentTitle (pages-json §2.3, §2.4).
test.each([
  ['H5', ['1', '1'], 44],
  ['App', ['0', '0'], 0],
  ['Mini App', ['1', '1'], 64],
] as const)(
  '%s: fades in the bar on scrolling for transparentTitle auto',
  async (platform, pageOpacities, pageStart) => {
    const app = await at('index', platform)
    expect(await opacities(app)).toEqual(['0', '0'])
    expect(await pageTop(app)).toBe(0)
    await app.screenshot(`globalStyle-${platform}-top`)
    await scroll(app, 66)
    expect(await opacities(app)).toEqual(['0.5', '0.5'])
    await scroll(app, 132)
    expect(await opacities(app)).toEqual(['1', '1'])
    await app.screenshot(`globalStyle-${platform}-scrolled`)
    await app.go('pages/own/own')
    expect(await opacities(app)).toEqual([...pageOpacities])
    expect(await pageTop(app)).toBe(pageStart)
  },
)

test.each(platforms)('%s: shows titleImage instead of the titles of pages', async (platform) => {
  const app = await at('own', platform)
  const image = bar(app).getByRole('img', { name: 'Overrides', includeHidden: true })
  // The image is 120 × 40 px.
  await becomes(() => image.evaluate((image: HTMLImageElement) => image.naturalWidth), 120)
  expect(await bar(app).locator('.neu-navbar-title').count()).toBe(0)
})

test.each(platforms)('%s: passes clicks through the bar for titlePenetrate on H5 only', async (platform) => {
  const app = await at('index', platform)
  const middle = [180, platform === 'H5' ? 22 : 42] as const
  const before = await below(app)
  await app.page.mouse.click(...middle)
  if (platform === 'H5') await becomes(() => below(app), before.replace('0', '1'))
  await app.settled()
  expect(await below(app)).toBe(platform === 'H5' ? 'Below the bar: 1' : 'Below the bar: 0')
  await app.go('pages/own/own')
  await app.page.mouse.click(...middle)
  await app.settled()
  expect(await below(app)).toBe('Below the bar: 0')
})

test.each(platforms)('%s: applies app-plus and h5 on their platforms', async (platform) => {
  const app = await at('index', platform)
  const names = () =>
    bar(app)
      .getByRole('button')
      .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))
  expect(await names()).toEqual(platform === 'H5' ? ['Home', 'Share'] : ['Home'])
  expect(await styleOf(app, top, 'background-color')).toBe(
    platform === 'H5' ? 'rgb(247, 243, 232)' : 'rgb(240, 217, 181)',
  )
  await app.go('pages/own/own')
  expect(await names()).toEqual([])
  expect(await styleOf(app, top, 'background-color')).toBe(
    platform === 'H5' ? 'rgb(247, 243, 232)' : 'rgb(205, 229, 225)',
  )
})

test.each(platforms)('%s: allows pulling to refresh for enablePullDownRefresh', async (platform) => {
  const app = await at('own', platform)
  const pull = async () => {
    const finger = await touch(app, [180, 250])
    await finger.to([180, 400])
    await finger.lift()
  }
  await pull()
  expect(await app.app.locator(`${top} .neu-refresh`).count()).toBe(0)
  await app.go('pages/index/index')
  await app.app.waitForSelector(`${top} .neu-refresh`, { state: 'attached' })
  await pull()
  await app.app.waitForSelector(`${top} .neu-refresh-refresh`, { state: 'attached' })
  if (platform === 'H5') expect(await styleOf(app, `${top} .neu-refresh`, 'color')).toBe('rgb(24, 104, 219)')
  await app.neu('stopPullDownRefresh')
  await app.app.waitForSelector(`${top} .neu-refresh-idle`, { state: 'attached' })
})

test.each([
  ['App', 'portrait'],
  ['Mini App', 'landscape'],
] as const)('%s: requests the pageOrientation %s', async (platform, orientation) => {
  const app = await at('index', platform)
  expect((await app.screenSettings()).orientation).toBe(orientation)
  await app.go('pages/own/own')
  expect((await app.screenSettings()).orientation).toBe('portrait')
})

test.each([
  ['App', 'pop-in', '300ms'],
  ['Mini App', 'fade-in', '450ms'],
] as const)('%s: opens pages with the animationType %s and animationDuration %s', async (platform, name, duration) => {
  const app = await apps(platform, { hasMotion: true })
  used.add(app)
  await app.go('pages/index/index')
  // Find and read in one step, because the layer exists only briefly.
  const opening = app.page.waitForFunction(() => {
    const layer = document.querySelector<HTMLElement>('.souk-mini-app-layer[data-role="enter"]')
    return layer && [layer.getAttribute('data-motion'), layer.style.getPropertyValue('--duration')]
  })
  await app.go('pages/bare/bare', 'navigateTo')
  expect(await (await opening).jsonValue()).toEqual([name, duration])
})

test('shows leftWindow and topWindow only if the page enables them', async () => {
  const app = await at('index', 'H5')
  await app.page.setViewportSize({ width: 1000, height: 667 })
  const shown = () => Promise.all(['left', 'top'].map((side) => app.app.locator(`.neu-side-${side}Window`).isVisible()))
  await becomes(shown, [false, false])
  await app.go('pages/own/own')
  await becomes(shown, [true, true])
  await app.screenshot('globalStyle-windows')
})

test.each([
  ['H5', 'Android', true],
  ['App', 'Android', false],
  ['Mini App', 'iOS', true],
] as const)('%s, %s: blurEffect blurs the tab bar: %s', async (platform, os, isBlurred) => {
  const app = os === 'iOS' ? await apps(platform, { os }) : await at('index', platform)
  used.add(app)
  const tabs = app.host.locator('.neu-tabbar')
  const css = (property: string) =>
    tabs.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property)
  expect(await css('backdrop-filter')).toBe(isBlurred ? 'blur(20px) saturate(1.8)' : 'none')
  // The page extends behind a translucent tab bar.
  const [, y, , height] = await boxOf(app, `${top} neu-page-scroll`)
  expect(y + height).toBe(isBlurred ? 667 : 617)
  expect(await tabs.locator('.neu-tabbar-border').evaluate((line) => getComputedStyle(line).backgroundColor)).toBe(
    'rgba(255, 255, 255, 0.33)',
  )
  await app.screenshot(`globalStyle-tabs-${platform}-${os}`)
})
