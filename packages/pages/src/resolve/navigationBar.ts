import { type Json, type JsonObject, toJson } from '../parse/nodes.ts'
import type { TableId } from '../rules/rule.ts'
import { type FoundValue, findValues, type Layer, layerInside } from './layers.ts'
import {
  type PlatformAttribute,
  type PlatformTarget,
  platformAttributes,
  type TableAttributes,
} from './platformAttributes.ts'
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

/** Returns the objects among the values of an attribute that count: `false` hides those of later layers. */
export function objectsIn(found: FoundValue[]): FoundValue[] {
  const end = found.findIndex(({ shape }) => shape.is !== 'object')
  return end < 0 ? found : found.slice(0, end)
}

/** Returns the `titleNView` objects of a style, first layer first. */
export function titleNViewsOf(style: Style): FoundValue[] {
  return objectsIn(titleNViewValues(style))
}

/** Returns the values of `titleNView` on the platform of a style, first layer first. */
function titleNViewValues({ target, table, layers }: Style): FoundValue[] {
  const node = platformAttributes(target, table).byKey.get(target.platform === 'H5' ? 'h5' : 'app-plus')
  const outer = node ? objectsIn(findValues(node, layers)) : []
  const shape = outer[0]?.shape
  const titleNView = shape?.is === 'object' && platformAttributes(target, shape.of).byKey.get('titleNView')
  return titleNView ? findValues(titleNView, outer.map(layerInside)) : []
}

/** Returns whether a style has a bar that shows its title on a color: no transparent bar, and no image. */
export function hasTitleOnColor(style: Style): boolean {
  const { target, table, layers } = style
  const views = titleNViewValues(style)
  const shape = views[0]?.shape
  if (shape?.is === 'object') {
    const own = platformAttributes(target, shape.of)
    const inner = objectsIn(views).map(layerInside)
    const type = jsonOf(firstValue(ownAttribute(own, 'type'), inner)) ?? 'default'
    if (type !== 'default' || firstValue(ownAttribute(own, 'backgroundImage'), inner) !== undefined) return false
  } else if (jsonOf(views[0]) === false) return false
  const { byKey } = platformAttributes(target, table)
  const written = (key: string, fallback: Json) => jsonOf(firstValue(byKey.get(key), layers)) ?? fallback
  return (
    written('navigationStyle', 'default') !== 'custom' &&
    written('transparentTitle', 'none') === 'none' &&
    written('titleImage', '') === ''
  )
}

const jsonOf = (found: FoundValue | undefined): Json | undefined => found && toJson(found.value)

const firstValue = (attribute: PlatformAttribute | undefined, layers: readonly Layer[]) =>
  attribute && findValues(attribute, layers)[0]

const ownAttribute = (attributes: TableAttributes | undefined, key: string) =>
  attributes?.byKey.get(key) ?? attributes?.appPlusOnly.get(key)

/**
 * Decides between `titleNView` and the `navigationBar…` keys: values that `titleNView` sets win. It leaves the others
 * to those keys, except for its own colors if none of the keys is written at the same level or at a more specific one.
 */
export function navigationBarOf(style: Style, views = titleNViewsOf(style)): NavigationBar {
  const inner = views.map(layerInside)
  const shape = views[0]?.shape
  const attributes = shape?.is === 'object' ? platformAttributes(style.target, shape.of) : undefined
  const { byKey } = platformAttributes(style.target, style.table)
  const own = (key: string): BarValue => {
    const attribute = ownAttribute(attributes, key)
    return barValue(firstValue(attribute, inner), undefined, attribute?.rule.default)
  }
  const plain = (key: string): BarValue => {
    const attribute = byKey.get(key)
    return barValue(firstValue(attribute, style.layers), key, attribute?.rule.default)
  }
  const written = (key: string) => {
    const value = own(key)
    return value.found ? value : undefined
  }
  const titleColor = written('titleColor')
  const keepsColors = inner[0] !== undefined && !isWrittenBeside(style, inner[0])
  const textStyle =
    keepsColors && titleColor === undefined ? barValue(undefined, undefined, 'black') : plain('navigationBarTextStyle')
  const backgroundColor = () => {
    const tint = own('type').value === 'default' ? undefined : blurTints.get(String(own('blurEffect').value))
    // A color that is not set for this bar would hide the blur.
    if (tint) return barValue(undefined, undefined, tint)
    return keepsColors ? own('backgroundColor') : plain('navigationBarBackgroundColor')
  }
  return {
    title: written('titleText') ?? plain('navigationBarTitleText'),
    titleColor: titleColor ?? { ...textStyle, value: textStyle.value === 'black' ? '#000000' : '#FFFFFF' },
    backgroundColor: written('backgroundColor') ?? backgroundColor(),
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
  return platformAttributes(target, table).bar.some((attribute) => findValues(attribute, nearest).length > 0)
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
