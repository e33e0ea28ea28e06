/** Scroll state of a page, in px. */
export interface ScrollPosition {
  top: number
  /** Total height of the page. */
  height: number
  /** Visible height. */
  visible: number
}

/**
 * Creates a function that returns true when scrolling reaches the end of the page (pages-json §2.3
 * onReachBottomDistance). It fires once when scrolling down, and again only after the page has left the distance or
 * has grown.
 */
export function createBottomDetector(): (place: ScrollPosition, distance: number) => boolean {
  let last = { top: 0, height: 0 }
  let isReached = false
  return ({ top, height, visible }, distance) => {
    const isDown = top > last.top
    if (height !== last.height) isReached = false
    last = { top, height }
    // Half a pixel of tolerance: scroll offsets are fractional, heights are not.
    if (top + visible + distance < height - 0.5) isReached = false
    else if (isDown && !isReached) {
      isReached = true
      return true
    }
    return false
  }
}
