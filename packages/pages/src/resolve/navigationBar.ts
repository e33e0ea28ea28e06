import type { Json } from '../parse/nodes.ts'
import type { JsonObject } from './layers.ts'
import type { ResolvedPage } from './resolve.ts'

/** How the navigation bar of a page looks. Colours as they are written. */
export type NavigationBar = {
  /** False with `navigationStyle: custom` or `titleNView: false` (§2.4). */
  readonly isShown: boolean
  readonly type: string
  readonly title: string
  /** In place of the title (§2.3); empty where there is none. */
  readonly titleImage: string
  readonly titleColor: string
  readonly backgroundColor: string
  /** Of the status bar and of the title, unless `titleColor` differs. */
  readonly textStyle: 'black' | 'white'
  /** The resolved `titleNView`; undefined where nothing sets it. */
  readonly titleNView: JsonObject | undefined
}

/**
 * What a page's bar comes down to. A `titleNView` speaks of the same things as the `navigationBar…` keys: what it sets comes first,
 * then what those keys set, then their defaults; the defaults of `titleNView` count only where neither is set (ADR 104).
 */
export function navigationBarOf({ style, provenance }: Pick<ResolvedPage, 'style' | 'provenance'>): NavigationBar {
  const node = asObject(style.h5) ? 'h5' : 'app-plus'
  const bar = asObject(style[node])?.titleNView
  const titleNView = asObject(bar)
  const isSet = (path: string) => Object.hasOwn(provenance, path) && provenance[path]!.from !== 'default'
  const pick = (key: string, flat: string, flatValue: Json | undefined): string => {
    const own = titleNView?.[key]
    return typeof own === 'string' && isSet(`${node}.titleNView.${key}`) ? own : text(flatValue ?? style[flat])
  }
  const textStyle = style.navigationBarTextStyle === 'black' ? 'black' : 'white'
  return {
    isShown: style.navigationStyle !== 'custom' && bar !== false,
    type: typeof titleNView?.type === 'string' ? titleNView.type : 'default',
    title: pick('titleText', 'navigationBarTitleText', undefined),
    titleImage: text(style.titleImage),
    titleColor: pick('titleColor', 'navigationBarTextStyle', textStyle === 'black' ? '#000000' : '#FFFFFF'),
    backgroundColor: pick('backgroundColor', 'navigationBarBackgroundColor', undefined),
    textStyle,
    titleNView,
  }
}

/**
 * The style of a page for those who get it without provenance: its `titleNView` holds only what somebody has written. Its defaults are
 * left out, also those that follow from its `titleColor`, since the `navigationBar…` keys come before them (ADR 104).
 */
export function withoutBarDefaults({ style, provenance }: Pick<ResolvedPage, 'style' | 'provenance'>): JsonObject {
  const node = asObject(style.h5) ? 'h5' : 'app-plus'
  const outer = asObject(style[node])
  const bar = asObject(outer?.titleNView)
  if (outer === undefined || bar === undefined) return style
  return { ...style, [node]: { ...outer, titleNView: written(bar, `${node}.titleNView`, provenance) } }
}

function written(value: Json, path: string, provenance: ResolvedPage['provenance']): Json {
  if (Array.isArray(value)) return value.map((item, index) => written(item, `${path}[${index}]`, provenance))
  const object = asObject(value)
  if (object === undefined) return value
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, inner]) => {
      const here = `${path}.${key}`
      const { from } = provenance[here] ?? {}
      return from === 'default' ? [] : [[key, written(inner, here, provenance)]]
    }),
  )
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const asObject = (value: Json | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
