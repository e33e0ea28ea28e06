/** Where a page is scrolled, in px. */
export interface ScrollPosition {
  top: number
  /** Of the page. */
  height: number
  /** Of what is seen of it. */
  visible: number
}

/**
 * Says for every scrolling whether the page has come to its end (§2.3 onReachBottomDistance): once, when it comes within the distance on its way
 * down, and again only after it has left that or has grown, as it does when the next part of a list is there.
 */
export function createBottomDetector(): (place: ScrollPosition, distance: number) => boolean {
  let last = { top: 0, height: 0 }
  let isReached = false
  return ({ top, height, visible }, distance) => {
    const isDown = top > last.top
    if (height !== last.height) isReached = false
    last = { top, height }
    // Half a pixel: what is scrolled is fractional, what is high is not.
    if (top + visible + distance < height - 0.5) isReached = false
    else if (isDown && !isReached) {
      isReached = true
      return true
    }
    return false
  }
}
