import { customTabBar, pageFile } from '../files.ts'
import { trimPath } from '../model.ts'
import { propertyOf, textOf, valueAt } from '../parse/nodes.ts'
import { fitsMidButton } from '../resolve/resolve.ts'
import { at, type Context } from './context.ts'

/** Checks that there are 2 to 5 tabs (pages-json §2.7). */
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
    message: `A tab bar has at least 2 and at most 5 tabs (pages-json §2.7); this one has ${count}. ${advice}`,
  })
}

/** Checks that `custom` and the component that replaces the tab bar come together. */
export function checkCustomTabBar({ model, files, report }: Context): void {
  const { tabBar } = model
  if (tabBar === undefined) return
  const property = propertyOf(tabBar, 'custom')
  const isCustom = property?.value.kind === 'boolean' && property.value.value
  const file = files && pageFile(files, customTabBar)
  const add = (message: string) =>
    report({ code: 'tab-bar-custom', ...at(property?.key ?? propertyOf(model.root, 'tabBar')!.key), message })
  if (property !== undefined && property.value.kind !== 'boolean')
    add('"custom" takes true or false: the tab bar of pages.json is drawn.')
  else if (isCustom && files && !file)
    add(`"custom" needs ${customTabBar}.vue, which does not exist: the tab bar of pages.json is drawn.`)
  else if (!isCustom && file) add(`${file} is not used: it replaces the tab bar with "custom": true.`)
}

/** Checks that tabs open different pages, all of them in `pages` (pages-json §2.7). */
export function checkTabPages({ model, report, suggest }: Context): void {
  const seen = new Map<string, ReturnType<typeof textOf>>()
  for (const tab of model.tabs) {
    const path = textOf(tab, 'pagePath')
    if (path === undefined) continue
    const tabPath = trimPath(path.value)
    if (!model.byPath.has(tabPath)) {
      const suggestion = suggest(tabPath, model.byPath)
      report({
        code: 'tab-page-unknown',
        ...at(path),
        message: `The page of this tab, "${path.value.slice(0, 120)}", is not in "pages" (pages-json §2.7). ${suggestion ? `Did you mean "${suggestion}"?` : 'Add it, or correct the path.'}`,
        ...(suggestion && {
          fix: { title: `Write "${suggestion}"`, edits: [{ ...at(path), text: JSON.stringify(suggestion) }] },
        }),
      })
      continue
    }
    if (tabPath !== path.value) {
      const fix = { title: `Write "${tabPath}"`, edits: [{ ...at(path), text: JSON.stringify(tabPath) }] }
      report({
        code: 'page-path-form',
        ...at(path),
        message: `"pages" lists this page as "${tabPath}": write it the same way here.`,
        fix,
      })
    }
    const first = seen.get(tabPath)
    if (first) {
      report({
        code: 'tab-page-duplicate',
        ...at(path),
        message: `Another tab already opens "${tabPath}", so the two cannot be distinguished.`,
        related: [{ ...at(first), message: 'This tab opens the page.' }],
      })
    } else {
      seen.set(tabPath, path)
    }
  }
}

/** Reports images that a font icon overrides in newer versions (pages-json §2.7). */
export function checkTabIcons({ model, report }: Context): void {
  const midButton = valueAt(model.tabBar, 'midButton')
  for (const owner of [...model.tabs, ...(midButton ? [midButton] : [])]) {
    const font = valueAt(owner, 'iconfont')
    const image = propertyOf(owner, 'iconPath')
    if (textOf(font, 'text') === undefined || font === undefined || image === undefined) continue
    report(
      {
        code: 'tab-icon-font',
        ...at(image.key),
        message: 'From App 3.4.4 on, the font icon overrides this image (pages-json §2.7).',
        related: [{ ...at(font), message: 'The font icon is set here.' }],
      },
      ['App'],
    )
  }
}

/** Checks that a middle button has an even number of tabs and no page (pages-json §2.7). */
export function checkMidButton({ model, report }: Context): void {
  const button = propertyOf(model.tabBar, 'midButton')
  const list = valueAt(model.tabBar, 'list')
  if (button === undefined) return
  if (list?.kind === 'list' && !fitsMidButton(list.items.length)) {
    report({
      code: 'mid-button-odd',
      ...at(button.key),
      message: `The middle button is not shown: it needs an even number of tabs (pages-json §2.7), but there are ${list.items.length}.`,
    })
  }
  const page = propertyOf(button.value, 'pagePath')
  if (page) {
    report({
      code: 'mid-button-page',
      ...at(page.key),
      message:
        'The middle button cannot open a page: handle its click with neu.onTabBarMidButtonTap (pages-json §2.7).',
    })
  }
}
