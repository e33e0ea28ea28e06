import type { Os } from '../conditional/builds.ts'
import { type PagesConfig, variantFor } from '../config.ts'
import type { Platform } from '../diagnostic.ts'
import { type Files, isNvue } from '../files.ts'
import { manifestFile } from '../manifest.ts'
import type { Model, PageEntry, WindowName } from '../model.ts'
import { easycomRules, trimPath } from '../model.ts'
import { asObject, type JsonObject, type ObjectNode, setOwn, textOf, toJson, valueAt } from '../parse/nodes.ts'
import { attributesOf } from '../rules/attributes.ts'
import { type Layer, styleLayers } from './layers.ts'
import { followTitleNView, navigationBarOf, titleNViewsOf } from './navigationBar.ts'
import type { Provenance, Provenances } from './provenance.ts'
import { type ResolveContext, resolveObject } from './resolveObject.ts'

export type ResolveOptions = {
  readonly platform: Platform
  /** Operating system of App and Mini App. Default: Android. */
  readonly os?: Os
  /** Version of the platform: newer attributes are ignored. Default: the newest. */
  readonly version?: string
  /**
   * If given, nvue pages keep only the attributes that they support (pages-json §2.5), and pages on H5 have no
   * `backgroundColor` beside uni-app's manifest.json (ADR 316).
   */
  readonly files?: Files
}

export type ResolvedPage = {
  /** Path from the project root, even for pages of subpackages. */
  readonly path: string
  /** Line of the page's entry, from 1. */
  readonly line: number
  /** Root of the subpackage that lists the page. */
  readonly root?: string
  readonly isTab: boolean
  /** Every attribute that works on the platform and has a value, including defaults. */
  readonly style: JsonObject
  /** Origins by path of the value, as in `app-plus.titleNView.buttons[0].color`. Computed on first access. */
  readonly provenance: { readonly [path: string]: Provenance }
}

export type ResolvedWindow = {
  readonly path: string
  readonly style: JsonObject
  readonly matchMedia: { readonly minWidth: number }
}

/** The configuration that a build uses. */
export type Resolved = {
  readonly platform: Platform
  readonly globalStyle: JsonObject
  /**
   * The first one is the launch page; pages of subpackages come last. Of two pages with the same path the first counts.
   */
  readonly pages: readonly ResolvedPage[]
  /** A page without its own style. */
  readonly bare: Pick<ResolvedPage, 'style' | 'provenance'>
  readonly tabBar: JsonObject | null
  readonly easycom: { readonly autoscan: boolean; readonly custom: { readonly [pattern: string]: string } }
  readonly condition: JsonObject | null
  /** The windows that the file defines; H5 only. */
  readonly windows: { readonly [name in WindowName]?: ResolvedWindow }
}

/**
 * Resolves a file for a platform (ADR 104): a page overrides globalStyle, which overrides the defaults; `h5` overrides
 * `app-plus` key by key; `pullToRefresh.support` overrides `enablePullDownRefresh`. Values of a wrong type are ignored.
 * Accepts invalid files.
 */
export function resolve(config: PagesConfig, options: ResolveOptions): Resolved {
  const { model } = variantFor(config, options.platform, options.os)
  const context = createContext(config, options)
  return {
    platform: options.platform,
    globalStyle: resolveGlobalStyle(context),
    pages: [...model.byPath.values()].map((page) => new PageResolution(context, model, page, options.files)),
    bare: new StyleResolution(context, { style: undefined }, false),
    tabBar: resolveTabBar(context, model),
    easycom: resolveEasycom(model),
    condition: model.condition ? resolveObject(context, 'condition', [pageLayer(model.condition)]) : null,
    windows: options.platform === 'H5' ? resolveWindows(model) : {},
  }
}

/** Creates the context for the build of a platform, with the globalStyle of another variant if its model is given. */
export function createContext(
  config: PagesConfig,
  { platform, os = 'Android', version, files }: ResolveOptions,
  trace?: ResolveContext['trace'],
  { globalStyle }: Pick<Model, 'globalStyle'> = variantFor(config, platform, os).model,
): ResolveContext {
  return {
    platform,
    os,
    version,
    lines: config.lines,
    provenance: undefined,
    trace,
    globalLayers: globalStyle ? styleLayers('globalStyle', globalStyle, platform) : [],
    tableAttributes: new Map(),
    inherited: new Map(),
    bar: undefined,
    hasBackground: hasBackground(platform, files),
  }
}

