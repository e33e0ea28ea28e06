import { fitCanvas, scaleOf } from '@souk/tags/fitCanvas'
import { findInComponent } from './componentScope.ts'
import { readableUrl, tempPathOf } from './files.ts'

type Action = (context: CanvasRenderingContext2D, images: Map<string, HTMLImageElement>) => void

/** The old canvas API of the ecosystem: calls are collected until `draw`. Lengths in CSS px. */
export interface CanvasContext
  extends Omit<CanvasRenderingContext2D, 'drawImage' | 'createPattern' | 'setLineDash' | 'canvas'> {
  /** Draws the collected calls. With `reserve` the canvas is not cleared first. */
  draw(reserve?: boolean, callback?: () => void): void
  drawImage(path: string, ...lengths: number[]): void
  createPattern(path: string, repetition: string): unknown
  createCircularGradient(x: number, y: number, radius: number): CanvasGradient
  setFillStyle(style: unknown): void
  setStrokeStyle(style: unknown): void
  setShadow(x: number, y: number, blur: number, color: string): void
  setFontSize(px: number): void
  setLineDash(pattern: number[], offset?: number): void
  setTextAlign(value: CanvasTextAlign): void
  setTextBaseline(value: CanvasTextBaseline | 'normal'): void
  setLineCap(value: CanvasLineCap): void
  setLineJoin(value: CanvasLineJoin): void
  setLineWidth(px: number): void
  setMiterLimit(value: number): void
  setGlobalAlpha(value: number): void
}

/** Pattern of an image that is loaded before it is drawn. */
class Pattern {
  readonly path: string
  readonly repetition: string

  constructor(path: string, repetition: string) {
    this.path = path
    this.repetition = repetition
  }
}

/** Returns the canvas of a component, by default of the page on top, that has this `canvas-id` or `id`. */
function findCanvas(id: string, component: unknown): HTMLCanvasElement | undefined {
  const name = CSS.escape(id)
  const named = `:is([canvas-id="${name}"], [id="${name}"])`
  const selector = `canvas${named}, neu-canvas${named} > canvas`
  if (component) return findInComponent<HTMLCanvasElement>(component, selector, 'canvas functions')[0]
  const inPage = document.querySelectorAll<HTMLCanvasElement>(`neu-page-window:not([inert]) :is(${selector})`)
  return [...inPage].at(-1) ?? document.querySelector<HTMLCanvasElement>(selector) ?? undefined
}

export function createCanvasContext(canvasId: string, component?: unknown): CanvasContext {
  // Creates gradients and measures text, for which a canvas need not be drawn yet.
  const shadow = document.createElement('canvas').getContext('2d')!
  const images = new Set<string>()
  let actions: Action[] = []

  function assign(name: string, value: unknown): void {
    if (value instanceof Pattern) {
      actions.push((context, loaded) => {
        const image = loaded.get(value.path)
        if (image) context[name as 'fillStyle'] = context.createPattern(image, value.repetition)!
      })
      return
    }
    ;(shadow as unknown as Record<string, unknown>)[name] = value
    actions.push((context) => {
      ;(context as unknown as Record<string, unknown>)[name] = value
    })
  }

  async function draw(isReserved: boolean, drawn: Action[]): Promise<void> {
    const canvas = findCanvas(canvasId, component)
    const context = canvas?.getContext('2d')
    if (!canvas || !context) throw new Error(`the page has no canvas with the canvas-id "${canvasId}"`)
    const loaded = await loadImages(images)
    const scale = fitCanvas(canvas)
    context.setTransform(scale, 0, 0, scale, 0, 0)
    if (!isReserved) context.clearRect(0, 0, canvas.width, canvas.height)
    for (const action of drawn) action(context, loaded)
  }

  const own: Record<string, unknown> = {
    draw(isReserved = false, callback?: () => void) {
      const drawn = actions
      actions = []
      draw(isReserved, drawn).then(() => callback?.(), console.error)
    },
    drawImage(path: string, ...lengths: number[]) {
      images.add(path)
      actions.push((context, loaded) => {
        const image = loaded.get(path)
        if (image) (context.drawImage as (...args: unknown[]) => void)(image, ...lengths)
      })
    },
    createPattern(path: string, repetition: string) {
      images.add(path)
      return new Pattern(path, repetition)
    },
    createCircularGradient: (x: number, y: number, radius: number) =>
      shadow.createRadialGradient(x, y, 0, x, y, radius),
    setFontSize(px: number) {
      const { font } = shadow
      const end = font.indexOf('px')
      assign('font', `${font.slice(0, font.lastIndexOf(' ', end) + 1)}${px}${font.slice(end)}`)
    },
    setTextBaseline: (value: string) => assign('textBaseline', value === 'normal' ? 'alphabetic' : value),
    setShadow(x: number, y: number, blur: number, color: string) {
      assign('shadowOffsetX', x)
      assign('shadowOffsetY', y)
      assign('shadowBlur', blur)
      assign('shadowColor', color)
    },
    setLineDash(pattern: number[], offset = 0) {
      actions.push((context) => context.setLineDash(pattern))
      assign('lineDashOffset', offset)
    },
  }
  const returnsValue = /^(measureText|get\w+|is\w+|create\w+)$/
  return new Proxy(own, {
    get(_, name: string) {
      if (Object.hasOwn(own, name)) return own[name]
      const value = (shadow as unknown as Record<string, unknown>)[name]
      if (typeof value !== 'function') {
        const setter = /^set([A-Z])(\w*)$/.exec(name)
        if (!setter) return value
        return (assigned: unknown) => assign(setter[1]!.toLowerCase() + setter[2], assigned)
      }
      if (returnsValue.test(name)) return value.bind(shadow)
      return (...args: unknown[]) => {
        actions.push((context) => (context as unknown as Record<string, (...args: unknown[]) => void>)[name]!(...args))
      }
    },
    set(_, name: string, value) {
      // Chart libraries replace methods, and define setters.
      if (typeof value === 'function' || Object.hasOwn(own, name)) return Reflect.set(own, name, value)
      assign(name, value)
      return true
    },
  }) as unknown as CanvasContext
}

