import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = join(import.meta.dirname, 'screenshots')

/**
 * Saves a screenshot for manual review in a folder that is not committed. Only with `SOUK_SCREENSHOTS=on`, because
 * drawing them costs the tests minutes.
 *
 * @param name path in the folder, without extension
 */
export async function saveScreenshot(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (process.env.SOUK_SCREENSHOTS !== 'on') return
  const path = join(folder, `${name}.png`)
  await mkdir(dirname(path), { recursive: true })
  await page.screenshot({ path, fullPage, animations: 'disabled' })
}
