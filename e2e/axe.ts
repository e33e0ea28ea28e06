import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

type Axe = Pick<typeof axe, 'run'>
type Rules = { tags?: string[]; within?: string }

/** Tags of the rules of WCAG 2.2, levels A and AA. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The minified axe. With escapes, V8 stores and parses it as one byte per character. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').replace(
  /[^\0-\x7f]/g,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
)

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/**
 * Loads axe into the document. `page.evaluate` would pass the source as an argument and call `eval`, which takes three
 * times the processor time.
 */
async function loadAxe(page: Page): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  await (await session).send('Runtime.evaluate', { expression: `${source}; undefined` })
}

/**
 * Returns the rules that a page violates: all or those with one of `tags`, in the page or in one element. Frames are
 * not checked.
 *
 * `@axe-core/playwright` would load axe twice per check, and a separate page, which takes longer than the check.
 */
export async function violationsOf(page: Page, { tags, within }: Rules = {}): Promise<axe.Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await loadAxe(page)
  return await page.evaluate(
    async ([within, tags]) => {
      const { axe } = window as unknown as { axe: Axe }
      const { violations } = await axe.run(within ?? document, {
        ...(tags && { runOnly: { type: 'tag', values: tags } }),
        resultTypes: ['violations'],
        iframes: false,
        // Only experimental rules, which are off, need the style sheets: axe would parse them in every run.
        preload: { assets: ['media'] },
      })
      return violations
    },
    [within, tags] as const,
  )
}
