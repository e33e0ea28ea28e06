import type { Platform } from './diagnostic.ts'
import { itemsOf, type Node, type ObjectNode, type Property, type StringNode, textOf, valueAt } from './parse/nodes.ts'
import { directKeys, isAppPlusKey, isPlatformKey, platformKeys } from './rules/honored.ts'

/** An entry of `pages`, of the file or of a subpackage. */
export type PageEntry = {
  /** From the project root, without a leading slash, as in tabs, start modes and routes. */
  readonly path: string
  readonly pathNode: StringNode
  readonly node: ObjectNode
  readonly style: ObjectNode | undefined
  /** Root of the subpackage that lists the page. */
  readonly root: string | undefined
}

/** The parts of a file that checks, resolution and edits work with. Parts of the wrong type are left out. */
export type Model = {
  readonly root: ObjectNode | undefined
  readonly globalStyle: ObjectNode | undefined
  /** In file order, pages of subpackages last. The first one is the launch page. */
  readonly pages: readonly PageEntry[]
  /** Pages by path; of two entries with the same path the first counts. */
  readonly byPath: ReadonlyMap<string, PageEntry>
  readonly tabBar: ObjectNode | undefined
  readonly tabs: readonly ObjectNode[]
  readonly condition: ObjectNode | undefined
  readonly easycom: ObjectNode | undefined
  readonly windows: readonly { readonly name: WindowName; readonly node: ObjectNode }[]
}

export const windowNames = ['topWindow', 'leftWindow', 'rightWindow'] as const
export type WindowName = (typeof windowNames)[number]

export function readModel(root: Node | undefined): Model {
  const pages: PageEntry[] = []
  for (const item of itemsOf(root, 'pages')) addPage(pages, item, undefined)
  for (const item of subPackagesOf(root)) {
    const packageRoot = textOf(item, 'root')?.value ?? ''
    for (const page of itemsOf(item, 'pages')) addPage(pages, page, packageRoot)
  }
  const byPath = new Map<string, PageEntry>()
  for (const page of pages) if (!byPath.has(page.path)) byPath.set(page.path, page)
  const tabBar = objectOf(root, 'tabBar')
  return {
    root: root?.kind === 'object' ? root : undefined,
    globalStyle: objectOf(root, 'globalStyle'),
    pages,
    byPath,
    tabBar,
    tabs: itemsOf(tabBar, 'list').filter((item): item is ObjectNode => item.kind === 'object'),
    condition: objectOf(root, 'condition'),
    easycom: objectOf(root, 'easycom'),
    windows: windowNames.flatMap((name) => {
      const node = objectOf(root, name)
      return node ? [{ name, node }] : []
    }),
  }
}

/** Returns the subpackages; other tools also write `subpackages`. */
export function subPackagesOf(root: Node | undefined): readonly Node[] {
  return [...itemsOf(root, 'subPackages'), ...itemsOf(root, 'subpackages')]
}

function addPage(pages: PageEntry[], node: Node, root: string | undefined): void {
  const pathNode = textOf(node, 'path')
  if (node.kind !== 'object' || pathNode === undefined) return
  const path = root === undefined ? trimPath(pathNode.value) : trimPath(`${trimPath(root)}/${trimPath(pathNode.value)}`)
  pages.push({ path, pathNode, node, style: objectOf(node, 'style'), root })
}

export function objectOf(node: Node | undefined, key: string): ObjectNode | undefined {
  const value = valueAt(node, key)
  return value?.kind === 'object' ? value : undefined
}

/** A value with the key that sets it. */
export type SetValue = { readonly key: string; readonly value: Node }
/** An object for a platform; the key of the direct part is empty. */
type PlatformObject = { readonly key: string; readonly node: ObjectNode }

/** The values and the objects of a style that count on a platform, nearest first. */
type PlatformParts = { readonly values: readonly SetValue[]; readonly objects: readonly PlatformObject[] }
type StyleParts = { readonly h5: PlatformParts; readonly app: PlatformParts }

const noParts: PlatformParts = { values: [], objects: [] }
const plainStyle: StyleParts = { h5: noParts, app: noParts }

/**
 * A style with its parts, which many checks and the resolution for each platform need. They are kept in the node,
 * because a WeakMap with as many entries takes the garbage collector longer than finding them again.
 */
type StyleNode = ObjectNode & { parts?: StyleParts }

function platformParts(style: StyleNode, platform: Platform): PlatformParts {
  style.parts ??= findParts(style)
  return platform === 'H5' ? style.parts.h5 : style.parts.app
}

function findParts(style: ObjectNode): StyleParts {
  const direct = style.properties.filter(({ key }) => directKeys.has(key.value))
  if (direct.length === 0 && !style.properties.some(({ key }) => isPlatformKey(key.value))) return plainStyle
  const values: SetValue[] = platformKeys.H5.flatMap((key) => {
    const value = valueAt(style, key)
    return value ? [{ key, value }] : []
  })
  if (direct.length > 0) values.push({ key: '', value: { ...style, properties: direct } })
  return { h5: withObjects(values), app: withObjects(values.filter(({ key }) => isAppPlusKey(key))) }
}

function withObjects(values: readonly SetValue[]): PlatformParts {
  const objects = values.flatMap(({ key, value }) => (value.kind === 'object' ? [{ key, node: value }] : []))
  return { values, objects }
}

/**
 * Returns the values that a style has for a platform, nearest first. What counts as `app-plus` although it is written
 * directly in the style comes last, as an object with an empty key.
 */
export const platformValues = (style: ObjectNode, platform: Platform): readonly SetValue[] =>
  platformParts(style, platform).values

/** Returns the objects among the values that a style has for a platform. */
export const platformObjects = (style: ObjectNode | undefined, platform: Platform): readonly PlatformObject[] =>
  style ? platformParts(style, platform).objects : noParts.objects

/** Normalizes a page path: removes a leading `./` or `/`, and trailing slashes. */
export function trimPath(path: string): string {
  if (!/^[./]|\/$/.test(path)) return path
  return path.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
}

/** Returns whether a path contains what a page path cannot contain. Names may contain spaces, but not at their ends. */
export const isInvalidPath = (path: string): boolean =>
  /[\\?#]|[^\S ]|(?:^|\/)(?:\.\.?(?:\/|$)| )| (?:\/|$)|\/\//.test(path)

/**
 * Returns the rules of easycom: those under `custom`, and those directly under `easycom`, as many projects have them.
 */
export function easycomRules({ easycom }: Model): {
  readonly custom: readonly Property[]
  readonly direct: readonly Property[]
} {
  const custom = objectOf(easycom, 'custom')?.properties ?? []
  const direct = (easycom?.properties ?? []).filter(
    ({ key, value }) => key.value !== 'autoscan' && key.value !== 'custom' && value.kind === 'string',
  )
  return { custom, direct }
}
