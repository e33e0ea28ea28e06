import type { ScrollTarget } from './renderedPage.ts'

const running = new WeakMap<HTMLElement, () => void>()

/** Scrolls a page (`neu.pageScrollTo`); rejects where nothing matches the selector. A hand on the page, and the next call, end it. */
export async function scrollTo(scroller: HTMLElement, page: HTMLElement, target: ScrollTarget): Promise<void> {
  running.get(scroller)?.()
  const from = scroller.scrollTop
  const to = Math.max(0, Math.min(placeOf(scroller, page, target), scroller.scrollHeight - scroller.clientHeight))
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const duration = isStill ? 0 : (target.duration ?? 300)
  if (duration <= 0 || from === to) {
    scroller.scrollTop = to
    return
  }
  await new Promise<void>((done) => {
    const start = performance.now()
    let frame = 0
    const end = () => {
      cancelAnimationFrame(frame)
      for (const hand of hands) scroller.removeEventListener(hand, end)
      running.delete(scroller)
      done()
    }
    const step = () => {
      const way = Math.min(1, (performance.now() - start) / duration)
      scroller.scrollTop = from + (to - from) * ease(way)
      if (way === 1) end()
      else frame = requestAnimationFrame(step)
    }
    for (const hand of hands) scroller.addEventListener(hand, end, { passive: true })
    running.set(scroller, end)
    frame = requestAnimationFrame(step)
  })
}

const hands = ['touchstart', 'wheel', 'keydown'] as const

const ease = (way: number) => (way < 0.5 ? 2 * way * way : 1 - 2 * (1 - way) * (1 - way))

function placeOf(scroller: HTMLElement, page: HTMLElement, { selector, scrollTop, offsetTop = 0 }: ScrollTarget) {
  if (!selector) return scrollTop ?? scroller.scrollTop
  const element = page.querySelector(selector)
  if (!element) throw new Error(`no element matches ${selector}`)
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop + offsetTop
}
