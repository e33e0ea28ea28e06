import { closest } from './closest.ts'
import { type PagesConfig, variantFor } from './config.ts'
import { platforms } from './diagnostic.ts'
import { isNvue } from './files.ts'
import { trimPath } from './model.ts'
import type { Json, JsonObject } from './parse/nodes.ts'
import type { Candidate, Provenance, Provenances } from './resolve/provenance.ts'
import { createContext, hasBackground, type ResolveOptions, resolveStyle, resolveTabBar } from './resolve/resolve.ts'
import { type Attribute, attributesOf, compareVersions } from './rules/attributes.ts'
import { honoredKeys, isAppPlusKey, isPlatformKey } from './rules/honored.ts'
import type { Shape, TableId } from './rules/rule.ts'
import { tables } from './rules/tables.ts'

/** The value of an attribute of a page, and the reason for it. */
export type Explanation = {
  readonly page: string
  /** Path in the resolved style, as in `h5.titleNView.type`; for the tab bar with the prefix `tabBar.`. */
  readonly attribute: string
  readonly platform: ResolveOptions['platform']
  /** Undefined if the attribute has no value. */
  readonly value: Json | undefined
  readonly provenance: Provenance | undefined
  /** Every place that sets the attribute, by precedence; the default, if there is one, comes last. */
  readonly candidates: readonly Candidate[]
  /** One or two sentences. */
  readonly reason: string
}

/** The page or attribute does not exist; the message may suggest another one. */
export type ExplainError = { readonly error: string }

/** A resolved attribute. */
type Outcome = {
  readonly rule: Attribute
  /** Path in the resolved style or tab bar. */
  readonly path: string
  readonly isTabBar: boolean
  readonly value: Json | undefined
  readonly provenance: Provenance | undefined
  /** The places that set this attribute itself. */
  readonly traced: readonly Candidate[]
}

const tabBarPrefix = 'tabBar.'

/**
 * Explains which value an attribute of a page has on a platform, with every place that could have set it. Attributes of
 * `app-plus` and `h5` may be given with or without that prefix: `titleNView.type` works on every platform. The tab bar
 * is the same on all pages: `tabBar.list[0].text`.
 */
export function explain(
  config: PagesConfig,
  pagePath: string,
  attributePath: string,
  options: ResolveOptions,
): Explanation | ExplainError {
  const { model } = variantFor(config, options.platform, options.os)
  const page = model.byPath.get(trimPath(pagePath))
  if (page === undefined) {
    const suggestion = closest(trimPath(pagePath), model.byPath.keys())
    const hint = suggestion ? `: did you mean "${suggestion}"?` : '.'
    return { error: `The page "${pagePath}" does not exist on ${options.platform}${hint}` }
  }
  const isTabBar = attributePath.startsWith(tabBarPrefix)
  const path = isTabBar ? attributePath.slice(tabBarPrefix.length) : normalize(attributePath, options.platform)
  const rule = findRule(path, isTabBar ? 'tabBar' : 'pageStyle')
  if (typeof rule === 'string') return { error: rule }

  const trace = new Map<string, Candidate[]>()
  const origins: Provenances = {}
  const context = { ...createContext(config, options, trace), provenance: origins }
  const resolved = isTabBar
    ? resolveTabBar(context, model)
    : resolveStyle(context, page, isNvue(options.files, page.path))
  const value = resolved ? valueIn(resolved, path) : undefined
  const provenance = Object.hasOwn(origins, path) ? origins[path] : undefined
  const outcome = { rule, path, isTabBar, value, provenance, traced: trace.get(path) ?? [] }
  return {
    page: page.path,
    attribute: isTabBar ? attributePath : path,
    platform: options.platform,
    value,
    provenance,
    candidates: candidatesOf(outcome),
    reason: reasonFor(outcome, options),
  }
}

/** Adds `app-plus` or `h5` to the path of an attribute that belongs there. */
function normalize(attribute: string, platform: ResolveOptions['platform']): string {
  const node = platform === 'H5' ? 'h5' : 'app-plus'
  const [first = '', ...rest] = attribute.split('.')
  if (isPlatformKey(first)) {
    const inner = rest[0]?.replace(/\[.*/, '')
    if (inner !== undefined && honoredKeys(node === 'h5' ? 'h5' : 'appPlus').has(inner)) return rest.join('.')
    const isShared = inner === undefined || inner === 'titleNView' || inner === 'pullToRefresh'
    return [isShared ? node : isAppPlusKey(first) ? 'app-plus' : 'h5', ...rest].join('.')
  }
  const name = first.replace(/\[.*/, '')
  const isInNode = !attributesOf('pageStyle').has(name) && attributesOf('appPlus').has(name)
  return isInNode ? `${node}.${attribute}` : attribute
}

/** Finds the rule of the attribute at a path from a table, or returns an error message. */
function findRule(path: string, start: TableId): Attribute | string {
  let table = start
  const parts = path.split('.')
  for (const [index, part] of parts.entries()) {
    const name = part.replace(/\[\d+\]$/, '')
    const attributes = attributesOf(table)
    const fallback: TableId | undefined = tables[table].fallsBackTo?.table
    const attribute: Attribute | undefined = attributes.get(name) ?? (fallback && attributesOf(fallback).get(name))
    if (attribute === undefined) {
      const suggestion = closest(name, attributes.keys())
      const hint = suggestion ? `: did you mean "${suggestion}"?` : '.'
      return `${tables[table].title.replaceAll('`', '')} has no attribute "${name}"${hint}`
    }
    if (index === parts.length - 1 || attribute.shapes.some(({ is }) => is === 'map')) return attribute
    const inner: TableId | undefined = attribute.shapes.map(tableIn).find((each) => each !== undefined)
    if (inner === undefined) return `"${parts.slice(0, index + 1).join('.')}" has no attributes.`
    table = inner
  }
  return 'Name an attribute, as in "navigationBarTitleText".'
}

function tableIn(shape: Shape): TableId | undefined {
  return shape.is === 'object' ? shape.of : shape.is === 'list' ? tableIn(shape.of) : undefined
}

function valueIn(style: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = style
  for (const part of path.split(/\.|(?=\[)/)) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value)) value = value[Number(part.slice(1, -1))]
    else value = Object.hasOwn(value, part) ? value[part] : undefined
  }
  return value
}

