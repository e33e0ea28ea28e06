import { watch } from 'vue'

/** Set for elements that are not hidden with the page on top when they were added. */
const globalAttribute = 'data-neu-global'
const coveredAttribute = 'data-neu-covered'

/**
 * Hides what pages put into the document outside of themselves, such as a pop-up that is teleported to the body, while
 * another page is on top (ADR 370). What is there at the start, and applications of their own, such as the toasts of a
 * library, belong to no page. `top` returns the page on top; its value is watched.
 */
export function hideWithPages(top: () => object | undefined): void {
  const owners = new Map<HTMLElement, object>()

  function update(): void {
    const shown = top()
    for (const [element, owner] of owners) {
      if (!element.isConnected) owners.delete(element)
      else setCovered(element, owner !== shown)
    }
  }

  function onAdded(added: MutationRecord[]): void {
    const owner = top()
    if (!owner) return
    for (const node of added.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLElement) || !node.isConnected || owners.has(node) || isGlobal(node)) continue
      owners.set(node, owner)
    }
    update()
  }

  const observer = new MutationObserver(onAdded)
  observer.observe(document.body, { childList: true })
  // Elements of the document to which pages teleport.
  for (const each of document.body.children) if (!isGlobal(each)) observer.observe(each, { childList: true })
  watch(top, update, { flush: 'post' })
}

function setCovered(element: HTMLElement, isCovered: boolean): void {
  if (element.hasAttribute(coveredAttribute) === isCovered) return
  element.toggleAttribute(coveredAttribute, isCovered)
  element.inert = isCovered
}

/** Vue sets this property of an element into which an application is mounted, as for the overlays of `neu`. */
const isGlobal = (element: Element) =>
  '__vue_app__' in element || element.matches(`script, style, link, template, [${globalAttribute}]`)
