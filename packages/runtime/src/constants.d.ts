/** Constants that the build replaces, so that code for other platforms and unused features is removed. */

/** The platform that the app is built for. */
declare const __SOUK_PLATFORM__: 'H5' | 'App' | 'Mini App'
/** True if the app is to look like uni-app's own H5 build of the project. */
declare const __SOUK_UNI_APP__: boolean
/** True on the development server. */
declare const __SOUK_DEV__: boolean
/** Name and version of the app in manifest.json; empty if they are not set. */
declare const __SOUK_APP__: { name: string; version: string; versionCode: string }
/** True if the app has a tab bar. */
declare const __SOUK_TAB_BAR__: boolean
/** True if the app has a window beside its pages (pages-json §2.13). */
declare const __SOUK_SIDE_WINDOWS__: boolean
/** True if a page has native sub-windows (pages-json §2.8). */
declare const __SOUK_SUB_WINDOWS__: boolean
/** True if a page can be pulled down to refresh (pages-json §2.9). */
declare const __SOUK_PULL_TO_REFRESH__: boolean
/** True if pages.json has values for the dark theme or for languages. */
declare const __SOUK_APPEARANCES__: boolean
/** Tile server for maps on H5 and the development server; null if there is none. */
declare const __SOUK_MAP_TILES__: { url: string; attribution?: string } | null
/** In development: path that the dev server proxies to a Souk server; empty if none is configured. */
declare const __SOUK_SERVER__: string
/** In development: true if calls and requests are answered from a recording. */
declare const __SOUK_REPLAY__: boolean
/** In development: the app's id at that server; may be empty. */
declare const __SOUK_APPID__: string
