/** What the build replaces by values, so that code for other platforms and for features that no page uses is left out. */

/** The platform that the app is built for. */
declare const __SOUK_PLATFORM__: 'H5' | 'App' | 'Mini App'
/** Whether the app is served for development. */
declare const __SOUK_DEV__: boolean
/** Whether the app has a tab bar. */
declare const __SOUK_TAB_BAR__: boolean
/** Whether the app has a window beside its pages (§2.13). */
declare const __SOUK_SIDE_WINDOWS__: boolean
/** Whether a page has native sub-windows (§2.8). */
declare const __SOUK_SUB_WINDOWS__: boolean
/** Whether a page can be pulled down to refresh (§2.9). */
declare const __SOUK_PULL_TO_REFRESH__: boolean
/** In development: where the dev server forwards to a Souk server; empty where none was named. */
declare const __SOUK_SERVER__: string
/** In development: the app's id at that server; may be empty. */
declare const __SOUK_APPID__: string
