import { type ChosenFile, readFile, tempPathOf, withUrlOf } from './files.ts'

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

interface FileChoice {
  count?: number
  /** image, video, file or all. */
  type?: string
  extension?: string[]
  sourceType?: string[]
}

interface ChosenFiles {
  tempFilePaths: string[]
  tempFiles: ChosenFile[]
}

export async function chooseFile({
  count = 100,
  type = 'all',
  extension,
  sourceType,
}: FileChoice): Promise<ChosenFiles> {
  const accept = extension?.map((each) => `.${each.replace(/^\./, '')}`).join(',') || acceptOf[type] || ''
  const files = await pickFiles({ count, accept, ...(sourceType ? { sourceType } : {}) })
  const tempFiles = files.map(({ path, size, name, type }) => ({ path, size, name, type }))
  return { tempFilePaths: tempFiles.map(({ path }) => path), tempFiles }
}

export const chooseMessageFile = chooseFile

/** Length in seconds, size in bytes. */
export interface VideoInfo {
  duration: number
  width: number
  height: number
  size: number
}

export async function getVideoInfo({ src }: { src: string }): Promise<VideoInfo & { type: string }> {
  const file = await readFile(src)
  const { duration, width, height } = await withUrlOf(file, sizeOfVideo)
  return { duration, width, height, size: file.size, type: file.type }
}

async function sizeOfVideo(url: string): Promise<Omit<VideoInfo, 'size'>> {
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
const videoInfoOf = (path: string): Promise<Partial<VideoInfo>> =>
  getVideoInfo({ src: path }).catch(() => ({ duration: 0, width: 0, height: 0 }))

export async function chooseVideo({ sourceType }: { sourceType?: string[]; extension?: string[] }): Promise<{
  tempFilePath: string
  tempFile: File
  name: string
  size: number
  duration: number
  width: number
  height: number
}> {
  const [chosen] = await pickFiles({ count: 1, accept: 'video/*', ...(sourceType ? { sourceType } : {}) })
  if (!chosen) throw new Error('cancel')
  const { duration = 0, width = 0, height = 0 } = await videoInfoOf(chosen.path)
  const { path, file, name, size } = chosen
  return { tempFilePath: path, tempFile: file, name, size, duration, width, height }
}

interface ChosenMedia {
  tempFilePath: string
  fileType: 'image' | 'video'
  size: number
  duration?: number
  width?: number
  height?: number
}

export async function chooseMedia({
  count = 9,
  mediaType = ['image', 'video'],
  sourceType,
}: {
  count?: number
  mediaType?: string[]
  sourceType?: string[]
}): Promise<{ type: string; tempFiles: ChosenMedia[] }> {
  const kinds = mediaType.includes('mix') ? ['image', 'video'] : mediaType
  const accept = kinds.map((kind) => acceptOf[kind]).join(',')
  const files = await pickFiles({ count, accept, ...(sourceType ? { sourceType } : {}) })
  const tempFiles = await Promise.all(
    files.map(async ({ path, size, type }): Promise<ChosenMedia> => {
      const fileType = type.startsWith('video/') ? 'video' : 'image'
      return { tempFilePath: path, fileType, size, ...(fileType === 'video' ? await videoInfoOf(path) : {}) }
    }),
  )
  const [first] = tempFiles
  const isMixed = tempFiles.some(({ fileType }) => fileType !== first?.fileType)
  return { type: isMixed ? 'mix' : (first?.fileType ?? 'image'), tempFiles }
}

/** Returns the size in bytes of a temporary file. */
export async function getFileInfo({ filePath }: { filePath: string }): Promise<{ size: number }> {
  return { size: (await readFile(filePath)).size }
}

/** Encodes an image as JPEG again. `quality` from 0 to 100; the other lengths in px. */
export async function compressImage({
  src,
  quality = 80,
  compressedWidth,
  compressedHeight,
}: {
  src: string
  quality?: number
  compressedWidth?: number
  compressedHeight?: number
}): Promise<{ tempFilePath: string }> {
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
