/**
 * Positions of swiper items, in items: at position 2 the item with index 2 is the first visible one. In a circular
 * swiper positions continue beyond both ends, and items move to where they are needed, so that none is duplicated.
 */

/** Returns the position of each item during a movement from `from` to `to`, with `shown` items visible at a time. */
export function itemPositions(count: number, from: number, to: number, shown: number, isCircular: boolean): number[] {
  const middle = (from + to + shown - 1) / 2
  return Array.from({ length: count }, (_, index) =>
    isCircular ? index + count * Math.round((middle - index) / count) : index,
  )
}

/** Returns the index of the item at a position. */
export function indexAt(position: number, count: number): number {
  return count === 0 ? 0 : ((Math.round(position) % count) + count) % count
}

/** Returns the last position with `shown` visible items. */
export function lastPosition(count: number, shown: number): number {
  return Math.max(0, count - shown)
}

/** Returns the position of a swiper dragged to `position`: beyond an end it follows by a third. */
export function dragPosition(position: number, last: number, isCircular: boolean): number {
  if (isCircular) return position
  if (position < 0) return position / 3
  return position > last ? last + (position - last) / 3 : position
}

/** Returns the position to snap to on release: one item further if dragged half way or fast enough (items per ms). */
export function snapPosition(
  start: number,
  position: number,
  speed: number,
  last: number,
  isCircular: boolean,
): number {
  const distance = position - start
  let step = Math.abs(distance) >= 0.5 ? Math.sign(distance) : 0
  if (Math.abs(speed) > 0.001 && Math.sign(speed) === Math.sign(distance)) step = Math.sign(distance)
  const goal = Math.round(start) + step
  return isCircular ? goal : Math.min(Math.max(goal, 0), last)
}

export type Easing = 'default' | 'linear' | 'easeInCubic' | 'easeOutCubic' | 'easeInOutCubic'

/** Progress of the movement by progress of time. */
export const easings: Record<Easing, (time: number) => number> = {
  default: (time) => 1 - (1 - time) ** 3,
  linear: (time) => time,
  easeInCubic: (time) => time ** 3,
  easeOutCubic: (time) => 1 - (1 - time) ** 3,
  easeInOutCubic: (time) => (time < 0.5 ? 4 * time ** 3 : 1 - (2 - 2 * time) ** 3 / 2),
}
