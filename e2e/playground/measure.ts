import { afterEach, expect } from 'vitest'
import { type App, type Mode, type Opening, openApp, type Platform } from './fixture.ts'

/**
 * Returns a function that opens apps of a project, each once for all tests that use the same options. What does not
 * depend on the mode is tested with a build, since a page that is served takes three times as long to open.
 */
export function appsOf(project: string, mode: Mode = 'build') {
  const opened = new Map<string, Promise<App>>()
  return (platform: Platform, more: Partial<Opening> = {}): Promise<App> => {
    const key = JSON.stringify([platform, more])
    const existing = opened.get(key)
    if (existing) return existing
    const opening = openApp({ project, platform, mode, ...more })
    opened.set(key, opening)
    return opening
  }
}

/** Returns a set of apps, for those that a test uses. Expects no faults of them at the end of the test. */
export function usedApps(): Set<App> {
  const used = new Set<App>()
  afterEach(() => {
    for (const app of used) expect(app.faults()).toEqual([])
    used.clear()
  })
  return used
}

/** Selector of the current page, never of one below it. */
export const top = 'neu-page-window:not([inert])'

/** Returns left, top, width and height of an element of the mini app in px, relative to the screen and rounded. */
export async function boxOf({ app }: App, selector: string): Promise<[number, number, number, number]> {
  const box = await app
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return [left, top, width, height]
    })
  return box.map((length) => Math.round(length * 10) / 10) as [number, number, number, number]
}

/** Returns the bottom of an element of the mini app, in px from the top of the screen. */
export async function endOf(app: App, selector: string): Promise<number> {
  const [, y, , height] = await boxOf(app, selector)
  return Math.round(y + height)
}

/** Returns a computed style of an element of the mini app. */
export function styleOf({ app }: App, selector: string, property: string): Promise<string> {
  return app
    .locator(selector)
    .first()
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property)
}

/** Waits until `read` returns the expected value, for example after an animation. */
export function becomes<T>(read: () => Promise<T>, expected: T): Promise<unknown> {
  return expect.poll(read, { interval: 30 }).toEqual(expected)
}

type Point = readonly [x: number, y: number]

export interface Finger {
  /** Moves from the current point, in `steps` moves. */
  to(point: Point, steps?: number): Promise<void>
  lift(): Promise<void>
}

/** Touches the screen at a point, in page coordinates. */
export async function touch({ context, page }: App, from: Point): Promise<Finger> {
  const session = await context.newCDPSession(page)
  const send = (type: string, points: readonly Point[]) =>
    session.send('Input.dispatchTouchEvent', {
      type: type as 'touchMove',
      touchPoints: points.map(([x, y]) => ({ x, y })),
    })
  let [atX, atY] = from
  await send('touchStart', [from])
  return {
    async to([x, y], steps = 10) {
      for (let step = 1; step <= steps; step += 1) {
        await send('touchMove', [[atX + ((x - atX) * step) / steps, atY + ((y - atY) * step) / steps]])
      }
      ;[atX, atY] = [x, y]
    },
    async lift() {
      await send('touchEnd', [])
      await session.detach()
    },
  }
}
