import type { CanvasContext } from '../canvasContext.ts'
import { call, gives, inPage, object, required, type, unchecked } from './entry.ts'

const ofCanvas = { ...inPage, module: 'canvasContext', isLoadedWhenCalled: true, takesComponent: true } as const

const area = {
  /** The attribute `canvas-id` of the canvas. */
  canvasId: unchecked<string>(),
  /** A canvas of type 2d, in its own pixels. */
  canvas: unchecked<HTMLCanvasElement>(),
  /** Left edge of the area; 0 by default. */
  x: unchecked<number>(),
  /** Top edge of the area; 0 by default. */
  y: unchecked<number>(),
  /** Width of the area; that of the canvas by default. */
  width: unchecked<number>(),
  /** Height of the area; that of the canvas by default. */
  height: unchecked<number>(),
}

export const canvas = {
  /**
   * Returns the drawing context of a `canvas` without `type`. What is drawn appears with `draw()`.
   * @param canvasId The attribute `canvas-id` of the canvas.
   * @param component Component in which the canvas is; by default the page on top.
   * @returns A context with the methods and properties of the web's 2D context, and with `draw()`.
   */
  createCanvasContext: gives({
    ...inPage,
    module: 'objects',
    is: type<(canvasId: string, component?: object | null) => CanvasContext>(),
  }),
  /**
   * Creates a canvas that is on no page. Lengths in px.
   * @param options Kind and size.
   * @returns The canvas of the web, with `createImage()` for images to draw.
   */
  createOffscreenCanvas: gives({
    ...inPage,
    module: 'objects',
    is: type<
      (options?: {
        /** Kind of context that it is for; a canvas has one kind only. */
        type?: '2d' | 'webgl'
        /** In px; 300 by default. */
        width?: number
        /** In px; 150 by default. */
        height?: number
      }) => HTMLCanvasElement & { createImage: () => HTMLImageElement }
    >(),
  }),
  /** Writes an area of a canvas to a temporary image file. Fails if images of another origin made it unreadable. */
  canvasToTempFilePath: call({
    ...ofCanvas,
    fails: ['canvasMissing', 'canvasUnreadable'],
    makesTempFiles: true,
    options: {
      ...area,
      /** Width of the image in px; that of the area by default. */
      destWidth: unchecked<number>(),
      /** Height of the image in px; that of the area by default. */
      destHeight: unchecked<number>(),
      /** Format of the image; `png` by default. */
      fileType: unchecked<'png' | 'jpg' | 'jpeg'>(),
      /** Quality of a JPEG, from 0 to 1; 1 by default. */
      quality: unchecked<number>(),
    },
    result: type<{
      /** Path of the temporary file. */
      tempFilePath: string
    }>(),
  }),
  /** Returns the pixels of an area, one per CSS px. */
  canvasGetImageData: call({
    ...ofCanvas,
    fails: ['canvasMissing'],
    options: area,
    result: type<{
      /** Width of the area in px. */
      width: number
      /** Height of the area in px. */
      height: number
      /** Red, green, blue and alpha of each pixel, from 0 to 255, row by row. */
      data: Uint8ClampedArray
    }>(),
  }),
  /** Writes pixels into an area of a canvas. */
  canvasPutImageData: call({
    ...ofCanvas,
    fails: ['canvasMissing'],
    options: {
      ...area,
      /** Red, green, blue and alpha of each pixel, from 0 to 255, row by row. */
      data: required(object<Uint8ClampedArray>()),
    },
  }),
}
