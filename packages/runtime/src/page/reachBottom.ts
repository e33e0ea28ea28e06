/** Where a page is scrolled, in px. */
export interface ScrollPlace {
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
export function watchBottom(): (place: ScrollPlace, distance: number) => boolean {
  let last = { top: 0, height: 0 }
  let isThere = false
  return ({ top, height, visible }, distance) => {
    const isDown = top > last.top
    if (height !== last.height) isThere = false
    last = { top, height }
    // Half a pixel: what is scrolled is fractional, what is high is not.
    if (top + visible + distance < height - 0.5) isThere = false
    else if (isDown && !isThere) {
      isThere = true
      return true
    }
    return false
  }
}
