import { second } from '@souk/contract/time'
import { currentCarrier } from '../carriers/current.ts'
import { formatUrl, parseUrl } from '../stack/address.ts'
import { currentPage } from '../stack/app.ts'
import type { SharedCard, ShareOptions } from '../stack/hooks.ts'
import { shownLanguage } from '../stack/locale.ts'
import type { PageInstance } from '../stack/page.ts'
import { readableUrl } from './files.ts'
import { toDataUrl } from './imageFile.ts'
import { jsonOf } from './jsonOf.ts'
import type { Options } from './table/types.ts'
import { showToast } from './toast.ts'

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

/**
 * Shares the page on top as the card that its `onShareAppMessage` returns; without the hook, the mini app. The user,
 * who has asked for it, sees why it fails, and the mini app gets the error like others that it does not catch.
 */
export async function sharePage(options: ShareOptions): Promise<void> {
  try {
    const page = currentPage()
    const card = await cardOf(page, options)
    await shareMiniAppMessage(
      card ? { ...card, path: formatUrl(card.path ? parseUrl(card.path, page.path) : page) } : {},
    )
  } catch (error) {
    const reason = (error as Error).message.replace(/^\w+:fail /, '')
    // The user has closed the sheet of the host.
    if (reason === 'cancel') return
    reportError(error)
    await showToast({ title: `${notShared()}${reason}`, icon: 'none', duration: 4 * second })
  }
}

const texts: Record<string, string> = {
  en: 'This page could not be shared: ',
  zh: '无法分享此页面：',
  ar: 'تعذّرت مشاركة هذه الصفحة: ',
}

const notShared = () => texts[shownLanguage(currentCarrier().device).slice(0, 2).toLowerCase()] ?? texts.en

/** Time that a page has for its card, with all hooks and promises, as in the ecosystem. */
const cardTimeout = 3 * second

/** Returns the card of the last hook of a page that returns one. A hook or promise that fails is reported. */
async function cardOf(page: PageInstance, options: ShareOptions): Promise<SharedCard | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, cardTimeout, undefined)
  })
  let card: SharedCard | undefined
  try {
    for (const hook of page.hooks.get('onShareAppMessage') ?? []) {
      card = (await before(timeout, () => hook(options) as SharedCard | Promise<SharedCard>)) ?? card ?? {}
    }
    const { promise, ...rest } = card ?? {}
    return promise ? { ...rest, ...(await before(timeout, () => promise)) } : card
  } finally {
    clearTimeout(timer)
  }
}

/** Returns what `make` returns; undefined if it fails or takes too long. */
async function before<T>(timeout: Promise<undefined>, make: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await Promise.race([make(), timeout])
  } catch (error) {
    reportError(error)
    return undefined
  }
}
