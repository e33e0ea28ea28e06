import { projectPath } from '../files.ts'
import { objectOf, type PageEntry, platformObjects } from '../model.ts'
import { asObject, type ObjectNode, propertyOf, type StringNode, textOf, toJson, valueAt } from '../parse/nodes.ts'
import { placementDefaults } from '../resolve/computedDefaults.ts'
import { placeSubWindow } from '../resolve/subWindow.ts'
import { attributesOf } from '../rules/attributes.ts'
import { shapeOf } from '../rules/shape.ts'
import { at, type Context, type PageCheck } from './context.ts'

/** Returns the sub-windows of a page, given as a list or as a single object. */
function subWindowsOf(style: ObjectNode | undefined): readonly ObjectNode[] {
  const owner = platformObjects(style, 'App').find(({ node }) => valueAt(node, 'subNVues') !== undefined)
  const value = valueAt(owner?.node, 'subNVues')
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
    checkSubWindowPlace(context, window)
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

/** Reports lengths and margins that other attributes override (pages-json §2.8). */
function checkSubWindowPlace({ report }: Context, window: ObjectNode): void {
  const style = objectOf(window, 'style')
  if (style === undefined) return
  const written = asObject(toJson(style))!
  const placement = placeSubWindow(textOf(window, 'type')?.value, written, placementDefaults)
  const { position, dock } = placement
  const isSet = (key: string) => (written[key] ?? '') !== ''
  const ignore = (key: string, why: string) => {
    const property = propertyOf(style, key)
    if (property === undefined || !isSet(key)) return
    const { shapes, default: initial } = attributesOf('subNVueStyle').get(key)!
    // Writing the default does no harm, and a value of a wrong type is reported itself.
    if (shapeOf(shapes, property.value) && toJson(property.value) !== initial)
      report({
        code: 'key-no-effect',
        ...at(property.key),
        message: `"${key}" has no effect, because ${why} (pages-json §2.8).`,
      })
  }
  const isDocked = position === 'dock' ? `the sub-window is docked to the edge "${dock}"` : undefined
  for (const key of ['left', 'right', 'top', 'bottom', 'width', 'height'] as const) {
    const others = key === 'right' ? '"left" and "width"' : '"top" and "height"'
    if (placement[key] === undefined) ignore(key, isDocked ?? `${others} are both set`)
  }
  const [across, down] = [
    ['left', 'right'],
    ['top', 'bottom'],
  ].map((sides) => sides.find(isSet))
  if (isDocked) ignore('margin', isDocked)
  else if (across && down) ignore('margin', `"${across}" and "${down}" are set and override it`)
}
