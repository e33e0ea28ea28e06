import { findInComponent } from './componentScope.ts'
import { fallback } from './fallback.ts'
import { loadFont } from './fontFace.ts'

/** Lengths in px, from the top left corner of the window. */
type Size = Record<'width' | 'height' | 'left' | 'right' | 'top' | 'bottom', number>

/** The module `dom` of nvue. A `ref` is an element or a component; of a list, which `v-for` gives, the first counts. */
export interface NativeDom {
  /** Scrolls the container of an element until the element is at its start, `offset` px further. */
  scrollToElement(ref: unknown, options?: { offset?: number; animated?: boolean }): void
  /** Passes the place of an element, or of the window for `viewport`. `result` is false without one. */
  getComponentRect(ref: unknown, callback: (measured: { result: boolean; size: Size }) => void): void
  /** Loads a font: `fontFace` with `fontFamily` and `src` is the only rule. */
  addRule(rule: string, options: { fontFamily: string; src: string }): void
}

const elementOf = (ref: unknown): HTMLElement | undefined =>
  findInComponent<HTMLElement>(Array.isArray(ref) ? ref[0] : ref, ':scope', 'dom')[0]

/** Returns the nearest container that can scroll to an element. */
function scrollerOf(element: HTMLElement): HTMLElement | undefined {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent)
    const [isWide, isHigh] = [parent.scrollWidth > parent.clientWidth, parent.scrollHeight > parent.clientHeight]
    if ((isWide && /auto|scroll/.test(overflowX)) || (isHigh && /auto|scroll/.test(overflowY))) return parent
  }
  return undefined
}

const dom: NativeDom = {
  scrollToElement(ref, { offset = 0, animated = true } = {}) {
    const element = elementOf(ref)
    const scroller = element && scrollerOf(element)
    if (!scroller) return
    const isHorizontal = scroller.scrollHeight <= scroller.clientHeight
    const [from, to] = [scroller.getBoundingClientRect(), element.getBoundingClientRect()]
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
    scroller.scrollBy({
      ...(isHorizontal ? { left: to.left - from.left + offset } : { top: to.top - from.top + offset }),
      behavior: animated && !isReduced ? 'smooth' : 'instant',
    })
  },
  getComponentRect(ref, callback) {
    const { clientWidth: width, clientHeight: height } = document.documentElement
    const box = ref === 'viewport' ? new DOMRect(0, 0, width, height) : elementOf(ref)?.getBoundingClientRect()
    const size = box ?? new DOMRect()
    const { left, right, top, bottom } = size
    callback({ result: box !== undefined, size: { width: size.width, height: size.height, left, right, top, bottom } })
  },
  addRule(rule, { fontFamily, src }) {
    if (rule === 'fontFace') loadFont(fontFamily, src).catch(console.warn)
  },
}

/** Returns the module `dom`, whose other functions fail. */
export function nativeDom(): NativeDom {
  const unsupported = (fallback('requireNativePlugin') as () => Record<string, unknown>)()
  return new Proxy(dom, { get: (target, name) => Reflect.get(target, name) ?? unsupported[name as string] })
}