/** Images that cannot be loaded are left out. */
async function loadImages(paths: Iterable<string>): Promise<Map<string, HTMLImageElement>> {
  const loaded = new Map<string, HTMLImageElement>()
  await Promise.all(
    [...paths].map(async (path) => {
      const image = new Image()
      const address = await readableUrl(path)
      // Pixels of images from other origins can only be read if their server allows it.
      if (/^https?:/.test(address)) image.crossOrigin = 'anonymous'
      image.src = address
      try {
        await image.decode()
        loaded.set(path, image)
      } catch {
        console.warn(`Souk: the canvas leaves out an image that cannot be read: ${path}`)
      }
    }),
  )
  return loaded
}

interface Area {
  canvasId?: string | undefined
  /** The component that has the canvas; by default the page on top. */
  component?: unknown
  /** A canvas of type 2d, in its own pixels. */
  canvas?: HTMLCanvasElement | undefined
  x?: number | undefined
  y?: number | undefined
  width?: number | undefined
  height?: number | undefined
}

/** Returns the canvas and the area in its pixels. */
function areaOf(
  options: Area,
): { canvas: HTMLCanvasElement } & Record<'scale' | 'x' | 'y' | 'width' | 'height', number> {
  const canvas = options.canvas ?? findCanvas(options.canvasId ?? '', options.component)
  if (!canvas) throw new Error(`the page has no canvas with the canvas-id "${options.canvasId ?? ''}"`)
  const scale = scaleOf(canvas)
  const { x = 0, y = 0 } = options
  const { width = canvas.width / scale - x, height = canvas.height / scale - y } = options
  return { canvas, scale, x: x * scale, y: y * scale, width: width * scale, height: height * scale }
}

/** Writes an area of a canvas to a temporary image file. Fails if images of another origin made it unreadable. */
export async function canvasToTempFilePath(
  options: Area & { [N in 'destWidth' | 'destHeight' | 'quality']?: number | undefined } & {
    fileType?: string | undefined
  },
): Promise<{ tempFilePath: string }> {
  const { canvas, x, y, width, height } = areaOf(options)
  const { destWidth = width, destHeight = height, fileType = 'png', quality = 1 } = options
  const copy = document.createElement('canvas')
  copy.width = Math.max(1, Math.round(destWidth))
  copy.height = Math.max(1, Math.round(destHeight))
  copy.getContext('2d')!.drawImage(canvas, x, y, width, height, 0, 0, copy.width, copy.height)
  const type = /^jpe?g$/i.test(fileType) ? 'image/jpeg' : 'image/png'
  const file = await new Promise<Blob | null>((resolve) => copy.toBlob(resolve, type, quality))
  if (!file) throw new Error('the canvas cannot be read')
  return { tempFilePath: tempPathOf(file) }
}

/** Returns the pixels of an area, one per CSS px. */
export async function canvasGetImageData(
  options: Area,
): Promise<{ width: number; height: number; data: Uint8ClampedArray }> {
  const { canvas, scale, x, y, width, height } = areaOf(options)
  const copy = document.createElement('canvas')
  copy.width = Math.max(1, Math.round(width / scale))
  copy.height = Math.max(1, Math.round(height / scale))
  const context = copy.getContext('2d')!
  context.drawImage(canvas, x, y, width, height, 0, 0, copy.width, copy.height)
  const { data } = context.getImageData(0, 0, copy.width, copy.height)
  return { width: copy.width, height: copy.height, data }
}

export async function canvasPutImageData(options: Area & { data: Uint8ClampedArray }): Promise<void> {
  const { canvas, x, y, width, height, scale } = areaOf(options)
  const copy = document.createElement('canvas')
  copy.width = Math.round(width / scale)
  copy.height = Math.round(height / scale)
  copy.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(options.data), copy.width, copy.height), 0, 0)
  const context = canvas.getContext('2d')!
  context.save()
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(x, y, width, height)
  context.drawImage(copy, x, y, width, height)
  context.restore()
}
