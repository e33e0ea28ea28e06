/*
 * Makes `tap` listeners work where the compiler cannot rename them to `click`: listeners passed through a component
 * to its root, or `v-on="listeners"`. Templates with such listeners import this module.
 */
for (const method of ['addEventListener', 'removeEventListener'] as const) {
  const original = HTMLElement.prototype[method] as (this: HTMLElement, type: string, ...rest: unknown[]) => void
  HTMLElement.prototype[method] = function (type: string, ...rest: unknown[]) {
    original.call(this, type === 'tap' ? 'click' : type, ...rest)
  }
}
