import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Axe = Pick<typeof axe, 'run'>
type Rules = { tags?: string[]; within?: string }

/** Tags of the rules of WCAG 2.2, levels A and AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Returns the rules that a page violates: all or those with one of `tags`, in the page or in one element. Frames are
 * not checked.
 *
 * `@axe-core/playwright` would load axe twice per check, and a separate page, which takes longer than the check.
 */
export async function violationsOf(page: Page, { tags, within }: Rules = {}): Promise<axe.Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe.source}; undefined`)
  return await page.evaluate(
    async ([within, tags]) => {
      const { axe } = window as unknown as { axe: Axe }
      const { violations } = await axe.run(within ?? document, {
        ...(tags && { runOnly: { type: 'tag', values: tags } }),
        resultTypes: ['violations'],
        iframes: false,
      })
      return violations
    },
    [within, tags] as const,
  )
}
