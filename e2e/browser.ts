import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { test } from 'vitest'
import { minute } from '../packages/contract/src/time.ts'
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

let browser: Browser

/** Creates a browser context that is closed after the last test of the current file. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  afterFile(() => context.close())
  // Ends a test that hangs, not one on a busy machine.
  context.setDefaultTimeout(2 * minute)
  return context
}

/** A page that tests use one after the other. */
export interface LentPage {
  page: Page
  /**
   * Keeps the page for a later test. Not for a page whose context has been changed in a way that `reset` does not undo,
   * such as by permissions or an init script: close that context instead.
   */
  giveBack(): Promise<void>
}

interface KeptPage {
  page: Page
  options: BrowserContextOptions
  session: CDPSession
  /** Origins whose documents the page has shown since it was lent. */
  origins: Set<string>
}

/** Pages that no test uses, by the options of their contexts. */
const keptPages = new Map<string, KeptPage[]>()

/**
 * Lends a page in a context of its own. It shows no document and has no history, storage, routes or listeners of
 * earlier tests, but their HTTP cache and their renderer, which has compiled the scripts of the pages: it opens them in
 * half the processor time that a new context needs. `isNew` demands a new context.
 */
export async function lendPage(options: BrowserContextOptions, isNew = false): Promise<LentPage> {
  const key = JSON.stringify(options)
  let pages = keptPages.get(key)
  if (!pages) {
    pages = []
    keptPages.set(key, pages)
    afterFile(() => keptPages.delete(key))
  }
  const kept = (isNew ? undefined : pages.pop()) ?? (await openPage(options))
  const { page, origins } = kept
  page.on('framenavigated', (frame) => {
    // A frame that is still loading has no address.
    if (URL.canParse(frame.url())) origins.add(new URL(frame.url()).origin)
  })
  return {
    page,
    async giveBack() {
      await reset(kept)
      pages.push(kept)
    },
  }
}

async function openPage(options: BrowserContextOptions): Promise<KeptPage> {
  const context = await newContext(options)
  const page = await context.newPage()
  return { page, options, session: await context.newCDPSession(page), origins: new Set() }
}

/** Undoes what a test did with a page. */
async function reset({ page, options, session, origins }: KeptPage): Promise<void> {
  const context = page.context()
  // A frame with an opaque origin has no storage.
  for (const frame of page.frames()) await frame.evaluate(() => sessionStorage.clear()).catch(() => {})
  for (const event of ['console', 'framenavigated', 'pageerror', 'request', 'response'] as const)
    page.removeAllListeners(event)
  await page.unrouteAll()
  for (const button of ['left', 'right'] as const) await page.mouse.up({ button })
  await page.goto('about:blank')
  await session.send('Page.resetNavigationHistory')
  for (const origin of origins)
    if (origin !== 'null') await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  origins.clear()
  await context.clearCookies()
  await page.setViewportSize(options.viewport!)
  await page.emulateMedia({ colorScheme: options.colorScheme ?? null, reducedMotion: options.reducedMotion ?? null })
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from a pattern.
const inWorker = test.extend('launched', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const launched = await launchChromium()
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
