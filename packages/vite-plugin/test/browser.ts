import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchChromium } from '../../../e2e/chromium.ts'

/** Starts one browser for all tests of a file. */
export function withBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await launchChromium()
  }, 120_000)
  afterAll(() => browser?.close())
  return () => browser!
}
