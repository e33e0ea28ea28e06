import type { RouteLocationRaw } from 'vue-router'

/** Returns the route to a page of a mini app (may have a query); defaults to the launch page. */
export function miniAppRoute(appid: string, page?: string | null): RouteLocationRaw {
  return { name: 'miniApp', params: { appid }, query: page ? { page } : {} }
}

/**
 * Returns the route of a notification (open-api §4.3): `navigateType` 1 opens its mini app at `link`, 2 opens `url`.
 */
export function notificationRoute(item: {
  appid: string
  navigateType: string
  link: string | null
  url: string | null
}): RouteLocationRaw {
  if (item.navigateType === '2' && item.url) return { name: 'webView', query: { appid: item.appid, url: item.url } }
  return miniAppRoute(item.appid, item.link)
}
