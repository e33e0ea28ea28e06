/**
 * Helpers for a tag's root element. A page's listeners are attached to it by attribute fallthrough and receive what
 * `dispatch` sends. Native events of the same name from controls inside must not reach it, or listeners run twice.
 */

import { getCurrentInstance } from 'vue'

/**
 * Returns the attributes that let scoped styles match elements inside a tag, for classes and nodes that come from a
 * page or a component around it. A class may be passed on by several components: uni-app gives the elements the scopes
 * of all of them. To be called in `setup`.
 */
export function useScopeAttrs(): Record<string, string> {
  const attrs: Record<string, string> = {}
  for (let each = getCurrentInstance()?.parent; each; each = each.parent) {
    const { __scopeId: scopeId } = each.type as { __scopeId?: string }
    if (scopeId) attrs[scopeId] = ''
  }
  return attrs
}

/** Dispatches an event with `detail`. It does not bubble: on mini app platforms only taps and touches do. */
export function dispatch(
  root: Element | null | undefined,
  type: string,
  detail: object = {},
  cancelable = false,
): boolean {
  return root?.dispatchEvent(new CustomEvent(type, { detail, cancelable })) ?? true
}

const controlAttr =
  /^(?:aria-.+|role|tabindex|title|autocomplete|autocapitalize|autocorrect|spellcheck|inputmode|lang|pattern)$/

/** Returns the attributes for the control inside a tag, such as `aria-*`, and an id derived from the tag's. */
export function controlAttrs(attrs: Record<string, unknown>): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(attrs).filter(([name]) => controlAttr.test(name)))
  if (typeof attrs.id === 'string') own.id = controlId(attrs.id)
  return own
}

/** Returns all other attributes: class, style, data-*, listeners. */
export function rootAttrs(attrs: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attrs).filter(([name]) => !controlAttr.test(name)))
}

/** Returns the id of the control inside the tag with this id, for labels. */
export function controlId(id: string): string {
  return `${id}:control`
}

/** Clicks a control without bubbling: the elements around it have received the original tap. */
export function press(control: HTMLElement): void {
  control.focus()
  control.dispatchEvent(new MouseEvent('click', { bubbles: false, cancelable: true }))
}

export function isRtl(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl'
}

export function isMotionReduced(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

export function stopPropagation(event: Event): void {
  event.stopPropagation()
}

/** Sorts the parts of a tag in the order of their elements in the document. */
export function inDocumentOrder<Part extends { root(): Element | null }>(parts: Iterable<Part>): Part[] {
  return [...parts].sort((one, other) => {
    const a = one.root()
    const b = other.root()
    return a && b && a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
  })
}
