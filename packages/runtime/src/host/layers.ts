import type { Bars } from '../carrier.ts'
import type { Motion } from '../page/motion.ts'

/** The bars of one page, which move with it. */
export interface Layer {
  /** Of what is drawn: stays when the next page takes over without a movement. */
  key: number
  /** Of its navigation bar, which belongs to one page: what is typed into it and whether it takes the focus. */
  barKey: number
  bars: Bars
  motion: Motion | null
}

/**
 * The layers after a change of the bars: the page on top last but for a movement back, during which the page that leaves lies over it. One that moves is to be
 * settled after `duration` ms.
 */
export function nextLayers(layers: readonly Layer[], changed: Partial<Bars>): Layer[] {
  const current = topLayer(layers)
  const bars = { ...current.bars, ...changed }
  const { name, direction, duration } = bars.transition
  if (bars.pageId === current.bars.pageId) return layers.map((each) => (each === current ? { ...each, bars } : each))
  // The first page of the mini app takes over what was drawn from the manifest.
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

/** The layer of the page on top: the newest. */
export function topLayer(layers: readonly Layer[]): Layer {
  return layers.reduce((newest, each) => (each.key > newest.key ? each : newest))
}

/** When nothing moves any more. */
export function withoutMotion(layers: readonly Layer[]): Layer[] {
  return [{ ...topLayer(layers), motion: null }]
}
