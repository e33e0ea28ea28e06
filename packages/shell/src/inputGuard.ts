/** Time for which a question must be seen, still and uncovered before it takes input, in ms. */
export const stillTime = 500

/** Longest part of that time between two frames, in ms, so that a page that hangs has drawn the question meanwhile. */
const longestFrame = 100

const starting = new Set(['pointerdown', 'touchstart', 'mousedown', 'keydown', 'wheel', 'click'])
const guarded = [
  ...starting,
  ...['pointerup', 'touchend', 'touchmove', 'mouseup', 'auxclick', 'dblclick', 'contextmenu'],
  ...['keypress', 'keyup', 'beforeinput', 'submit', 'drop', 'paste'],
]

/**
 * Keeps input from a question until the user can have read it: clicks of assistive technology, keys, taps and the wheel
 * have no effect until `panel` has been visible and still for `stillTime`. The time starts again when the panel moves,
 * changes, is covered or becomes visible again, and with each input that came too early. A key or button that was down
 * before never counts, nor does a key that repeats. A frame that takes the focus loses it to the panel, if that can
 * have it: scripts of a frame can focus their fields even where the frame is inert.
 *
 * @param area contains the panel and everything else that answers the question
 * @param onChange called with whether the question takes input; not for its initial state, in which it does not
 * @returns ends the guard
 */
export function guardInput(area: HTMLElement, panel: HTMLElement, onChange: (isReady: boolean) => void): () => void {
  let isReady = false
  /** The times are those of frames and events, from the start of the document. */
  let readyAt = 0
  let seenFor = 0
  let lastFrame: number | undefined
  let place = ''
  /** Keys and buttons that were pressed after the question was ready. */
  const pressedKeys = new Set<string>()
  let isPressed = false

  function restart(): void {
    seenFor = 0
    lastFrame = undefined
    pressedKeys.clear()
    isPressed = false
    if (!isReady) return
    isReady = false
    onChange(false)
  }

  /** The window gets the focus back from a frame, and was visible all the time. */
  let isFocusTaken = false
  function onFocus(): void {
    if (!isFocusTaken) restart()
    isFocusTaken = false
  }

  function onFrame(time: number): void {
    frame = requestAnimationFrame(onFrame)
    if (document.activeElement instanceof HTMLIFrameElement && panel.hasAttribute('tabindex')) {
      isFocusTaken = true
      panel.focus({ preventScroll: true })
    }
    const now = placeOf(panel)
    if (now !== place || !isOnTop(panel)) restart()
    place = now
    if (isReady) return
    if (lastFrame !== undefined) seenFor += Math.min(time - lastFrame, longestFrame)
    lastFrame = time
    if (seenFor < stillTime) return
    isReady = true
    readyAt = time
    onChange(true)
  }

  function onInput(event: Event): void {
    if (isReady && event.timeStamp >= readyAt && isMeant(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!isReady && starting.has(event.type)) restart()
  }

  /** Returns false for the end of what began too early, and for repeated keys. */
  function isMeant(event: Event): boolean {
    if (event.type === 'pointerdown' || event.type === 'mousedown') isPressed = true
    // Keys and assistive technology click without a button; their `detail` is 0.
    else if (event.type === 'click') return (event as MouseEvent).detail === 0 || isPressed
    else if (event instanceof KeyboardEvent) {
      if (event.type === 'keydown' && !event.repeat) pressedKeys.add(event.code)
      const wasPressed = pressedKeys.has(event.code)
      if (event.type === 'keyup') pressedKeys.delete(event.code)
      return wasPressed && !(event.repeat && /^(Enter| )$/.test(event.key))
    }
    return true
  }

  const changes = new MutationObserver(restart)
  changes.observe(panel, { childList: true, subtree: true, characterData: true })
  const options = { capture: true, passive: false }
  for (const type of guarded) area.addEventListener(type, onInput, options)
  document.addEventListener('visibilitychange', restart)
  addEventListener('resize', restart)
  addEventListener('focus', onFocus)
  let frame = requestAnimationFrame(onFrame)

  return () => {
    cancelAnimationFrame(frame)
    changes.disconnect()
    for (const type of guarded) area.removeEventListener(type, onInput, options)
    document.removeEventListener('visibilitychange', restart)
    removeEventListener('resize', restart)
    removeEventListener('focus', onFocus)
  }
}

/** Returns where an element is on the screen, as text to compare. */
function placeOf(element: HTMLElement): string {
  const { x, y, width, height } = element.getBoundingClientRect()
  return [x, y, width, height, element.checkVisibility({ opacityProperty: true, visibilityProperty: true })].join()
}

/** Returns whether a panel is visible and nothing that takes clicks is above its center or its quarters. */
function isOnTop(panel: HTMLElement): boolean {
  const { left, top, right, bottom } = panel.getBoundingClientRect()
  const width = Math.min(right, innerWidth) - Math.max(left, 0)
  const height = Math.min(bottom, innerHeight) - Math.max(top, 0)
  if (document.hidden || width <= 0 || height <= 0) return false
  return [0.25, 0.5, 0.75].every((part) =>
    panel.contains(document.elementFromPoint(Math.max(left, 0) + width * part, Math.max(top, 0) + height * part)),
  )
}
