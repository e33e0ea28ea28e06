/** An image that Souk takes, by what every browser can show. SVG is not among them: it can hold scripts. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** What a file's name in its address ends with. */
export const extensions: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

/** The type of an image by its first bytes, whatever its name; undefined for anything else. */
export function imageType(content: Buffer): ImageType | undefined {
  const start = content.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp'
  return undefined
}