/** On H5, pages of uni-app are transparent above the white document; most projects keep the color of a template. */
export const hasBackground = (platform: Platform, files: Files | undefined): boolean =>
  platform !== 'H5' || !files?.exists(manifestFile)

const pageLayer = (node: ObjectNode): Layer => ({ from: 'page', node, prefix: '', isInAppPlus: false })

// --- pages -----------------------------------------------------------------------------------------------------------

/** A resolved style with lazy provenance, which takes longer than the style and is rarely needed. */
class StyleResolution {
  readonly style: JsonObject
  readonly #context: ResolveContext
  readonly #page: Pick<PageEntry, 'style'>
  readonly #isNvue: boolean
  #provenance: Provenances | undefined

  constructor(context: ResolveContext, page: Pick<PageEntry, 'style'>, isNvue: boolean) {
    this.#context = context
    this.#page = page
    this.#isNvue = isNvue
    this.style = resolveStyle(context, page, isNvue)
  }

  get provenance(): Provenances {
    this.#provenance ??= this.#computeProvenance()
    return this.#provenance
  }

  #computeProvenance(): Provenances {
    const provenance: Provenances = {}
    resolveStyle({ ...this.#context, provenance }, this.#page, this.#isNvue)
    return provenance
  }
}

class PageResolution extends StyleResolution implements ResolvedPage {
  readonly path: string
  readonly line: number
  readonly isTab: boolean
  readonly root?: string

