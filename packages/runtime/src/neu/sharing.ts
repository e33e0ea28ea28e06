import { currentCarrier } from '../carriers/current.ts'
import { readableUrl } from './files.ts'
import { toDataUrl } from './imageFile.ts'
import { jsonOf } from './jsonOf.ts'

export interface ShareOptions {
  /** 0: title, summary, link and picture; 1: text only; 2 or `image`: the picture only. */
  type?: number | string
  title?: string
  summary?: string
  href?: string
  imageUrl?: string
  /** Address of a song or a video; shared as a link if there is no `href`. */
  mediaUrl?: string
}

/** Opens the share sheet of the device for any provider. Fails with `cancel` if the user closes it. */
export async function share({ type, title, summary, href, imageUrl, mediaUrl }: ShareOptions): Promise<object> {
  const isPicture = type === 2 || type === 'image'
  if (isPicture && !imageUrl) throw new Error('imageUrl is missing')
  // The share sheet needs the picture itself, not its address.
  if (isPicture) return call({ imageUrl: await toDataUrl(imageUrl!) })
  return call({ title, text: summary, url: href || mediaUrl, imageUrl: type === 1 ? '' : await shareable(imageUrl) })
}

function call({ title = '', text = '', url = '', imageUrl = '' }: Record<string, string | undefined>): Promise<object> {
  const shared = { title: String(title), text: String(text), url: String(url) }
  return currentCarrier().call('share', { ...shared, ...(imageUrl && { imageUrl }) })
}

/** Returns an address of a picture that others than this document can read; empty for none. */
async function shareable(path = ''): Promise<string> {
  const address = path && (await readableUrl(path))
  return !address || /^https?:/.test(address) ? address : toDataUrl(path)
}

export interface ShareMessageOptions {
  title?: string
  /** Page with its query; the launch page if it is omitted. */
  path?: string
  imageUrl?: string
  extraData?: unknown
}

/** Shares a page of the app: as a card if the host application has them, otherwise as a link. */
export async function shareMiniAppMessage({ title, path, imageUrl, extraData }: ShareMessageOptions): Promise<object> {
  return currentCarrier().call('shareMiniApp', {
    title: String(title ?? ''),
    path: (path ?? '').replace(/^\//, ''),
    imageUrl: await shareable(imageUrl),
    extraData: extraData === undefined ? '' : jsonOf(extraData, 'extraData'),
  })
}