const lastName = (path: string) => path.slice(path.lastIndexOf('.') + 1)

/** Attributes that a page and its `app-plus` both have (pages-json §3.3). */
const sharedNames: ReadonlySet<string> = new Set(['animationType', 'animationDuration'])

/** Returns the key of another attribute that decides the value; undefined if there is none. */
function decidingKey({ path, provenance, traced }: Outcome): string | undefined {
  const key = provenance?.key
  if (key === undefined || path === 'h5' || path === 'app-plus') return undefined
  const isOther = sharedNames.has(lastName(path))
    ? !traced.some(({ wins, offset }) => wins && offset === provenance?.offset)
    : lastName(key) !== lastName(path)
  return isOther ? key : undefined
}

/** Returns the sentence for a value that is decided by the key of another attribute. */
const decision = ({ path }: Outcome) =>
  path === 'enablePullDownRefresh'
    ? 'overrides "enablePullDownRefresh" (pages-json §2.9)'
    : `decides "${sharedNames.has(lastName(path)) ? path : lastName(path)}" (pages-json §3.3)`

function candidatesOf(outcome: Outcome): Candidate[] {
  const { rule, value, provenance, traced } = outcome
  const candidates = decidingKey(outcome) ? withDeciding(outcome) : [...traced]
  if (value === undefined) return candidates
  if (provenance?.from === 'default')
    return [...candidates, { ...provenance, value, wins: true, why: 'nothing sets it' }]
  if (rule.default === undefined && rule.row.default === undefined) return candidates
  const { section, default: fallback } = rule
  return [...candidates, { from: 'default', section, value: fallback, wins: false, why: 'something sets it' }]
}

function withDeciding(outcome: Outcome): Candidate[] {
  const { value, provenance, traced } = outcome
  const why = decision(outcome)
  const whyNot = `"${lastParts(decidingKey(outcome)!)}" ${why}`
  return [
    { ...provenance!, value, wins: true, why },
    ...traced.map((each) => (each.wins ? { ...each, wins: false, why: whyNot } : each)),
  ]
}

/** Returns the name of an attribute with that of the object around it. */
const lastParts = (key: string) => key.split('.').slice(-2).join('.')

/** Returns the first attribute on a path that is newer than the version. */
function newerThan(path: string, start: TableId, { platform, version }: ResolveOptions): Attribute | undefined {
  if (version === undefined) return undefined
  const parts = path.split('.')
  return parts
    .map((_, index) => findRule(parts.slice(0, index + 1).join('.'), start))
    .filter((rule) => typeof rule !== 'string')
    .find(({ since }) => compareVersions(version, since[platform] ?? '0') < 0)
}

function reasonFor(outcome: Outcome, options: ResolveOptions): string {
  const { platform, files } = options
  const { rule, path, isTabBar, value, provenance } = outcome
  const attribute = isTabBar ? tabBarPrefix + path : path
  const section = `pages-json §${rule.section}`
  if (value === undefined) {
    const global = attributesOf('globalStyle').get(attribute)
    const works = platforms.filter((each) => rule.platforms.includes(each) || global?.platforms.includes(each))
    if (!works.includes(platform))
      return `"${attribute}" does not work on ${platform}, only on ${works.join(' and ')} (${section}).`
    const newer = newerThan(path, isTabBar ? 'tabBar' : 'pageStyle', options)
    if (newer)
      return `"${newer.name}" requires ${platform} ${newer.since[platform]}: it has no effect in version ${options.version} (pages-json §${newer.section}).`
    if (provenance?.from === 'tabBar' && isTabBar && path.startsWith('midButton'))
      return 'The middle button is only shown with an even number of tabs (pages-json §2.7).'
    if (attribute === 'backgroundColor' && !hasBackground(platform, files))
      return "As in uni-app, pages on H5 have no background of their own in a project with uni-app's manifest.json."
    return `Nothing sets "${attribute}", and it has no default (${section}).`
  }
  if (provenance === undefined || provenance.from === 'default') {
    const nothing = isTabBar ? 'Nothing' : 'Neither the page nor globalStyle'
    const applies = `${nothing} sets "${attribute}": the default applies (pages-json §${provenance?.section ?? rule.section}).`
    const global = isTabBar ? undefined : attributesOf('globalStyle').get(attribute)
    if (global?.default === undefined || global.default === value || rule.section === global.section) return applies
    return `${applies} It overrides that of globalStyle, ${JSON.stringify(global.default)} (pages-json §${global.section}).`
  }
  const place = `${places[provenance.from]}, line ${provenance.line}`
  const deciding = decidingKey(outcome)
  if (deciding) {
    return `${place}, by "${deciding}", which ${decision(outcome)}.`
  }
  if (platform === 'H5' && provenance.key?.startsWith('app-plus')) {
    return `${place}, by "${provenance.key}": h5 does not set it, so app-plus applies (pages-json §2.10).`
  }
  return `${place}.`
}

const places = {
  page: 'Set on the page',
  globalStyle: 'Not set on the page; inherited from globalStyle',
  tabBar: 'Set in tabBar',
}
