import { describe, expect, test } from 'vitest'
import type { App } from './fixture.ts'
import { appsOf, becomes, boxOf, styleOf, top, usedApps } from './measure.ts'

/** Tests native sub-windows (pages-json §2.8) with `playground/subNVues`. */

const used = usedApps()

/** Top and height of the page below the status bar and the navigation bar, in px. */
const pageTop = 64
const height = 667 - pageTop

const apps = appsOf('subNVues')

test('does not draw or load sub-windows on H5', async () => {
  const requests: string[] = []
  const app = await apps('H5', {
    path: 'pages/places/places',
    prepare: async (context) => {
      context.on('request', (request) => requests.push(request.url()))
    },
  })
  used.add(app)
  for (const name of ['docks', 'popup']) await app.go(`pages/${name}/${name}`)
  expect(await app.app.locator('neu-sub-window').count()).toBe(0)
  expect(requests.filter((url) => /sub\.nvue|basket|SubWindow/.test(url))).toEqual([])
  expect(
    await app.app.evaluate(() =>
      String((window as unknown as { uni: { getSubNVueById(id: string): unknown } }).uni.getSubNVueById('basket')),
    ),
  ).toBe('undefined')
})

// A Mini App draws them like an App.
describe('App', () => {
  const platform = 'App'

  async function at(name: string, hasMotion = false): Promise<App> {
    const app = await apps(platform, { hasMotion })
    used.add(app)
    await app.go(`pages/${name}/${name}`)
    return app
  }
  const box = (app: App, id: string) => boxOf(app, `${top} #${id}`)
  const drawn = (app: App, ids: readonly string[]) =>
    Promise.all(ids.map((id) => app.app.waitForSelector(`${top} #${id} > *`, { state: 'attached' })))

  test('resolves sizes and offsets in px and percent, and conflicts between them', async () => {
    const app = await at('places')
    await drawn(app, ['corner', 'first', 'between', 'middle', 'beaten', 'above'])
    const fifth = Math.round(height * 2) / 10
    expect(await box(app, 'corner')).toEqual([265, Math.round((667 - 20 - fifth) * 10) / 10, 100, fifth])
    // If the size is set, left overrides right and top overrides bottom.
    expect(await box(app, 'first')).toEqual([20, pageTop + 30, 80, 40])
    // Without a size, both offsets determine it.
    expect(await box(app, 'between')).toEqual([40, pageTop + 90, 375 - 40 - 37.5, height - 90 - 440])
    // margin: auto centers in each direction without an offset.
    expect(await box(app, 'middle')).toEqual([147.5, pageTop + (height - 30) / 2, 80, 30])
    expect(await box(app, 'beaten')).toEqual([10, pageTop + (height - 60) / 2, 90, 60])
    expect(await styleOf(app, '#corner', 'background-color')).toBe('rgb(233, 199, 190)')
    expect(await styleOf(app, '#between', 'background-color')).toBe('rgba(240, 217, 181, 0.8)')
    expect(await app.app.locator('#corner').innerText()).toBe('corner')
    await app.screenshot(`subNVues-places-${platform}`)
  })

  test('draws the window with the higher zindex in front', async () => {
    const app = await at('places')
    await drawn(app, ['middle', 'beaten', 'above'])
    const order = await Promise.all(['middle', 'beaten', 'above'].map((id) => styleOf(app, `#${id}`, 'z-index')))
    expect(order).toEqual(['5', '2', '1'])
    const inFront = (x: number, y: number) =>
      app.app.evaluate(([x, y]) => document.elementFromPoint(x!, y!)?.closest('neu-sub-window')?.id, [x, y] as const)
    await app.app.evaluate(() => {
      const { uni } = window as unknown as { uni: { getSubNVueById(id: string): { setStyle(style: object): void } } }
      for (const id of ['middle', 'beaten', 'above'])
        uni.getSubNVueById(id).setStyle({ left: '50px', top: '300px', width: '100px', height: '100px' })
    })
    await app.settled()
    expect(await inFront(100, pageTop + 350)).toBe('middle')
  })

  test('docks windows to the edges of the page, top and bottom at full width', async () => {
    const app = await at('docks')
    await drawn(app, ['dock-top', 'dock-bottom', 'dock-left', 'dock-right'])
    expect(await box(app, 'dock-top')).toEqual([0, pageTop, 375, 40])
    expect(await box(app, 'dock-bottom')).toEqual([0, 607, 375, 60])
    expect(await box(app, 'dock-left')).toEqual([0, pageTop + 40, 75, height - 100])
    expect(await box(app, 'dock-right')).toEqual([325, pageTop + 40, 50, height - 100])
    expect(await boxOf(app, `${top} neu-page-scroll`)).toEqual([75, pageTop + 40, 250, height - 100])
    await app.screenshot(`subNVues-docks-${platform}`)
    await app.neu('pageScrollTo', { scrollTop: 200, duration: 0 })
    expect((await box(app, 'dock-top'))[1]).toBe(pageTop)
  })

  test('scrolls static windows with the page, but not absolute ones', async () => {
    const app = await at('scrolled')
    await drawn(app, ['along', 'fixed'])
    expect(await box(app, 'along')).toEqual([37.5, pageTop + 50, 187.5, 60])
    await app.neu('pageScrollTo', { scrollTop: 30, duration: 0 })
    expect((await box(app, 'along'))[1]).toBe(pageTop + 20)
    expect(await box(app, 'fixed')).toEqual([37.5, pageTop + 130, 187.5, 60])
    await app.screenshot(`subNVues-scrolled-${platform}`)
  })

  test('opens a pop-up with mask and focus, and closes it by mask, Escape or its own button', async () => {
    const app = await at('popup')
    const events = () => app.app.locator(`${top} .events`).innerText()
    const isShown = () => app.app.locator('#basket').isVisible()
    await drawn(app, ['basket'])
    expect(await isShown()).toBe(false)
    expect(await app.app.locator('.neu-sub-window-mask').count()).toBe(0)
    await app.app.locator('#open').click()
    await becomes(isShown, true)
    expect(await box(app, 'basket')).toEqual([37.5, pageTop + (height - 240) / 2, 300, 240])
    expect(await boxOf(app, '.neu-sub-window-mask')).toEqual([0, pageTop, 375, height])
    expect(await styleOf(app, '.neu-sub-window-mask', 'background-color')).toBe('rgba(11, 107, 99, 0.4)')
    expect(await styleOf(app, '#basket', 'background-color')).toBe('rgba(0, 0, 0, 0)')
    await becomes(() => app.app.evaluate(() => document.activeElement?.id), 'basket')
    await app.screenshot(`subNVues-popup-${platform}`)
    // Tab stays in the pop-up, also after a click beside its button.
    const focus = () => app.app.evaluate(() => document.activeElement?.closest('#basket, neu-page-window')?.id)
    for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Tab']) {
      await app.page.keyboard.press(key)
      expect(await focus()).toBe('basket')
    }
    await app.page.mouse.click(60, pageTop + (height - 240) / 2 + 20)
    expect(await focus()).toBe('basket')
    await app.page.mouse.click(10, pageTop + 20)
    await becomes(isShown, false)
    await becomes(events, 'show, hide')
    await app.app.locator('#open').click()
    await becomes(() => app.app.evaluate(() => document.activeElement?.id), 'basket')
    await app.page.keyboard.press('Escape')
    await becomes(isShown, false)
    // A button inside the pop-up.
    await app.app.locator('#open').click()
    await app.app.locator('#basket neu-button').click()
    await becomes(isShown, false)
    await becomes(events, 'show, hide, show, hide, show, hide')
  })

  test('plays the animation and duration passed to show and hide', async () => {
    const app = await at('popup', true)
    await drawn(app, ['basket'])
    /** Returns animation, role and duration right after the call. */
    const playing = (method: 'show' | 'hide', animation: string, duration: number) =>
      app.app.evaluate(
        async ([method, animation, duration]) => {
          type SubNVue = Record<string, (animation: string, duration: number) => void>
          const { uni } = window as unknown as { uni: { getSubNVueById(id: string): SubNVue } }
          uni.getSubNVueById('basket')[method]!(animation, duration)
          await new Promise((done) => setTimeout(done))
          const basket = document.querySelector<HTMLElement>('#basket')!
          const { motion, role } = basket.dataset
          return [motion, role, getComputedStyle(basket).animationDuration]
        },
        [method, animation, duration] as const,
      )
    expect(await playing('show', 'slide-in-bottom', 250)).toEqual(['slide-in-bottom', 'enter', '0.25s'])
    await becomes(() => app.app.locator(`${top} .events`).innerText(), 'show')
    expect(await playing('hide', 'zoom-fade-out', 400)).toEqual(['zoom-fade-in', 'leave', '0.4s'])
    await becomes(() => app.app.locator('#basket').isVisible(), false)
  })

  test('passes messages between page and sub-window, and merges setStyle', async () => {
    const app = await at('popup')
    await drawn(app, ['basket'])
    await app.app.locator('neu-button', { hasText: 'Post message' }).click()
    await becomes(() => app.app.locator(`${top} .events`).innerText(), 'message 3')
    await becomes(() => app.app.locator('#basket .count').textContent(), '3 items')
    await app.app.locator('neu-button', { hasText: 'Set style' }).click()
    await app.app.locator('#open').click()
    await becomes(() => box(app, 'basket'), [37.5, pageTop + (height - 240) / 2, 300, 240])
    expect(await styleOf(app, '.neu-sub-window-mask', 'background-color')).toBe('rgba(0, 0, 0, 0.2)')
  })

  test('replaces the navigation bar with a window of type navigationBar', async () => {
    const app = await at('bar')
    await drawn(app, ['own-bar'])
    expect(await box(app, 'own-bar')).toEqual([0, 0, 375, pageTop])
    expect(await boxOf(app, `${top} neu-page-scroll`)).toEqual([0, pageTop, 375, height])
    // Sub-windows use the layout of nvue pages, which aligns this title to the bottom.
    const [, y, , titleHeight] = await boxOf(app, '#own-bar .title')
    expect(Math.round(y + titleHeight)).toBe(pageTop - 12)
    await app.screenshot(`subNVues-bar-${platform}`)
  })
})
