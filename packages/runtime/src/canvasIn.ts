import { fitCanvas } from './neu/fitCanvas.ts'

/**
 * Returns the first child of an element. The canvas of uni-app, which is the first child of its tag, gets the size and
 * the scale that scripts expect. The build replaces `element.children[0]` by a call in modules that draw on it.
 */
export function canvasIn(element: Element): Element | undefined {
  const [child] = element.children
  if (!(child instanceof HTMLCanvasElement) || element.localName !== 'neu-canvas') return child
  const { width, height } = child
  const scale = fitCanvas(child)
  if (width !== child.width || height !== child.height) child.getContext('2d')?.setTransform(scale, 0, 0, scale, 0, 0)
  return child
}
