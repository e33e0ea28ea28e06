import { trimPath } from '../model.ts'
import { itemsOf, textOf, valueAt } from '../parse/nodes.ts'
import { at, type Context } from './context.ts'

/**
 * Checks that `current` is an index of `list` (pages-json §2.15). Templates disable start modes with 0 and an empty
 * list.
 */
export function checkCurrentMode({ model, report }: Context): void {
  const current = valueAt(model.condition, 'current')
  const list = valueAt(model.condition, 'list')
  if (current?.kind !== 'number' || list?.kind !== 'list') return
  const count = list.items.length
  if (current.value < count || (current.value === 0 && count === 0)) return
  const allowed =
    count === 0 ? 'the list is empty' : count === 1 ? 'the only index is 0' : `indexes are 0 to ${count - 1}`
  report({
    code: 'condition-current',
    ...at(current),
    message: `"list" has no entry ${current.value}, so no start mode is used (pages-json §2.15): ${allowed}.`,
  })
}

/** Checks that a start mode opens a page of the file (pages-json §2.15). An empty path means the launch page. */
export function checkModePages({ model, report, suggest }: Context): void {
  for (const mode of itemsOf(model.condition, 'list')) {
    const path = textOf(mode, 'path')
    if (path === undefined || path.value.trim() === '') continue
    const pagePath = trimPath(path.value.split('?')[0]!)
    if (model.byPath.has(pagePath)) continue
    const suggestion = suggest(pagePath, model.byPath)
    const query = path.value.includes('?') ? path.value.slice(path.value.indexOf('?')) : ''
    report({
      code: 'condition-page-unknown',
      ...at(path),
      message: `The page "${pagePath.slice(0, 120)}" is not in "pages", so this start mode opens nothing (pages-json §2.15).${suggestion ? ` Did you mean "${suggestion}"?` : ''}`,
      ...(suggestion && {
        fix: { title: `Write "${suggestion}"`, edits: [{ ...at(path), text: JSON.stringify(suggestion + query) }] },
      }),
    })
  }
}
