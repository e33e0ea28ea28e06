import { absoluteUrl } from './absoluteUrl.ts'
import { readFile, tempPathOf } from './files.ts'

export interface ChosenFile {
  path: string
  size: number
  name: string
  type: string
}

export interface ImageInfo {
  width: number
  height: number
  path: string
  orientation: 'up'
  type: string
}

/** Returns the content of a file as a data URL. */
export async function toDataUrl(path: string): Promise<string> {
  const file = await readFile(path)
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

/** Opens the browser's file picker. */
export function chooseImage({
  count = 9,
  sourceType = ['album', 'camera'],
  extension,
}: {
  count?: number
  sourceType?: string[]
  extension?: string[]
}): Promise<{ tempFilePaths: string[]; tempFiles: ChosenFile[] }> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = extension?.map((each) => `.${each.replace(/^\./, '')}`).join(',') || 'image/*'
  input.multiple = count > 1
  if (sourceType.length === 1 && sourceType[0] === 'camera') input.capture = 'environment'
  return new Promise((resolve, reject) => {
    input.onchange = () => {
      const tempFiles = Array.from(input.files ?? [])
        .slice(0, count)
        .map((file) => ({ path: tempPathOf(file), size: file.size, name: file.name, type: file.type }))
      resolve({ tempFilePaths: tempFiles.map(({ path }) => path), tempFiles })
    }
    input.oncancel = () => reject(new Error('cancel'))
    input.click()
  })
}

export async function getImageInfo(src: string): Promise<ImageInfo> {
  const image = new Image()
  image.src = absoluteUrl(src)
  await image.decode().catch(() => {
    throw new Error('the image cannot be read')
  })
  const type = /\.(\w+)(?:[?#]|$)/.exec(src)?.[1]?.toLowerCase() ?? ''
  return { width: image.naturalWidth, height: image.naturalHeight, path: image.src, orientation: 'up', type }
}
