import type { Os } from '../conditional/builds.ts'
import { type PagesConfig, variantFor } from '../config.ts'
import type { Platform } from '../diagnostic.ts'
import { type Files, isNvue } from '../files.ts'
import type { Model, PageEntry, WindowName } from '../model.ts'
import { easycomRules, trimPath } from '../model.ts'
import { type Json, type ObjectNode, setOwn, toJson, valueAt } from '../parse/nodes.ts'
import { attributesOf } from '../rules/attributes.ts'
import { type Frame, type JsonObject, type Layer, type Provenance, resolveObject } from './layers.ts'

export type ResolveOptions = {
  readonly platform: Platform
  /** For App and Mini App; Android where it is not given. */
  readonly os?: Os
  /** Version of the platform; attributes that are newer do not count. Without it the newest. */
  readonly version?: string
  /** With it, pages rendered natively (nvue) keep only what they support (§2.5). */
  readonly files?: Files
}

export type ResolvedPage = {
  /** From the project root, also in subpackages. */
  readonly path: string
  /** Of the entry, from 1. */
  readonly line: number
  /** Root of the subpackage that lists it. */
  readonly root?: string
  readonly isTab: boolean
  /** Every attribute that works on the platform and has a value, defaults filled in. */
  readonly style: JsonObject
  /** By the way to the value, as in `app-plus.titleNView.buttons[0].color`. Worked out when it is asked for. */
  readonly provenance: { readonly [key: string]: Provenance }
}

export type ResolvedWindow = {
  readonly path: string
  readonly style: JsonObject
  readonly matchMedia: { readonly minWidth: number }
}

/** What a build goes by. */
export type Resolved = {
  readonly platform: Platform
  readonly globalStyle: JsonObject
  /** The first one is the launch page; pages of subpackages come last. Of two with the same path only the first one. */
  readonly pages: readonly ResolvedPage[]
  /** A page that sets nothing. */
  readonly bare: Pick<ResolvedPage, 'style' | 'provenance'>
  readonly tabBar: JsonObject | null
  readonly easycom: { readonly autoscan: boolean; readonly custom: { readonly [pattern: string]: string } }
  readonly condition: JsonObject | null
  /** On H5, those that the file has. */
  readonly windows: { readonly [name in WindowName]?: ResolvedWindow }
}

/**
 * What a file amounts to on a platform: page before globalStyle before the default of the document, `h5` before `app-plus` key by
 * key, `pullToRefresh.support` before `enablePullDownRefresh`. Values of a wrong type do not count. Works for any file, however broken.
 */
export function resolve(config: PagesConfig, options: ResolveOptions): Resolved {
  const { model } = variantFor(config, options.platform, options.os)
  const frame = newFrame(config, options)
  const { behind } = frame
  return {
    platform: options.platform,
    globalStyle: resolveObject(frame, 'globalStyle', behind ? [behind] : [], ''),
    pages: [...model.byPath.values()].map((page) => new PageLook(frame, model, page, options.files)),
    bare: new Look(frame, { style: undefined }, false),
    tabBar: resolveTabBar(frame, model),
    easycom: resolveEasycom(model),
    condition: model.condition ? resolveObject(frame, 'condition', [own(model.condition)], '') : null,
    windows: options.platform === 'H5' ? resolveWindows(model) : {},
  }
}

export function newFrame(
  config: PagesConfig,
  { platform, os = 'Android', version }: ResolveOptions,
  trace?: Frame['trace'],
): Frame {
  const { globalStyle } = variantFor(config, platform, os).model
  return {
    platform,
    os,
    version,
    lines: config.lines,
    provenance: undefined,
    trace,
    behind: globalStyle && { from: 'globalStyle', node: globalStyle, way: '', isPlus: false },
    plans: new Map(),
  }
}

const own = (node: ObjectNode): Layer => ({ from: 'page', node, way: '', isPlus: false })

/** A style with where its values come from. */
class Look {
  readonly style: JsonObject
  readonly #frame: Frame
  readonly #page: Pick<PageEntry, 'style'>
  readonly #isNative: boolean
  #provenance: Provenances | undefined

  constructor(frame: Frame, page: Pick<PageEntry, 'style'>, isNative: boolean) {
    this.#frame = frame
    this.#page = page
    this.#isNative = isNative
    this.style = resolveStyle(frame, page)
    if (isNative) keepNative(this.style, {})
  }

  /** Takes longer than the style, and most of it nobody asks about. */
  get provenance(): Provenances {
    this.#provenance ??= this.#work()
    return this.#provenance
  }

