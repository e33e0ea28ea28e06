import { subWindowsOf } from './configuration.ts'
import type { MiniApp } from './miniApp.ts'

/** Path that the development server proxies to a Souk server, which only accepts same-origin requests from pages. */
export const serverProxyPath = '/__souk/server'

/** Returns the runtime's build-time constants for Vite's `define`. Releases drop features that no page uses. */
export function constantsOf(app: MiniApp): Record<string, string> {
  const { platform, config, configuration, resolved, isDevelopment, isUniAppOnH5, options } = app
  const features = {
    __SOUK_TAB_BAR__: resolved.tabBar !== null,
    __SOUK_TITLE_NVIEW__: [configuration.app, ...configuration.pages].some(
      ({ style }) => typeof (platform === 'H5' ? style.h5 : style['app-plus'])?.titleNView === 'object',
    ),
    __SOUK_APPEARANCES__: [configuration.app, ...configuration.pages].some(
      ({ appearances }) => appearances !== undefined,
    ),
    __SOUK_SIDE_WINDOWS__: Object.keys(resolved.windows).length > 0,
    __SOUK_SUB_WINDOWS__: resolved.pages.some((page) => subWindowsOf(page).length > 0),
    __SOUK_PULL_TO_REFRESH__: resolved.pages.some(({ style }) => style.enablePullDownRefresh === true),
  }
  return Object.fromEntries(
    Object.entries({
      __SOUK_PLATFORM__: platform,
      __SOUK_UNI_APP__: isUniAppOnH5,
      __SOUK_DEV__: isDevelopment,
      __SOUK_APP__: config.names?.app ?? { name: '', version: '', versionCode: '' },
      ...Object.fromEntries(Object.entries(features).map(([name, is]) => [name, is || isDevelopment])),
      __SOUK_SERVER__: isDevelopment && options.server ? serverProxyPath : '',
      __SOUK_REPLAY__: isDevelopment && options.replay !== undefined,
      // Releases for hosts get it from their host.
      __SOUK_MAP_TILES__: platform === 'H5' || isDevelopment ? mapTiles() : null,
      __SOUK_APPID__: (isDevelopment && options.appid) || '',
    }).map(([name, value]) => [name, JSON.stringify(value)]),
  )
}

/** Reads the same variables as the server. */
function mapTiles(): { url: string; attribution?: string } | null {
  const { SOUK_MAP_TILES: url, SOUK_MAP_ATTRIBUTION: attribution } = process.env
  return url ? { url, ...(attribution && { attribution }) } : null
}
