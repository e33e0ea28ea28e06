import { second } from '@souk/contract/time'
import { currentCarrier } from '../carriers/current.ts'
import { formatUrl, parseUrl } from '../stack/address.ts'
import { currentPage } from '../stack/app.ts'
import type { SharedCard, ShareOptions } from '../stack/hooks.ts'
import type { PageInstance } from '../stack/page.ts'
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

/** Shares the page on top as the card that its `onShareAppMessage` returns; without the hook, the mini app. */
export async function sharePage(options: ShareOptions): Promise<object> {
  const page = currentPage()
  const card = await cardOf(page, options)
  if (!card) return shareMiniAppMessage({})
  const { title, imageUrl, extraData, path } = card
  return shareMiniAppMessage({ title, imageUrl, extraData, path: formatUrl(path ? parseUrl(path, page.path) : page) })
}

/** Time in which the promise of a card must settle, as in the ecosystem. */
const cardTimeout = 3 * second

/** Returns the card of the last hook of a page that returns one. A hook or promise that fails is reported. */
async function cardOf(page: PageInstance, options: ShareOptions): Promise<SharedCard | undefined> {
  let card: SharedCard | undefined
  for (const hook of page.hooks.get('onShareAppMessage') ?? []) {
    card = (await inTime(() => hook(options) as SharedCard | Promise<SharedCard>)) ?? card ?? {}
  }
  const { promise, ...rest } = card ?? {}
  return promise ? { ...rest, ...(await inTime(() => promise)) } : card
}

/** Returns what `make` returns; undefined if it fails or takes too long. */
async function inTime<T>(make: () => T | Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, cardTimeout, undefined)
  })
  try {
    return await Promise.race([make(), timeout])
  } catch (error) {
    reportError(error)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
