import { isLight, readColor } from '../colors.ts'
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
 * Decides between `titleNView` and the `navigationBar…` keys (pages-json §3.3): what is written beats every default, a
 * page beats globalStyle, and at one level `titleNView` beats the keys. With a `titleNView` the defaults are its own.
 */
export function navigationBarOf(style: Style, views = titleNViewsOf(style)): NavigationBar {
  const inner = views.map(layerInside)
  const shape = views[0]?.shape
  const view = shape?.is === 'object' ? platformAttributes(style.target, shape.of) : undefined
  const { byKey } = platformAttributes(style.target, style.table)
  const own = (key: string): BarValue => {
    const attribute = ownAttribute(view, key)
    return barValue(firstValue(attribute, inner), undefined, attribute?.rule.default)
  }
  const plain = (key: string): BarValue => {
    const attribute = byKey.get(key)
    return barValue(firstValue(attribute, style.layers), key, attribute?.rule.default)
  }
  const nearest = (key: string, plainKey: string): BarValue => {
    const [inView, inStyle] = [own(key), plain(plainKey)]
    if (inView.found && inStyle.found) return isNearer(inStyle.found, inView.found) ? inStyle : inView
    if (inView.found || inStyle.found) return inView.found ? inView : inStyle
    return view ? inView : inStyle
  }
  const title = nearest('titleText', 'navigationBarTitleText')
  const titleColor = asColor(nearest('titleColor', 'navigationBarTextStyle'))
  const textStyle = plain('navigationBarTextStyle')
  return {
    title,
    titleColor,
    backgroundColor: tinted(nearest('backgroundColor', 'navigationBarBackgroundColor'), own),
    textStyle: textStyle.found || !view ? textStyle : { ...titleColor, value: wordFor(titleColor.value) },
  }
}

function barValue(found: FoundValue | undefined, source: string | undefined, fallback: Json | undefined): BarValue {
  return { value: found ? toJson(found.value) : fallback, found, source }
}

const isNearer = (one: FoundValue, other: FoundValue): boolean =>
  one.layer.from === 'page' && other.layer.from !== 'page'

/** Replaces the word of `navigationBarTextStyle` by the color that it stands for. */
const asColor = (color: BarValue): BarValue =>
  color.source === undefined ? color : { ...color, value: color.value === 'black' ? '#000000' : '#FFFFFF' }

/** Returns the word for the text of the status bar beside a title. */
function wordFor(title: Json | undefined): string {
  const color = readColor(String(title))
  return color && isLight(color) ? 'white' : 'black'
}

/** Tints a bar that blurs the page; the color of the defaults would hide the blur. */
function tinted(background: BarValue, own: (key: string) => BarValue): BarValue {
  if (background.found || own('type').value === 'default') return background
  const tint = blurTints.get(String(own('blurEffect').value))
  return tint ? { ...background, value: tint } : background
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
