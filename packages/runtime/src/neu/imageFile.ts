import { dataUrlOf } from '@souk/shell/device/dataUrl'
import { readableUrl, readFile, unreadable } from './files.ts'
import type { Options, Result } from './table/types.ts'

/** Returns the content of a file as a data URL. */
export async function toDataUrl(path: string): Promise<string> {
  return dataUrlOf(await readFile(path))
}

export async function chooseImage({
  count = 9,
  sourceType = ['album', 'camera'],
  extension = [],
}: Options<'chooseImage'>): Promise<Result<'chooseImage'>> {
  return (await import('./chooseFiles.ts')).chooseFile({ count, sourceType, extension, type: 'image' })
}

export async function getImageInfo(src: string): Promise<Result<'getImageInfo'>> {
  const image = new Image()
  image.src = await readableUrl(src)
  await image.decode().catch(() => {
    throw unreadable(src, 'the image cannot be read')
  })
  const type = /\.(\w+)(?:[?#]|$)/.exec(src)?.[1]?.toLowerCase() ?? ''
  return { width: image.naturalWidth, height: image.naturalHeight, path: image.src, orientation: 'up', type }
}
