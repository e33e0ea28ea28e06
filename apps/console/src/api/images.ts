import { maxFileSize } from '@souk/contract'
import { call, type Result } from './client.ts'

/**
 * Uploads an image of a mini app. One that is larger than `maxSide` px or than the server accepts is reduced first.
 *
 * @throws Problem such as `file_unsupported`
 */
export async function uploadImage(appid: string, file: Blob, maxSide: number): Promise<Result<'uploadImage'>> {
  const image = await reduce(file, maxSide)
  return call('uploadImage', { appid, content: await base64Of(image) })
}

async function reduce(file: Blob, maxSide: number): Promise<Blob> {
  // The server names the types that it accepts.
  const image = await createImageBitmap(file).catch(() => undefined)
  if (!image) return file
  const scale = Math.min(1, maxSide / Math.max(image.width, image.height))
  if (scale === 1 && file.size <= maxFileSize) return file
  const canvas = new OffscreenCanvas(Math.ceil(image.width * scale), Math.ceil(image.height * scale))
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/webp', quality: 0.9 })
}

function base64Of(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(String(reader.result).split(',')[1] ?? ''))
  reader.addEventListener('error', () => reject(reader.error))
  reader.readAsDataURL(blob)
  return promise
}
