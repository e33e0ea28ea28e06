/**
 * What tags do with their root element. Listeners of a page are on it, by attribute fall-through, and hear what `tell` sends; native events of
 * the same name from the controls inside must not get there, else a listener would be called twice.
 */

/** Sends an event with `detail`. It does not bubble: on mini app platforms only taps and touches do. */
export function dispatch(
  root: Element | null | undefined,
  type: string,
  detail: object = {},
  cancelable = false,
): boolean {
  return root?.dispatchEvent(new CustomEvent(type, { detail, cancelable })) ?? true
}

const ofControl =
  /^(?:aria-.+|role|tabindex|title|autocomplete|autocapitalize|autocorrect|spellcheck|inputmode|lang|pattern)$/

/** The attributes that describe the control inside a tag to people and their browsers; its id is made from the tag's. */
export function controlAttrs(attrs: Record<string, unknown>): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(attrs).filter(([name]) => ofControl.test(name)))
  if (typeof attrs.id === 'string') own.id = controlId(attrs.id)
  return own
}

/** All others: class, style, data-*, listeners. */
export function rootAttrs(attrs: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attrs).filter(([name]) => !ofControl.test(name)))
}

/** Id of the control inside the tag with this id, which a label refers to. */
export function controlId(id: string): string {
  return `${id}:control`
}

/** Does to a control what a tap on it does, but not to what stands around it, which has had a tap already. */
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
