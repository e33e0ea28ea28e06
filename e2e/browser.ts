import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { onTestFinished, TestRunner, test } from 'vitest'
import { minute, second } from '../packages/contract/src/time.ts'
import { launchChromium } from './chromium.ts'

/**
 * The test files of a worker share its modules and its browser. A fixture keeps what any file may use again, such as a
 * build, in variables of its module. What it opens for one file, it ends with `afterFile`.
 */

const endings: (() => unknown)[] = []

/** Calls `end` after the last test of the current file, the latest one first. */
export function afterFile(end: () => unknown): void {
  endings.push(end)
}

/** Calls `end` after the current test; after the current file if no test is running or others run at the same time. */
export function afterTest(end: () => unknown): void {
  const current = TestRunner.getCurrentTest()
  if (current && !current.concurrent) onTestFinished(async () => void (await end()))
  else afterFile(end)
}

let browser: Browser

/** Creates a browser context that is closed after the last test of the current file. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await openContext(options)
  afterFile(() => context.close())
  return context
}

async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  // Ends a test that hangs, not one on a busy machine.
  context.setDefaultTimeout(2 * minute)
  return context
}

/** A page that tests use one after the other. */
interface LentPage {
  page: Page
  /**
   * Keeps the page for a later test, unless it is closed or has a clock. Not for a page that has been changed in a way
   * that `reset` does not undo, such as by an init script: close its context instead.
   */
  giveBack(): Promise<void>
}

interface KeptPage {
  /** Options that cannot be changed later, as JSON. */
  key: string
  page: Page
  options: BrowserContextOptions
  session: CDPSession
  /** Origins whose documents the page has shown since it was lent. */
  origins: Set<string>
}

/** Pages that no test uses, the latest one last. Each takes a renderer. */
const keptPages: KeptPage[] = []
const maxKeptPages = 6

/**
 * Lends a page in its own context until the end of the file. It shows no document and has no history, storage,
 * routes or listeners of earlier tests, but their HTTP cache and their renderer, which has compiled the scripts of the
 * pages: it opens them in half the processor time that a new context needs. `stored` are entries of localStorage.
 * `opaque` are origins whose documents are shown in sandboxed frames only, which have no storage.
 */
export async function lendPage(
  options: BrowserContextOptions,
  stored: Record<string, string> = {},
  opaque: readonly string[] = [],
): Promise<LentPage> {
  const { viewport, colorScheme, reducedMotion, ...fixed } = options
  const key = JSON.stringify([fixed, stored])
  const kept = (await takeKept(key)) ?? (await openPage(key, options, stored))
  const { page, origins } = kept
  await page.setViewportSize(viewport!)
  await page.emulateMedia({ colorScheme: colorScheme ?? null, reducedMotion: reducedMotion ?? null })
  const context = page.context()
  let isLent = true
  afterFile(() => (isLent ? context.close() : undefined))
  page.on('framenavigated', (frame) => {
    // A frame that is still loading has no address.
    if (!URL.canParse(frame.url())) return
    const { origin } = new URL(frame.url())
    if (!opaque.includes(origin)) origins.add(origin)
  })
  return {
    page,
    async giveBack() {
      if (!isLent || page.isClosed()) return
      isLent = false
      if (!(await tryReset(kept))) return context.close()
      keptPages.push(kept)
      if (keptPages.length > maxKeptPages) await keptPages.shift()!.page.context().close()
    },
  }
}

/** Takes a kept page of these options whose service workers answer. */
async function takeKept(key: string): Promise<KeptPage | undefined> {
  for (;;) {
    const index = keptPages.findLastIndex((kept) => kept.key === key)
    if (index < 0) return undefined
    const kept = keptPages.splice(index, 1)[0]!
    const context = kept.page.context()
    if (await doWorkersAnswer(context)) return kept
    await context.close()
  }
}

/**
 * Returns whether the service workers of a context answer. One that is removed while it starts, as when a test ends at
 * that moment, can leave a target that never does, for which `setOffline` would wait forever.
 */
async function doWorkersAnswer(context: BrowserContext): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), 10 * second)
  const answered = Promise.all(context.serviceWorkers().map((worker) => worker.evaluate(() => true)))
  const doAnswer = await Promise.race([answered.then(() => true), late]).catch(() => false)
  clearTimeout(timer)
  return doAnswer
}

async function openPage(
  key: string,
  options: BrowserContextOptions,
  stored: Record<string, string>,
): Promise<KeptPage> {
  const context = await openContext(options)
  if (Object.keys(stored).length > 0) await storeIn(context, stored)
  const page = await context.newPage()
  return { key, page, options, session: await context.newCDPSession(page), origins: new Set() }
}

/** Lets each document of a context start with these entries of localStorage, unless it has changed them. */
async function storeIn(context: BrowserContext, stored: Record<string, string>): Promise<void> {
  await context.addInitScript((entries) => {
    // Mini apps have an opaque origin without storage.
    if (window.origin === 'null') return
    for (const [key, text] of entries) localStorage.setItem(key, localStorage.getItem(key) ?? text)
  }, Object.entries(stored))
}

/** Stores entries in localStorage before the page shows a document of the origin. `document` is one without scripts. */
export async function storeBefore(page: Page, document: string, stored: Record<string, string>): Promise<void> {
  await page.goto(document)
  await page.evaluate((entries) => {
    for (const [key, text] of entries) localStorage.setItem(key, text)
  }, Object.entries(stored))
}

/** Holds the requests of a page to these addresses until the returned function is called. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Undoes what a test did with a page. Returns false if that is not possible. */
async function tryReset(kept: KeptPage): Promise<boolean> {
  // A clock of Playwright stays in its context: the timers of all later documents would wait for it.
  if (!(await kept.page.evaluate(() => String(setTimeout).includes('[native code]')).catch(() => false))) return false
  // Only documents that are shown can clear their sessionStorage.
  if ([...kept.origins].filter((origin) => origin !== 'null').length > 1) return false
  return reset(kept).then(
    () => true,
    () => false,
  )
}

async function reset({ page, options, session, origins }: KeptPage): Promise<void> {
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  // A frame with an opaque origin has no storage.
  for (const frame of page.frames()) await frame.evaluate(() => sessionStorage.clear()).catch(() => {})
  for (const event of [
    'console',
    'dialog',
    'framenavigated',
    'pageerror',
    'request',
    'requestfailed',
    'response',
  ] as const)
    page.removeAllListeners(event)
  for (const event of ['page', 'request'] as const) context.removeAllListeners(event)
  // A handler may still be reading a file that the page loads ahead.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.setGeolocation(null)
  await context.clearPermissions()
  if (options.permissions) await context.grantPermissions(options.permissions)
  for (const button of ['left', 'right'] as const) await page.mouse.up({ button })
  await page.goto('about:blank')
  await session.send('Page.resetNavigationHistory')
  for (const origin of origins)
    if (origin !== 'null') await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  origins.clear()
  await context.clearCookies()
  await page.emulateMedia({ media: null, forcedColors: null, contrast: null })
}

// Pages live too briefly to earn back what optimizing their scripts costs: a sixth of the processor time.
const jsFlags = '--js-flags=--no-opt,--no-maglev,--single-threaded-gc,--max-lazy'

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from a pattern.
const inWorker = test.extend('launched', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const launched = await launchChromium([jsFlags])
  onCleanup(() => launched.close())
  return launched
})

/** Registers the hooks of a test file. */
export function registerHooks(): void {
  inWorker.beforeAll(({ launched }) => {
    browser = launched
  })
  inWorker.afterAll(async () => {
    for (const end of endings.splice(0).reverse()) await end()
  })
}