  constructor(context: ResolveContext, model: Model, page: PageEntry, files: Files | undefined) {
    super(context, page, isNvue(files, page.path))
    this.path = page.path
    this.line = context.lines.positionAt(page.node.offset).line
    this.isTab = tabPaths(model).has(page.path)
    if (page.root !== undefined) this.root = page.root
  }
}

/** Resolves the style of a page. Records provenance and candidates if the context has a place for them. */
export function resolveStyle(
  context: ResolveContext,
  { style: ownStyle }: Pick<PageEntry, 'style'>,
  isNvue = false,
): JsonObject {
  const layers = layersOf(context, ownStyle)
  const style = resolveLayers(context, 'pageStyle', layers)
  if (isNvue) removeUnsupportedByNvue(style, context.provenance)
  followAppPlus(style, context.provenance)
  followRefreshSupport(context, layers, style)
  if (context.hasBackground) return style
  delete context.provenance?.backgroundColor
  // `delete` would make all later reads of the style slow.
  const { backgroundColor: _, ...rest } = style
  return rest
}

/** Returns the layers of a page, most specific first. */
export function layersOf({ platform, globalLayers }: ResolveContext, style: ObjectNode | undefined): Layer[] {
  return [...(style ? styleLayers('page', style, platform) : []), ...globalLayers]
}

function resolveGlobalStyle(context: ResolveContext): JsonObject {
  const style = resolveLayers(context, 'globalStyle', context.globalLayers)
  followAppPlus(style)
  return style
}

/** Resolves a style object, whose `titleNView` and `navigationBar…` keys agree (pages-json §3.3). */
function resolveLayers(
  context: ResolveContext,
  table: 'pageStyle' | 'globalStyle',
  layers: readonly Layer[],
): JsonObject {
  const views = titleNViewsOf({ target: context, table, layers })
  const bar = views.length > 0 ? navigationBarOf({ target: context, table, layers }, views) : undefined
  const style = resolveObject(bar ? { ...context, bar } : context, table, layers)
  const node = context.platform === 'H5' ? 'h5' : 'app-plus'
  if (bar) followTitleNView(style, bar, `${node}.titleNView`, context.provenance)
  return style
}

const windowBackground = attributesOf('appPlus').get('background')!

/**
 * Sets the animation of a resolved style to the values that `app-plus` decides, and the color behind the page to the
 * page's background if nothing sets it (pages-json §3.3).
 */
function followAppPlus(style: JsonObject, provenance: Provenances = {}): void {
  const own = asObject(style['app-plus'])
  const follow = (key: string, source: string) => {
    if (own?.[source] === undefined) return
    style[key] = own[source]
    const origin = provenance[`app-plus.${source}`]
    if (origin) provenance[key] = origin
  }
  for (const key of ['animationType', 'animationDuration']) if (Object.hasOwn(style, key)) follow(key, key)
  if (style.backgroundColor !== undefined) return
  style.backgroundColor = windowBackground.default!
  provenance.backgroundColor = { from: 'default', section: windowBackground.section }
  follow('backgroundColor', 'background')
}

/** Lets `pullToRefresh.support` override `enablePullDownRefresh` where the file sets it, or else follow it. */
function followRefreshSupport(context: ResolveContext, layers: readonly Layer[], style: JsonObject): void {
  const node = context.platform === 'H5' ? 'h5' : 'app-plus'
  const refresh = asObject(asObject(style[node])?.pullToRefresh)
  if (refresh === undefined) return
  // Only provenance tells a value from its default.
  const provenance: Provenances = context.provenance ?? {}
  const path = `${node}.pullToRefresh.support`
  if (context.provenance === undefined && layers.some(containsSupport)) {
    resolveObject({ ...context, provenance }, 'pageStyle', layers)
  }
  const origin = provenance[path]
  if (origin !== undefined && origin.from !== 'default') {
    style.enablePullDownRefresh = refresh.support!
    provenance.enablePullDownRefresh = { ...origin, section: '2.9' }
  } else {
    refresh.support = style.enablePullDownRefresh!
    const source = provenance.enablePullDownRefresh
    if (source) provenance[path] = source
  }
}

const containsSupport = ({ node }: Layer) => valueAt(valueAt(node, 'pullToRefresh'), 'support') !== undefined

/** Removes all attributes of `app-plus` except the three that nvue pages support (pages-json §2.5). */
function removeUnsupportedByNvue(style: JsonObject, provenance: Provenances = {}): void {
  const appPlus = asObject(style['app-plus'])
  for (const key of Object.keys(appPlus ?? {})) {
    if (key === 'titleNView' || key === 'pullToRefresh' || key === 'scrollIndicator') continue
    delete appPlus![key]
    for (const path of Object.keys(provenance)) if (`${path}.`.startsWith(`app-plus.${key}.`)) delete provenance[path]
  }
}

// --- the rest of the file --------------------------------------------------------------------------------------------

const tabPathsByModel = new WeakMap<Model, ReadonlySet<string>>()

/** Returns the paths of the pages that tabs open. */
export function tabPaths(model: Model): ReadonlySet<string> {
  const cached = tabPathsByModel.get(model)
  if (cached) return cached
  const found = new Set(model.tabs.flatMap((tab) => trimPath(textOf(tab, 'pagePath')?.value ?? '') || []))
  tabPathsByModel.set(model, found)
  return found
}

/** Resolves the tab bar, which is the same on all pages; null if the file has none. */
export function resolveTabBar(context: ResolveContext, { tabBar: node }: Model): JsonObject | null {
  if (node === undefined) return null
  const layer: Layer = { from: 'tabBar', node, prefix: 'tabBar.', isInAppPlus: false }
  const tabBar = resolveObject(context, 'tabBar', [layer])
  const tabs = Array.isArray(tabBar.list) ? (tabBar.list as JsonObject[]) : []
  // As `pages` lists the page, which is how it is looked up.
  for (const tab of tabs) if (typeof tab.pagePath === 'string') tab.pagePath = trimPath(tab.pagePath)
  if (!fitsMidButton(tabs.length)) delete tabBar.midButton
  return tabBar
}

/** Returns whether a middle button fits between this number of tabs, hidden ones included (pages-json §2.7). */
export const fitsMidButton = (tabs: number): boolean => tabs % 2 === 0

function resolveEasycom(model: Model): Resolved['easycom'] {
  const autoscan = model.easycom?.properties.findLast(({ key }) => key.value === 'autoscan')?.value
  const rules: { [pattern: string]: string } = {}
  const { custom, direct } = easycomRules(model)
  for (const { key, value } of [...direct, ...custom])
    if (value.kind === 'string') setOwn(rules, key.value, value.value)
  return { autoscan: autoscan?.kind === 'boolean' ? autoscan.value : true, custom: rules }
}

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
