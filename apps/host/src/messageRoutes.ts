import type { RouteLocationRaw } from 'vue-router'

/** Opens a page of a mini app; its launch page without one. `page` may have a query. */
export function toMiniApp(appid: string, page?: string | null): RouteLocationRaw {
  return { name: 'miniApp', params: { appid }, query: page ? { page } : {} }
}

/** Where a notification leads (open-api §4.3): `navigateType` 1 to its mini app, at the page `link` or the first one; 2 to an address of the web. */
export function toNotified(item: {
  appid: string
  navigateType: string
  link: string | null
  url: string | null
}): RouteLocationRaw {
  if (item.navigateType === '2' && item.url) return { name: 'webView', query: { url: item.url } }
  return toMiniApp(item.appid, item.link)
}
