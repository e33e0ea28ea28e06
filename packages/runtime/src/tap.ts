/*
 * `tap` is `click` also where no template says whom it is for: a component of the project hands the listener on to its root, or `v-on="listeners"` has
 * one. Templates with such listeners import this.
 */
for (const method of ['addEventListener', 'removeEventListener'] as const) {
  const original = HTMLElement.prototype[method] as (this: HTMLElement, type: string, ...rest: unknown[]) => void
  HTMLElement.prototype[method] = function (type: string, ...rest: unknown[]) {
    original.call(this, type === 'tap' ? 'click' : type, ...rest)
  }
}
