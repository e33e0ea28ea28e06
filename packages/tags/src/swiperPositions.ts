/**
 * Where the items of a swiper are. A position is counted in items: at position 2 the item with index 2 is the first that is seen. In a circular
 * swiper positions go on beyond both ends, and items move round to where they are needed, so that none has to be there twice.
 */

/** Which place each item takes while positions from `from` to `to` are passed and `shown` items are seen at once. */
export function itemPositions(count: number, from: number, to: number, shown: number, isCircular: boolean): number[] {
  const middle = (from + to + shown - 1) / 2
  return Array.from({ length: count }, (_, index) =>
    isCircular ? index + count * Math.round((middle - index) / count) : index,
  )
}

/** The index at a position. */
export function indexAt(position: number, count: number): number {
  return count === 0 ? 0 : ((Math.round(position) % count) + count) % count
}

/** The last position where `shown` items are seen. */
export function lastPosition(count: number, shown: number): number {
  return Math.max(0, count - shown)
}

/** Where a swiper stands that is dragged to `position`: beyond an end it yields a third of the way. */
export function dragPosition(position: number, last: number, isCircular: boolean): number {
  if (isCircular) return position
  if (position < 0) return position / 3
  return position > last ? last + (position - last) / 3 : position
}

/** Where it goes when it is let go: by one at most, if it was dragged half way or fast enough (items per ms). */
export function snapPosition(
  start: number,
  position: number,
  speed: number,
  last: number,
  isCircular: boolean,
): number {
  const way = position - start
  let step = Math.abs(way) >= 0.5 ? Math.sign(way) : 0
  if (Math.abs(speed) > 0.001 && Math.sign(speed) === Math.sign(way)) step = Math.sign(way)
  const goal = Math.round(start) + step
  return isCircular ? goal : Math.min(Math.max(goal, 0), last)
}

export type Easing = 'default' | 'linear' | 'easeInCubic' | 'easeOutCubic' | 'easeInOutCubic'

/** How far of the way after which part of the time. */
export const easings: Record<Easing, (time: number) => number> = {
  default: (time) => 1 - (1 - time) ** 3,
  linear: (time) => time,
  easeInCubic: (time) => time ** 3,
  easeOutCubic: (time) => 1 - (1 - time) ** 3,
  easeInOutCubic: (time) => (time < 0.5 ? 4 * time ** 3 : 1 - (2 - 2 * time) ** 3 / 2),
}
