import { projectPath } from '../files.ts'
import { objectOf, type PageEntry } from '../model.ts'
import { type ObjectNode, propertyOf, type StringNode, textOf, valueAt } from '../parse/nodes.ts'
import { at, type Context, type PageCheck } from './context.ts'

/** Returns the sub-windows of a page, given as a list or as a single object. */
function subWindowsOf(style: ObjectNode | undefined): readonly ObjectNode[] {
  const value = valueAt(objectOf(style, 'app-plus'), 'subNVues')
  if (value?.kind === 'object') return [value]
  return value?.kind === 'list' ? value.items.filter((item): item is ObjectNode => item.kind === 'object') : []
}

/** Checks that the ids of sub-windows are unique in the project (pages-json §2.8). */
export function checkSubWindowIds({ model, report }: Context): void {
  const seen = new Map<string, StringNode>()
  const checkStyle = (style: ObjectNode | undefined) => {
    for (const window of subWindowsOf(style)) {
      const id = textOf(window, 'id')
      if (id === undefined || id.value === '') continue
      const first = seen.get(id.value)
      if (first === undefined) seen.set(id.value, id)
      else {
        report({
          code: 'sub-window-id',
          ...at(id),
          message: `Another sub-window already has the id "${id.value.slice(0, 60)}": ids must be unique in the whole project (pages-json §2.8).`,
          related: [{ ...at(first), message: 'The id is first used here.' }],
        })
      }
    }
  }
  checkStyle(model.globalStyle)
  for (const { style } of model.pages) checkStyle(style)
}

/** Checks each sub-window. */
export const checkSubWindows: PageCheck = (context) => (style, page) => {
  for (const window of subWindowsOf(style)) {
    checkSubWindowParts(context, window)
    if (page) checkSubWindowPath(context, page, textOf(window, 'path'))
    checkSubWindowOffsets(context, window)
  }
}

/** Checks that a sub-window has an id and a path (pages-json §2.8). */
function checkSubWindowParts({ report }: Context, window: ObjectNode): void {
  for (const key of ['id', 'path']) {
    const property = propertyOf(window, key)
    if (property && textOf(window, key)?.value !== '') continue
    const why = key === 'id' ? 'neu.getSubNVueById cannot find it' : 'it has no content'
    report({
      code: 'sub-window-incomplete',
      ...(property ? at(property.value) : { offset: window.offset, length: 1 }),
      message: `This sub-window has no "${key}": ${why} (pages-json §2.8).`,
    })
  }
}

/** Checks that a sub-window is an nvue file in the folder of its page (pages-json §2.8). */
function checkSubWindowPath(
  { files, report }: Context,
  { path: pagePath, root }: PageEntry,
  node: StringNode | undefined,
): void {
  if (node === undefined || node.value === '') return
  const written = projectPath(node.value).replace(/\.nvue$/, '')
  const folder = pagePath.slice(0, pagePath.lastIndexOf('/') + 1)
  // In a subpackage, paths may be relative to its root, like those of its pages.
  const candidates = root === undefined ? [written] : [written, `${projectPath(root).replace(/\/$/, '')}/${written}`]
  if (/\.vue$/.test(node.value)) {
    report({
      code: 'sub-window-path',
      ...at(node),
      message: 'A sub-window must be an .nvue file, not a .vue file (pages-json §2.8).',
    })
  } else if (!candidates.some((path) => path.startsWith(folder))) {
    report({
      code: 'sub-window-path',
      ...at(node),
      message: `The file of a sub-window must be in the folder of its page, "${folder.slice(0, 100)}" (pages-json §2.8).`,
    })
  }
  if (files && !candidates.some((path) => files.exists(`${path}.nvue`))) {
    report({
      code: 'sub-window-file-missing',
      ...at(node),
      message: `The file "${written.slice(0, 120)}.nvue" of this sub-window does not exist: create it, or correct the path.`,
    })
  }
}

/** Reports offsets and margins that other attributes override (pages-json §2.8). */
function checkSubWindowOffsets({ report }: Context, window: ObjectNode): void {
  const style = objectOf(window, 'style')
  const isSet = (key: string) => valueAt(style, key) !== undefined && valueAt(style, key)?.kind !== 'null'
  const ignore = (key: string, why: string) => {
    const property = propertyOf(style, key)
    if (property && isSet(key))
      report({
        code: 'key-no-effect',
        ...at(property.key),
        message: `"${key}" has no effect, because ${why} (pages-json §2.8).`,
      })
  }
  if (isSet('top') && isSet('height')) ignore('bottom', '"top" and "height" are both set')
  if (isSet('left') && isSet('width')) ignore('right', '"left" and "width" are both set')
  const offset = ['left', 'right', 'top', 'bottom'].find(isSet)
  if (offset) ignore('margin', `"${offset}" is set and overrides it`)
}
