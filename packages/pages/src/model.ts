import { itemsOf, type Node, type ObjectNode, type Property, type StringNode, textOf, valueAt } from './parse/nodes.ts'

/** A page as the file lists it, in a subpackage or not. */
export type PageEntry = {
  /** From the project root, without a slash at the front: what tabs, start modes and routes name. */
  readonly path: string
  readonly pathNode: StringNode
  readonly node: ObjectNode
  readonly style: ObjectNode | undefined
  /** The subpackage's root, where the page is in one. */
  readonly root: string | undefined
}

/** The parts of a file that checks, resolution and edits speak of. A part of the wrong kind counts as not there. */
export type Model = {
  readonly root: ObjectNode | undefined
  readonly globalStyle: ObjectNode | undefined
  /** In the order of the file, those of subpackages last. The first one is the launch page. */
  readonly pages: readonly PageEntry[]
  /** By path; of two entries with one path the first counts. */
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

/** `subpackages` is the ecosystem's other spelling. */
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

/** A path of the project as it is compared: without `./` or slashes at its front, or slashes at its end. */
export function trimPath(path: string): string {
  if (!/^[./]|\/$/.test(path)) return path
  return path.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
}

/** Whether a path holds what that of a page cannot. */
export const isInvalidPath = (path: string): boolean => /[\\?#\s]|(?:^|\/)\.\.?(?:\/|$)|\/\//.test(path)

/** The rules of easycom: those under `custom`, and those directly under it, which the ecosystem writes often. */
export function easycomRules({ easycom }: Model): {
  readonly own: readonly Property[]
  readonly direct: readonly Property[]
} {
  const own = objectOf(easycom, 'custom')?.properties ?? []
  const direct = (easycom?.properties ?? []).filter(
    ({ key, value }) => key.value !== 'autoscan' && key.value !== 'custom' && value.kind === 'string',
  )
  return { own, direct }
}
