import { type InjectionKey, inject, nextTick, onBeforeUnmount, onMounted, type Ref, ref, watch } from 'vue'
import { dispatch } from './root.ts'

/** A list as its parts see it. */
export interface ListContext {
  scroller: Ref<HTMLElement | undefined>
  isWaterfall: boolean
}

export const listKey: InjectionKey<ListContext> = Symbol('souk.list')

/** Dispatches an event whose values are in `detail` and, as nvue pages read them, in the event itself. */
function dispatchInBoth(root: Element, type: string, detail: object): void {
  root.dispatchEvent(Object.assign(new CustomEvent(type, { detail }), detail))
}

/**
 * Opens a part of a list that is pulled in beyond an edge: `refresh` at the start, `loading` at the end. Dispatches
 * `event` when it is released fully open, and then stays open while the page sets `display` to `show`.
 */
export function usePull(options: {
  root: Ref<HTMLElement | undefined>
  content: Ref<HTMLElement | undefined>
  edge: 'start' | 'end'
  event: 'refresh' | 'loading'
  display: () => 'show' | 'hide' | undefined
}): { height: Ref<number>; isPulling: Ref<boolean> } {
  const { root, content, edge, event, display } = options
  const scroller = inject(listKey, undefined)?.scroller
  /** In px. */
  const height = ref(0)
  const isPulling = ref(false)
  let start: { x: number; y: number } | undefined
  let before = 0

  const full = () => content.value!.offsetHeight

  function isAtEdge(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = scroller!.value!
    return edge === 'start' ? scrollTop <= 0 : scrollTop + clientHeight >= scrollHeight - 1
  }

  async function resize(px: number): Promise<void> {
    height.value = px
    await nextTick()
    if (edge === 'end' && px > 0 && scroller?.value) scroller.value.scrollTop = scroller.value.scrollHeight
  }

  function onTouchstart({ touches }: TouchEvent): void {
    const { clientX: x, clientY: y } = touches[0]!
    before = 0
    start = touches.length === 1 && display() !== 'show' && isAtEdge() ? { x, y } : undefined
  }

  function onTouchmove(move: TouchEvent): void {
    const touch = move.touches[0]
    if (!start || !touch) return
    const along = (touch.clientY - start.y) * (edge === 'start' ? 1 : -1)
    // It is not a pull if the browser scrolls or the finger moves back or sideways.
    if (!isPulling.value && (!move.cancelable || along <= 0 || Math.abs(touch.clientX - start.x) > along)) {
      start = undefined
      return
    }
    isPulling.value = true
    move.preventDefault()
    const pullingDistance = Math.max(0, along < full() ? along : full() + (along - full()) * 0.4)
    if (edge === 'start')
      dispatchInBoth(root.value!, 'pullingdown', { dy: pullingDistance - before, pullingDistance, viewHeight: full() })
    before = pullingDistance
    void resize(pullingDistance)
  }

  async function onTouchend({ type }: TouchEvent): Promise<void> {
    if (!isPulling.value) return
    isPulling.value = false
    start = undefined
    if (type === 'touchend' && height.value >= full()) {
      void resize(full())
      dispatch(root.value, event)
      await nextTick()
    }
    if (display() !== 'show') void resize(0)
  }

  watch(display, (now) => resize(now === 'show' ? full() : 0), { flush: 'post' })

  const listeners = {
    touchstart: onTouchstart,
    touchmove: onTouchmove,
    touchend: onTouchend,
    touchcancel: onTouchend,
  } as const
  onMounted(() => {
    if (display() === 'show') void resize(full())
    for (const [type, listener] of Object.entries(listeners))
      scroller?.value?.addEventListener(type, listener as EventListener, { passive: type !== 'touchmove' })
  })
  onBeforeUnmount(() => {
    for (const [type, listener] of Object.entries(listeners))
      scroller?.value?.removeEventListener(type, listener as EventListener)
  })
  return { height, isPulling }
}

/** Props that `list`, `recycle-list` and `waterfall` share. */
export const listProps = {
  /** Distance from the end at which `loadmore` occurs, in px. */
  loadmoreoffset: { type: [Number, String], default: 0 },
  /** Distance between two `scroll` events, in px. */
  offsetAccuracy: { type: [Number, String], default: 10 },
  /** Shows the scroll bar. */
  showScrollbar: { type: Boolean, default: true },
  /** Whether the user can scroll. */
  scrollable: { type: Boolean, default: true },
  /** Lets the browser bounce at the edges. */
  bounce: { type: Boolean, default: true },
}

/** Implements the scrolling of lists: bind `onScroll` to the root. */
export function useList(options: {
  root: Ref<HTMLElement | undefined>
  props: { loadmoreoffset: number | string; offsetAccuracy: number | string }
  isWaterfall: boolean
}): { context: ListContext; onScroll(event: Event): void; resetLoadmore(): void } {
  const { root, props, isWaterfall } = options
  /** Scroll position at the last event. */
  let last = 0
  /** Height of the content for which `loadmore` has been dispatched. */
  let loaded = 0

  /** Replaces the native event by one with `detail`, before any listener of the page. */
  function onScroll(event: Event): void {
    if (event instanceof CustomEvent || event.target !== root.value) return
    event.stopImmediatePropagation()
    const { scrollTop, scrollLeft, scrollWidth, scrollHeight, clientHeight } = root.value!
    if (Math.abs(scrollTop - last) >= Number(props.offsetAccuracy)) {
      last = scrollTop
      dispatchInBoth(root.value!, 'scroll', {
        contentSize: { width: scrollWidth, height: scrollHeight },
        // Negative, as in nvue. On the web 0 must not become -0.
        contentOffset: { x: 0 - scrollLeft, y: 0 - scrollTop },
        isDragging: true,
      })
    }
    const isNear = scrollTop + clientHeight >= scrollHeight - Number(props.loadmoreoffset) - 1
    // Once for the same content.
    if (!isNear || loaded === scrollHeight) return
    loaded = scrollHeight
    dispatch(root.value, 'loadmore')
  }

  return {
    context: { scroller: root, isWaterfall },
    onScroll,
    resetLoadmore() {
      loaded = 0
    },
  }
}
