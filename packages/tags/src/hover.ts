import { onBeforeUnmount, ref } from 'vue'

export interface Hover {
  hoverClass: string
  /** In ms: from the touch until the class is there, and from its end until the class is gone. */
  hoverStartTime: number | string
  hoverStayTime: number | string
  /** Keeps the tags around this one from showing theirs. */
  hoverStopPropagation: boolean
  disabled?: boolean
}

const stopped = new WeakSet<Event>()

/** The class that a tag has while it is touched: `hoverClass()` for its class, `hoverListeners` for its root. */
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
    // A touch too short to be shown yet is shown all the same, after it.
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
