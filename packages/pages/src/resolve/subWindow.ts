import type { Json } from '../parse/nodes.ts'

type Side = 'left' | 'right' | 'top' | 'bottom'

/** Attributes of a sub-window's style; null and a missing value are not set (pages-json §2.8). */
type Written = { readonly [attribute: string]: Json | undefined }

/** The position of a sub-window and the lengths that decide it. Lengths of other attributes have no effect. */
export type SubWindowPlacement = {
  readonly position: 'static' | 'absolute' | 'dock'
  /** Edge of a docked sub-window. */
  readonly dock: Side
  /** The directions in which `margin: auto` centers the window: those without an offset. */
  readonly isCentered: { readonly horizontally: boolean; readonly vertically: boolean }
} & { readonly [length in Side | 'width' | 'height']?: string }

/** Defaults of the rule table: `width` is also that of `height`, and `top` that of `left`. */
type Defaults = Pick<SubWindowPlacement, 'position' | 'dock'> & { readonly width: string; readonly top: string }

/**
 * Decides between the attributes that place a sub-window (pages-json §2.8). The resolver, the checker and the runtime
 * use the same function.
 */
export function placeSubWindow(type: Json | undefined, style: Written, defaults: Defaults): SubWindowPlacement {
  const length = (attribute: string) => lengthOf(style[attribute])
  // Replaces the navigation bar: at the top, with the height of a bar.
  const isBar = type === 'navigationBar'
  const position = isOneOf(style.position, ['static', 'absolute', 'dock'])
    ? style.position
    : isBar && length('height') === undefined
      ? 'dock'
      : defaults.position
  const dock = isOneOf(style.dock, sides) ? style.dock : isBar ? 'top' : defaults.dock
  if (position === 'dock') {
    const size = dock === 'left' || dock === 'right' ? 'width' : 'height'
    const extent = length(size) ?? (isBar && size === 'height' ? undefined : defaults.width)
    const isCentered = { horizontally: false, vertically: false }
    return { position, dock, isCentered, ...(extent !== undefined && { [size]: extent }) }
  }
  const isAuto = String(style.margin).trim() === 'auto'
  const isBetween = (start: Side, end: Side) => isAuto && length(start) === undefined && length(end) === undefined
  const isCentered = { horizontally: isBetween('left', 'right'), vertically: isBetween('top', 'bottom') }
  const along = (start: Side, end: Side, size: 'width' | 'height') => {
    const [from, to] = [length(start), length(end)]
    const extent = length(size) ?? (to === undefined ? defaults.width : undefined)
    if (extent === undefined) return { [start]: from ?? defaults.top, [end]: to! }
    if (isBetween(start, end)) return { [size]: extent }
    return from === undefined && to !== undefined
      ? { [end]: to, [size]: extent }
      : { [start]: from ?? defaults.top, [size]: extent }
  }
  return { position, dock, isCentered, ...along('left', 'right', 'width'), ...along('top', 'bottom', 'height') }
}

const sides = ['left', 'right', 'top', 'bottom'] as const

const isOneOf = <T extends string>(value: Json | undefined, all: readonly T[]): value is T =>
  all.some((each) => each === value)

/** Returns a length in px or percent; a bare number is px. Undefined if it is not set. */
function lengthOf(value: Json | undefined): string | undefined {
  const text = String(value ?? '').trim()
  if (text === '' || text === 'null') return undefined
  return /^[+-]?[\d.]+$/.test(text) ? `${text}px` : text
}
