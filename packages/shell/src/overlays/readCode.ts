import type { Scan } from './overlayState.ts'

/** https://wicg.github.io/shape-detection-api/, not available in all browsers. */
interface BarcodeDetector {
  detect(image: CanvasImageSource): Promise<{ rawValue: string; format: string }[]>
}
interface BarcodeDetectorClass {
  new (options: { formats: string[] }): BarcodeDetector
  getSupportedFormats(): Promise<string[]>
}

const formats: Record<string, readonly string[]> = {
  qrCode: ['qr_code'],
  barCode: ['ean_13', 'ean_8', 'upc_a', 'upc_e', 'code_39', 'code_93', 'code_128', 'codabar', 'itf'],
  datamatrix: ['data_matrix'],
  pdf417: ['pdf417'],
}

/** Reads the first code of an image; undefined if there is none. */
export type ReadCode = (image: CanvasImageSource, width: number, height: number) => Promise<Scan | undefined>

/** Longest side of the image that the library reads, in px. */
const longestSide = 800

/**
 * Creates a reader of the browser or, where that is missing, of a library, which reads QR codes only. `scanType` is a
 * list of qrCode, barCode, datamatrix, pdf417; all if it is empty.
 */
export async function createReader(scanType: readonly string[]): Promise<ReadCode> {
  const requested = (scanType.length > 0 ? scanType : Object.keys(formats)).flatMap((type) => formats[type] ?? [])
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: BarcodeDetectorClass }
  const supported = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  const usable = requested.filter((format) => supported.includes(format))
  if (BarcodeDetector && usable.length > 0) {
    const detector = new BarcodeDetector({ formats: usable })
    return async (image) => {
      const [code] = await detector.detect(image)
      return code && { result: code.rawValue, scanType: code.format.toUpperCase() }
    }
  }
  const { default: decode } = await import('qr/decode.js')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  return async (image, width, height) => {
    const scale = Math.min(1, longestSide / Math.max(width, height))
    canvas.width = Math.max(1, Math.round(width * scale))
    canvas.height = Math.max(1, Math.round(height * scale))
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    try {
      return { result: decode(context.getImageData(0, 0, canvas.width, canvas.height)), scanType: 'QR_CODE' }
    } catch {
      // The library throws if it finds no code.
      return undefined
    }
  }
}
