/** Accepted image types, which all browsers can show. SVG is excluded, since it can contain scripts. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** File extensions in the URLs of uploaded images. */
export const imageExtensions: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

/** Returns the type of an image by its first bytes, or `undefined` if it is not an accepted image. */
export function imageType(content: Uint8Array): ImageType | undefined {
  const start = String.fromCharCode(...content.subarray(0, 12))
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp'
  return undefined
}
