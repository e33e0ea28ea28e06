import { currentCarrier } from '../carriers/current.ts'
import { readableUrl } from './files.ts'
import { toDataUrl } from './imageFile.ts'
import { jsonOf } from './jsonOf.ts'
import type { Options } from './table/types.ts'

export async function share({ type, title, summary, href, imageUrl, mediaUrl }: Options<'share'>): Promise<object> {
  const isPicture = type === 2 || type === 'image'
  if (isPicture && !imageUrl) throw new Error('imageUrl is missing')
  // The share sheet needs the picture itself, not its address.
  if (isPicture) return call({ imageUrl: await toDataUrl(imageUrl!) })
  return call({ title, text: summary, url: href || mediaUrl, imageUrl: type === 1 ? '' : await shareable(imageUrl) })
}

export const shareWithSystem = share

function call({ title = '', text = '', url = '', imageUrl = '' }: Record<string, string | undefined>): Promise<object> {
  const shared = { title: String(title), text: String(text), url: String(url) }
  return currentCarrier().call('share', { ...shared, ...(imageUrl && { imageUrl }) })
}

/** Returns an address of a picture that others than this document can read; empty for none. */
async function shareable(path = ''): Promise<string> {
  const address = path && (await readableUrl(path))
  return !address || /^https?:/.test(address) ? address : toDataUrl(path)
}

export async function shareMiniAppMessage({
  title,
  path,
  imageUrl,
  extraData,
}: Options<'shareMiniAppMessage'>): Promise<object> {
  return currentCarrier().call('shareMiniApp', {
    title: String(title ?? ''),
    path: (path ?? '').replace(/^\//, ''),
    imageUrl: await shareable(imageUrl),
    extraData: extraData === undefined ? '' : jsonOf(extraData, 'extraData'),
  })
}
