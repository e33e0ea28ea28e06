import type { PageStyle } from '@souk/pages'
import { barHeight, type NavigationBarModel, overlaysPage, type TabBarModel } from '../bars.ts'
import { appPlusDefaults } from '../defaults.generated.ts'
import type { Device } from '../host.ts'

/**
 * CSS variables for the bars around a page: `--page-*` position its window, the others are set on the document for
 * the page itself.
 */
export type PageInsets = Record<`--${string}`, string>

/**
 * Returns the insets of a page. A bar of type default pushes the page down; all others overlay it (pages-json §2.4,
 * pages-json §2.6). The tab bar ends the page unless it blurs what is behind it (pages-json §2.7). On H5, fixed
 * elements are relative to the browser window and need `--window-*`; in a frame they are relative to the page.
 * `keyboard` is the height in px that the soft keyboard takes.
 */
export function pageInsets(
  bar: NavigationBarModel,
  tabBar: Pick<TabBarModel, 'height' | 'blurEffect'> | null,
  device: Pick<Device, 'statusBarHeight' | 'safeAreaBottom'>,
  isFrame: boolean,
  keyboard = 0,
): PageInsets {
  const top = bar.isShown && !overlaysPage(bar) ? `${barHeight + device.statusBarHeight}px` : '0px'
  const safeArea = isFrame ? `${device.safeAreaBottom}px` : 'env(safe-area-inset-bottom, 0px)'
  const height = tabBar && `${tabBar.height} + ${safeArea}`
  // On H5 the app's style sheet may hide the tab bar.
  const tabs = height === null ? '0px' : isFrame ? `calc(${height})` : `calc((${height}) * var(--tab-bar-shown, 1))`
  const isBehindTabs = tabBar !== null && tabBar.blurEffect !== 'none'
  const bottom = isBehindTabs ? '0px' : tabs
  return {
    '--page-top': top,
    '--page-bottom': keyboard > 0 ? `max(${bottom}, ${keyboard}px)` : bottom,
    '--page-behind': isBehindTabs ? tabs : '0px',
    '--status-bar-height': `${device.statusBarHeight}px`,
    '--window-top': isFrame ? '0px' : `calc(${top} + var(--top-window-height, 0px))`,
    '--window-bottom': isFrame && !isBehindTabs ? '0px' : tabs,
  }
}

/**
 * Returns the background of the page and the one behind it, which is visible when the page is pulled down
 * (pages-json §2.4 backgroundColor, pages-json §2.5 background). On H5 a page has no `background`. The lowest page is
 * never transparent.
 */
export function pageBackgrounds(style: PageStyle, isLowest = false): { page: string; behind: string } {
  const { backgroundColor } = style
  const page = style['app-plus']?.background ?? backgroundColor ?? appPlusDefaults.background
  const behind = backgroundColor ?? page
  if (!isLowest || page !== 'transparent') return { page, behind }
  const opaque = behind === 'transparent' ? appPlusDefaults.background : behind
  return { page: opaque, behind: opaque }
}

/** Returns whether the page below shows through a page. On H5 a page has no `background`. */
export const isSeeThrough = (style: PageStyle): boolean => style['app-plus']?.background === 'transparent'
