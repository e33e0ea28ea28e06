import { watchEffect } from 'vue'
import { currentCarrier } from '../carriers/current.ts'
import { yieldTo } from './keyboardLayout.ts'

/** Lets a page make room for the soft keyboard (§2.5 softinputMode) until the function that it gives is called. */
export function watchKeyboard(
  frame: HTMLElement,
  mode: () => 'adjustResize' | 'adjustPan',
  shorten: (px: number) => void,
): () => void {
  const carrier = currentCarrier()
  let raised = 0

  function heightOf(): number {
    const told = carrier.device.keyboardHeight
    const { visualViewport } = window
    if (told !== undefined || !visualViewport) return told ?? 0
    const height = innerHeight - visualViewport.height - visualViewport.offsetTop
    // Less than that are the bars of a browser that come and go, or a zoomed page.
    return visualViewport.scale === 1 && height > 100 ? height : 0
  }

  function place() {
    const focus = document.activeElement
    const isHere = focus !== null && focus !== document.body && frame.contains(focus)
    const { shorten: px, raise } = yieldTo(mode(), {
      keyboard: heightOf(),
      screen: innerHeight,
      focusBottom: isHere ? focus.getBoundingClientRect().bottom + raised : undefined,
    })
    shorten(px)
    raised = raise
    frame.style.translate = raise > 0 ? `0 ${-raise}px` : ''
    if (px > 0 && isHere) requestAnimationFrame(() => focus.scrollIntoView({ block: 'nearest' }))
  }

  const end = watchEffect(place)
  frame.addEventListener('focusin', place)
  window.visualViewport?.addEventListener('resize', place)
  return () => {
    end()
    frame.removeEventListener('focusin', place)
    window.visualViewport?.removeEventListener('resize', place)
  }
}
