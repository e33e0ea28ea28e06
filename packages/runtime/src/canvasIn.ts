import { fitCanvas } from './neu/fitCanvas.ts'

/**
 * Returns the canvas in an element, as scripts for uni-app look for it. Here the element is the canvas, which gets the
 * size and the scale of uni-app's. The build replaces `element.children[0]` by a call in modules that draw on it.
 */
export function canvasIn(element: Element): Element | undefined {
  const [child] = element.children
  if (child || !(element instanceof HTMLCanvasElement)) return child
  const { width, height } = element
  const scale = fitCanvas(element)
  if (width !== element.width || height !== element.height)
    element.getContext('2d')?.setTransform(scale, 0, 0, scale, 0, 0)
  return element
}
