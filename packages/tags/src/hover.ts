import { onBeforeUnmount, ref } from 'vue'

export interface Hover {
  hoverClass: string
  /** Delay in ms between the start of the touch and adding the class, and between its end and removing the class. */
  hoverStartTime: number | string
  hoverStayTime: number | string
  /** Prevents the hover state of the tags around this one. */
  hoverStopPropagation: boolean
  disabled?: boolean
}

const stopped = new WeakSet<Event>()

/** Adds a class to a tag while it is touched: bind `hoverClass()` and `hoverListeners` to its root. */
export function useHover(props: Hover) {
  const isOn = ref(false)
  let isTouched = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const wait = (ms: number | string, then: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(then, Number(ms))
  }
  const off = () => {
    isOn.value = false
  }
  const end = () => {
    if (!isTouched) return
    isTouched = false
    // After a touch shorter than hoverStartTime, the pending timer still shows the class.
    if (isOn.value) wait(props.hoverStayTime, off)
  }
  const cancel = () => {
    isTouched = false
    clearTimeout(timer)
    off()
  }
  onBeforeUnmount(cancel)

  return {
    hoverClass: () => (isOn.value ? props.hoverClass : undefined),
    hoverListeners: {
      pointerdown(event: PointerEvent) {
        if (stopped.has(event) || event.button > 0) return
        if (props.hoverStopPropagation) stopped.add(event)
        if (props.disabled || !props.hoverClass || props.hoverClass === 'none') return
        isTouched = true
        wait(props.hoverStartTime, () => {
          isOn.value = true
          if (!isTouched) wait(props.hoverStayTime, off)
        })
      },
      pointerup: end,
      pointerleave: end,
      // The touch has become a scroll.
      pointercancel: cancel,
    },
  }
}