  #work(): Provenances {
    const provenance: Provenances = {}
    const style = resolveStyle({ ...this.#frame, provenance }, this.#page)
    if (this.#isNative) keepNative(style, provenance)
    return provenance
  }
}

class PageLook extends Look implements ResolvedPage {
  readonly path: string
  readonly line: number
  readonly isTab: boolean
  readonly root?: string

  constructor(frame: Frame, model: Model, page: PageEntry, files: Files | undefined) {
    super(frame, page, isNvue(files, page.path))
    this.path = page.path
    this.line = frame.lines.positionAt(page.node.offset).line
    this.isTab = tabPaths(model).has(page.path)
    if (page.root !== undefined) this.root = page.root
  }
}

type Provenances = { [key: string]: Provenance }

/** The style of a page; writes provenance and trace into the frame, where it has them. */
export function resolveStyle(frame: Frame, { style: ownStyle }: Pick<PageEntry, 'style'>): JsonObject {
  const layers: Layer[] = ownStyle ? [own(ownStyle)] : []
  if (frame.behind) layers.push(frame.behind)
  const style = resolveObject(frame, 'pageStyle', layers, '')
  const node = frame.platform === 'H5' ? 'h5' : 'app-plus'
  const refresh = asObject(asObject(style[node])?.pullToRefresh)
  if (typeof refresh?.support !== 'boolean' || !layers.some(writesSupport)) return style
  const noted: Provenances = frame.provenance ?? {}
  if (frame.provenance === undefined) resolveObject({ ...frame, provenance: noted }, 'pageStyle', layers, '')
  const provenance = noted[`${node}.pullToRefresh.support`]
  if (provenance !== undefined && provenance.from !== 'default') {
    style.enablePullDownRefresh = refresh.support
    noted.enablePullDownRefresh = { ...provenance, section: '2.9' }
  }
  return style
}

/** H5 has no `support` of its own (§2.10). */
const writesSupport = ({ node }: Layer) =>
  valueAt(valueAt(valueAt(node, 'app-plus'), 'pullToRefresh'), 'support') !== undefined

const asObject = (value: Json | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined

function keepNative(style: JsonObject, provenance: Provenances): void {
  const appPlus = asObject(style['app-plus'])
  for (const key of Object.keys(appPlus ?? {})) {
    if (key === 'titleNView' || key === 'pullToRefresh' || key === 'scrollIndicator') continue
    delete appPlus![key]
    for (const path of Object.keys(provenance)) if (`${path}.`.startsWith(`app-plus.${key}.`)) delete provenance[path]
  }
}

const tabCache = new WeakMap<Model, ReadonlySet<string>>()

/** The pages that tabs open. */
export function tabPaths(model: Model): ReadonlySet<string> {
  const known = tabCache.get(model)
  if (known) return known
  const paths = model.tabs.flatMap(({ properties }) =>
    properties.flatMap(({ key, value }) =>
      key.value === 'pagePath' && value.kind === 'string' ? [trimPath(value.value)] : [],
    ),
  )
  const found = new Set(paths)
  tabCache.set(model, found)
  return found
}

/** The tab bar, the same on all pages; null where the file has none. */
export function resolveTabBar(frame: Frame, { tabBar: node }: Model): JsonObject | null {
  if (node === undefined) return null
  const tabBar = resolveObject(frame, 'tabBar', [{ from: 'tabBar', node, way: 'tabBar.', isPlus: false }], '')
  // The middle button is there only among an even number of tabs (§2.7).
  if (Array.isArray(tabBar.list) && tabBar.list.length % 2 === 1) delete tabBar.midButton
  return tabBar
}

function resolveEasycom(model: Model): Resolved['easycom'] {
  const autoscan = model.easycom?.properties.findLast(({ key }) => key.value === 'autoscan')?.value
  const custom: { [pattern: string]: string } = {}
  const { own: rules, direct } = easycomRules(model)
  for (const { key, value } of [...direct, ...rules])
    if (value.kind === 'string') setOwn(custom, key.value, value.value)
  return { autoscan: autoscan?.kind === 'boolean' ? autoscan.value : true, custom }
}

/** §2.13; the document's default. */
const defaultMinWidth = Number(attributesOf('matchMedia').get('minWidth')!.default)

function resolveWindows(model: Model): Resolved['windows'] {
  const windows: { [name in WindowName]?: ResolvedWindow } = {}
  for (const { name, node } of model.windows) {
    const value = asObject(toJson(node))!
    const minWidth = asObject(value.matchMedia)?.minWidth
    windows[name] = {
      path: typeof value.path === 'string' ? value.path : '',
      style: asObject(value.style) ?? {},
      matchMedia: { minWidth: typeof minWidth === 'number' ? minWidth : defaultMinWidth },
    }
  }
  return windows
}
