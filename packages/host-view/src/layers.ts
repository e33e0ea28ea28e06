import type { Bars } from '@souk/shell/bars'
import type { Motion } from '@souk/shell/page/motion'

/** The bars of one page, which move with it. */
export interface Layer {
  /** Key of the layer: kept when the next page takes over without a movement. */
  key: number
  /** Key of its navigation bar, whose search text and focus belong to one page. */
  barKey: number
  bars: Bars
  motion: Motion | null
}

/**
 * Returns the layers after a change of the bars. The page on top is last, except while going back, when the leaving
 * page is above it. Call `withoutMotion` after `duration` ms.
 */
export function nextLayers(layers: readonly Layer[], changed: Partial<Bars>): Layer[] {
  const current = topLayer(layers)
  const bars = { ...current.bars, ...changed }
  const { name, direction, duration } = bars.transition
  if (bars.pageId === current.bars.pageId) return layers.map((each) => (each === current ? { ...each, bars } : each))
  // The first page takes over the layer drawn from the manifest.
  if (current.bars.pageId === -1) return [{ ...current, bars }]
  const { key, barKey } = current
  if (direction === 'none' || name === 'none' || duration <= 0) return [{ key, barKey: barKey + 1, bars, motion: null }]
  const isForward = direction === 'forward'
  const motion = { name, duration }
  const next: Layer = {
    key: key + 1,
    barKey: barKey + 1,
    bars,
    motion: { role: isForward ? 'enter' : 'uncover', ...motion },
  }
  const before: Layer = { ...current, motion: { role: isForward ? 'cover' : 'leave', ...motion } }
  return isForward ? [before, next] : [next, before]
}

/** Returns the layer of the page on top: the newest. */
export function topLayer(layers: readonly Layer[]): Layer {
  return layers.reduce((newest, each) => (each.key > newest.key ? each : newest))
}

/** Returns the layers after the movement has ended. */
export function withoutMotion(layers: readonly Layer[]): Layer[] {
  return [{ ...topLayer(layers), motion: null }]
}
