import type { Os } from '../conditional/builds.ts'
import type { Platform } from '../diagnostic.ts'
import type { Lines } from '../parse/lines.ts'
import { type Json, type Node, type ObjectNode, setOwn, toJson, valueAt } from '../parse/nodes.ts'
import { type Attribute, attributesOf, compareVersions } from '../rules/attributes.ts'
import type { Shape, TableId } from '../rules/rule.ts'
import { fits, shapeOf } from '../rules/shape.ts'
import { tables } from '../rules/tables.ts'

/** Where a value comes from; lines and columns from 1. */
export type Provenance = {
  readonly from: 'page' | 'globalStyle' | 'tabBar' | 'default'
  /** Where it is written; a default is written nowhere. */
  readonly line?: number
  readonly column?: number
  readonly offset?: number
  /** The key that it is written under, from the style object on, as in `app-plus.titleNView.type`. */
  readonly key?: string
  /** Section of the document. */
  readonly section: string
}

/** One of the places that may say what an attribute is, in the order in which they count. */
export type Candidate = Provenance & { readonly value: Json | undefined; readonly wins: boolean; readonly why: string }

/** An object that may set attributes; the first layer that sets one decides. */
export type Layer = {
  readonly from: 'page' | 'globalStyle' | 'tabBar'
  readonly node: ObjectNode
  /** The way to it from the style object; empty or with a dot at its end. */
  readonly way: string
  /** Whether it stands inside `app-plus`. */
  readonly isPlus: boolean
}

/**
 * What resolution goes by, and where it writes down the provenance of every value. Without provenance it is several times faster, and the
 * values are the same: most of them nobody asks about.
 */
export type Frame = {
  readonly platform: Platform
  readonly os: Os
  readonly version: string | undefined
  readonly lines: Lines
  readonly provenance: { [key: string]: Provenance } | undefined
  /** Collects the candidates of every attribute, for `explain`. */
  readonly trace: Map<string, Candidate[]> | undefined
  /** globalStyle, which stands behind every page. */
  readonly behind: Layer | undefined
  /** Which attributes count at all, worked out once per object of the document. */
  readonly plans: Map<TableId, Plan>
}

export type JsonObject = { [key: string]: Json }

/** An attribute that works on the platform, if it is set in the right layer. */
type Planned = {
  readonly attribute: Attribute
  readonly name: string
  readonly shapes: readonly Shape[]
  /** globalStyle has rows of its own for what pages set too: `titleImage` works everywhere there, and on H5 here (§2.3, §2.4). */
  readonly fromPage: boolean
  readonly fromGlobal: boolean
  readonly onlyPlus: boolean
  readonly default: Provenance
  readonly holdsObjects: boolean
}

type Plan = {
  /** Plain values first: what stands inside objects may follow from them. */
  readonly own: readonly Planned[]
  /** Attributes that count only where `app-plus` sets them, which few do. */
  readonly taken: ReadonlyMap<string, Planned>
  /** `own` by the keys that set them. */
  readonly byKey: ReadonlyMap<string, Planned>
  /** What there is where nothing sets anything: fixed defaults, then those that follow from other values, then objects of defaults. */
  readonly constants: Readonly<JsonObject>
  /** A layer that stands behind all objects of this kind: globalStyle behind the styles of pages. */
  readonly behind: Layer | undefined
  /** The constants with the plain values of that layer, and the attributes that it sets otherwise. */
  readonly start: Readonly<JsonObject>
  readonly objectsBehind: readonly Planned[]
  readonly computed: readonly Planned[]
  readonly namespaces: readonly Planned[]
}

