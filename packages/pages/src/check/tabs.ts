import { trimPath } from '../model.ts'
import { propertyOf, textOf, valueAt } from '../parse/nodes.ts'
import { at, type Context } from './context.ts'

/** §2.7: at least 2 and at most 5 tabs. */
export function checkTabCount({ model, report }: Context): void {
  const list = valueAt(model.tabBar, 'list')
  if (list?.kind !== 'list') return
  const count = list.items.length
  if (count >= 2 && count <= 5) return
  const key = propertyOf(model.tabBar, 'list')!.key
  const advice = count < 2 ? 'Add a tab, or remove the tab bar.' : `Remove ${count - 5 === 1 ? 'one' : count - 5}.`
  report({
    code: 'tab-count',
    ...at(key),
    message: `A tab bar has at least 2 and at most 5 tabs (§2.7); this one has ${count}. ${advice}`,
  })
}

/** §2.7: the page of a tab is defined in `pages`. */
export function checkTabPages({ model, report, suggest }: Context): void {
  const seen = new Map<string, ReturnType<typeof textOf>>()
  for (const tab of model.tabs) {
    const path = textOf(tab, 'pagePath')
    if (path === undefined) continue
    const wanted = trimPath(path.value)
    if (!model.byPath.has(wanted)) {
      const meant = suggest(wanted, model.byPath)
      report({
        code: 'tab-page-unknown',
        ...at(path),
        message: `The page "${path.value.slice(0, 120)}" is not in "pages", where a tab's page has to be (§2.7)${meant ? `. Did you mean "${meant}"?` : ': add it, or correct the path.'}`,
        ...(meant && { fix: { title: `Write "${meant}"`, edits: [{ ...at(path), text: JSON.stringify(meant) }] } }),
      })
      continue
    }
    if (wanted !== path.value) {
      const fix = { title: `Write "${wanted}"`, edits: [{ ...at(path), text: JSON.stringify(wanted) }] }
      report({
        code: 'page-path-form',
        ...at(path),
        message: `"pages" has this page as "${wanted}": write it the same way here.`,
        fix,
      })
    }
    const first = seen.get(wanted)
    if (first) {
      report({
        code: 'tab-page-duplicate',
        ...at(path),
        message: `Another tab opens "${wanted}" already: the two cannot be told apart.`,
        related: [{ ...at(first), message: 'It is the page of this tab.' }],
      })
    } else {
      seen.set(wanted, path)
    }
  }
}

/** §2.7: a font icon takes precedence over an image; the versions that know it are newer than the image. */
export function checkTabIcons({ model, report }: Context): void {
  const midButton = valueAt(model.tabBar, 'midButton')
  for (const holder of [...model.tabs, ...(midButton ? [midButton] : [])]) {
    const font = valueAt(holder, 'iconfont')
    const image = propertyOf(holder, 'iconPath')
    if (textOf(font, 'text') === undefined || font === undefined || image === undefined) continue
    report(
      {
        code: 'tab-icon-font',
        ...at(image.key),
        message: 'From App 3.4.4 on the font icon takes the place of this image (§2.7).',
        related: [{ ...at(font), message: 'The font icon is set here.' }],
      },
      ['App'],
    )
  }
}

/** §2.7: a middle button needs an even number of tabs around it, and has no page. */
export function checkMidButton({ model, report }: Context): void {
  const button = propertyOf(model.tabBar, 'midButton')
  const list = valueAt(model.tabBar, 'list')
  if (button === undefined) return
  if (list?.kind === 'list' && list.items.length % 2 === 1) {
    report({
      code: 'mid-button-odd',
      ...at(button.key),
      message: `The middle button is not shown: it needs an even number of tabs (§2.7), and there are ${list.items.length}.`,
    })
  }
  const page = propertyOf(button.value, 'pagePath')
  if (page) {
    report({
      code: 'mid-button-page',
      ...at(page.key),
      message: 'The middle button has no page: handle its click with neu.onTabBarMidButtonTap (§2.7).',
    })
  }
}
