import {
  asObject,
  type Json,
  type JsonObject,
  type Os,
  type PageStyle,
  type PagesConfig,
  projectPath,
  type Resolved,
  type ResolvedPage,
  type StartMode,
  type SubNVue,
  schemeOf,
  titleFollowers,
  toJson,
  trimPath,
  variantFor,
  writtenSubWindows,
} from '@souk/pages'
import type { AppConfig, PageConfig, WindowsConfig } from '@souk/shell/config'

/** The parts of pages.json that the runtime needs, resolved for one platform. */
export interface Configuration {
  app: AppConfig
  /** In the order of pages.json. */
  pages: PageConfig[]
}

/**
 * Builds the runtime configuration.
 *
 * @param isDevelopment includes the start modes (pages-json §2.15)
 * @param hasCustomTabBar whether the project has a component for `tabBar.custom`
 */
export function configurationOf(
  config: PagesConfig,
  resolved: Resolved,
  os: Os,
  { isDevelopment, hasCustomTabBar }: { isDevelopment: boolean; hasCustomTabBar: boolean },
): Configuration {
  const shared = runtimeStyle(resolved.bare)
  const condition = isDevelopment ? startModesOf(resolved) : undefined
  const { language: locale, networkTimeout = {} } = config.names ?? {}
  return {
    app: {
      platform: resolved.platform,
      os,
      ...(locale !== undefined && { locale }),
      ...(Object.keys(networkTimeout).length > 0 && { networkTimeout }),
      launch: resolved.pages[0]?.path ?? '',
      tabBar: tabBarOf(config, resolved, os, hasCustomTabBar),
      windows: windowsOf(resolved),
      style: shared as PageStyle,
      ...(condition && { condition }),
    },
    pages: resolved.pages.map((page) => {
      const followsTitle = titleFollowers(page)
      return {
        path: page.path,
        style: differences(runtimeStyle(page), shared) as PageConfig['style'],
        ...(followsTitle.length > 0 && { followsTitle }),
        ...(page.root !== undefined && { root: page.root }),
      }
    }),
  }
}

/** Returns a page's sub-windows as written. The build needs their ids. */
export function subWindowsOf(page: ResolvedPage): SubNVue[] {
  return writtenSubWindows(page).filter((each): each is SubNVue & JsonObject => typeof asObject(each)?.id === 'string')
}

/** Returns a page's style without the keys that only the build uses. */
function runtimeStyle(page: Pick<ResolvedPage, 'style' | 'provenance'>): JsonObject {
  const { usingComponents: _, ...style } = page.style
  return withProjectPaths(withWrittenRefresh(style, page.provenance)) as JsonObject
}

/** Drops the default refresh style: it depends on the device's OS, which the build does not know (pages-json §2.9). */
function withWrittenRefresh(style: JsonObject, provenance: ResolvedPage['provenance']): JsonObject {
  const plus = asObject(style['app-plus'])
  const refresh = asObject(plus?.pullToRefresh)
  if (refresh === undefined || provenance['app-plus.pullToRefresh.style']?.from !== 'default') return style
  const { style: _, ...written } = refresh
  return { ...style, 'app-plus': { ...plus, pullToRefresh: written } }
}

function differences(style: JsonObject, shared: JsonObject): JsonObject {
  const changed: JsonObject = {}
  for (const [key, value] of Object.entries(style)) {
    if (JSON.stringify(value) !== JSON.stringify(shared[key])) changed[key] = value
  }
  for (const key of Object.keys(shared)) if (!Object.hasOwn(style, key)) changed[key] = null
  return changed
}

function tabBarOf(
  config: PagesConfig,
  { tabBar, platform }: Resolved,
  os: Os,
  hasCustomTabBar: boolean,
): AppConfig['tabBar'] {
  if (tabBar === null) return null
  // pages-json does not list `iconfontSrc`, but font icons need it, and `custom`, which projects of the ecosystem have.
  const { tabBar: written } = variantFor(config, platform, os).model
  const { iconfontSrc, custom } = asObject(written && toJson(written)) ?? {}
  // Development serves invalid files too: skip tabs without a page.
  const list = Array.isArray(tabBar.list)
    ? tabBar.list.filter((tab) => typeof asObject(tab)?.pagePath === 'string')
    : []
  const whole = {
    ...tabBar,
    list,
    ...(typeof iconfontSrc === 'string' && { iconfontSrc }),
    ...(custom === true && hasCustomTabBar && { custom }),
  }
  return withProjectPaths(whole) as unknown as AppConfig['tabBar']
}

function windowsOf({ windows }: Resolved): WindowsConfig {
  return Object.fromEntries(
    Object.entries(windows).map(([name, { path, style, matchMedia }]) => [
      name,
      { path, style: withProjectPaths(style), matchMedia },
    ]),
  )
}

/** Returns the start modes. Without a path they open the launch page; their indexes are those in pages.json. */
function startModesOf({ condition, pages }: Resolved): AppConfig['condition'] {
  const list = condition?.list
  if (!Array.isArray(list)) return undefined
  const launch = pages[0]?.path ?? ''
  const modes = (list as unknown as Partial<StartMode>[]).map(({ name = '', path = '', query = '' }) => {
    const [, page = '', own = ''] = /^([^?]*)\??(.*)$/s.exec(path.trim())!
    const whole = [own, query].filter((part) => part !== '').join('&')
    return { name, path: trimPath(page) || launch, ...(whole !== '' && { query: whole }) }
  })
  const current = typeof condition?.current === 'number' ? condition.current : -1
  return { current, list: modes }
}

const fileKeys = new Set([
  'iconPath',
  'selectedIconPath',
  'backgroundImage',
  'titleImage',
  'titleIcon',
  'fontSrc',
  'iconfontSrc',
])

/** Makes file paths, which may start with `/` or `@/`, relative to the app's folder, to work at any base URL. */
function withProjectPaths(value: Json, key = ''): Json {
  if (Array.isArray(value)) return value.map((item) => withProjectPaths(item))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withProjectPaths(inner, name)]))
  }
  const isPath = typeof value === 'string' && fileKeys.has(key) && !value.includes('(') && schemeOf(value) === undefined
  return isPath ? projectPath(value) : value
}

/** Returns the paths of all files that the configuration refers to. */
export function filesOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') {
    return fileKeys.has(key) && value !== '' && !value.includes('(') && schemeOf(value) === undefined ? [value] : []
  }
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => filesOf(item))
  return Object.entries(value).flatMap(([name, inner]) => filesOf(inner, name))
}
