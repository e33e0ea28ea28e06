import { type JsonObject, type Os, type PageStyle, type Platform, type Resolved, withoutBarDefaults } from '@souk/pages'
import { type InitialScreen, initialScreen } from '@souk/runtime/host/initialScreen.ts'

/** A page as it looks on a platform before any script of it has run. */
export interface Preview extends InitialScreen {
  path: string
  refresh: Refresh | undefined
}

/** What is seen of pulling down to refresh (pages-json §2.9). */
interface Refresh {
  style: 'circle' | 'default'
  /** Of the sign. */
  color: string
  /** While it refreshes; empty where the file says none. */
  caption: string
}

/** Files of the project are not here: so begin the addresses of those that have none. */
const nowhere = 'https://project.invalid/'

/**
 * The page at `path`, drawn by the same rules by which a host draws it. `base` is the address of the files of a release; without one a placeholder
 * stands for each picture. Undefined where there is no such page on the platform. Throws where the bars are too large to be drawn.
 */
export function previewOf(
  { platform, pages, tabBar }: Resolved,
  path: string,
  os: Os,
  base: string | undefined,
): Preview | undefined {
  const page = pages.find((each) => each.path === path)
  if (page === undefined) return undefined
  const manifest = {
    version: 1,
    app: { platform, os, launch: path, tabBar: withTabs(tabBar), windows: {}, style: withoutBarDefaults(page) },
    pages: [{ path, style: {} }],
  } as Parameters<typeof initialScreen>[0]
  const canGoBack = page !== pages[0] && !page.isTab
  const look = initialScreen(manifest, path, base ?? nowhere, canGoBack)
  return { ...withPlaceholders(look), path, refresh: refreshOf(page.style as PageStyle, platform) }
}

/** A file that is being written may have no tabs yet, or tabs that open no page. */
function withTabs(tabBar: JsonObject | null) {
  if (tabBar === null) return null
  const list = Array.isArray(tabBar.list) ? (tabBar.list as JsonObject[]) : []
  return { ...tabBar, list: list.map((tab) => ({ pagePath: '', ...tab })) }
}

function refreshOf(style: PageStyle, platform: Platform): Refresh | undefined {
  if (!style.enablePullDownRefresh) return undefined
  const native = platform === 'H5' ? undefined : style['app-plus']?.pullToRefresh
  const isRow = native?.style === 'default'
  const ofRow = style.backgroundTextStyle === 'light' ? '#fff' : '#555'
  return {
    style: isRow ? 'default' : 'circle',
    color: isRow ? ofRow : ((platform === 'H5' ? style.h5?.pullToRefresh?.color : native?.color) ?? '#2BD009'),
    caption: native?.contentrefresh?.caption ?? '',
  }
}

/** Stands for a picture that is not here. */
export const placeholder = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#8a8a8a" stroke-width="1.5"><rect x="3" y="3" width="18" height="18" rx="4"/><path d="m5 18 5-6 4 4 2-2 3 4"/></svg>',
)}`

function withPlaceholders<T>(look: T): T {
  return JSON.parse(JSON.stringify(look), (key, value: unknown) => {
    if (typeof value !== 'string') return value
    if (value.startsWith(`url("${nowhere}`)) return ''
    return value.startsWith(nowhere) ? (key === 'fontSrc' ? '' : placeholder) : value
  })
}