function planOf(frame: Frame, table: TableId): Plan {
  const known = frame.plans.get(table)
  if (known) return known
  const { fallsBackTo } = tables[table]
  const attributes = attributesOf(table)
  const others = fallsBackTo
    ? [...attributesOf(fallsBackTo.table).values()].filter(
        ({ name }) => !attributes.has(name) && fallsBackTo.keys?.includes(name) !== false,
      )
    : []
  const planAll = (all: Iterable<Attribute>, onlyPlus: boolean) =>
    [...all]
      .map((each) => plan(frame, table, each, onlyPlus))
      .filter(({ fromPage, fromGlobal }) => fromPage || fromGlobal)
  const planned = planAll(attributes.values(), false)
  const own = [...planned.filter((each) => !each.holdsObjects), ...planned.filter((each) => each.holdsObjects)]
  const byKey = new Map(own.map((each) => [each.name, each]))
  const h5 = byKey.get('h5')
  if (h5 && !byKey.has('app-plus')) byKey.set('app-plus', h5)
  const isNamespace = ({ attribute: { row }, shapes }: Planned) => row.namespace === true && shapes[0]?.is === 'object'
  const constants: JsonObject = {}
  for (const each of own) {
    const { row, default: value } = each.attribute
    if (!row.computed && !isNamespace(each) && value !== undefined) constants[each.name] = value
  }
  const behind = table === 'pageStyle' ? frame.behind : undefined
  const start = { ...constants }
  const objectsBehind: Planned[] = []
  const found: Plan = {
    own,
    taken: new Map(planAll(others, true).map((each) => [each.name, each])),
    byKey,
    constants,
    behind,
    start,
    objectsBehind,
    computed: own.filter((each) => each.attribute.row.computed && !isNamespace(each)),
    namespaces: own.filter(isNamespace),
  }
  frame.plans.set(table, found)
  if (behind) setPlain(frame, found, behind, [behind], start, objectsBehind)
  return found
}

function plan(frame: Frame, table: TableId, attribute: Attribute, onlyPlus: boolean): Planned {
  const global = table === 'pageStyle' ? attributesOf('globalStyle').get(attribute.name) : undefined
  return {
    attribute,
    name: attribute.name,
    shapes: attribute.shapes,
    fromPage: worksOn(frame, attribute),
    fromGlobal: worksOn(frame, global ?? attribute),
    onlyPlus,
    default: { from: 'default', section: attribute.section },
    holdsObjects: attribute.shapes.some(({ is }) => is === 'object' || is === 'list'),
  }
}

function worksOn({ platform, version }: Frame, { platforms, since }: Attribute): boolean {
  const needed = since[platform]
  return (
    platforms.includes(platform) &&
    (needed === undefined || version === undefined || compareVersions(version, needed) >= 0)
  )
}

/**
 * What an object of the file amounts to: for each attribute that works on the platform the value of the first layer that has one of
 * the right type, or the default. Objects are merged key by key, lists are not. `outer` is the resolved object around it.
 */
export function resolveObject(
  frame: Frame,
  table: TableId,
  layers: readonly Layer[],
  path: string,
  outer?: JsonObject,
): JsonObject {
  const plan = planOf(frame, table)
  const out: JsonObject = frame.provenance === undefined ? { ...plan.start } : {}
  if (frame.provenance === undefined) setWritten(frame, plan, layers, out, outer)
  else for (const planned of plan.own) resolveAttribute(frame, planned, layers, path, out, outer)
  const { taken } = plan
  if (taken.size === 0) return out
  for (const { node, isPlus } of layers) {
    if (!isPlus) continue
    for (const { key } of node.properties) {
      const planned = taken.get(key.value)
      if (planned && !Object.hasOwn(out, planned.name)) resolveAttribute(frame, planned, layers, path, out, outer)
    }
  }
  return out
}

/**
 * What `resolveAttribute` comes to for all attributes, into an object that has the constants, without looking for those that nothing sets: they are
 * most. Layers that come first are written last, over what those behind them have written.
 */
function setWritten(
  frame: Frame,
  plan: Plan,
  layers: readonly Layer[],
  out: JsonObject,
  outer: JsonObject | undefined,
): void {
  const { computed, namespaces } = plan
  const objects = [...plan.objectsBehind]
  for (let index = layers.length - 1; index >= 0; index -= 1) {
    const layer = layers[index]!
    if (layer !== plan.behind) setPlain(frame, plan, layer, layers, out, objects)
  }
  for (const { attribute, name } of computed) {
    const value = Object.hasOwn(out, name) ? undefined : compute(frame, attribute, out, outer)
    if (value !== undefined) out[name] = value
  }
  for (const planned of objects) resolveAttribute(frame, planned, layers, '', out, outer)
  for (const { name, shapes } of namespaces) {
    const [shape] = shapes
    if (shape?.is === 'object' && !Object.hasOwn(out, name)) out[name] = resolveObject(frame, shape.of, [], '', out)
  }
}

