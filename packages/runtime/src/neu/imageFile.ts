import { dataUrlOf } from '@souk/shell/device/dataUrl'
import { type ChosenFile, readableUrl, readFile } from './files.ts'

export interface ImageInfo {
  width: number
  height: number
  path: string
  orientation: 'up'
  type: string
}

/** Returns the content of a file as a data URL. */
export async function toDataUrl(path: string): Promise<string> {
  return dataUrlOf(await readFile(path))
}

/** Lets the user choose images. Fails with `cancel` if none is chosen. */
export async function chooseImage({
  count = 9,
  sourceType = ['album', 'camera'],
  extension = [],
}: {
  count?: number
  sourceType?: string[]
  extension?: string[]
}): Promise<{ tempFilePaths: string[]; tempFiles: ChosenFile[] }> {
  return (await import('./chooseFiles.ts')).chooseFile({ count, sourceType, extension, type: 'image' })
}

export async function getImageInfo(src: string): Promise<ImageInfo> {
  const image = new Image()
  image.src = await readableUrl(src)
  await image.decode().catch(() => {
    throw new Error('the image cannot be read')
  })
  const type = /\.(\w+)(?:[?#]|$)/.exec(src)?.[1]?.toLowerCase() ?? ''
  return { width: image.naturalWidth, height: image.naturalHeight, path: image.src, orientation: 'up', type }
}
