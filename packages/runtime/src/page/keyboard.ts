import { watchEffect } from 'vue'
import { currentCarrier } from '../carriers/current.ts'
import { keyboardLayout } from './keyboardLayout.ts'

/** Returns the height in px that the soft keyboard covers. */
export function keyboardHeight(): number {
  const reported = currentCarrier().device.keyboardHeight
  const { visualViewport } = window
  if (reported !== undefined || !visualViewport) return reported ?? 0
  const height = innerHeight - visualViewport.height - visualViewport.offsetTop
  // Smaller differences come from browser bars or a zoomed page.
  return visualViewport.scale === 1 && height > 100 ? height : 0
}

/** Makes room in a page for the soft keyboard (pages-json §2.5 softinputMode). Returns a function that stops it. */
export function watchKeyboard(
  frame: HTMLElement,
  mode: () => 'adjustResize' | 'adjustPan',
  shorten: (px: number) => void,
): () => void {
  let raised = 0

  function update() {
    const focus = document.activeElement
    const isInPage = focus !== null && focus !== document.body && frame.contains(focus)
    const { shorten: px, raise } = keyboardLayout(mode(), {
      keyboard: keyboardHeight(),
      screen: innerHeight,
      focusBottom: isInPage ? focus.getBoundingClientRect().bottom + raised : undefined,
    })
    shorten(px)
    raised = raise
    frame.style.translate = raise > 0 ? `0 ${-raise}px` : ''
    if (px > 0 && isInPage) requestAnimationFrame(() => focus.scrollIntoView({ block: 'nearest' }))
  }

  const end = watchEffect(update)
  frame.addEventListener('focusin', update)
  window.visualViewport?.addEventListener('resize', update)
  return () => {
    end()
    frame.removeEventListener('focusin', update)
    window.visualViewport?.removeEventListener('resize', update)
  }
}