/** Sets the plain values of a layer, and collects the attributes that it sets otherwise. */
function setPlain(
  frame: Frame,
  { byKey, constants }: Plan,
  { from, node }: Layer,
  layers: readonly Layer[],
  out: JsonObject,
  objects: Planned[],
): void {
  for (const { key, value } of node.properties) {
    const planned = byKey.get(key.value)
    if (planned === undefined) continue
    if (planned.holdsObjects) {
      if (!objects.includes(planned)) objects.push(planned)
    } else if (from === 'page' ? planned.fromPage : planned.fromGlobal) {
      if (isPlain(value) && shapeOf(planned.shapes, value)) {
        out[planned.name] = value.value
      } else {
        // Of the wrong type, so that it does not count; nor does an earlier one under the same key.
        if (Object.hasOwn(constants, planned.name)) out[planned.name] = constants[planned.name]!
        else delete out[planned.name]
        resolveAttribute(frame, planned, layers, '', out, undefined)
      }
    }
  }
}

const isPlain = (node: Node): node is Extract<Node, { value: Json }> =>
  node.kind === 'string' || node.kind === 'boolean' || node.kind === 'number' || node.kind === 'null'

type Found = { readonly layer: Layer; readonly value: Node; readonly key: string; readonly shape: Shape }

function resolveAttribute(
  frame: Frame,
  planned: Planned,
  layers: readonly Layer[],
  path: string,
  out: JsonObject,
  outer: JsonObject | undefined,
): void {
  const { name } = planned
  const here = frame.provenance === undefined || path === '' ? name : `${path}.${name}`
  const found = findAll(planned, layers)
  const first = found[0]
  if (frame.trace) frame.trace.set(here, candidatesOf(frame, planned, layers, first))
  if (first === undefined) {
    // What only app-plus sets counts on H5 as well, but nothing is filled in for it.
    if (frame.provenance && !planned.onlyPlus) fillIn(frame, frame.provenance, planned, here, out, outer)
    return
  }
  note(frame, planned, here, first)
  if (first.shape.is === 'object' && planned.shapes[0]!.is !== 'list') {
    // A value that is no object, such as false, hides what lies behind it.
    const end = found.findIndex(({ shape }) => shape.is !== 'object')
    const inner = found.slice(0, end < 0 ? found.length : end).map(inside)
    out[name] = resolveObject(frame, first.shape.of, inner, here, out)
  } else if (first.shape.is === 'map') {
    out[name] = resolveMap(frame, planned, here, found)
  } else {
    out[name] = resolveLeaf(frame, planned, first, here, out)
  }
}

const inside = ({ layer, value, key }: Found): Layer => ({
  from: layer.from,
  node: value as ObjectNode,
  way: `${layer.way}${key}.`,
  isPlus: layer.isPlus || (layer.way === '' && key === 'app-plus'),
})

/** Most attributes are set nowhere. */
const none: Found[] = []

/** The values of the right type, nearest first; plain ones stop the search. */
function findAll({ name, shapes, fromPage, fromGlobal, onlyPlus }: Planned, layers: readonly Layer[]): Found[] {
  let found: Found[] = none
  for (const layer of layers) {
    if (layer.from === 'page' ? !fromPage : !fromGlobal) continue
    if (onlyPlus && !layer.isPlus) continue
    // `h5` stands for itself and then for `app-plus`, in the page before globalStyle (§2.10).
    for (let key = name; ; key = 'app-plus') {
      const value = valueAt(layer.node, key)
      const shape = value && shapeOf(shapes, value)
      if (value && shape) {
        if (found === none) found = [{ layer, value, key, shape }]
        else found.push({ layer, value, key, shape })
        if (shape.is !== 'object' && shape.is !== 'map') return found
      }
      if (key !== 'h5') break
    }
  }
  return found
}

function resolveLeaf(
  frame: Frame,
  planned: Planned,
  { layer, value, shape, key }: Found,
  here: string,
  out: JsonObject,
): Json {
  const items = value.kind === 'list' ? value.items : value.kind === 'object' ? [value] : undefined
  const of = shape.is === 'list' ? shape.of : shape
  if (items === undefined || of.is !== 'object') return toJson(value)
  return items
    .filter((item) => fits(of, item))
    .map((item, index) => {
      const place = frame.provenance ? `[${index}]` : ''
      const found = { layer, value: item, key: key + place, shape: of }
      note(frame, planned, here + place, found)
      return resolveObject(frame, of.of, [inside(found)], here + place, out)
    })
}

