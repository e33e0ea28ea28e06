import { type InjectionKey, inject, onBeforeUnmount, onMounted, type ShallowRef } from 'vue'

/** The host's capsule, which stays reachable beside a dialog (ADR 134). */
export const capsuleKey: InjectionKey<HTMLElement> = Symbol('beside')

/**
 * Keeps the keyboard focus inside a dialog and the host's capsule. Focuses the element with `data-first`, cycles with
 * Tab, calls `onEscape`, and restores the previous focus at the end.
 */
export function useDialog(root: Readonly<ShallowRef<HTMLElement | null>>, onEscape: () => void): void {
  const capsule = inject(capsuleKey, undefined)
  let before: Element | null = null
  onMounted(() => {
    before = document.activeElement
    root.value?.addEventListener('keydown', onKey)
    capsule?.addEventListener('keydown', onKey)
    // The focus is only visible if it was before, for users of the keyboard.
    const focusVisible = before?.matches(':focus-visible') === true
    root.value?.querySelector<HTMLElement>('[data-first]')?.focus({ focusVisible } as FocusOptions)
  })
  onBeforeUnmount(() => {
    capsule?.removeEventListener('keydown', onKey)
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  })

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.isComposing && event.currentTarget === root.value) {
      event.preventDefault()
      onEscape()
    }
    if (event.key !== 'Tab') return
    const controls = ':is(a[href], button, input, [tabindex="0"]):not(:disabled)'
    const reachable = [root.value, capsule]
      .flatMap((place) => [...(place?.querySelectorAll<HTMLElement>(controls) ?? [])])
      .filter((control) => control.getClientRects().length > 0)
    const at = reachable.indexOf(document.activeElement as HTMLElement)
    event.preventDefault()
    // From any other element, Tab goes to the first control and Shift+Tab to the last.
    if (event.shiftKey) reachable.at(at < 0 ? -1 : at - 1)?.focus()
    else reachable[(at + 1) % reachable.length]?.focus()
  }
}
