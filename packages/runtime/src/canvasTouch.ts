/*
 * Gives touches of a canvas `x` and `y`, in px from its top left corner. Templates in which a canvas has listeners
 * import this module.
 */
if (typeof Touch !== 'undefined') {
  for (const [name, side, from] of [
    ['x', 'left', 'clientX'],
    ['y', 'top', 'clientY'],
  ] as const) {
    Object.defineProperty(Touch.prototype, name, {
      configurable: true,
      get(this: Touch) {
        if (!(this.target instanceof HTMLCanvasElement)) return undefined
        return this[from] - this.target.getBoundingClientRect()[side]
      },
    })
  }
}
