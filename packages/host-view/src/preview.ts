import {
  attributesOf,
  type JsonObject,
  type Os,
  type PageStyle,
  type Platform,
  type Resolved,
  type ResolvedPage,
  type SubNVue,
  writtenSubWindows,
} from '@souk/pages'
import { subNVueStyleDefaults } from '@souk/shell/defaults.generated'
import { dockInsets, layoutSubWindow } from '@souk/shell/page/subWindowLayout'
import { type InitialScreen, initialScreen } from './initialScreen.ts'

/** A page on a platform, before any of its scripts has run. */
export interface Preview extends InitialScreen {
  path: string
  refresh: Refresh | undefined
  /** Styles of the sub-windows that are shown, and of the masks of pop-ups. */
  subWindows: Record<string, string>[]
}

/** Appearance of pull-to-refresh (pages-json §2.9). */
interface Refresh {
  style: 'circle' | 'default'
  /** Color of the indicator. */
  color: string
  /** Text while refreshing; empty if not configured. */
  caption: string
}

/** Color of the indicator if the page sets none. */
const refreshColor = String(attributesOf('pullToRefresh').get('color')!.default)

/** URL prefix of project files when there is no release to load them from. */
const nowhere = 'https://project.invalid/'

/**
 * Returns the page at `path`, drawn by the same rules as in a host. `base` is the URL of a release's files; without it,
 * images are placeholders. Returns undefined if the platform does not have the page. Throws if the bars are too large.
 * Pop-ups are hidden until a script shows them; `showPopups` draws them too.
 */
export function previewOf(
  { platform, pages, tabBar }: Resolved,
  path: string,
  os: Os,
  base: string | undefined,
  { showPopups = false } = {},
): Preview | undefined {
  const page = pages.find((each) => each.path === path)
  if (page === undefined) return undefined
  const manifest = {
    version: 1,
    app: { platform, os, launch: path, tabBar: withTabs(tabBar), windows: {}, style: page.style },
    pages: [{ path, style: {} }],
  } as Parameters<typeof initialScreen>[0]
  const canGoBack = page !== pages[0] && !page.isTab
  const look = initialScreen(manifest, path, base ?? nowhere, canGoBack)
  return {
    ...withPlaceholders(look),
    path,
    refresh: refreshOf(page.style as PageStyle, platform),
    subWindows: subWindowsOf(page, platform, showPopups),
  }
}

/** Returns the sub-windows of a page; none on H5. */
function subWindowsOf(page: ResolvedPage, platform: Platform, showPopups: boolean): Preview['subWindows'] {
  if (platform === 'H5') return []
  const written = writtenSubWindows(page) as SubNVue[]
  const layouts = written.filter(({ type }) => type !== 'popup').map(layoutSubWindow)
  const docks = Object.entries(dockInsets(layouts)).map(([side, inset]) => [`--dock-${side}`, inset])
  const popups = showPopups ? written.filter(({ type }) => type === 'popup') : []
  return [
    ...layouts.map(({ css }) => ({ ...Object.fromEntries(docks), ...css })),
    ...popups.flatMap((popup) => {
      const { css } = layoutSubWindow(popup)
      return [maskOf(popup, css['z-index']), css]
    }),
  ]
}

function maskOf({ style }: SubNVue, zIndex = 'auto'): Record<string, string> {
  return { inset: '0px', background: style?.mask ?? subNVueStyleDefaults.mask, 'z-index': zIndex }
}

/** Tolerates missing tabs and tabs without a page while the file is being edited. */
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
    color: isRow ? ofRow : ((platform === 'H5' ? style.h5?.pullToRefresh?.color : native?.color) ?? refreshColor),
    caption: native?.contentrefresh?.caption ?? '',
  }
}

/** Placeholder for an image that is not available. */
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
