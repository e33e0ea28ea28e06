import { currentCarrier } from '../carriers/current.ts'
import { type ChosenFile, readableUrl } from './files.ts'
import type { ImageInfo } from './imageFile.ts'

export interface PreviewOptions {
  urls: string[]
  /** The first image to show: its index or its address. */
  current?: number | string
}

/** Shows images full-screen. */
export async function previewImage({ urls, current = 0 }: PreviewOptions): Promise<object> {
  if (!urls?.length) throw new Error('urls is empty')
  const index = typeof current === 'number' ? current : urls.indexOf(current)
  const carrier = currentCarrier()
  const addresses = await Promise.all(urls.map(readableUrl))
  return carrier.call('previewImage', {
    urls: carrier.kind === 'page' ? addresses : await Promise.all(addresses.map(toShareableUrl)),
    current: Math.min(Math.max(index, 0), urls.length - 1),
  })
}

/** Converts blob URLs, which only this document can read, to data URLs for the host. */
async function toShareableUrl(address: string): Promise<string> {
  return address.startsWith('blob:') ? (await import('./imageFile.ts')).toDataUrl(address) : address
}

/** Lets the user choose images. Fails with `cancel` if none is chosen. */
export async function chooseImage(
  options: { count?: number; sourceType?: string[]; extension?: string[] } = {},
): Promise<{ tempFilePaths: string[]; tempFiles: ChosenFile[] }> {
  return (await import('./imageFile.ts')).chooseImage(options)
}

export async function getImageInfo({ src }: { src: string }): Promise<ImageInfo> {
  return (await import('./imageFile.ts')).getImageInfo(src)
}
