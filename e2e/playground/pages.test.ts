import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Device } from '../../packages/shell/src/host.ts'
import { violationsOf, wcag } from '../axe.ts'
import { type App, type Opening, openApp, type Platform } from './fixture.ts'
import { appsOf, becomes, boxOf, endOf, styleOf, top, touch, usedApps } from './measure.ts'

/** Tests how pages are drawn and animated, with `playground/pages`. */

/** Top of a page below the bar, in px. */
const pageTop = { H5: 44, App: 64, 'Mini App': 64 } as const
/** An App behaves like a Mini App, apart from what is tested for it by name. */
const most = ['H5', 'Mini App'] as const

const phone = { width: 375, height: 667, os: 'Android', language: 'en', safeAreaBottom: 0, keyboardHeight: 0 } as const

const used = usedApps()

const apps = appsOf('pages')

/**
 * Opens a page, alone or above the launch page. All tests share one app per platform, so the device is reset first.
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
    ['Mini App', 'rgb(240, 217, 181)'],
  ] as const)(
    '%s: applies backgroundColor, and prefers app-plus.background where it is supported',
    async (platform, appPlusColor) => {
      const app = await at('background', platform)
      expect(await styleOf(app, top, 'background-color')).toBe('rgb(205, 229, 225)')
      await app.go('pages/window-background/window-background')
      expect(await styleOf(app, top, 'background-color')).toBe(appPlusColor)
      await app.go('pages/scrolling/scrolling')
      // Inherited from globalStyle.
      expect(await styleOf(app, top, 'background-color')).toBe('rgb(247, 243, 232)')
    },
  )

  test('draws the background before any script of the mini app runs', async () => {
    const app = await openApp({
      project: 'pages',
      platform: 'Mini App',
      mode: 'build',
      path: 'pages/window-background/window-background',
      isAwaited: false,
      prepare: (context) =>
        context.route(
          ({ pathname }) => /\/(?:@souk\/entry|assets\/[^/]+)\.js$/.test(pathname) && !pathname.startsWith('/host/'),
          (route) => route.abort(),
        ),
    })
    await app.page.waitForSelector('.souk-mini-app .neu-navbar-title')
    const color = await app.page
      .locator('.souk-mini-app')
      .evaluate((element) => getComputedStyle(element).backgroundColor)
    expect(color).toBe('rgb(240, 217, 181)')
    expect(await app.page.locator('.neu-navbar-title').innerText()).toBe('Window background')
    await app.close()
  })

  test.each(most)('%s: scopes page {} in the style of a page to that page', async (platform) => {
    const app = await at('own-style', platform, {}, 'navigateTo')
    expect(await styleOf(app, `${top} neu-page`, 'background-color')).toBe('rgb(47, 72, 88)')
    expect(await styleOf(app, `${top} neu-page`, 'font-size')).toBe('15px')
    // The page is exactly as tall as its window.
    const [, , , height] = await boxOf(app, `${top} neu-page`)
    expect(height).toBe(667 - pageTop[platform])
    await app.go('pages/background/background', 'navigateTo')
    expect(await styleOf(app, `${top} neu-page`, 'background-color')).toBe('rgba(0, 0, 0, 0)')
    expect(await styleOf(app, `${top} neu-page`, 'color')).toBe('rgb(38, 48, 47)')
  })
})

describe('pull to refresh', () => {
  const refreshes = (app: App) => app.app.locator(`${top} .event`, { hasText: 'onPullDownRefresh' }).count()
  const disc = async (app: App) => (await boxOf(app, `${top} .neu-refresh-disc`))[1]
  const refreshDrawn = (app: App) => app.app.waitForSelector(`${top} .neu-refresh`, { state: 'attached' })
  const kindOf = (app: App) =>
    app.app.locator(`${top} .neu-refresh`).evaluate((element) => element.className.match(/circle|default/)?.[0])
  const stopRefresh = async (app: App) => {
    await app.neu('stopPullDownRefresh')
    await app.app.waitForSelector(`${top} .neu-refresh-idle`, { state: 'attached' })
  }

  test.each([
    ['H5', {}, 'circle'],
    ['Mini App', {}, 'circle'],
    ['Mini App', { os: 'iOS' }, 'default'],
  ] as const)(
    '%s %o: uses the refresh style of the system for enablePullDownRefresh: %s',
    async (platform, device, kind) => {
      const app = await at('refresh', platform, device)
      await refreshDrawn(app)
      expect(await kindOf(app)).toBe(kind)
      const before = await refreshes(app)
      const finger = await touch(app, [180, 200])
      await finger.to([180, 330])
      await finger.lift()
      await app.app.waitForSelector(`${top} .neu-refresh-refresh`, { state: 'attached' })
      expect(await refreshes(app)).toBe(before + 1)
      await stopRefresh(app)
      if (kind === 'circle') expect(await styleOf(app, `${top} .neu-refresh`, 'color')).toBe('rgb(43, 208, 9)')
    },
  )

  test('moves the content for style default, with custom captions and colors', async () => {
    const app = await at('refresh-default', 'Mini App')
    await refreshDrawn(app)
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
    await app.screenshot('pages-refresh-default')
    // The range limits how far the content moves.
    await finger.to([180, 660])
    expect(await first()).toBeCloseTo(140, 0)
    expect(await refreshes(app)).toBe(before)
    await finger.lift()
    await becomes(first, 80)
    expect(await caption()).toBe('Baking …')
    expect(await refreshes(app)).toBe(before + 1)
    await stopRefresh(app)
    await becomes(first, 0)
  })

  test.each([
    // Bar + offset - disc with shadow + height, which is 64 px on H5.
    ['H5', 44 + 60 - 52 + 64],
    ['Mini App', 64 + 60 - 52 + 70],
  ] as const)('%s: moves only the indicator for style circle, with offset and color', async (platform, position) => {
    const app = await at('refresh-circle', platform)
    await refreshDrawn(app)
    expect(await kindOf(app)).toBe('circle')
    const before = await refreshes(app)
    const finger = await touch(app, [180, 200])
    await finger.to([180, 230])
    await finger.lift()
    await becomes(() => styleOf(app, `${top} .neu-refresh-disc`, 'opacity'), '0')
    expect(await refreshes(app)).toBe(before)
    const again = await touch(app, [180, 200])
    await again.to([180, 360])
    expect((await boxOf(app, `${top} .note`))[1]).toBe(pageTop[platform])
    if (platform !== 'H5') {
      await again.to([180, 660])
      expect(await disc(app)).toBeCloseTo(64 + 60 - 52 + 120, 0)
    }
    await again.lift()
    await becomes(() => disc(app), position)
    await app.screenshot(`pages-refresh-circle-${platform}`)
    expect(await styleOf(app, `${top} .neu-refresh`, 'color')).toBe('rgb(192, 52, 29)')
    expect(await app.app.locator(`${top} [role=status]`).innerText()).toBe('Refreshing…')
    await stopRefresh(app)
    await becomes(() => styleOf(app, `${top} .neu-refresh-disc`, 'opacity'), '0')
  })

  test('resolves percentages against the page height', async () => {
    const app = await at('refresh-percent', 'Mini App')
    await app.neu('startPullDownRefresh')
    const page = 667 - 64
    await becomes(async () => Math.round(await disc(app)), Math.round(64 + page * 0.1 - 52 + page * 0.2))
    await stopRefresh(app)
  })

  test.each(most)('%s: support false overrides enablePullDownRefresh, but a call still refreshes', async (platform) => {
    const app = await at('refresh-off', platform)
    const before = await refreshes(app)
    const finger = await touch(app, [180, 200])
    await finger.to([180, 360])
    expect(await app.app.locator(`${top} .neu-refresh-over`).count()).toBe(0)
    await finger.lift()
    expect(await refreshes(app)).toBe(before)
    await app.neu('startPullDownRefresh')
    expect(await refreshes(app)).toBe(before + 1)
    await stopRefresh(app)
  })

  test.each([
    ['H5', 'rgb(24, 104, 219)', 44 + 40 - 52 + 64],
    ['Mini App', 'rgb(139, 58, 98)', 64 + 20 - 52 + 64],
  ] as const)('%s: prefers h5.pullToRefresh over app-plus on H5 only', async (platform, color, position) => {
    const app = await at('refresh-h5', platform)
    await app.neu('startPullDownRefresh')
    await becomes(() => disc(app), position)
    expect(await styleOf(app, `${top} .neu-refresh`, 'color')).toBe(color)
    await stopRefresh(app)
  })

  test('uses the style of the device if pages.json sets none, even for an Android build on iOS', async () => {
    const app = await at('refresh-off', 'App', { os: 'iOS' })
    await app.neu('startPullDownRefresh')
    expect(await kindOf(app)).toBe('default')
    await stopRefresh(app)
  })

  test('ignores sideways pulls, pulls of a scrolled page, and pages without refresh', async () => {
    const app = await at('refresh', 'H5')
    await refreshDrawn(app)
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

test.each(most)('%s: calls onReachBottom once per approach at onReachBottomDistance', async (platform) => {
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
    // Scrolling further down does not call it again.
    await scroll(0)
    expect(await reached()).toBe(before + 1)
    await app.app.locator(`${top} neu-button`, { hasText: 'More rows' }).click()
    await app.settled()
    await scroll(distance - 2)
    expect(await reached()).toBe(before + 2)
  }
})

describe('swipe back', () => {
  const pageOf = (app: App) => app.app.locator(`${top} neu-page`).getAttribute('data-page')

  async function openAndSwipe(
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

  test('closes the page of a Mini App on iOS on a swipe from the edge', async () => {
    const app = await openAndSwipe('swipe', 'Mini App', 'iOS')
    await becomes(() => pageOf(app), 'pages/index/index')
    await becomes(
      () => app.host.locator('.souk-mini-app-layer:not([inert]) .neu-navbar-title').innerText(),
      'Playground',
    )
  })

  test('closes the page of a Mini App on iOS in Arabic on a swipe from the other edge', async () => {
    const app = await openAndSwipe('swipe', 'Mini App', 'iOS', [371, 75], 'ar')
    await becomes(() => pageOf(app), 'pages/index/index')
    const fromLeft = await openAndSwipe('swipe', 'Mini App', 'iOS', [4, 300], 'ar')
    expect(await pageOf(fromLeft)).toBe('pages/swipe/swipe')
  })

  test.each([
    ['no-swipe', 'Mini App', 'iOS'],
    ['swipe', 'Mini App', 'Android'],
    ['swipe', 'App', 'iOS'],
    ['swipe', 'H5', 'iOS'],
  ] as const)('%s, %s on %s: keeps the page open', async (name, platform, os) => {
    const app = await openAndSwipe(name, platform, os)
    expect(await pageOf(app)).toBe(`pages/${name}/${name}`)
    expect((await boxOf(app, top))[0]).toBe(0)
  })
})

describe('softinputMode', () => {
  const keyboard = 300

  test('moves the page just far enough to show the field for adjustPan', async () => {
    const app = await at('keyboard-pan', 'Mini App')
    await app.app.locator(`${top} input`).focus()
    await app.setDevice({ keyboardHeight: keyboard })
    await expect.poll(() => endOf(app, `${top} neu-input`)).toBeLessThanOrEqual(667 - keyboard)
    expect((await boxOf(app, top))[3]).toBe(667 - 64)
    await app.screenshot('pages-keyboard-pan')
    await app.setDevice({ keyboardHeight: 0 })
    await becomes(async () => (await boxOf(app, top))[1], 64)
  })

  test('shrinks the page to end above the keyboard for adjustResize', async () => {
    const app = await at('keyboard-resize', 'Mini App')
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
  ['Mini App', 'none', 'none'],
] as const)('%s: applies bounce and scrollIndicator where supported', async (platform, bounce, indicator) => {
  const app = await at('still-scrolling', platform)
  const scroller = `${top} neu-page-scroll`
  expect(await styleOf(app, scroller, 'overscroll-behavior-y')).toBe(bounce)
  expect(await styleOf(app, scroller, 'scrollbar-width')).toBe(indicator)
  await app.go('pages/scrolling/scrolling')
  expect(await styleOf(app, scroller, 'overscroll-behavior-y')).toBe('contain')
  expect(await styleOf(app, scroller, 'scrollbar-width')).toBe('auto')
})

describe('animations', () => {
  interface Transition {
    name: string | undefined
    duration: string
    /** Start of the new page: x and y in px, scale, opacity. */
    from: number[]
    /** End of the page below: x in px. */
    below: number | undefined
  }

  /** Opens a page and returns its transition, or null if there is none. */
  function watchTransition({ app }: App, options: object): Promise<Transition | null> {
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
      let transition: Transition | null = null
      const api = (window as unknown as { uni: { navigateTo(options: object): Promise<unknown> } }).uni
      const opened = api.navigateTo(options).then(() => {
        isOver = true
      })
      for (let extra = 0; extra < 3; extra += isOver ? 1 : 0) {
        await frames()
        const entering = document.querySelector<HTMLElement>('neu-page-window[data-role="enter"]')
        const covered = document.querySelector<HTMLElement>('neu-page-window[data-role="cover"]')
        if (!entering || transition || entering.getAnimations().length === 0) continue
        const duration = entering.style.getPropertyValue('--duration')
        transition = {
          name: entering.dataset.motion,
          duration,
          from: place(entering, 0),
          below: covered?.getAnimations().length ? place(covered, Number.parseFloat(duration))[0] : undefined,
        }
      }
      await opened
      return transition
    }, options)
  }

  const startStates: Record<string, number[]> = {
    'slide-in-right': [375, 0, 1, 1],
    'slide-in-left': [-375, 0, 1, 1],
    'slide-in-top': [0, -603, 1, 1],
    'slide-in-bottom': [0, 603, 1, 1],
    'fade-in': [0, 0, 1, 0],
    'zoom-out': [0, 0, 0, 1],
    'zoom-fade-in': [0, 0, 0.7, 0],
    'pop-in': [375, 0, 1, 1],
  }

  const openWithMotion = async (platform: Platform, more: Partial<Opening> = {}) => {
    const app = await apps(platform, { hasMotion: true, ...more })
    used.add(app)
    await app.go('pages/motion/motion')
    return app
  }

  test('starts each animationType in its own position', async () => {
    const app = await openWithMotion('Mini App')
    for (const [animationType, from] of Object.entries(startStates)) {
      const url = '/pages/background/background'
      const transition = await watchTransition(app, { url, animationType, animationDuration: 150 })
      expect({ animationType, ...transition }).toEqual({
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
    expect(await watchTransition(app, { url: '/pages/background/background', animationType: 'none' })).toBe(null)
  })

  test('closes a page by the animation of navigateBack, else by the one that opened it', async () => {
    const app = await openWithMotion('Mini App')
    const close = async (options: object) => {
      await app.neu('navigateTo', {
        url: '/pages/background/background',
        animationType: 'zoom-out',
        animationDuration: 60,
      })
      await app.app.waitForSelector('[data-motion]', { state: 'detached' })
      return app.app.evaluate(async (options) => {
        const left = new Promise<(string | undefined)[]>((resolve) => {
          const observer = new MutationObserver(() => {
            const page = document.querySelector<HTMLElement>('[data-role="leave"]')
            if (!page) return
            observer.disconnect()
            resolve([page.dataset.motion, page.style.getPropertyValue('--duration')])
          })
          observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-role'] })
        })
        await neu.navigateBack(options)
        return left
      }, options)
    }
    expect(await close({})).toEqual(['zoom-out', '60ms'])
    expect(await close({ animationType: 'fade-out', animationDuration: 80 })).toEqual(['fade-in', '80ms'])
  })

  // On an App, resolved.test.ts tests them.
  test.each([
    ['motion-own', 'slide-in-bottom', '500ms'],
    ['motion-plus', 'zoom-fade-in', '450ms'],
  ] as const)('opens %s and its bar by %s in %s', async (page, name, duration) => {
    const app = await openWithMotion('Mini App')
    const bar = app.page.waitForFunction(
      () => document.querySelector<HTMLElement>('.souk-mini-app-layer[data-role="enter"]')?.dataset.motion,
    )
    const transition = await watchTransition(app, { url: `/pages/${page}/${page}` })
    expect(transition).toMatchObject({ name, duration })
    expect(await (await bar).jsonValue()).toBe(name)
  })

  test('mirrors the animation of pages and bars in a right-to-left language', async () => {
    const app = await openWithMotion('Mini App', { language: 'ar' })
    const bar = app.page.waitForFunction(() => {
      const layer = document.querySelector('.souk-mini-app-layer[data-role="enter"]')
      return layer && getComputedStyle(layer).getPropertyValue('--away-move')
    })
    const transition = await watchTransition(app, { url: '/pages/background/background', animationDuration: 400 })
    expect(transition).toMatchObject({ name: 'pop-in', from: [-375, 0, 1, 1], below: 93.75 })
    expect(await (await bar).jsonValue()).toBe('translateX(-100%)')
  })

  test('does not animate on H5 or with reduced motion', async () => {
    const url = '/pages/motion-own/motion-own'
    expect(await watchTransition(await openWithMotion('H5'), { url, animationType: 'fade-in' })).toBe(null)
    const reduced = await at('motion', 'Mini App')
    expect(await watchTransition(reduced, { url, animationType: 'fade-in' })).toBe(null)
  })
})

describe('CSS variables', () => {
  test('H5: positions fixed elements relative to the browser window', async () => {
    const app = await at('variables', 'H5')
    expect((await boxOf(app, `${top} .corner.top`))[1]).toBe(44 + 48)
    expect(await endOf(app, `${top} .corner.bottom`)).toBe(667 - 50 - 10)
    expect((await boxOf(app, `${top} .status`))[3]).toBe(0)
    expect((await boxOf(app, `${top} .half`))[3]).toBe(333.5)
    expect((await boxOf(app, '#bound'))[3]).toBe(133.4)
    await app.screenshot('pages-variables-H5')
    await app.neu('pageScrollTo', { scrollTop: 300, duration: 0 })
    await becomes(async () => (await boxOf(app, `${top} .sticky`))[1], 44)
    expect((await boxOf(app, `${top} .corner.top`))[1]).toBe(44 + 48)
  })

  test('Mini App: positions fixed elements, and resolves vh, relative to the page between the bars', async () => {
    const app = await at('variables', 'Mini App', { safeAreaBottom: 20 })
    const page = 667 - 64 - 50 - 20
    expect(await boxOf(app, top)).toEqual([0, 64, 375, page])
    expect((await boxOf(app, `${top} .corner.top`))[1]).toBe(64 + 48)
    expect(await endOf(app, `${top} .corner.bottom`)).toBe(64 + page - 10)
    expect((await boxOf(app, `${top} .status`))[3]).toBe(20)
    expect((await boxOf(app, `${top} .half`))[3]).toBe(page / 2)
    expect((await boxOf(app, '#inline'))[3]).toBe(page / 10)
    expect((await boxOf(app, '#bound'))[3]).toBe(page / 5)
    await app.screenshot('pages-variables')
    await app.neu('pageScrollTo', { scrollTop: 300, duration: 0 })
    await becomes(async () => (await boxOf(app, `${top} .sticky`))[1], 64)
    expect((await boxOf(app, `${top} .corner.top`))[1]).toBe(64 + 48)
  })

  test.each(most)('%s: sets --status-bar-height to the height of the status bar', async (platform) => {
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

  // By default rpx are based on the real width up to 960 px, and on 375 px beyond, except for 750rpx.
  test.each([
    [320, 320],
    [750, 750],
    [960, 960],
    [1200, 375],
  ])('H5, %i px wide: bases rpx on %i px', async (width, baseWidth) => {
    const app = await at('lengths', 'H5', { width })
    const rpx = Math.round((100 * baseWidth) / 75) / 10
    expect(await widths(app)).toEqual([rpx, rpx, rpx, width, Math.round((7000 * baseWidth) / 750) / 10])
    expect(await inScript(app)).toBeCloseTo((100 * baseWidth) / 750, 6)
  })

  test('Mini App: bases rpx on the real width however large', async () => {
    const app = await at('lengths', 'Mini App', { width: 1200 })
    expect(await widths(app)).toEqual([160, 160, 160, 1200, 1120])
    expect(await inScript(app)).toBeCloseTo(160, 6)
  })

  // At 375 px, 1rpx is 0.5 px.
  test.each([
    ['H5', 375],
    ['Mini App', 600],
  ] as const)('%s, %i px wide: accepts rpx in attributes of tags', async (platform, width) => {
    const app = await at('tag-lengths', platform, { width })
    const page = (selector: string) => `${top} ${selector}`
    const px = (rpx: number) => (rpx * width) / 750
    expect((await boxOf(app, page('.item'))).slice(0, 3)).toEqual([px(40), expect.any(Number), width - px(140)])
    // The neighboring item is visible, so it is not inert.
    expect(await app.app.locator(page('neu-swiper-item[inert]')).count()).toBe(0)
    expect((await boxOf(app, page('neu-icon svg >> nth=0'))).slice(2)).toEqual([px(80), px(80)])
    expect((await boxOf(app, page('neu-icon svg >> nth=1'))).slice(2)).toEqual([px(60), px(60)])
    for (const field of ['neu-input', 'neu-textarea'])
      expect(await styleOf(app, page(`${field} .neu-input-placeholder`), 'font-size')).toBe(`${px(40)}px`)
    expect(await app.app.locator(page('neu-input .neu-input-placeholder')).innerText()).toBe('40rpx, not 50rpx')
    // Higher than one line at that font size.
    expect((await boxOf(app, page('neu-textarea')))[3]).toBeGreaterThan(px(40) * 1.2)
    expect((await boxOf(app, page('.neu-progress-bar')))[3]).toBe(px(30))
    expect(await styleOf(app, page('.neu-progress-bar'), 'border-radius')).toBe(`${px(15)}px`)
    expect(await styleOf(app, page('.neu-progress-info'), 'font-size')).toBe(`${px(40)}px`)
    // The maximum is 28 px.
    const [track, control] = [
      await boxOf(app, page('.neu-slider-track')),
      await boxOf(app, page('.neu-slider-control')),
    ]
    expect(control[2]! - track[2]!).toBe(Math.min(px(40), 28))
    await becomes(async () => (await boxOf(app, page('neu-picker-view-column neu-view')))[3], px(100))
    expect(await styleOf(app, page('.neu-picker-view-mask'), 'padding')).toBe(`${px(10)}px`)
    expect(await styleOf(app, page('.rich b'), 'font-size')).toBe(`${px(40)}px`)
    await app.screenshot(`pages-tag-lengths-${platform}-${width}`)

    // The list shows 200rpx of 800rpx, with an upper threshold of 40rpx and a lower threshold of 200rpx. With the
    // default of 50 px for both, other positions would fire.
    const list = app.app.locator(page('.list'))
    const edges: Record<number, string> = { 220: '', 420: 'bottom', 60: 'bottom', 30: 'bottom,top' }
    for (const count of [220, 420, 60, 30]) {
      await app.app.getByRole('button', { name: `${count}`, exact: true }).click()
      await becomes(() => list.evaluate(({ scrollTop }) => Math.round(scrollTop)), Math.round(px(count)))
      await app.settled()
      expect(await app.app.locator(page('.edges')).innerText()).toBe(edges[count])
    }
  })
})

test.each(['App', 'Mini App'] as const)(
  '%s: requests pageOrientation from the host where supported, and fills the turned screen',
  async (platform) => {
    const app = await at('landscape', platform)
    const isSupported = platform === 'Mini App'
    expect((await app.screenSettings()).orientation).toBe(isSupported ? 'landscape' : 'portrait')
    await app.page.setViewportSize({ width: 667, height: 375 })
    await app.setDevice({ width: 667, height: 375, orientation: 'landscape' })
    await becomes(() => boxOf(app, top), [0, 64, 667, 375 - 64])
    await app.go('pages/turning/turning')
    expect((await app.screenSettings()).orientation).toBe(isSupported ? 'auto' : 'portrait')
    await app.setDevice({ orientation: 'portrait' })
    await app.go('pages/index/index')
    expect((await app.screenSettings()).orientation).toBe('portrait')
  },
)

test.each(most)(
  '%s: lays out boxes of an nvue page as columns, and applies only the options it supports',
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
    // nvue pages do not support bounce.
    expect(await styleOf(app, scroller, 'overscroll-behavior-y')).toBe('contain')
    await app.screenshot(`pages-native-${platform}`)
  },
)

describe('the device page', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp({ project: 'pages', platform: 'Mini App', mode: 'serve', isOnDevicePage: true })
  })
  afterAll(() => app?.close())
  afterEach(() => expect(app?.faults()).toEqual([]))

  test('has the inspector, with the state of <script setup>', async () => {
    const { page } = app
    await page.getByRole('button', { name: 'Inspector', exact: true }).click()
    const inspector = page.getByRole('region', { name: 'Inspector', exact: true })
    await inspector.getByRole('tab').first().waitFor()
    await inspector.getByRole('status').waitFor({ state: 'detached' })
    await app.app.evaluate(() => console.info('ready', new Map([['cup', 1n]])))
    await inspector.getByText('Map(1) {cup: 1}', { exact: true }).waitFor()
    await inspector.getByRole('tab', { name: 'Pages' }).click()
    const shown = inspector.getByRole('listitem').filter({ hasText: 'pages/index/index' })
    await shown.getByText('groups: ', { exact: true }).waitFor()
    await shown
      .getByRole('button', { name: /^(?:page|globalStyle), line \d+$/ })
      .first()
      .waitFor()
    await inspector.getByRole('tab', { name: 'Backend' }).click()
    await inspector.getByText('souk requests', { exact: true }).waitFor()
    expect(await violationsOf(page, { tags: wcag, within: '.inspector' })).toEqual([])
    await app.screenshot('inspector-device')
    await page.keyboard.press('Escape')
    await inspector.waitFor({ state: 'detached' })
  })

  test('turns the device for a landscape page, and back', async () => {
    const screen = () => app.page.locator('.screen').evaluate((element) => [element.clientWidth, element.clientHeight])
    await becomes(() => screen(), [375, 667])
    await app.go('pages/landscape/landscape')
    await becomes(() => screen(), [667, 375])
    await becomes(async () => (await boxOf(app, top))[2], 667)
    await app.screenshot('pages-landscape')
    // A page with orientation auto keeps the current one.
    await app.go('pages/turning/turning')
    expect(await screen()).toEqual([667, 375])
    await app.page.getByRole('button', { name: 'Turn' }).click()
    await becomes(() => screen(), [375, 667])
    await app.page.getByRole('button', { name: 'Turn' }).click()
    await app.go('pages/index/index')
    await becomes(() => screen(), [375, 667])
    await app.screenshot('pages-device')
  })
})
