/**
 * Returns how a page reacts to the soft keyboard (pages-json §2.5 softinputMode): with `adjustResize` it ends above
 * the keyboard, with `adjustPan` it moves up just enough to show the focused element. All values in px from the top
 * of the screen; `focusBottom` ignores the movement.
 */
export function keyboardLayout(
  mode: 'adjustResize' | 'adjustPan',
  { keyboard, screen, focusBottom }: { keyboard: number; screen: number; focusBottom: number | undefined },
): { shorten: number; raise: number } {
  if (keyboard <= 0) return { shorten: 0, raise: 0 }
  if (mode === 'adjustResize') return { shorten: keyboard, raise: 0 }
  const covered = (focusBottom ?? 0) + gap - (screen - keyboard)
  return { shorten: 0, raise: Math.min(keyboard, Math.max(0, covered)) }
}

/** Space between the focused element and the keyboard. */
const gap = 8
