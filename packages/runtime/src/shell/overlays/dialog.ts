import { onBeforeUnmount, onMounted, type ShallowRef } from 'vue'

/**
 * Keeps the keyboard inside a dialog while it is there: the focus goes to the element with `data-first`, Tab goes round, Escape calls `escaped`,
 * and in the end the focus is where it was.
 */
export function useDialog(root: Readonly<ShallowRef<HTMLElement | null>>, escaped: () => void): void {
  let before: Element | null = null
  onMounted(() => {
    before = document.activeElement
    root.value?.addEventListener('keydown', onKey)
    root.value?.querySelector<HTMLElement>('[data-first]')?.focus()
  })
  onBeforeUnmount(() => {
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  })

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.isComposing) {
      event.preventDefault()
      escaped()
    }
    if (event.key !== 'Tab') return
    const inside = [...(root.value?.querySelectorAll<HTMLElement>('button, input, [tabindex]') ?? [])]
    const [first, last] = [inside[0], inside.at(-1)]
    const edge = event.shiftKey ? first : last
    if (document.activeElement !== edge && inside.includes(document.activeElement as HTMLElement)) return
    event.preventDefault()
    ;(event.shiftKey ? last : first)?.focus()
  }
}
