import type { Os } from '../conditional/builds.ts'
import type { Json } from '../parse/nodes.ts'
import { type Attribute, attributesOf } from '../rules/attributes.ts'
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
  switch (row.computed) {
    case 'barTitle':
      return decided?.title ?? nothing
    case 'barTitleColor':
      return decided?.titleColor ?? nothing
    case 'barBackground':
      return decided?.backgroundColor ?? nothing
    case 'pageValue': {
      const source = pageSources[name] ?? name
      const value = parent?.[source]
      return value === undefined ? { value: fallback } : { value, source }
    }
    case 'titleColor':
      return { value: bar?.titleColor }
    case 'pressedColor':
      return { value: typeof values.color === 'string' ? withOpacity(values.color) : undefined }
    case 'refreshStyle':
      return { value: os === 'iOS' ? 'default' : 'circle' }
    case 'backFontSize':
      return { value: bar?.type === 'transparent' ? '22px' : bar?.type === 'default' ? '27px' : undefined }
    case 'subWindowPlace':
      return { value: placeSubWindow(parent?.type, values, placementDefaults)[name as keyof SubWindowPlacement] }
    default:
      return nothing
  }
}

/** Returns `#RRGGBB` at an opacity of 0.3; undefined for any other notation. */
function withOpacity(color: string): string | undefined {
  if (!/^#[\da-f]{6}$/i.test(color)) return undefined
  const channels = Number.parseInt(color.slice(1), 16)
  return `rgba(${channels >> 16},${(channels >> 8) & 255},${channels & 255},0.3)`
}
