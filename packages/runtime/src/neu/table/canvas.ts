import type { CanvasContext } from '../canvasContext.ts'
import { call, gives, inPage, object, required, type, unchecked } from './entry.ts'

const ofCanvas = { ...inPage, module: 'canvasContext', isLoadedWhenCalled: true, takesComponent: true } as const

const area = {
  canvasId: unchecked<string>(),
  /** A canvas of type 2d, in its own pixels. */
  canvas: unchecked<HTMLCanvasElement>(),
  x: unchecked<number>(),
  y: unchecked<number>(),
  width: unchecked<number>(),
  height: unchecked<number>(),
}

export const canvas = {
  createCanvasContext: gives({
    ...inPage,
    module: 'objects',
    is: type<(canvasId: string, component?: object | null) => CanvasContext>(),
  }),
  /** Creates a canvas that is on no page. Lengths in px. */
  createOffscreenCanvas: gives({
    ...inPage,
    module: 'objects',
    is: type<
      (options?: {
        type?: '2d' | 'webgl'
        width?: number
        height?: number
      }) => HTMLCanvasElement & { createImage: () => HTMLImageElement }
    >(),
  }),
  /** Writes an area of a canvas to a temporary image file. Fails if images of another origin made it unreadable. */
  canvasToTempFilePath: call({
    ...ofCanvas,
    makesTempFiles: true,
    options: {
      ...area,
      destWidth: unchecked<number>(),
      destHeight: unchecked<number>(),
      fileType: unchecked<'png' | 'jpg' | 'jpeg'>(),
      quality: unchecked<number>(),
    },
    result: type<{ tempFilePath: string }>(),
  }),
  /** Returns the pixels of an area, one per CSS px. */
  canvasGetImageData: call({
    ...ofCanvas,
    options: area,
    result: type<{ width: number; height: number; data: Uint8ClampedArray }>(),
  }),
  canvasPutImageData: call({ ...ofCanvas, options: { ...area, data: required(object<Uint8ClampedArray>()) } }),
}
