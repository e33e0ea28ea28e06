import { type Address, formatUrl } from './address.ts'
import type { PageInstance } from './page.ts'

/** The part of vue-router's current route that exists in mini apps. */
export interface Route {
  readonly path: string
  readonly fullPath: string
  readonly query: Readonly<Record<string, string>>
  readonly params: object
  readonly hash: string
  readonly meta: { readonly route?: string; readonly isTabBar?: boolean; readonly isEntry?: boolean }
  readonly matched: readonly { readonly path: string }[]
}

const start: Route = { path: '/', fullPath: '/', query: {}, params: {}, hash: '', meta: {}, matched: [] }

/** Returns `$route` of uni-app's H5 builds for the page on top, if one is open. */
export function routeOf(page: PageInstance | undefined, launch: string): Route {
  return page ? routeTo(page, page.isTab, launch) : start
}

/** Returns the route of an address. */
export function routeTo({ path: route, query }: Readonly<Address>, isTabBar: boolean, launch: string): Route {
  const path = `/${route}`
  const meta = { route, isTabBar, isEntry: route === launch }
  return { ...start, path, fullPath: formatUrl({ path: route, query }), query, meta, matched: [{ path }] }
}