/** Maps such as usingComponents are merged: globalStyle registers its components for every page. */
function resolveMap(frame: Frame, planned: Planned, here: string, found: readonly Found[]): Json {
  const out: JsonObject = {}
  for (const { layer, value, key } of found) {
    if (value.kind !== 'object') continue
    const own: JsonObject = {}
    for (const property of value.properties) {
      const name = property.key.value
      if (property.value.kind === 'missing' || Object.hasOwn(out, name)) continue
      setOwn(own, name, toJson(property.value))
      note(frame, planned, `${here}.${name}`, { layer, value: property.value, key: `${key}.${name}` })
    }
    for (const name of Object.keys(own)) setOwn(out, name, own[name]!)
  }
  return out
}

function note(
  frame: Frame,
  { default: { section } }: Planned,
  here: string,
  { layer, value, key }: Omit<Found, 'shape'>,
): void {
  if (frame.provenance === undefined) return
  const { line, column } = frame.lines.positionAt(value.offset)
  frame.provenance[here] = {
    from: layer.from,
    line,
    column,
    offset: value.offset,
    key: layer.way + key,
    section,
  }
}

function fillIn(
  frame: Frame,
  provenance: NonNullable<Frame['provenance']>,
  planned: Planned,
  here: string,
  out: JsonObject,
  outer: JsonObject | undefined,
): void {
  const { attribute, name, shapes } = planned
  if (attribute.row.namespace && shapes[0]?.is === 'object') {
    provenance[here] = planned.default
    out[name] = resolveObject(frame, shapes[0].of, [], here, out)
    return
  }
  const value = attribute.row.computed ? compute(frame, attribute, out, outer) : attribute.default
  if (value === undefined) return
  out[name] = value
  provenance[here] = planned.default
}

/** Defaults that follow from another value (§2.6, §2.6.1, §2.6.2, §2.9). */
function compute(
  frame: Frame,
  { row, table }: Attribute,
  out: JsonObject,
  outer: JsonObject | undefined,
): Json | undefined {
  const bar = table === 'titleNView' ? out : outer
  switch (row.computed) {
    case 'titleColor':
      return bar?.titleColor
    case 'pressedColor':
      return typeof out.color === 'string' ? fade(out.color) : undefined
    case 'refreshStyle':
      return frame.os === 'iOS' ? 'default' : 'circle'
    case 'backFontSize':
      return bar?.type === 'transparent' ? '22px' : bar?.type === 'default' ? '27px' : undefined
    default:
      return undefined
  }
}

/** The colour at 0.3 of its opacity; what is no #RRGGBB is left alone. */
function fade(color: string): string | undefined {
  if (!/^#[\da-f]{6}$/i.test(color)) return undefined
  const channels = Number.parseInt(color.slice(1), 16)
  return `rgba(${channels >> 16},${(channels >> 8) & 255},${channels & 255},0.3)`
}

/** Every place that sets the attribute, and why it counts or does not. */
function candidatesOf(
  frame: Frame,
  planned: Planned,
  layers: readonly Layer[],
  winner: Found | undefined,
): Candidate[] {
  const {
    name,
    shapes,
    fromPage,
    fromGlobal,
    default: { section },
  } = planned
  const keys = name === 'h5' ? ['h5', 'app-plus'] : [name]
  return layers.flatMap((layer) =>
    keys.flatMap((key) => {
      const value = valueAt(layer.node, key)
      if (value === undefined) return []
      const { line, column } = frame.lines.positionAt(value.offset)
      const place = { from: layer.from, line, column, offset: value.offset, key: layer.way + key, section }
      const wins = value === winner?.value
      const works = layer.from === 'page' ? fromPage : fromGlobal
      const isBeaten =
        place.key.startsWith('app-plus.') && winner?.layer.way.startsWith('h5.') && winner.layer.from === layer.from
      const why = wins
        ? layer.from === 'tabBar'
          ? 'the one place for it (§2.7)'
          : 'the first in the order: page, globalStyle, default (§1)'
        : !works
          ? `does not work on ${frame.platform} (§${section})`
          : shapeOf(shapes, value) === undefined
            ? `is of the wrong type (§${section})`
            : isBeaten
              ? 'h5 comes before app-plus (§2.10)'
              : 'comes later in the order: page, globalStyle, default (§1)'
      return [{ ...place, value: toJson(value), wins, why }]
    }),
  )
}
