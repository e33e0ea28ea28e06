import { type InjectionKey, inject, onBeforeUnmount, onMounted, type ShallowRef } from 'vue'
import { isOnTop, type ModalElement, moveFocus, openModal } from './modality.ts'

/** The host's capsule, which stays reachable beside a dialog (ADR 134). */
export const capsuleKey: InjectionKey<HTMLElement> = Symbol('beside')

/**
 * Keeps the keyboard focus inside a dialog and the host's capsule (ADR 369). Everything behind is inert. Focuses the
 * element with `data-first`, cycles with Tab, calls `onEscape`, and restores the previous focus at the end. A click on
 * the dialog itself, such as on its mask, focuses it.
 */
export function useDialog(root: Readonly<ShallowRef<HTMLElement | null>>, onEscape: () => void): void {
  const capsule = inject(capsuleKey, undefined)
  let modal: ModalElement | undefined
  let close = () => {}
  let before: Element | null = null

  onMounted(() => {
    const element = root.value!
    before = document.activeElement
    // The focus is only visible if it was before, for users of the keyboard.
    const focusVisible = before?.matches(':focus-visible') === true
    element.tabIndex = -1
    modal = { element, area: element.closest('.souk-mini-app') ?? document.body, beside: capsule }
    close = openModal(modal)
    document.addEventListener('keydown', onKey)
    element.addEventListener('focusout', takeFocusBack)
    addEventListener('blur', takeFocusBack)
    if (isOnTop(modal)) {
      const first = element.querySelector<HTMLElement>('[data-first]') ?? element
      first.focus({ focusVisible } as FocusOptions)
    }
  })
  onBeforeUnmount(() => {
    document.removeEventListener('keydown', onKey)
    root.value?.removeEventListener('focusout', takeFocusBack)
    removeEventListener('blur', takeFocusBack)
    close()
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  })

  /** False while another dialog covers it, or a question of the host hides it. */
  const isUsable = () => modal !== undefined && isOnTop(modal) && modal.element.checkVisibility()

  /** A control that is removed or disabled loses the focus, and scripts in a frame can take it. */
  function takeFocusBack(): void {
    setTimeout(() => {
      const { activeElement, body } = document
      // The guard of a question takes the focus back from frames itself, without making the user wait again.
      const isTaken = activeElement instanceof HTMLIFrameElement && activeElement.inert && !root.value?.dataset.question
      const isLost = activeElement === body || isTaken
      if (isLost && document.hasFocus() && isUsable()) modal!.element.focus({ preventScroll: true })
    })
  }

  function onKey(event: KeyboardEvent): void {
    const target = event.target as Element
    const isInCapsule = capsule?.contains(target) === true
    // Without any focus, keys go to the document's body.
    if (!isUsable() || !(isInCapsule || target === document.body || modal!.element.contains(target))) return
    if (event.key === 'Escape' && !event.isComposing && !isInCapsule) {
      event.preventDefault()
      onEscape()
    }
    if (event.key === 'Tab') moveFocus(event, [modal!.element, capsule])
  }
}
