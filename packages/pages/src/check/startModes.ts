import { trimPath } from '../model.ts'
import { itemsOf, textOf, valueAt } from '../parse/nodes.ts'
import { at, type Context } from './context.ts'

/** §2.15: `current` is an index of `list`. An empty list with 0 is how templates switch start modes off. */
export function checkCurrentMode({ model, report }: Context): void {
  const current = valueAt(model.condition, 'current')
  const list = valueAt(model.condition, 'list')
  if (current?.kind !== 'number' || list?.kind !== 'list') return
  const count = list.items.length
  if (current.value < count || (current.value === 0 && count === 0)) return
  const allowed =
    count === 0 ? 'The list is empty' : count === 1 ? 'Its only index is 0' : `Its indexes are 0 to ${count - 1}`
  report({
    code: 'condition-current',
    ...at(current),
    message: `"list" has no entry ${current.value}, so that no start mode is used (§2.15). ${allowed}.`,
  })
}

/** §2.15: a start mode opens a page of the file; an empty path means the launch page. */
export function checkModePages({ model, report, suggest }: Context): void {
  for (const mode of itemsOf(model.condition, 'list')) {
    const path = textOf(mode, 'path')
    if (path === undefined || path.value.trim() === '') continue
    const wanted = trimPath(path.value.split('?')[0]!)
    if (model.byPath.has(wanted)) continue
    const meant = suggest(wanted, model.byPath)
    const query = path.value.includes('?') ? path.value.slice(path.value.indexOf('?')) : ''
    report({
      code: 'condition-page-unknown',
      ...at(path),
      message: `The page "${wanted.slice(0, 120)}" is not in "pages", so that this start mode opens nothing (§2.15)${meant ? `. Did you mean "${meant}"?` : '.'}`,
      ...(meant && {
        fix: { title: `Write "${meant}"`, edits: [{ ...at(path), text: JSON.stringify(meant + query) }] },
      }),
    })
  }
}
