import { inAppearance } from '@souk/shell/appearance'
import { type Bars, barsCheck, navigationBarModel, tabBarModel } from '@souk/shell/bars'
import { type AppManifest, type PageConfig, styleOf } from '@souk/shell/config'
import type { Device } from '@souk/shell/host'
import { pageBackgrounds } from '@souk/shell/page/insets'
import { completeTitleNView } from './completeTitleNView.ts'

/** The mini app as the host draws it before any of its scripts has run. */
export interface InitialScreen {
  bars: Bars
  background: string
}

/**
 * Returns the bars of the first page from the manifest, by the same rules that the mini app applies later. `base` is
 * the address of the mini app's folder; `canGoBack` is true if a page is below; `device` has the theme and language.
 * Throws if the manifest is invalid, since it comes from the mini app's server.
 */
export function initialScreen(
  manifest: AppManifest,
  path: string | undefined,
  base: string,
  canGoBack = false,
  { theme, language }: Pick<Device, 'theme' | 'language'> = { theme: 'light', language: '' },
): InitialScreen {
  const { pages } = manifest
  const shown = { theme, language: String(manifest.app.locale || language) }
  const app = inAppearance(manifest.app, shown)
  const page = pages.find((each) => each.path === path) ?? pages.find((each) => each.path === app.launch)
  const style = styleOf(app, page ? inAppearance(page, shown) : ({ path: app.launch, style: {} } satisfies PageConfig))
  const environment = { platform: app.platform, os: app.os, base }
  const tabBar = app.tabBar && !app.tabBar.custom ? tabBarModel(app.tabBar, { ...environment, path: page?.path }) : null
  const bars: Bars = {
    pageId: -1,
    navigationBar: navigationBarModel(completeTitleNView(style, app.platform), { ...environment, canGoBack }),
    tabBar: tabBar && tabBar.selected >= 0 ? tabBar : null,
    isTabBarAnimated: false,
    transition: { name: 'none', direction: 'none', duration: 0 },
    scrollTop: 0,
    orientation: (style as { pageOrientation?: Bars['orientation'] }).pageOrientation ?? 'portrait',
    below: null,
  }
  return { bars: barsCheck(bars, 'manifest') as Bars, background: pageBackgrounds(style, !canGoBack).page }
}
