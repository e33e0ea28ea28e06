/** Gives touches of a canvas `x` and `y`, in px from its top left corner. */
export function addCanvasPoints(): void {
  if (typeof Touch === 'undefined' || 'x' in Touch.prototype) return
  for (const [name, side, from] of [
    ['x', 'left', 'clientX'],
    ['y', 'top', 'clientY'],
  ] as const) {
    Object.defineProperty(Touch.prototype, name, {
      configurable: true,
      get(this: Touch) {
        const canvas = (this.target as Element).closest('neu-canvas')
        return canvas ? this[from] - canvas.getBoundingClientRect()[side] : undefined
      },
    })
  }
}
