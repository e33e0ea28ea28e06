/**
 * What the soft keyboard does to a page (§2.5 softinputMode): with `adjustResize` the page ends above it, with `adjustPan` the page moves up as far as what has
 * the focus needs. All in px from the top of the screen, `focusBottom` where it is without any movement.
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

/** Between what has the focus and the keyboard. */
const gap = 8
