import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { violationsOf, wcag } from './axe.ts'
import { afterTest, lendPage } from './browser.ts'
import { saveScreenshot } from './screenshot.ts'

export type Language = 'en' | 'zh-CN' | 'ar'

/** Language, color scheme and device of a page. */
export interface Look {
  language: Language
  scheme: 'light' | 'dark'
  device: 'desktop' | 'tablet' | 'phone'
}

/** Looks for a second view of what a test has done in English, light and on a desktop. */
export const otherLooks: readonly Look[] = [
  { language: 'ar', scheme: 'dark', device: 'phone' },
  { language: 'zh-CN', scheme: 'light', device: 'desktop' },
]

const sizes = {
  desktop: { width: 1280, height: 860 },
  tablet: { width: 834, height: 1112 },
  phone: { width: 390, height: 844 },
}

/** Page that records script errors and console errors. */
export interface WatchedPage extends Page {
  complaints: string[]
}

/**
 * Returns a page of the console, signed in with `session` (by default the administrator's; null for none). URLs are
 * relative to `/console/`. A later test gets the page, so one that changes it for good closes its context (see
 * `LentPage`).
 */
export async function consolePage(
  look: Partial<Look> = {},
  session: string | null = inject('fixture').session,
  url: string = inject('fixture').url,
): Promise<WatchedPage> {
  const page = await watchedPage(look, `${url}/console/`, { 'souk.language': look.language ?? 'en' })
  if (session) await page.context().addCookies([consoleCookie(session, url)])
  return page
}

/** Returns the session cookie of the console. */
export function consoleCookie(session: string, url: string) {
  return { name: 'souk_session', value: session, url, httpOnly: true, sameSite: 'Strict' } as const
}

/**
 * Returns a page with the given localStorage entries, for the current test or file. A later test gets the page, see
 * `consolePage`.
 */
export async function watchedPage(
  look: Partial<Look>,
  baseURL: string,
  stored: Record<string, string>,
): Promise<WatchedPage> {
  const { page, giveBack } = await lendPage(optionsFor(look, baseURL), stored)
  afterTest(giveBack)
  return watched(page)
}

function optionsFor(look: Partial<Look>, baseURL: string): BrowserContextOptions {
  const { language = 'en', scheme = 'light', device = 'desktop' } = look
  return {
    baseURL,
    locale: language,
    colorScheme: scheme,
    viewport: sizes[device],
    hasTouch: device !== 'desktop',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    timezoneId: 'Asia/Riyadh',
  }
}

/** Records script errors and console errors of a page. */
export function watched(opened: Page): WatchedPage {
  const page = opened as WatchedPage
  page.complaints = []
  page.on('pageerror', (error) => page.complaints.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) page.complaints.push(message.text())
  })
  return page
}

/** Waits until the page has loaded its data and fonts. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'))
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** How much of a page may move while it loads: the limit of browsers for pages that do so without annoying anybody. */
export const maxLayoutShift = 0.05

/** Returns how much of the page has moved without an action of the user since it began to load: 0.1 is a tenth. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries() as Shift[]) if (!hadRecentInput) sum += value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        // Buffered entries are delivered a moment later.
        setTimeout(() => {
          observer.disconnect()
          resolve(sum)
        }, 50)
      }),
  )
}

/**
 * Returns the element with the focus. Dialogs focus their first field a moment after they are shown, so a test that
 * fills several waits for it: otherwise the text of the second could end in the first.
 */
export const focused = (page: Page): Locator => page.locator(':focus')

/** Saves a screenshot of the whole page, see `saveScreenshot`. */
export async function picture(page: Page, name: string): Promise<void> {
  await saveScreenshot(page, name, { fullPage: true })
}

/** Waits until nothing fades or moves, and no list is loaded again. */
async function still(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isEndless = (animation: Animation) =>
      animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY
    const moves = document.getAnimations().some((each) => each.playState === 'running' && !isEndless(each))
    return !moves && !document.querySelector('[aria-busy=true]')
  })
}

async function severeViolations(page: Page): Promise<string[]> {
  // Controls that are half below the header of a scrolled page would count as too small.
  await page.evaluate(() => scrollTo(0, 0))
  return (await violationsOf(page, { tags: wcag }))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} — ${failureSummary}`),
    )
}

/**
 * Returns serious and critical axe violations, horizontal overflow, and errors recorded since the last call.
 * A page with violations is examined again when it is still: what fades in has too little contrast.
 */
export async function faults(page: WatchedPage): Promise<string[]> {
  let severe = await severeViolations(page)
  if (severe.length > 0) {
    await still(page)
    severe = await severeViolations(page)
  }
  return [...severe, ...(await misfits(page))]
}

/**
 * Returns horizontal overflow, and errors recorded since the last call: `faults` without axe, for looks that differ
 * only in language or width from one that axe examines.
 */
export async function misfits(page: WatchedPage): Promise<string[]> {
  const { content, window: width } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }))
  const overflow = content > width ? [`scrolls overflow: ${content} px of content in ${width} px`] : []
  return [...overflow, ...page.complaints.splice(0)]
}

/**
 * Shows pages of the console by path and returns the faults of each, by name. Expects none to be loaded in the wrong
 * direction of text. The first page leads to the others, since most of the time of opening a page is spent on loading
 * the console. `find` is `misfits` for a look whose pages axe examines in another one.
 */
export async function faultsOfPages(
  look: Look,
  paths: Record<string, string>,
  { session, url, find = faults }: { session?: string | null; url?: string; find?: typeof faults } = {},
): Promise<Record<string, string[]>> {
  const page = await consolePage(look, session, url)
  const found: Record<string, string[]> = {}
  for (const [index, [name, path]] of Object.entries(paths).entries()) {
    if (index === 0) await page.goto(path)
    else await navigate(page, path)
    await settled(page)
    await picture(page, `${name}.${look.language}.${look.scheme}.${look.device}`)
    expect(await page.locator('html').getAttribute('dir')).toBe(look.language === 'ar' ? 'rtl' : 'ltr')
    const here = await find(page)
    if (here.length > 0) found[name] = here
  }
  return found
}

/** Navigates within the loaded console. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(async (path) => {
    type Root = { __vue_app__: { config: { globalProperties: { $router: { push(to: string): Promise<unknown> } } } } }
    const { $router } = (document.querySelector('#app') as unknown as Root).__vue_app__.config.globalProperties
    // A page that differs only in its query would otherwise keep its state.
    await $router.push('/nowhere')
    await $router.push(`/${path}`)
  }, path)
}

/** Selects an option of a field by the field's name. */
export async function choose(page: Page, name: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await openMenu(page).getByRole('option', { name: option }).click()
}

/** Locates the list of a menu or field that is open. */
export function openMenu(page: Page): Locator {
  return page.locator('.popup')
}
