import { closest } from './closest.ts'
import { type PagesConfig, variantFor } from './config.ts'
import { platforms } from './diagnostic.ts'
import { trimPath } from './model.ts'
import type { Json } from './parse/nodes.ts'
import type { Candidate, JsonObject, Provenance } from './resolve/layers.ts'
import { newFrame, type ResolveOptions, resolveStyle, resolveTabBar } from './resolve/resolve.ts'
import { type Attribute, attributesOf } from './rules/attributes.ts'
import type { Shape, TableId } from './rules/rule.ts'
import { tables } from './rules/tables.ts'

/** Which value an attribute of a page has, and why. */
export type Explanation = {
  readonly page: string
  /** The way to it in the resolved style, as in `h5.titleNView.type`; of the tab bar with `tabBar.` in front. */
  readonly attribute: string
  readonly platform: ResolveOptions['platform']
  /** Undefined where it has none. */
  readonly value: Json | undefined
  readonly provenance: Provenance | undefined
  /** Every place that sets it, in the order in which they count; the document's default, if it has one, comes last. */
  readonly candidates: readonly Candidate[]
  /** One or two sentences for people. */
  readonly reason: string
}

/** A page or an attribute that does not exist, with what may have been meant. */
export type ExplainError = { readonly error: string }

/**
 * Tells which value holds for an attribute of a page on a platform, with the chain of places that could have set it. Attributes of
 * `app-plus` and `h5` may be named with or without that word: `titleNView.type` is found on every platform. The tab bar is the same on all
 * pages: `tabBar.list[0].text`.
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
    const meant = closest(trimPath(pagePath), model.byPath.keys())
    return {
      error: `There is no page "${pagePath}" on ${options.platform}${meant ? `: did you mean "${meant}"?` : '.'}`,
    }
  }
  const isTabBar = attributePath.startsWith(ofTabBar)
  const way = isTabBar ? attributePath.slice(ofTabBar.length) : normalize(attributePath, options.platform)
  const rule = findRule(way, isTabBar ? 'tabBar' : 'pageStyle')
  if (typeof rule === 'string') return { error: rule }

  const trace = new Map<string, Candidate[]>()
  const origins: { [key: string]: Provenance } = {}
  const frame = { ...newFrame(config, options, trace), provenance: origins }
  const resolved = isTabBar ? resolveTabBar(frame, model) : resolveStyle(frame, page)
  const value = resolved ? valueIn(resolved, way) : undefined
  const provenance = Object.hasOwn(origins, way) ? origins[way] : undefined
  const attribute = isTabBar ? attributePath : way
  return {
    page: page.path,
    attribute,
    platform: options.platform,
    value,
    provenance,
    candidates: candidatesOf(rule, way, trace.get(way) ?? [], value, provenance),
    reason: reasonOf(rule, attribute, options, value, provenance),
  }
}

const ofTabBar = 'tabBar.'

function candidatesOf(
  rule: Attribute,
  attribute: string,
  traced: readonly Candidate[],
  value: Json | undefined,
  provenance: Provenance | undefined,
): Candidate[] {
  const candidates: Candidate[] = []
  const beaten = attribute === 'enablePullDownRefresh' && provenance?.key?.endsWith('.support') === true
  if (beaten) candidates.push({ ...provenance, value, wins: true, why: 'comes before "enablePullDownRefresh" (§2.9)' })
  for (const each of traced) {
    candidates.push(
      beaten && each.wins ? { ...each, wins: false, why: '"pullToRefresh.support" comes before it (§2.9)' } : each,
    )
  }
  if (value === undefined || (rule.default === undefined && rule.row.computed === undefined)) return candidates
  const wins = provenance?.from === 'default'
  const fallback = rule.default ?? (wins ? value : undefined)
  return [
    ...candidates,
    {
      from: 'default',
      section: rule.section,
      value: fallback,
      wins,
      why: wins ? 'nothing sets it' : 'something sets it',
    },
  ]
}

function normalize(attribute: string, platform: ResolveOptions['platform']): string {
  const node = platform === 'H5' ? 'h5' : 'app-plus'
  const [first = '', ...rest] = attribute.split('.')
  if (first === 'app-plus' || first === 'h5') {
    const inner = rest[0]?.replace(/\[.*/, '')
    const shared = inner === undefined || inner === 'titleNView' || inner === 'pullToRefresh'
    return shared ? [node, ...rest].join('.') : attribute
  }
  const isPlain = attributesOf('pageStyle').has(first.replace(/\[.*/, ''))
  return isPlain || !attributesOf('appPlus').has(first.replace(/\[.*/, '')) ? attribute : `${node}.${attribute}`
}

/** Walks the tables along a path from one of them; a message where it leads nowhere. */
function findRule(path: string, from: TableId): Attribute | string {
  let table = from
  const parts = path.split('.')
  for (const [index, part] of parts.entries()) {
    const name = part.replace(/\[\d+\]$/, '')
    const attributes = attributesOf(table)
    const taken: TableId | undefined = tables[table].fallsBackTo?.table
    const attribute: Attribute | undefined = attributes.get(name) ?? (taken && attributesOf(taken).get(name))
    if (attribute === undefined) {
      const meant = closest(name, attributes.keys())
      return `${tables[table].title.replaceAll('`', '')} has no attribute "${name}"${meant ? `: did you mean "${meant}"?` : '.'}`
    }
    if (index === parts.length - 1 || attribute.shapes.some(({ is }) => is === 'map')) return attribute
    const inside: TableId | undefined = attribute.shapes.map(tableIn).find((each) => each !== undefined)
    if (inside === undefined) return `"${parts.slice(0, index + 1).join('.')}" holds no attributes of its own.`
    table = inside
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

function reasonOf(
  rule: Attribute,
  attribute: string,
  { platform }: ResolveOptions,
  value: Json | undefined,
  provenance: Provenance | undefined,
): string {
  const isTabBar = attribute.startsWith(ofTabBar)
  const global = attributesOf('globalStyle').get(attribute)
  const works = platforms.filter((each) => rule.platforms.includes(each) || global?.platforms.includes(each))
  if (value === undefined) {
    if (!works.includes(platform))
      return `"${attribute}" does not work on ${platform}, only on ${works.join(' and ')} (§${rule.section}).`
    if (provenance?.from === 'tabBar' && attribute.startsWith(`${ofTabBar}midButton`))
      return 'There is a middle button among an even number of tabs only (§2.7).'
    return `Nothing sets "${attribute}", and the document gives no default for it (§${rule.section}).`
  }
  if (provenance === undefined || provenance.from === 'default') {
    return `${isTabBar ? 'Nothing' : 'Neither the page nor globalStyle'} sets "${attribute}": it has the default of the document (§${rule.section}).`
  }
  const place = `${setIn[provenance.from]}, line ${provenance.line}`
  if (attribute === 'enablePullDownRefresh' && provenance.key?.endsWith('.support')) {
    return `${place}, by "${provenance.key}", which comes before "enablePullDownRefresh" (§2.9).`
  }
  if (platform === 'H5' && provenance.key?.startsWith('app-plus')) {
    return `${place}, by "${provenance.key}": h5 does not set it, and then app-plus counts (§2.10).`
  }
  return `${place}.`
}

const setIn = {
  page: 'Set on the page',
  globalStyle: 'Not set on the page; inherited from globalStyle',
  tabBar: 'Set in tabBar',
}
