import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startChromium } from '../../../e2e/chromium.ts'

/** Starts one browser for all tests of a file. */
export function withBrowser(): () => Browser {
  let browser: Browser | undefined
  let close = async () => {}
  beforeAll(async () => {
    const server = await startChromium()
    close = () => server.close()
    browser = await chromium.connect(server.wsEndpoint())
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await close()
  })
  return () => browser!
}
