import type { Platform } from '../diagnostic.ts'
import type { Json, Node } from '../parse/nodes.ts'
import { type Attribute, attributesOf, compareVersions } from '../rules/attributes.ts'
import { directKeys, platformKeys } from '../rules/honored.ts'
import type { Shape, TableId } from '../rules/rule.ts'
import { shapeOf } from '../rules/shape.ts'
import { tables } from '../rules/tables.ts'

/** The platform that values are resolved for. */
export type PlatformTarget = {
  readonly platform: Platform
  /** Undefined means the newest. */
  readonly version: string | undefined
  /** Cache: the attributes of a table are selected once. */
  readonly tableAttributes: Map<TableId, TableAttributes>
}

/** An attribute that works on the platform when at least one kind of layer sets it. */
export type PlatformAttribute = {
  readonly rule: Attribute
  readonly name: string
  readonly shapes: readonly Shape[]
  /** The only values that count on the platform (pages-json §2.7 borderStyle, pages-json §2.10). */
  readonly only: readonly string[] | undefined
  /**
   * Rows of globalStyle may differ: its `titleImage` works everywhere, that of a page on H5 only (pages-json §2.3,
   * §2.4).
   */
  readonly fromPage: boolean
  readonly fromGlobal: boolean
  /** Set by `app-plus` only, although the object belongs to another node (pages-json §2.10). */
  readonly isAppPlusOnly: boolean
  readonly holdsObjects: boolean
}

/** The attributes of a table that work on the platform. */
export type TableAttributes = {
  /** Plain values first, because defaults of others and inside objects may depend on them. */
  readonly own: readonly PlatformAttribute[]
  /** `own` by the key that sets them. */
  readonly byKey: ReadonlyMap<string, PlatformAttribute>
  /** Attributes of another table that count only where `app-plus` sets them. */
  readonly appPlusOnly: ReadonlyMap<string, PlatformAttribute>
  /** Fixed defaults. */
  readonly defaults: Readonly<{ [key: string]: Json }>
  /** Attributes whose default depends on other values. */
  readonly computed: readonly PlatformAttribute[]
  /** Objects whose defaults apply even where the file does not contain them. */
  readonly namespaces: readonly PlatformAttribute[]
}

/** Selects the attributes of a table that work on the platform. */
export function platformAttributes(target: PlatformTarget, table: TableId): TableAttributes {
  const cached = target.tableAttributes.get(table)
  if (cached) return cached
  const working = [...attributesOf(table).values()]
    .map((attribute) => forPlatform(target, table, attribute))
    .filter(({ fromPage, fromGlobal }) => fromPage || fromGlobal)
  const own = [
    ...working.filter((each) => !each.holdsObjects && !each.rule.row.computed),
    ...working.filter((each) => !each.holdsObjects && each.rule.row.computed),
    ...working.filter((each) => each.holdsObjects),
  ]
  const onlyInAppPlus = appPlusOnly(target, table)
  const all = [...own, ...onlyInAppPlus.values()]
  const selected = {
    own,
    byKey: byKey(own, target.platform),
    appPlusOnly: onlyInAppPlus,
    defaults: fixedDefaults(all),
    computed: all.filter((each) => each.rule.row.computed && !isNamespace(each)),
    namespaces: all.filter(isNamespace),
  }
  target.tableAttributes.set(table, selected)
  return selected
}

function forPlatform(target: PlatformTarget, table: TableId, attribute: Attribute): PlatformAttribute {
  const global = table === 'pageStyle' ? attributesOf('globalStyle').get(attribute.name) : undefined
  return {
    rule: attribute,
    name: attribute.name,
    shapes: attribute.shapes,
    only: onlyValues(target, attribute),
    fromPage: worksOn(target, attribute),
    fromGlobal: worksOn(target, global ?? attribute),
    isAppPlusOnly: false,
    holdsObjects: attribute.shapes.some(({ is }) => is === 'object' || is === 'list'),
  }
}

function onlyValues({ platform, version }: PlatformTarget, attribute: Attribute): readonly string[] | undefined {
  const { otherValuesSince: since, shapes } = attribute
  const needed = since[platform]
  const hasOthers = needed !== undefined && (version === undefined || compareVersions(version, needed) >= 0)
  const [shape] = shapes
  if (shape?.is !== 'text') return undefined
  const isFixed = shape.values?.length === 1 && shape.values[0] === attribute.default
  return isFixed || (Object.keys(since).length > 0 && !hasOthers) ? shape.values : undefined
}

/** Returns the shape of a value; undefined if it does not count on the platform. */
export function countingShape({ shapes, only }: PlatformAttribute, value: Node): Shape | undefined {
  const shape = shapeOf(shapes, value)
  return only && value.kind === 'string' && !only.includes(value.value) ? undefined : shape
}

function worksOn({ platform, version }: PlatformTarget, { platforms, since }: Attribute): boolean {
  const needed = since[platform]
  return (
    platforms.includes(platform) &&
    (needed === undefined || version === undefined || compareVersions(version, needed) >= 0)
  )
}

function byKey(own: readonly PlatformAttribute[], platform: Platform): ReadonlyMap<string, PlatformAttribute> {
  const attributes = new Map(own.map((each) => [each.name, each]))
  const platformObject = attributes.get('h5') ?? attributes.get('app-plus')
  if (platformObject) {
    for (const key of [...platformKeys[platform], ...directKeys]) attributes.set(key, platformObject)
  }
  return attributes
}

function appPlusOnly(target: PlatformTarget, table: TableId): ReadonlyMap<string, PlatformAttribute> {
  const { fallsBackTo } = tables[table]
  const own = attributesOf(table)
  const others = fallsBackTo ? [...attributesOf(fallsBackTo.table).values()] : []
  return new Map(
    others
      .filter(({ name }) => !own.has(name) && fallsBackTo?.keys?.includes(name) !== false)
      .map((attribute) => ({ ...forPlatform(target, table, attribute), isAppPlusOnly: true }))
      .filter(({ fromPage, fromGlobal }) => fromPage || fromGlobal)
      .map((each) => [each.name, each]),
  )
}

function fixedDefaults(all: readonly PlatformAttribute[]): { [key: string]: Json } {
  const defaults: { [key: string]: Json } = {}
  for (const each of all) {
    const { row, default: value } = each.rule
    if (!row.computed && !isNamespace(each) && value !== undefined) defaults[each.name] = value
  }
  return defaults
}

const isNamespace = ({ rule: { row }, shapes }: PlatformAttribute) =>
  row.namespace === true && shapes[0]?.is === 'object'
