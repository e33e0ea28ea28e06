import { readColor } from '../colors.ts'
import type { Os } from '../conditional/builds.ts'
import type { Json } from '../parse/nodes.ts'
import { type Attribute, attributesOf } from '../rules/attributes.ts'
import type { Row } from '../rules/rule.ts'
import type { NavigationBar } from './navigationBar.ts'
import { placeSubWindow, type SubWindowPlacement } from './subWindow.ts'

/** An object whose attributes are being resolved, with the values so far. */
type Values = { readonly [key: string]: Json }

type Surroundings = {
  readonly os: Os
  readonly values: Values
  /** The resolved object around `values`. */
  readonly parent: Values | undefined
  readonly bar: NavigationBar | undefined
}

/** A default, with the attribute of the page that decides it. */
type ComputedDefault = { readonly value: Json | undefined; readonly source?: string | undefined }

const nothing: ComputedDefault = { value: undefined }

const subWindowDefault = (name: string) => attributesOf('subNVueStyle').get(name)!.default as string

/** Arguments of `placeSubWindow`. */
export const placementDefaults = {
  position: subWindowDefault('position') as SubWindowPlacement['position'],
  dock: subWindowDefault('dock') as SubWindowPlacement['dock'],
  width: subWindowDefault('width'),
  top: subWindowDefault('top'),
}

/** Page attributes that set what `app-plus` leaves open (pages-json §3.3). */
const pageSources: { readonly [name: string]: string } = { background: 'backgroundColor' }

/**
 * Computes a default that depends on another value (pages-json §2.5, §2.6, §2.6.1, §2.6.2, §2.8, §2.9, §3.3).
 */
export function computedDefault(
  { row, table, name, default: fallback }: Attribute,
  { os, values, parent, bar: decided }: Surroundings,
): ComputedDefault {
  const bar = table === 'titleNView' ? values : parent
  const ofBar = decidedFor(row, decided)
  if (ofBar) return ofBar
  switch (row.computed) {
    case 'pageValue': {
      const source = pageSources[name] ?? name
      const value = parent?.[source]
      return value === undefined ? { value: fallback } : { value, source }
    }
    case 'titleColor':
      return { value: bar?.titleColor }
    case 'pressedColor':
      return { value: typeof values.color === 'string' ? pressed(values.color) : undefined }
    case 'refreshStyle':
      return { value: os === 'iOS' ? 'default' : 'circle' }
    case 'backFontSize':
      return { value: bar?.type === 'transparent' ? '22px' : fallback }
    case 'subWindowPlace':
      return { value: placeSubWindow(parent?.type, values, placementDefaults)[name as keyof SubWindowPlacement] }
    default:
      return nothing
  }
}

/** Returns the value that the bar has for an attribute of `titleNView`; undefined for any other attribute. */
function decidedFor({ computed }: Row, bar: NavigationBar | undefined): ComputedDefault | undefined {
  switch (computed) {
    case 'barTitle':
      return bar?.title
    case 'barTitleColor':
      return bar?.titleColor
    case 'barBackground':
      return bar?.backgroundColor
    default:
      return undefined
  }
}

/** Returns whether a key of the style decides an attribute of `titleNView`, even where that is written. */
export const isDecidedByStyle = ({ row }: Attribute, bar: NavigationBar | undefined): boolean =>
  decidedFor(row, bar)?.source !== undefined

/** Returns a color at 0.3 of its opacity; undefined if it is not valid. */
function pressed(written: string): string | undefined {
  const color = readColor(written)
  return color && `rgba(${color.red},${color.green},${color.blue},${Math.round(color.alpha * 300) / 1000})`
}
