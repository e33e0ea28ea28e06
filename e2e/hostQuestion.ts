import type { Page } from 'playwright-core'

/** Waits until the open question of the host takes input, if there is one. */
export async function takesInput(page: Page): Promise<void> {
  await page.locator('.sheet-waiting').waitFor({ state: 'detached' })
}

/** Presses Escape when the open question of the host takes input. */
export async function pressEscape(page: Page): Promise<void> {
  await takesInput(page)
  await page.keyboard.press('Escape')
}
