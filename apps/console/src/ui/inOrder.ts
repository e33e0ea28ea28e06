import type { ObjectDirective } from 'vue'

const observers = new WeakMap<Element, MutationObserver>()

/**
 * `v-in-order` shows the children of an element from the top to the bottom, while they load: those below the first that
 * has a skeleton are hidden, so that none is moved when the one above it has its content.
 */
export const vInOrder: ObjectDirective<HTMLElement> = {
  mounted(element) {
    const observer = new MutationObserver(update)
    function update(): void {
      let isLoading = false
      for (const child of element.children) {
        child.toggleAttribute('data-waits', isLoading)
        isLoading ||= child.matches('.skeleton') || child.querySelector('.skeleton') !== null
      }
      // What is loaded again later hides nothing.
      if (!isLoading) observer.disconnect()
    }
    observer.observe(element, { childList: true, subtree: true })
    observers.set(element, observer)
    update()
  },
  beforeUnmount(element) {
    observers.get(element)?.disconnect()
  },
}
