import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
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
