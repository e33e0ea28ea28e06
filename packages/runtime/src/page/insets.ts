import type { PageStyle } from '@souk/pages'
import type { Device } from '../carrier.ts'
import { barHeight, type NavigationBarModel, overlaysPage, type TabBarModel } from '../shell/bars.ts'

/** What stands around a page, as CSS variables: `--page-*` place its window, the others are the document's, for the page itself. */
export type PageInsets = Record<`--${string}`, string>

/**
 * The room of a page: a bar of type default pushes it down, all others lie over it (§2.4, §2.6); tabs end it, unless they blur what lies behind
 * them (§2.7). On H5 fixed elements refer to the window of the browser, and `--window-*` tell them where the bars are; in a frame the page's window
 * is what they refer to. `keyboard` is what the soft keyboard takes from the page, px.
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
  // On H5 a rule of the app may hide them.
  const tabs = height === null ? '0px' : isFrame ? `calc(${height})` : `calc((${height}) * var(--tabs-there, 1))`
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
 * What is seen where the page draws nothing, and what comes out behind it when it is pulled down (§2.4 backgroundColor, §2.5 background). The
 * document gives `background` a default, so white there may be nobody's wish.
 */
export function pageBackgrounds(style: PageStyle): { page: string; behind: string } {
  const own = style['app-plus']?.background
  const isSet = own !== undefined && !/^#fff(fff)?$/i.test(own)
  const page = isSet ? own : (style.backgroundColor ?? own ?? '#fff')
  return { page, behind: style.backgroundColor ?? page }
}
