import { afterEach, describe, expect, test } from 'vitest'
import type { Device } from '../../packages/runtime/src/carrier.ts'
import { type App, type Opening, openApp, type Platform, platforms } from './fixture.ts'
import { appsOf, becomes, boxOf, endOf, styleOf, top, touch } from './measure.ts'

/** How pages are drawn and moved: `playground/pages`. */

/** Where a page begins below the bar, px. */
const beginning = { H5: 44, App: 64, 'Mini App': 64 } as const
const framed = ['App', 'Mini App'] as const

const phone = { width: 375, height: 667, os: 'Android', language: 'en', safeAreaBottom: 0, keyboardHeight: 0 } as const

const used = new Set<App>()
afterEach(() => {
  for (const app of used) expect(app.faults()).toEqual([])
  used.clear()
})

describe.each(['serve', 'build'] as const)('%s', (mode) => {
  const apps = appsOf('pages', mode)

  /**
   * With a page on top: alone, or over the launch page. One app of each platform serves all tests, so whatever one of them has changed of the device is put
   * back first.
   */
  async function at(name: string, platform: Platform, device: Partial<Device> = {}, by?: 'navigateTo'): Promise<App> {
    const app = await apps(platform, { hasTouch: true })
    used.add(app)
    const { width, height } = { ...phone, ...device }
    await app.page.setViewportSize({ width, height })
    await app.setDevice({ ...phone, ...device })
    if (by) await app.go('pages/index/index')
    await app.go(`pages/${name}/${name}`, by)
    return app
  }

  describe('backgrounds', () => {
    test.each([
      ['H5', 'rgb(205, 229, 225)'],
      ['App', 'rgb(240, 217, 181)'],
      ['Mini App', 'rgb(240, 217, 181)'],
    ] as const)(
      '%s: backgroundColor, and app-plus.background before it where it is for that',
      async (platform, own) => {
        const app = await at('background', platform)
        expect(await styleOf(app, top, 'background-color')).toBe('rgb(205, 229, 225)')
        await app.go('pages/window-background/window-background')
        expect(await styleOf(app, top, 'background-color')).toBe(own)
        await app.go('pages/scrolling/scrolling')
        // Of globalStyle.
        expect(await styleOf(app, top, 'background-color')).toBe('rgb(247, 243, 232)')
      },
    )

    test.each(framed)('%s: background is there before any script of the mini app', async (platform) => {
      const app = await openApp({
        project: 'pages',
        platform,
        mode,
        path: 'pages/window-background/window-background',
        isAwaited: false,
        prepare: (context) =>
          context.route(
            ({ pathname }) => /\/(?:@souk\/entry|assets\/[^/]+)\.js$/.test(pathname) && !pathname.startsWith('/host/'),
            (route) => route.abort(),
          ),
      })
      await app.page.waitForSelector('.souk-mini-app .neu-navbar-title')
      const colour = await app.page
        .locator('.souk-mini-app')
        .evaluate((element) => getComputedStyle(element).backgroundColor)
      expect(colour).toBe('rgb(240, 217, 181)')
      expect(await app.page.locator('.neu-navbar-title').innerText()).toBe('Window background')
      await app.close()
    })

    test.each(platforms)('%s: page {} in the style of a page is that page alone', async (platform) => {
      const app = await at('own-style', platform, {}, 'navigateTo')
      expect(await styleOf(app, `${top} neu-page`, 'background-color')).toBe('rgb(47, 72, 88)')
      expect(await styleOf(app, `${top} neu-page`, 'font-size')).toBe('15px')
      // It is as tall as its window, and no taller.
      const [, , , height] = await boxOf(app, `${top} neu-page`)
      expect(height).toBe(667 - beginning[platform])
      await app.go('pages/background/background', 'navigateTo')
      expect(await styleOf(app, `${top} neu-page`, 'background-color')).toBe('rgba(0, 0, 0, 0)')
      expect(await styleOf(app, `${top} neu-page`, 'color')).toBe('rgb(38, 48, 47)')
    })
  })

  describe('pull to refresh', () => {
    const refreshes = (app: App) => app.app.locator(`${top} .event`, { hasText: 'onPullDownRefresh' }).count()
    const disc = async (app: App) => (await boxOf(app, `${top} .neu-refresh-disc`))[1]
    const drawn = (app: App) => app.app.waitForSelector(`${top} .neu-refresh`, { state: 'attached' })
    const kindOf = (app: App) =>
      app.app.locator(`${top} .neu-refresh`).evaluate((element) => element.className.match(/circle|default/)?.[0])
    const stopped = async (app: App) => {
      await app.neu('stopPullDownRefresh')
      await app.app.waitForSelector(`${top} .neu-refresh-idle`, { state: 'attached' })
    }

    test.each([
      ['H5', {}, 'circle'],
      ['App', {}, 'circle'],
      ['Mini App', {}, 'circle'],
      ['App', { os: 'iOS' }, 'default'],
      ['Mini App', { os: 'iOS' }, 'default'],
    ] as const)('%s %o: enablePullDownRefresh is the system’s own, %s', async (platform, device, kind) => {
      const app = await at('refresh', platform, device)
      await drawn(app)
      expect(await kindOf(app)).toBe(kind)
      const before = await refreshes(app)
      const finger = await touch(app, [180, 200])
      await finger.to([180, 330])
      await finger.lift()
      await app.app.waitForSelector(`${top} .neu-refresh-refresh`, { state: 'attached' })
      expect(await refreshes(app)).toBe(before + 1)
      await stopped(app)
      if (kind === 'circle') expect(await styleOf(app, `${top} .neu-refresh`, 'color')).toBe('rgb(43, 208, 9)')
    })

    test.each(framed)('%s: style default: the content follows, with words and colours of its own', async (platform) => {
      const app = await at('refresh-default', platform)
      await drawn(app)
      const first = async () => (await boxOf(app, `${top} .note`))[1] - 64
      const caption = () => app.app.locator(`${top} .neu-refresh-row`).innerText()
      const before = await refreshes(app)
      const finger = await touch(app, [180, 200])
      await finger.to([180, 250])
      expect(await caption()).toBe('Pull for fresh bread')
      expect(await first()).toBeGreaterThan(20)
      await finger.to([180, 330])
      expect(await caption()).toBe('Let go for fresh bread')
      expect(await styleOf(app, `${top} .neu-refresh-row`, 'color')).toBe('rgb(255, 255, 255)')
      expect(await styleOf(app, `${top} .neu-refresh`, 'background-color')).toBe('rgb(51, 85, 119)')
      if (mode === 'serve') await app.picture(`pages-refresh-default-${platform}`)
      // It ends at its range, however far the finger goes.
      await finger.to([180, 660])
      expect(await first()).toBeCloseTo(140, 0)
      expect(await refreshes(app)).toBe(before)
      await finger.lift()
      await becomes(first, 80)
      expect(await caption()).toBe('Baking …')
      expect(await refreshes(app)).toBe(before + 1)
      await stopped(app)
      await becomes(first, 0)
    })

    test.each([
      // The offset, less the height of disc and shadow, and as far as it comes down: 64 px where the file has no say.
      ['H5', 44 + 60 - 52 + 64],
      ['App', 64 + 60 - 52 + 70],
      ['Mini App', 64 + 60 - 52 + 70],
    ] as const)('%s: style circle: only the sign follows, from its offset, in its colour', async (platform, place) => {
      const app = await at('refresh-circle', platform)
      await drawn(app)
      expect(await kindOf(app)).toBe('circle')
      const before = await refreshes(app)
      const finger = await touch(app, [180, 200])
      await finger.to([180, 230])
      await finger.lift()
      await becomes(() => styleOf(app, `${top} .neu-refresh-disc`, 'opacity'), '0')
      expect(await refreshes(app)).toBe(before)
      const again = await touch(app, [180, 200])
      await again.to([180, 360])
      expect((await boxOf(app, `${top} .note`))[1]).toBe(beginning[platform])
      if (platform !== 'H5') {
        await again.to([180, 660])
        expect(await disc(app)).toBeCloseTo(64 + 60 - 52 + 120, 0)
      }
      await again.lift()
      await becomes(() => disc(app), place)
      if (mode === 'serve') await app.picture(`pages-refresh-circle-${platform}`)
      expect(await styleOf(app, `${top} .neu-refresh`, 'color')).toBe('rgb(192, 52, 29)')
      expect(await app.app.locator(`${top} [role=status]`).innerText()).toBe('Refreshing…')
      await stopped(app)
      await becomes(() => styleOf(app, `${top} .neu-refresh-disc`, 'opacity'), '0')
    })

    test.each(framed)('%s: lengths in percent are of the page', async (platform) => {
      const app = await at('refresh-percent', platform)
      await app.neu('startPullDownRefresh')
      const page = 667 - 64
      await becomes(async () => Math.round(await disc(app)), Math.round(64 + page * 0.1 - 52 + page * 0.2))
      await stopped(app)
    })

    test.each(platforms)(
      '%s: support false comes before enablePullDownRefresh; a call still refreshes',
      async (platform) => {
        const app = await at('refresh-off', platform)
        const before = await refreshes(app)
        const finger = await touch(app, [180, 200])
        await finger.to([180, 360])
        expect(await app.app.locator(`${top} .neu-refresh-over`).count()).toBe(0)
        await finger.lift()
        expect(await refreshes(app)).toBe(before)
        await app.neu('startPullDownRefresh')
        expect(await refreshes(app)).toBe(before + 1)
        await stopped(app)
      },
    )

    test.each([
      ['H5', 'rgb(24, 104, 219)', 44 + 40 - 52 + 64],
      ['App', 'rgb(139, 58, 98)', 64 + 20 - 52 + 64],
      ['Mini App', 'rgb(139, 58, 98)', 64 + 20 - 52 + 64],
    ] as const)('%s: h5.pullToRefresh comes before app-plus there', async (platform, colour, place) => {
      const app = await at('refresh-h5', platform)
      await app.neu('startPullDownRefresh')
      await becomes(() => disc(app), place)
      expect(await styleOf(app, `${top} .neu-refresh`, 'color')).toBe(colour)
      await stopped(app)
    })

    test('an Android build on iOS: where the file names no style, the device decides', async () => {
      const app = await at('refresh-off', 'App', { os: 'iOS' })
      await app.neu('startPullDownRefresh')
      expect(await kindOf(app)).toBe('default')
      await stopped(app)
    })

    test('a pull to the side, one from further down, and a page that does not ask for it do nothing', async () => {
      const app = await at('refresh', 'H5')
      await drawn(app)
      const before = await refreshes(app)
      const aside = await touch(app, [60, 200])
      await aside.to([300, 290])
      await aside.lift()
      await app.neu('pageScrollTo', { scrollTop: 60, duration: 0 })
      const below = await touch(app, [180, 200])
      await below.to([180, 230])
      await below.lift()
      expect(await refreshes(app)).toBe(before)
      await app.go('pages/scrolling/scrolling')
      expect(await app.app.locator(`${top} .neu-refresh`).count()).toBe(0)
    })
  })

  test.each(platforms)('%s: onReachBottomDistance', async (platform) => {
    for (const [name, distance] of [
      ['bottom', 200],
      ['bottom-inherited', 80],
    ] as const) {
      const app = await at(name, platform)
      const reached = () => app.app.locator(`${top} .event`, { hasText: 'onReachBottom' }).count()
      const before = await reached()
      const scroll = async (fromEnd: number) => {
        const place = await app.app.locator(`${top} neu-page-scroll`).evaluate((element, fromEnd) => {
          element.scrollTop = element.scrollHeight - element.clientHeight - fromEnd
          return element.scrollTop
        }, fromEnd)
        await becomes(() => app.app.locator(`${top} .top`).innerText(), `${Math.round(place)} px`)
      }
      await scroll(distance + 2)
      expect(await reached()).toBe(before)
      await scroll(distance - 2)
      expect(await reached()).toBe(before + 1)
      // Further down it is still reached, not again.
      await scroll(0)
      expect(await reached()).toBe(before + 1)
      await app.app.locator(`${top} neu-button`, { hasText: 'More rows' }).click()
      await app.settled()
      await scroll(distance - 2)
      expect(await reached()).toBe(before + 2)
    }
  })

  describe('swiping back', () => {
    const pageOf = (app: App) => app.app.locator(`${top} neu-page`).getAttribute('data-page')

    async function swiped(
      name: string,
      platform: Platform,
      os: 'iOS' | 'Android',
      [from, to] = [4, 300],
      language = 'en',
    ): Promise<App> {
      const app = await at(name, platform, { os, language }, 'navigateTo')
      const finger = await touch(app, [from!, 300])
      await finger.to([to!, 306])
      await finger.lift()
      await app.settled()
      return app
    }

    test('Mini App on iOS: from the edge the page goes', async () => {
      const app = await swiped('swipe', 'Mini App', 'iOS')
      await becomes(() => pageOf(app), 'pages/index/index')
      await becomes(
        () => app.host.locator('.souk-mini-app-layer:not([inert]) .neu-navbar-title').innerText(),
        'Playground',
      )
    })

    test('Mini App on iOS, in Arabic: from the other edge', async () => {
      const app = await swiped('swipe', 'Mini App', 'iOS', [371, 75], 'ar')
      await becomes(() => pageOf(app), 'pages/index/index')
      const stays = await swiped('swipe', 'Mini App', 'iOS', [4, 300], 'ar')
      expect(await pageOf(stays)).toBe('pages/swipe/swipe')
    })

    test.each([
      ['no-swipe', 'Mini App', 'iOS'],
      ['swipe', 'Mini App', 'Android'],
      ['swipe', 'App', 'iOS'],
      ['swipe', 'H5', 'iOS'],
    ] as const)('%s, %s on %s: it stays', async (name, platform, os) => {
      const app = await swiped(name, platform, os)
      expect(await pageOf(app)).toBe(`pages/${name}/${name}`)
      expect((await boxOf(app, top))[0]).toBe(0)
    })
  })

  describe.each(framed)('%s: softinputMode', (platform) => {
    const keyboard = 300

    test('adjustPan moves the page as far as the field needs', async () => {
      const app = await at('keyboard-pan', platform)
      await app.app.locator(`${top} input`).focus()
      await app.setDevice({ keyboardHeight: keyboard })
      await expect.poll(() => endOf(app, `${top} neu-input`)).toBeLessThanOrEqual(667 - keyboard)
      expect((await boxOf(app, top))[3]).toBe(667 - 64)
      if (mode === 'serve') await app.picture(`pages-keyboard-pan-${platform}`)
      await app.setDevice({ keyboardHeight: 0 })
      await becomes(async () => (await boxOf(app, top))[1], 64)
    })

    test('adjustResize ends the page above it', async () => {
      const app = await at('keyboard-resize', platform)
      await app.app.locator(`${top} input`).focus()
      await app.setDevice({ keyboardHeight: keyboard })
      await becomes(async () => boxOf(app, top), [0, 64, 375, 667 - 64 - keyboard])
      await expect.poll(() => endOf(app, `${top} neu-input`)).toBeLessThanOrEqual(667 - keyboard)
      await app.setDevice({ keyboardHeight: 0 })
      await becomes(async () => (await boxOf(app, top))[3], 667 - 64)
    })
  })

  test.each([
    ['H5', 'contain', 'auto'],
    ['App', 'none', 'none'],
    ['Mini App', 'none', 'none'],
  ] as const)('%s: bounce and scrollIndicator', async (platform, bounce, indicator) => {
    const app = await at('still-scrolling', platform)
    const scroller = `${top} neu-page-scroll`
    expect(await styleOf(app, scroller, 'overscroll-behavior-y')).toBe(bounce)
    expect(await styleOf(app, scroller, 'scrollbar-width')).toBe(indicator)
    await app.go('pages/scrolling/scrolling')
    expect(await styleOf(app, scroller, 'overscroll-behavior-y')).toBe('contain')
    expect(await styleOf(app, scroller, 'scrollbar-width')).toBe('auto')
  })

  describe('animations', () => {
    interface Seen {
      name: string | undefined
      duration: string
      /** Where it comes from: x and y in px, size, opacity. */
      from: number[]
      /** Where the page below it goes. */
      below: number | undefined
    }

    /** Opens a page, and looks at the beginning of its way. */
    function watched({ app }: App, options: object): Promise<Seen | null> {
      return app.evaluate(async (options) => {
        const frames = () => new Promise(requestAnimationFrame)
        const place = (element: Element, time: number) => {
          const animation = element.getAnimations()[0]!
          const { currentTime } = animation
          animation.currentTime = time
          const { transform, opacity } = getComputedStyle(element)
          const { a, e, f } = new DOMMatrix(transform)
          animation.currentTime = currentTime
          return [e, f, a, Number(opacity)].map((each) => Math.round(each * 100) / 100)
        }
        let isOver = false
        let seen: Seen | null = null
        const api = (window as unknown as { uni: { navigateTo(options: object): Promise<unknown> } }).uni
        const opened = api.navigateTo(options).then(() => {
          isOver = true
        })
        for (let extra = 0; extra < 3; extra += isOver ? 1 : 0) {
          await frames()
          const entering = document.querySelector<HTMLElement>('neu-page-window[data-role="enter"]')
          const covered = document.querySelector<HTMLElement>('neu-page-window[data-role="cover"]')
          if (!entering || seen || entering.getAnimations().length === 0) continue
          const duration = entering.style.getPropertyValue('--duration')
          seen = {
            name: entering.dataset.motion,
            duration,
            from: place(entering, 0),
            below: covered?.getAnimations().length ? place(covered, Number.parseFloat(duration))[0] : undefined,
          }
        }
        await opened
        return seen
      }, options)
    }

    const ways: Record<string, number[]> = {
      'slide-in-right': [375, 0, 1, 1],
      'slide-in-left': [-375, 0, 1, 1],
      'slide-in-top': [0, -603, 1, 1],
      'slide-in-bottom': [0, 603, 1, 1],
      'fade-in': [0, 0, 1, 0],
      'zoom-out': [0, 0, 0, 1],
      'zoom-fade-in': [0, 0, 0.7, 0],
      'pop-in': [375, 0, 1, 1],
    }

    const moving = async (platform: Platform, more: Partial<Opening> = {}) => {
      const app = await apps(platform, { hasMotion: true, ...more })
      used.add(app)
      await app.go('pages/motion/motion')
      return app
    }

    test.each(framed)('%s: each opens from its own place', async (platform) => {
      const app = await moving(platform)
      for (const [animationType, from] of Object.entries(ways)) {
        const url = '/pages/background/background'
        const seen = await watched(app, { url, animationType, animationDuration: 150 })
        expect({ animationType, ...seen }).toEqual({
          animationType,
          name: animationType,
          duration: '150ms',
          from,
          below: animationType === 'pop-in' ? -93.75 : 0,
        })
        await app.neu('navigateBack')
        await app.app.waitForSelector(`${top} neu-page[data-page="pages/motion/motion"]`)
        await app.app.waitForSelector('[data-motion]', { state: 'detached' })
      }
      expect(await watched(app, { url: '/pages/background/background', animationType: 'none' })).toBe(null)
    })

    test.each([
      ['App', 'motion-own', 'pop-in', '300ms'],
      ['Mini App', 'motion-own', 'slide-in-bottom', '500ms'],
      ['App', 'motion-plus', 'zoom-fade-in', '450ms'],
      ['Mini App', 'motion-plus', 'zoom-fade-in', '450ms'],
    ] as const)('%s: %s comes by %s in %s, and its bar with it', async (platform, page, name, duration) => {
      const app = await moving(platform)
      const bar = app.page.waitForFunction(
        () => document.querySelector<HTMLElement>('.souk-mini-app-layer[data-role="enter"]')?.dataset.motion,
      )
      const seen = await watched(app, { url: `/pages/${page}/${page}` })
      expect(seen).toMatchObject({ name, duration })
      expect(await (await bar).jsonValue()).toBe(name)
    })

    test('where people read from the right, pages come from the left, and their bars with them', async () => {
      const app = await moving('Mini App', { language: 'ar' })
      const bar = app.page.waitForFunction(() => {
        const layer = document.querySelector('.souk-mini-app-layer[data-role="enter"]')
        return layer && getComputedStyle(layer).getPropertyValue('--away-move')
      })
      const seen = await watched(app, { url: '/pages/background/background', animationDuration: 400 })
      expect(seen).toMatchObject({ name: 'pop-in', from: [-375, 0, 1, 1], below: 93.75 })
      expect(await (await bar).jsonValue()).toBe('translateX(-100%)')
    })

    test('H5, and people who want no movement, see none', async () => {
      const url = '/pages/motion-own/motion-own'
      expect(await watched(await moving('H5'), { url, animationType: 'fade-in' })).toBe(null)
      const still = await at('motion', 'Mini App')
      expect(await watched(still, { url, animationType: 'fade-in' })).toBe(null)
    })
  })

  describe('CSS variables', () => {
    test('H5: what is fixed refers to the window of the browser', async () => {
      const app = await at('variables', 'H5')
      expect((await boxOf(app, `${top} .corner.top`))[1]).toBe(44 + 48)
      expect(await endOf(app, `${top} .corner.bottom`)).toBe(667 - 50 - 10)
      expect((await boxOf(app, `${top} .status`))[3]).toBe(0)
      expect((await boxOf(app, `${top} .half`))[3]).toBe(333.5)
      expect((await boxOf(app, '#bound'))[3]).toBe(133.4)
      if (mode === 'serve') await app.picture('pages-variables-H5')
      await app.neu('pageScrollTo', { scrollTop: 300, duration: 0 })
      await becomes(async () => (await boxOf(app, `${top} .sticky`))[1], 44)
      expect((await boxOf(app, `${top} .corner.top`))[1]).toBe(44 + 48)
    })

    test.each(framed)('%s: it refers to the page between the bars, and so does vh', async (platform) => {
      const app = await at('variables', platform, { safeAreaBottom: 20 })
      const page = 667 - 64 - 50 - 20
      expect(await boxOf(app, top)).toEqual([0, 64, 375, page])
      expect((await boxOf(app, `${top} .corner.top`))[1]).toBe(64 + 48)
      expect(await endOf(app, `${top} .corner.bottom`)).toBe(64 + page - 10)
      expect((await boxOf(app, `${top} .status`))[3]).toBe(20)
      expect((await boxOf(app, `${top} .half`))[3]).toBe(page / 2)
      expect((await boxOf(app, '#inline'))[3]).toBe(page / 10)
      expect((await boxOf(app, '#bound'))[3]).toBe(page / 5)
      if (mode === 'serve') await app.picture(`pages-variables-${platform}`)
      await app.neu('pageScrollTo', { scrollTop: 300, duration: 0 })
      await becomes(async () => (await boxOf(app, `${top} .sticky`))[1], 64)
      expect((await boxOf(app, `${top} .corner.top`))[1]).toBe(64 + 48)
    })

    test.each(platforms)('%s: --status-bar-height keeps the place of the status bar', async (platform) => {
      const app = await at('custom', platform)
      expect(await boxOf(app, `${top} .status-bar`)).toEqual([0, 0, 375, platform === 'H5' ? 0 : 20])
    })
  })

  describe('rpx', () => {
    const widths = (app: App) =>
      Promise.all(
        ['.sheet', '#attribute', '#bound', '.included', '.most'].map(
          async (selector) => (await boxOf(app, `${top} ${selector}`))[2],
        ),
      )
    const inScript = (app: App) =>
      app.app.evaluate(() => (window as unknown as { uni: { rpx2px(rpx: number): number } }).uni.rpx2px(100))

    // The defaults: up to 960 px the real width counts, beyond it 375 px, except for 750rpx.
    test.each([
      [320, 320],
      [750, 750],
      [960, 960],
      [1200, 375],
    ])('H5, %i px: the width that counts is %i px', async (width, counted) => {
      const app = await at('lengths', 'H5', { width })
      const rpx = Math.round((100 * counted) / 75) / 10
      expect(await widths(app)).toEqual([rpx, rpx, rpx, width, Math.round((7000 * counted) / 750) / 10])
      expect(await inScript(app)).toBeCloseTo((100 * counted) / 750, 6)
    })

    test.each(framed)('%s: no width is too large', async (platform) => {
      const app = await at('lengths', platform, { width: 1200 })
      expect(await widths(app)).toEqual([160, 160, 160, 1200, 1120])
      expect(await inScript(app)).toBeCloseTo(160, 6)
    })

    // Of 375 px, 1rpx is half a px.
    test.each([
      ['H5', 375],
      ['H5', 600],
      ['App', 375],
      ['Mini App', 600],
    ] as const)('%s, %i px wide: attributes of tags take them as well', async (platform, width) => {
      const app = await at('tag-lengths', platform, { width })
      const page = (selector: string) => `${top} ${selector}`
      const px = (rpx: number) => (rpx * width) / 750
      expect((await boxOf(app, page('.item'))).slice(0, 3)).toEqual([px(40), expect.any(Number), width - px(140)])
      // The neighbour is seen, so it is not out of reach.
      expect(await app.app.locator(page('neu-swiper-item[inert]')).count()).toBe(0)
      expect((await boxOf(app, page('neu-icon svg >> nth=0'))).slice(2)).toEqual([px(80), px(80)])
      expect((await boxOf(app, page('neu-icon svg >> nth=1'))).slice(2)).toEqual([px(60), px(60)])
      for (const field of ['neu-input', 'neu-textarea'])
        expect(await styleOf(app, page(`${field} .neu-input-placeholder`), 'font-size')).toBe(`${px(40)}px`)
      expect(await app.app.locator(page('neu-input .neu-input-placeholder')).innerText()).toBe('40rpx, not 50rpx')
      // As high as a line of that.
      expect((await boxOf(app, page('neu-textarea')))[3]).toBeGreaterThan(px(40) * 1.2)
      expect((await boxOf(app, page('.neu-progress-bar')))[3]).toBe(px(30))
      expect(await styleOf(app, page('.neu-progress-bar'), 'border-radius')).toBe(`${px(15)}px`)
      expect(await styleOf(app, page('.neu-progress-info'), 'font-size')).toBe(`${px(40)}px`)
      // At most 28 px.
      expect((await boxOf(app, page('.neu-slider-bar')))[3]).toBe(Math.max(24, Math.min(px(40), 28)))
      expect((await boxOf(app, page('.neu-slider-done')))[2]).toBe(Math.min(px(40), 28) / 2)
      await becomes(async () => (await boxOf(app, page('neu-picker-view-column neu-view')))[3], px(100))
      expect(await styleOf(app, page('.neu-picker-view-mask'), 'padding')).toBe(`${px(10)}px`)
      expect(await styleOf(app, page('.rich b'), 'font-size')).toBe(`${px(40)}px`)
      if (mode === 'serve') await app.picture(`pages-tag-lengths-${platform}-${width}`)

      // 800rpx of lines in 200rpx, whose upper edge is 40rpx and whose lower edge 200rpx away from the end: with 50 px for both, other places would count.
      const list = app.app.locator(page('.list'))
      const told: Record<number, string> = { 220: '', 420: 'bottom', 60: 'bottom', 30: 'bottom,top' }
      for (const count of [220, 420, 60, 30]) {
        await app.app.getByRole('button', { name: `${count}`, exact: true }).click()
        await becomes(() => list.evaluate(({ scrollTop }) => Math.round(scrollTop)), Math.round(px(count)))
        await app.settled()
        expect(await app.app.locator(page('.edges')).innerText()).toBe(told[count])
      }
    })
  })

  test.each(framed)(
    '%s: the host is told of pageOrientation where it counts, and the page takes its screen',
    async (platform) => {
      const app = await at('landscape', platform)
      const isTold = platform === 'Mini App'
      expect((await app.wishes()).orientation).toBe(isTold ? 'landscape' : 'portrait')
      await app.page.setViewportSize({ width: 667, height: 375 })
      await app.setDevice({ width: 667, height: 375, orientation: 'landscape' })
      await becomes(() => boxOf(app, top), [0, 64, 667, 375 - 64])
      await app.go('pages/turning/turning')
      expect((await app.wishes()).orientation).toBe(isTold ? 'auto' : 'portrait')
      await app.setDevice({ orientation: 'portrait' })
      await app.go('pages/index/index')
      expect((await app.wishes()).orientation).toBe('portrait')
    },
  )

  test.each(platforms)(
    '%s: boxes of an nvue page are columns, and it takes only what it supports',
    async (platform) => {
      const app = await at('native', platform)
      const [first, second, third, fourth] = await Promise.all(
        [0, 1, 2, 3].map((index) => boxOf(app, `${top} .box >> nth=${index}`)),
      )
      expect(second![1]).toBe(first![1])
      expect(second![0]).toBeGreaterThan(first![0])
      expect(fourth![0]).toBe(third![0])
      expect(fourth![1]).toBeGreaterThan(third![1])
      const scroller = `${top} neu-page-scroll`
      expect(await styleOf(app, scroller, 'scrollbar-width')).toBe(platform === 'H5' ? 'auto' : 'none')
      // bounce is none that it supports.
      expect(await styleOf(app, scroller, 'overscroll-behavior-y')).toBe('contain')
      if (mode === 'serve') await app.picture(`pages-native-${platform}`)
    },
  )
})

