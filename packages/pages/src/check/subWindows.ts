import { projectPath } from '../files.ts'
import { objectOf, type PageEntry } from '../model.ts'
import { type ObjectNode, propertyOf, type StringNode, textOf, valueAt } from '../parse/nodes.ts'
import { at, type Context, type PageCheck } from './context.ts'

/** The sub-windows of a page: a list of them, or a single object. */
function subWindowsOf(style: ObjectNode | undefined): readonly ObjectNode[] {
  const value = valueAt(objectOf(style, 'app-plus'), 'subNVues')
  if (value?.kind === 'object') return [value]
  return value?.kind === 'list' ? value.items.filter((item): item is ObjectNode => item.kind === 'object') : []
}

/** §2.8: the ids of sub-windows are unique in the whole project. */
export function checkSubWindowIds({ model, report }: Context): void {
  const seen = new Map<string, StringNode>()
  const look = (style: ObjectNode | undefined) => {
    for (const window of subWindowsOf(style)) {
      const id = textOf(window, 'id')
      if (id === undefined || id.value === '') continue
      const first = seen.get(id.value)
      if (first === undefined) seen.set(id.value, id)
      else {
        report({
          code: 'sub-window-id',
          ...at(id),
          message: `Another sub-window is called "${id.value.slice(0, 60)}" already: ids are unique in the whole project (§2.8).`,
          related: [{ ...at(first), message: 'It is used here first.' }],
        })
      }
    }
  }
  look(model.globalStyle)
  for (const { style } of model.pages) look(style)
}

/** What is said about each sub-window by itself. */
export const checkSubWindows: PageCheck = (context) => (style, page) => {
  for (const window of subWindowsOf(style)) {
    checkSubWindowParts(context, window)
    if (page) checkSubWindowPath(context, page, textOf(window, 'path'))
    checkSubWindowOffsets(context, window)
  }
}

/** §2.8: without an id it cannot be found, and without a path there is nothing to show. */
function checkSubWindowParts({ report }: Context, window: ObjectNode): void {
  for (const key of ['id', 'path']) {
    const property = propertyOf(window, key)
    if (property && textOf(window, key)?.value !== '') continue
    const why = key === 'id' ? 'neu.getSubNVueById cannot find it' : 'it has nothing to show'
    report({
      code: 'sub-window-incomplete',
      ...(property ? at(property.value) : { offset: window.offset, length: 1 }),
      message: `This sub-window has no "${key}": ${why} (§2.8).`,
    })
  }
}

/** §2.8: the file is an nvue one, in the folder of the page that uses it. */
function checkSubWindowPath(
  { files, report }: Context,
  { path: pagePath, root }: PageEntry,
  node: StringNode | undefined,
): void {
  if (node === undefined || node.value === '') return
  const written = projectPath(node.value).replace(/\.nvue$/, '')
  const folder = pagePath.slice(0, pagePath.lastIndexOf('/') + 1)
  // In a subpackage paths may start at its root, as those of its pages do.
  const candidates = root === undefined ? [written] : [written, `${projectPath(root).replace(/\/$/, '')}/${written}`]
  if (/\.vue$/.test(node.value)) {
    report({ code: 'sub-window-path', ...at(node), message: 'A sub-window is an nvue file, not a .vue one (§2.8).' })
  } else if (!candidates.some((path) => path.startsWith(folder))) {
    report({
      code: 'sub-window-path',
      ...at(node),
      message: `The file of a sub-window stands in the folder of its page (§2.8), here "${folder.slice(0, 100)}".`,
    })
  }
  if (files && !candidates.some((path) => files.exists(`${path}.nvue`))) {
    report({
      code: 'sub-window-file-missing',
      ...at(node),
      message: `There is no file "${written.slice(0, 120)}.nvue" for this sub-window: create it, or correct the path.`,
    })
  }
}

/** §2.8: which offsets count, and that any of them beats `margin`. */
function checkSubWindowOffsets({ report }: Context, window: ObjectNode): void {
  const style = objectOf(window, 'style')
  const isSet = (key: string) => valueAt(style, key) !== undefined && valueAt(style, key)?.kind !== 'null'
  const ignore = (key: string, why: string) => {
    const property = propertyOf(style, key)
    if (property && isSet(key))
      report({ code: 'key-no-effect', ...at(property.key), message: `"${key}" has no effect here: ${why} (§2.8).` })
  }
  if (isSet('top') && isSet('height')) ignore('bottom', '"top" and "height" are both set')
  if (isSet('left') && isSet('width')) ignore('right', '"left" and "width" are both set')
  const offset = ['left', 'right', 'top', 'bottom'].find(isSet)
  if (offset) ignore('margin', `"${offset}" is set and comes before it`)
}
