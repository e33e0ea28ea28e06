/** One axis of a scroller, in px: scroll offset, size of the content, size of the visible part. */
export interface Extent {
  offset: number
  content: number
  window: number
}

export interface EdgeState {
  offset: number
  content: number
  /** Inside the zone of the edge. */
  isUpper: boolean
  isLower: boolean
}

export function edgeState(extent: Extent, upper: number, lower: number): EdgeState {
  const { offset, content, window } = extent
  return { offset, content, isUpper: offset <= upper, isLower: offset + window + lower >= content }
}

/**
 * Returns the edge that a scroll has reached, if any: it entered the edge's zone, or it moves towards the edge inside
 * the zone after the content has changed.
 */
export function reachedEdge(before: EdgeState, now: EdgeState): 'upper' | 'lower' | undefined {
  const hasChanged = now.content !== before.content
  if (now.offset < before.offset && now.isUpper && (!before.isUpper || hasChanged)) return 'upper'
  if (now.offset > before.offset && now.isLower && (!before.isLower || hasChanged)) return 'lower'
  return undefined
}
