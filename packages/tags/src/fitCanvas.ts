/** Canvas pixels per CSS px of canvases that a `CanvasContext` draws. */
const scales = new WeakMap<HTMLCanvasElement, number>()

/** Returns the pixels per CSS px of a canvas; 1 if the page draws on it itself. */
export const scaleOf = (canvas: HTMLCanvasElement): number => scales.get(canvas) ?? 1

/** Resizes the canvas to its pixels on the screen, which clears it, and returns the pixels per CSS px. */
export function fitCanvas(canvas: HTMLCanvasElement): number {
  const scale = canvas.parentElement?.getAttribute('hidpi') === 'false' ? 1 : devicePixelRatio
  const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)]
  if (width > 0 && height > 0 && (canvas.width !== width || canvas.height !== height)) {
    // Without lengths in its style, its size on the screen would follow its pixels.
    const { width: cssWidth, height: cssHeight } = getComputedStyle(canvas)
    canvas.width = width
    canvas.height = height
    if (canvas.clientWidth * scale !== width) canvas.style.width = cssWidth
    if (canvas.clientHeight * scale !== height) canvas.style.height = cssHeight
  }
  scales.set(canvas, scale)
  return scale
}
