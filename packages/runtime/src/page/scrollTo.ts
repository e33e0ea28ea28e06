import type { ScrollTarget } from './renderedPage.ts'

const running = new WeakMap<HTMLElement, () => void>()

/**
 * Scrolls a page (`neu.pageScrollTo`). Throws if nothing matches the selector. User input and the next call stop it.
 */
export async function scrollTo(scroller: HTMLElement, page: HTMLElement, target: ScrollTarget): Promise<void> {
  running.get(scroller)?.()
  const from = scroller.scrollTop
  const to = Math.max(0, Math.min(targetOffset(scroller, page, target), scroller.scrollHeight - scroller.clientHeight))
  const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  const duration = isReduced ? 0 : (target.duration ?? 300)
  if (duration <= 0 || from === to) {
    scroller.scrollTop = to
    return
  }
  await new Promise<void>((done) => {
    const start = performance.now()
    let frame = 0
    const end = () => {
      cancelAnimationFrame(frame)
      for (const event of interruptions) scroller.removeEventListener(event, end)
      running.delete(scroller)
      done()
    }
    const step = () => {
      const progress = Math.min(1, (performance.now() - start) / duration)
      scroller.scrollTop = from + (to - from) * ease(progress)
      if (progress === 1) end()
      else frame = requestAnimationFrame(step)
    }
    for (const event of interruptions) scroller.addEventListener(event, end, { passive: true })
    running.set(scroller, end)
    frame = requestAnimationFrame(step)
  })
}

const interruptions = ['touchstart', 'wheel', 'keydown'] as const

const ease = (progress: number) => (progress < 0.5 ? 2 * progress * progress : 1 - 2 * (1 - progress) * (1 - progress))

function targetOffset(scroller: HTMLElement, page: HTMLElement, { selector, scrollTop, offsetTop = 0 }: ScrollTarget) {
  if (!selector) return scrollTop ?? scroller.scrollTop
  const element = page.querySelector(selector)
  if (!element) throw new Error(`no element matches ${selector}`)
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop + offsetTop
}
