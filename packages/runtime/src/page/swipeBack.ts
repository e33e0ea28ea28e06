/** Width of the edge zone in which a swipe starts, in px. */
const edge = 24

/**
 * Enables swiping back (pages-json §2.4 disableSwipeBack): the page on top follows a finger that starts at the start
 * edge, revealing the page below. Calls `onBack` after the swipe. Returns a function that disables it.
 */
export function watchSwipeBack(frame: HTMLElement, onBack: () => void): () => void {
  let start: { x: number; y: number; time: number } | undefined
  let below: HTMLElement | null = null
  let isSwiping = false
  const isRtl = () => frame.closest('.neu-rtl') !== null
  /** Returns the fraction of the way to the other side, 0 to 1. */
  const progressAt = (x: number) =>
    Math.max(0, Math.min(1, ((x - start!.x) * (isRtl() ? -1 : 1)) / Math.max(1, frame.clientWidth)))

  function moveTo(progress: number) {
    const side = isRtl() ? -1 : 1
    frame.style.transform = `translateX(${progress * 100 * side}%)`
    if (below) below.style.transform = `translateX(${(progress - 1) * 25 * side}%)`
  }

  function onTouchstart({ touches }: TouchEvent) {
    const { clientX: x, clientY: y } = touches[0]!
    const { left, right } = frame.getBoundingClientRect()
    below = frame.parentElement?.querySelector<HTMLElement>(':scope > .neu-below') ?? null
    const isEdge = isRtl() ? x > right - edge : x < left + edge
    start = touches.length === 1 && below && isEdge ? { x, y, time: performance.now() } : undefined
    isSwiping = false
  }

  function onTouchmove(event: TouchEvent) {
    if (!start) return
    const { clientX: x, clientY: y } = event.touches[0]!
    if (!isSwiping) {
      const across = (x - start.x) * (isRtl() ? -1 : 1)
      if (Math.max(Math.abs(across), Math.abs(y - start.y)) < 6) return
      if (across <= Math.abs(y - start.y)) {
        start = undefined
        return
      }
      isSwiping = true
      below!.dataset.peek = ''
      frame.style.zIndex = '1'
    }
    if (event.cancelable) event.preventDefault()
    moveTo(progressAt(x))
  }

  async function onTouchend({ changedTouches, type }: TouchEvent) {
    if (!start || !isSwiping) return
    const progress = progressAt(changedTouches[0]!.clientX)
    const speed = progress / Math.max(1, performance.now() - start.time)
    const isBack = type === 'touchend' && (progress > 0.4 || (progress > 0.05 && speed > 0.0015))
    isSwiping = false
    start = undefined
    await settle(isBack ? 1 : 0)
    if (isBack) onBack()
    // Removed later, after the page is gone; otherwise it would flash.
    setTimeout(() => {
      for (const element of [frame, below]) if (element) element.style.transform = ''
      frame.style.zIndex = ''
      delete below?.dataset.peek
    })
  }

  async function settle(progress: number) {
    const moving = below ? [frame, below] : [frame]
    const before = moving.map(({ style }) => style.transform)
    moveTo(progress)
    await Promise.allSettled(moving.map((element, index) => animateFrom(before[index]!, element)))
  }

  const passive = { passive: true }
  frame.addEventListener('touchstart', onTouchstart, passive)
  frame.addEventListener('touchmove', onTouchmove, { passive: false })
  frame.addEventListener('touchend', onTouchend, passive)
  frame.addEventListener('touchcancel', onTouchend, passive)
  return () => {
    frame.removeEventListener('touchstart', onTouchstart)
    frame.removeEventListener('touchmove', onTouchmove)
    frame.removeEventListener('touchend', onTouchend)
    frame.removeEventListener('touchcancel', onTouchend)
  }
}

/** Animates an element from a transform to the one that it has now. */
function animateFrom(transform: string, element: HTMLElement): Promise<Animation> {
  const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  const duration = isReduced ? 0 : 200
  return element.animate([{ transform }, { transform: element.style.transform }], { duration, easing: 'ease-out' })
    .finished
}
