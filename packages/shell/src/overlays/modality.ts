/** A dialog that is open: its element covers everything else in `area`, except for what is in `beside`. */
export interface ModalElement {
  element: HTMLElement
  area: Element
  beside?: Element | undefined
}

/** All dialogs that are open. */
const modals = new Set<ModalElement>()
/** Elements that are inert because of the dialog on top of an area. */
const behind = new Map<Element, HTMLElement[]>()
const observers = new Map<Element, MutationObserver>()

/** Makes everything behind a dialog inert. Returns a function that ends it. */
export function openModal(modal: ModalElement): () => void {
  modals.add(modal)
  update(modal.area)
  return () => {
    modals.delete(modal)
    update(modal.area)
  }
}

/** Returns whether no dialog in its area covers this one. They are drawn in the order of the document. */
export function isOnTop(modal: ModalElement): boolean {
  return topOf(modal.area) === modal
}

function topOf(area: Element): ModalElement | undefined {
  return [...modals]
    .filter((each) => each.area === area)
    .sort((a, b) => (a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1))[0]
}

function update(area: Element): void {
  observers.get(area)?.disconnect()
  for (const element of behind.get(area) ?? []) element.inert = false
  behind.delete(area)
  observers.delete(area)
  const top = topOf(area)
  if (!top) return
  const found: HTMLElement[] = []
  // The page may add elements, such as pop-ups, to those around the dialog.
  const observer = new MutationObserver(() => update(area))
  for (let at: Element = top.element; at !== area && at.parentElement; at = at.parentElement) {
    observer.observe(at.parentElement, { childList: true })
    for (const each of at.parentElement.children) {
      if (each === at || !(each instanceof HTMLElement) || each.inert || staysUsable(each, top)) continue
      each.inert = true
      found.push(each)
    }
  }
  behind.set(area, found)
  observers.set(area, observer)
}

/** Screen readers announce what is in a status. */
const staysUsable = (element: Element, { beside }: ModalElement) =>
  element.getAttribute('role') === 'status' || (beside !== undefined && element.contains(beside))

const controls = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled)'

/**
 * Moves the focus on Tab to the next control in these places, and from the last one to the first. From any other
 * element, Tab goes to the first control and Shift+Tab to the last.
 */
export function moveFocus(event: KeyboardEvent, places: (Element | undefined)[]): void {
  event.preventDefault()
  const reachable = places
    .flatMap((place) => [...(place?.querySelectorAll<HTMLElement>(controls) ?? [])])
    .filter((control) => control.getClientRects().length > 0)
  const at = reachable.indexOf(document.activeElement as HTMLElement)
  if (event.shiftKey) reachable.at(at < 0 ? -1 : at - 1)?.focus()
  else reachable[(at + 1) % reachable.length]?.focus()
}
