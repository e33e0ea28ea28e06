import { formatUrl } from './address.ts'
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
  if (!page) return start
  const path = `/${page.path}`
  const meta = { route: page.path, isTabBar: page.isTab, isEntry: page.path === launch }
  return { ...start, path, fullPath: formatUrl(page), query: page.query, meta, matched: [{ path }] }
}
