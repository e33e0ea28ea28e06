import { type ChosenFile, readFile, tempPathOf, withUrlOf } from './files.ts'
import type { Options, Result } from './table/types.ts'

interface Choice {
  count?: number
  /** Value of `accept` of a file input. */
  accept?: string
  sourceType?: string[]
}

/** Opens the browser's file picker. Fails with `cancel` if nothing is chosen. */
export function pickFiles({
  count = 9,
  accept = '',
  sourceType = [],
}: Choice): Promise<(ChosenFile & { file: File })[]> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.multiple = count > 1
  if (sourceType.length === 1 && sourceType[0] === 'camera') input.capture = 'environment'
  return new Promise((resolve, reject) => {
    input.onchange = () =>
      resolve(
        Array.from(input.files ?? [])
          .slice(0, count)
          .map((file) => ({ path: tempPathOf(file), size: file.size, name: file.name, type: file.type, file })),
      )
    input.oncancel = () => reject(new Error('cancel'))
    input.click()
  })
}

const acceptOf: Record<string, string> = { image: 'image/*', video: 'video/*' }

export async function chooseFile({
  count = 100,
  type = 'all',
  extension,
  sourceType,
}: Options<'chooseFile'>): Promise<Result<'chooseFile'>> {
  const accept = extension?.map((each) => `.${each.replace(/^\./, '')}`).join(',') || acceptOf[type] || ''
  const files = await pickFiles({ count, accept, ...(sourceType ? { sourceType } : {}) })
  const tempFiles = files.map(({ path, size, name, type }) => ({ path, size, name, type }))
  return { tempFilePaths: tempFiles.map(({ path }) => path), tempFiles }
}

export const chooseMessageFile = chooseFile

export async function getVideoInfo({ src }: Options<'getVideoInfo'>): Promise<Result<'getVideoInfo'>> {
  const file = await readFile(src)
  const { duration, width, height } = await withUrlOf(file, sizeOfVideo)
  return { duration, width, height, size: file.size, type: file.type }
}

async function sizeOfVideo(url: string): Promise<{ duration: number; width: number; height: number }> {
  const video = document.createElement('video')
  video.preload = 'metadata'
  try {
    await new Promise((resolve, reject) => {
      video.onloadedmetadata = resolve
      video.onerror = () => reject(new Error('the video cannot be read'))
      video.src = url
    })
    const { duration, videoWidth: width, videoHeight: height } = video
    return { duration, width, height }
  } finally {
    // Without an address the browser drops what it has loaded.
    video.onerror = null
    video.removeAttribute('src')
    video.load()
  }
}

/** Returns length and size of a video; zeros if the browser cannot play it. */
const videoInfoOf = (path: string): Promise<Partial<Result<'getVideoInfo'>>> =>
  getVideoInfo({ src: path }).catch(() => ({ duration: 0, width: 0, height: 0 }))

export async function chooseVideo({ sourceType }: Options<'chooseVideo'>): Promise<Result<'chooseVideo'>> {
  const [chosen] = await pickFiles({ count: 1, accept: 'video/*', ...(sourceType ? { sourceType } : {}) })
  if (!chosen) throw new Error('cancel')
  const { duration = 0, width = 0, height = 0 } = await videoInfoOf(chosen.path)
  const { path, file, name, size } = chosen
  return { tempFilePath: path, tempFile: file, name, size, duration, width, height }
}

export async function chooseMedia({
  count = 9,
  mediaType = ['image', 'video'],
  sourceType,
}: Options<'chooseMedia'>): Promise<Result<'chooseMedia'>> {
  const kinds = mediaType.includes('mix') ? ['image', 'video'] : mediaType
  const accept = kinds.map((kind) => acceptOf[kind]).join(',')
  const files = await pickFiles({ count, accept, ...(sourceType ? { sourceType } : {}) })
  const tempFiles = await Promise.all(
    files.map(async ({ path, size, type }): Promise<Result<'chooseMedia'>['tempFiles'][number]> => {
      const fileType = type.startsWith('video/') ? 'video' : 'image'
      return { tempFilePath: path, fileType, size, ...(fileType === 'video' ? await videoInfoOf(path) : {}) }
    }),
  )
  const [first] = tempFiles
  const isMixed = tempFiles.some(({ fileType }) => fileType !== first?.fileType)
  return { type: isMixed ? 'mix' : (first?.fileType ?? 'image'), tempFiles }
}

export async function getFileInfo({ filePath }: Options<'getFileInfo'>): Promise<Result<'getFileInfo'>> {
  return { size: (await readFile(filePath)).size }
}

export async function compressImage({
  src,
  quality = 80,
  compressedWidth,
  compressedHeight,
}: Options<'compressImage'>): Promise<Result<'compressImage'>> {
  const image = await createImageBitmap(await readFile(src))
  const ratio = image.width / image.height
  const width = compressedWidth ?? (compressedHeight ? compressedHeight * ratio : image.width)
  const height = compressedHeight ?? width / ratio
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width))
  canvas.height = Math.max(1, Math.round(height))
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality / 100))
  if (!file) throw new Error('the image cannot be encoded')
  return { tempFilePath: tempPathOf(file) }
}
