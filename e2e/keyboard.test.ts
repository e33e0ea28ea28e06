import { expect, inject, test } from 'vitest'
import { consolePage, settled, type WatchedPage } from './console.ts'

const { projectId, appid, trades } = inject('fixture')
const project = `projects/${projectId}`

/** The main pages of the console. */
const paths = [
  '',
  project,
  `${project}/apps`,
  `${project}/apps/${appid}`,
  `${project}/apps/${appid}/settings`,
  `${project}/apps/${appid}/releases`,
  `${project}/trades`,
  `${project}/trades/${trades.paid}`,
  `${project}/money`,
  `${project}/providers`,
  `${project}/callbacks`,
  `${project}/messages`,
  `${project}/requests`,
  `${project}/sandbox`,
  `${project}/datasets`,
  `${project}/members`,
  `${project}/settings`,
  `${project}/audit`,
  'reviews',
  'users',
  'accounts',
  'platform',
  'platform?view=users',
  'platform?view=operators',
  'platform?view=messages',
  'platform?view=danger',
  'reference',
  'profile',
]

/** Numbers the visible links and controls that Tab has to reach, and returns their texts. */
function numberControls(page: WatchedPage): Promise<string[]> {
  return page.evaluate(() => {
    const selector =
      'a[href], button, input, select, textarea, summary, [contenteditable=true], [tabindex], [role=button], [role=link], [role=switch]'
    const found = [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => {
      if (element.matches(':disabled, [aria-disabled=true]:not(button), [type=hidden]')) return false
      if (element.closest('[inert], [aria-hidden=true]')) return false
      // Arrow keys move inside these; Tab reaches the selected element only.
      if (element.matches('[role=tablist], [role=tab][aria-selected=false], [role=option], [role=menuitem]'))
        return false
      // Opens the list of a field by mouse; the arrow keys do in the field.
      if (element.matches('.field [tabindex="-1"][aria-haspopup=listbox]')) return false
      if (element.matches('[type=radio]')) {
        const { name, checked } = element as HTMLInputElement
        const others = [...document.querySelectorAll<HTMLInputElement>('[type=radio]')].filter(
          (one) => one.name === name,
        )
        if (!checked && (others.some((one) => one.checked) || others[0] !== element)) return false
      }
      // Focused by scripts only, such as the heading after a navigation.
      if (element.matches('[tabindex="-1"]') && !element.matches('a, button, input, select, textarea')) return false
      return element.checkVisibility({ visibilityProperty: true })
    })
    return found.map((element, index) => {
      element.dataset.control = String(index)
      return element.outerHTML.replace(/<svg.*?<\/svg>/gs, '').slice(0, 240)
    })
  })
}

/** Describes the focused element: its number, and false if nothing shows that it has the focus. */
function focusedControl(page: WatchedPage): Promise<{ control: string | undefined; ring: boolean; html: string }> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const hasOutline = (style: CSSStyleDeclaration) =>
      style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1
    // Fields show the focus around their box.
    const drawn = [element, element.closest('.field .box')].filter((each) => each instanceof Element)
    const ring = drawn.some(
      (each) => hasOutline(getComputedStyle(each)) || hasOutline(getComputedStyle(each, '::after')),
    )
    return { control: element.dataset.control, ring, html: element.outerHTML.slice(0, 240) }
  })
}

test.each(paths)('Tab reaches every link and control of /%s, and shows the focus', async (path) => {
  const page = await consolePage()
  await page.goto(path)
  await settled(page)
  const controls = await numberControls(page)
  const reached = new Set<string>()
  const ringless = new Set<string>()
  await page.locator('body').evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  for (let step = 0; step < controls.length * 2 + 20; step += 1) {
    await page.keyboard.press('Tab')
    const { control, ring, html } = await focusedControl(page)
    if (control !== undefined && reached.has(control)) break
    if (html.startsWith('<body')) break
    if (control !== undefined) reached.add(control)
    if (!ring) ringless.add(html)
  }
  // Other tests of this server add entries to live lists, which drop their last ones.
  const present = await page
    .locator('[data-control]')
    .evaluateAll((elements) => elements.map((element) => (element as HTMLElement).dataset.control))
  const missed = controls.filter((_, index) => present.includes(String(index)) && !reached.has(String(index)))
  expect({ missed, ringless: [...ringless] }).toEqual({ missed: [], ringless: [] })
})
