import { lookup } from 'mrmime'

/** Extensions of files that browsers may run or show; all others are served as plain bytes. */
const extensions =
  'html js mjs css json map txt svg png jpg jpeg gif webp avif woff woff2 ttf otf mp3 m4a wav mp4 webm wasm'.split(' ')
const mediaTypes = new Map(extensions.map((extension) => [extension, withCharset(lookup(extension)!)]))
// Missing in mrmime.
mediaTypes.set('ico', 'image/x-icon')

function withCharset(mediaType: string): string {
  return /^text\/|\/json$/.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType
}

const compressible = /^(text\/|application\/(json|wasm|octet-stream)|image\/svg|font\/(ttf|otf))/

/** Returns the media type of a file by its extension. */
export function mediaTypeOf(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return mediaTypes.get(extension) ?? 'application/octet-stream'
}

/** Returns whether compressing the file is worth trying. */
export function isCompressible(path: string): boolean {
  return compressible.test(mediaTypeOf(path))
}
