/** One axis of a scroller, in px: how far it is scrolled from its start, how long its content, how long its window. */
export interface Extent {
  offset: number
  content: number
  window: number
}

export interface EdgeState {
  /** Distance from the start at the last look. */
  offset: number
  content: number
  /** Which zones it was in. */
  isUpper: boolean
  isLower: boolean
}

export function edgeState(extent: Extent, upper: number, lower: number): EdgeState {
  const { offset, content, window } = extent
  return { offset, content, isUpper: offset <= upper, isLower: offset + window + lower >= content }
}

/**
 * Which edge a scroll has reached, if any: the zone within a threshold of it was entered, or content has come or gone since it was and the
 * scroll still goes towards it. Once inside, more scrolling says nothing again.
 */
export function reachedEdge(before: EdgeState, now: EdgeState): 'upper' | 'lower' | undefined {
  const hasChanged = now.content !== before.content
  if (now.offset < before.offset && now.isUpper && (!before.isUpper || hasChanged)) return 'upper'
  if (now.offset > before.offset && now.isLower && (!before.isLower || hasChanged)) return 'lower'
  return undefined
}
