import { currentCarrier } from '../carriers/current.ts'
import { readableUrl } from './files.ts'
import type { Options, Result } from './table/types.ts'

export async function previewImage({ urls, current = 0 }: Options<'previewImage'>): Promise<object> {
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

export async function chooseImage(options: Options<'chooseImage'> = {}): Promise<Result<'chooseImage'>> {
  return (await import('./imageFile.ts')).chooseImage(options)
}

export async function getImageInfo({ src }: Options<'getImageInfo'>): Promise<Result<'getImageInfo'>> {
  return (await import('./imageFile.ts')).getImageInfo(src)
}

export function previewMedia({ sources, current = 0 }: Options<'previewMedia'>): Promise<object> {
  const isImage = ({ type = 'image' }: (typeof sources)[number]) => type === 'image'
  const before = sources.slice(0, current).filter(isImage).length
  return previewImage({ urls: sources.filter(isImage).map(({ url }) => url), current: before })
}

export const closePreviewImage = (): Promise<object> => currentCarrier().call('closePreviewImage', {})