describe('pageOrientation', () => {
  const screen = ({ page }: App) =>
    page.locator('.screen').evaluate((element) => [element.clientWidth, element.clientHeight])

  test('Mini App: the device turns for a page that asks for it, and back', async () => {
    const app = await openApp({ project: 'pages', platform: 'Mini App', mode: 'serve', isOnDevicePage: true })
    used.add(app)
    await becomes(() => screen(app), [375, 667])
    await app.go('pages/landscape/landscape')
    await becomes(() => screen(app), [667, 375])
    await becomes(async () => (await boxOf(app, top))[2], 667)
    await app.picture('pages-landscape')
    // As it is held now.
    await app.go('pages/turning/turning')
    expect(await screen(app)).toEqual([667, 375])
    await app.page.getByRole('button', { name: 'Turn' }).click()
    await becomes(() => screen(app), [375, 667])
    await app.page.getByRole('button', { name: 'Turn' }).click()
    await app.go('pages/index/index')
    await becomes(() => screen(app), [375, 667])
    await app.picture('pages-device')
    await app.close()
  })

  test('App: it does not', async () => {
    const app = await openApp({ project: 'pages', platform: 'App', mode: 'serve', isOnDevicePage: true })
    used.add(app)
    await app.go('pages/landscape/landscape')
    expect(await screen(app)).toEqual([375, 667])
    await app.close()
  })
})
