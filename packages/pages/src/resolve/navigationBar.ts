import { asObject, type Json, type JsonObject } from '../parse/nodes.ts'
import type { ResolvedPage } from './resolve.ts'

/** The navigation bar of a page. Colours are in the notation of the file. */
export type NavigationBar = {
  /** False with `navigationStyle: custom` or `titleNView: false` (pages-json §2.4). */
  readonly isShown: boolean
  readonly type: string
  readonly title: string
  /** Replaces the title (pages-json §2.3); empty if there is none. */
  readonly titleImage: string
  readonly titleColor: string
  readonly backgroundColor: string
  /** Colour of the status bar, and of the title unless `titleColor` differs. */
  readonly textStyle: 'black' | 'white'
  /** The resolved `titleNView`; undefined if nothing sets it. */
  readonly titleNView: JsonObject | undefined
}

/**
 * Combines `titleNView` with the `navigationBar…` keys, which describe the same bar. Values that `titleNView` sets win
 * over those keys, and those keys win over the defaults of `titleNView` (ADR 104).
 */
export function navigationBarOf({ style, provenance }: Pick<ResolvedPage, 'style' | 'provenance'>): NavigationBar {
  const node = asObject(style.h5) ? 'h5' : 'app-plus'
  const bar = asObject(style[node])?.titleNView
  const titleNView = asObject(bar)
  const isSet = (path: string) => Object.hasOwn(provenance, path) && provenance[path]!.from !== 'default'
  const pick = (key: string, fallback: Json | undefined): string => {
    const value = titleNView?.[key]
    return typeof value === 'string' && isSet(`${node}.titleNView.${key}`) ? value : text(fallback)
  }
  const textStyle = style.navigationBarTextStyle === 'black' ? 'black' : 'white'
  return {
    isShown: style.navigationStyle !== 'custom' && bar !== false,
    type: typeof titleNView?.type === 'string' ? titleNView.type : 'default',
    title: pick('titleText', style.navigationBarTitleText),
    titleImage: text(style.titleImage),
    titleColor: pick('titleColor', textStyle === 'black' ? '#000000' : '#FFFFFF'),
    backgroundColor: pick('backgroundColor', style.navigationBarBackgroundColor),
    textStyle,
    titleNView,
  }
}

/**
 * Returns the style of a page with a `titleNView` that contains only values from the file, for consumers without
 * provenance: the `navigationBar…` keys override the defaults of `titleNView` (ADR 104).
 */
export function withoutBarDefaults({ style, provenance }: Pick<ResolvedPage, 'style' | 'provenance'>): JsonObject {
  const node = asObject(style.h5) ? 'h5' : 'app-plus'
  const outer = asObject(style[node])
  const bar = asObject(outer?.titleNView)
  if (outer === undefined || bar === undefined) return style
  return { ...style, [node]: { ...outer, titleNView: withoutDefaults(bar, `${node}.titleNView`, provenance) } }
}

function withoutDefaults(value: Json, path: string, provenance: ResolvedPage['provenance']): Json {
  if (Array.isArray(value)) {
    return value.map((item, index) => withoutDefaults(item, `${path}[${index}]`, provenance))
  }
  const object = asObject(value)
  if (object === undefined) return value
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, inner]) => {
      const innerPath = `${path}.${key}`
      return provenance[innerPath]?.from === 'default' ? [] : [[key, withoutDefaults(inner, innerPath, provenance)]]
    }),
  )
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
