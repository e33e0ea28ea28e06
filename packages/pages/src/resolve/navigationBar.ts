import { type Json, type JsonObject, toJson } from '../parse/nodes.ts'
import type { TableId } from '../rules/rule.ts'
import { type FoundValue, findValues, type Layer, layerInside } from './layers.ts'
import { type PlatformAttribute, type PlatformTarget, platformAttributes } from './platformAttributes.ts'
import type { Provenances } from './provenance.ts'

/** A value of the bar, and where it comes from. */
type BarValue = {
  readonly value: Json | undefined
  /** The value in the file; undefined for a default. */
  readonly found: FoundValue | undefined
  /** The page attribute that decides; undefined if titleNView does. */
  readonly source: string | undefined
}

/** Settings that both `titleNView` and the `navigationBar…` keys describe, decided between them (ADR 104). */
export type NavigationBar = {
  readonly title: BarValue
  readonly titleColor: BarValue
  readonly backgroundColor: BarValue
  /** Text of the status bar. */
  readonly textStyle: BarValue
}

/** The style object of a page or globalStyle. */
type Style = { readonly target: PlatformTarget; readonly table: TableId; readonly layers: readonly Layer[] }

/** Tints over the blurred page (pages-json §2.6 blurEffect). */
const blurTints = new Map([
  ['dark', 'rgba(28,28,30,0.6)'],
  ['light', 'rgba(255,255,255,0.5)'],
  ['extralight', 'rgba(255,255,255,0.8)'],
])

/** Returns the objects inside an attribute that count: `false` hides those of later layers. */
export function objectsIn(attribute: PlatformAttribute | undefined, layers: readonly Layer[]): FoundValue[] {
  const found = attribute ? findValues(attribute, layers) : []
  const end = found.findIndex(({ shape }) => shape.is !== 'object')
  return end < 0 ? found : found.slice(0, end)
}

/** Returns the `titleNView` objects of a style, first layer first. */
export function titleNViewsOf({ target, table, layers }: Style): FoundValue[] {
  const node = target.platform === 'H5' ? 'h5' : 'app-plus'
  const outer = objectsIn(platformAttributes(target, table).byKey.get(node), layers)
  const shape = outer[0]?.shape
  if (shape?.is !== 'object') return []
  return objectsIn(platformAttributes(target, shape.of).byKey.get('titleNView'), outer.map(layerInside))
}

/**
 * Decides between `titleNView` and the `navigationBar…` keys: values that `titleNView` sets win. It leaves the others
 * to those keys, except for its own colours if none of the keys is written at the same level or at a more specific one.
 */
export function navigationBarOf(style: Style, views = titleNViewsOf(style)): NavigationBar {
  const inner = views.map(layerInside)
  const shape = views[0]?.shape
  const attributes = shape?.is === 'object' ? platformAttributes(style.target, shape.of) : undefined
  const own = (key: string): BarValue => {
    const attribute = attributes?.byKey.get(key) ?? attributes?.appPlusOnly.get(key)
    return barValue(attribute && findValues(attribute, inner)[0], undefined, attribute?.rule.default)
  }
  const plain = (key: string): BarValue => {
    const attribute = platformAttributes(style.target, style.table).byKey.get(key)
    return barValue(attribute && findValues(attribute, style.layers)[0], key, attribute?.rule.default)
  }
  const keepsColors = inner[0] !== undefined && !isWrittenBeside(style, inner[0])
  const written = (key: string) => (own(key).found ? own(key) : undefined)
  const titleColor = written('titleColor')
  const textStyle =
    keepsColors && titleColor === undefined ? barValue(undefined, undefined, 'black') : plain('navigationBarTextStyle')
  const tint = own('type').value === 'default' ? undefined : blurTints.get(String(own('blurEffect').value))
  return {
    title: written('titleText') ?? plain('navigationBarTitleText'),
    titleColor: titleColor ?? { ...textStyle, value: textStyle.value === 'black' ? '#000000' : '#FFFFFF' },
    backgroundColor:
      written('backgroundColor') ??
      // A colour that is not set for this bar would hide the blur.
      (tint ? barValue(undefined, undefined, tint) : keepsColors ? own('backgroundColor') : undefined) ??
      plain('navigationBarBackgroundColor'),
    textStyle,
  }
}

function barValue(found: FoundValue | undefined, source: string | undefined, fallback: Json | undefined): BarValue {
  return { value: found ? toJson(found.value) : fallback, found, source }
}

/** Returns whether a `navigationBar…` key is written at the level of `view`, or at a more specific one. */
function isWrittenBeside({ target, table, layers }: Style, view: Layer): boolean {
  const level = layers.findLastIndex(({ from }) => from === view.from)
  const nearest = layers.slice(0, level + 1)
  return platformAttributes(target, table).own.some(
    (attribute) => attribute.name.startsWith('navigationBar') && findValues(attribute, nearest).length > 0,
  )
}

/** Sets the `navigationBar…` keys of a resolved style to the values that `titleNView` decides. */
export function followTitleNView(style: JsonObject, bar: NavigationBar, path: string, provenance?: Provenances): void {
  const follow = (key: string, { value, source }: BarValue, from: string) => {
    if (value === undefined || source !== undefined) return
    style[key] = value
    const origin = provenance?.[`${path}.${from}`]
    if (origin) provenance![key] = origin
  }
  follow('navigationBarTitleText', bar.title, 'titleText')
  follow('navigationBarBackgroundColor', bar.backgroundColor, 'backgroundColor')
  follow('navigationBarTextStyle', bar.textStyle, 'titleColor')
}
