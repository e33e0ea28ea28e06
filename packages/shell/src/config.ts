import type {
  NetworkTimeout,
  PageStyle,
  Platform,
  SideWindowStyle,
  StartMode,
  TabBar,
  TopWindowStyle,
} from '@souk/pages'

/**
 * Configuration that the build hands to the runtime: the result of the pages.json engine (`resolve` of @souk/pages)
 * for one platform, with defaults filled in and without provenance.
 */

/** The system whose conventions apply where pages-json distinguishes the two, as in `titleAlign`. */
export type Os = 'Android' | 'iOS'

/**
 * The tab bar (pages-json §2.7), the font of its `iconfont`s: a file of the project, for which pages.json has no
 * attribute, and whether the project's own component replaces it.
 */
export type TabBarConfig = TabBar & { iconfontSrc?: string; custom?: true }

/** A window beside the pages (pages-json §2.13). */
export interface WindowConfig<Style> {
  /** Path of its file from the project root, as written. */
  path: string
  /** `width` or `height` as written, for example `240px`; otherwise as for pages. */
  style: Style
  /** Minimum visible width in px at which the window is shown. */
  matchMedia: { minWidth: number }
}

/** The side windows in pages.json; H5 only. */
export interface WindowsConfig {
  topWindow?: WindowConfig<TopWindowStyle>
  leftWindow?: WindowConfig<SideWindowStyle>
  rightWindow?: WindowConfig<SideWindowStyle>
}

/**
 * A value that differs from the configuration around it: its path, and the value; none if the configuration lacks it.
 */
export type Change = readonly [path: readonly (string | number)[], value?: unknown]

/** Overrides for dark mode, and for each language of the project (ADR 105). */
export interface Appearances {
  dark?: readonly Change[]
  /** Changes by language, as the files in `locale` are named. */
  languages?: { readonly [language: string]: readonly Change[] }
}

/** Configuration of the whole app, available before any page module is loaded. */
export interface AppConfig {
  platform: Platform
  /** Android on H5. */
  os: Os
  /** The language that the app has at first; undefined for that of the device. */
  locale?: string
  /** Those of manifest.json. */
  networkTimeout?: NetworkTimeout
  /** Path of the launch page: the first entry of `pages`. */
  launch: string
  /** Null if pages.json has none. */
  tabBar: TabBarConfig | null
  windows: WindowsConfig
  /** Style of a page that sets nothing: globalStyle and defaults. */
  style: PageStyle
  /** Start modes (pages-json §2.15); in development only. */
  condition?: { current: number; list: StartMode[] }
  appearances?: Appearances
}

/** Configuration of a page. `styleOf` returns its complete style. */
export interface PageConfig {
  /** Path from the project root, without extension and leading slash. */
  path: string
  /**
   * Only the keys that differ from `AppConfig.style`, each with its complete value; null if the page lacks a key that
   * the app has.
   */
  style: { [key in keyof PageStyle]?: PageStyle[key] | null }
  /** Colors of its `titleNView` that follow the title, as in `buttons[0].color` (`titleFollowers` of @souk/pages). */
  followsTitle?: readonly string[]
  /** Root of the subpackage that lists the page. */
  root?: string
  /** Appearances of `style`. */
  appearances?: Appearances
}

/** `souk-app.json` beside index.html: the host draws from it before any script of the mini app has run. */
export interface AppManifest {
  /** Version of this format. */
  version: 1
  /** Minimum version of the runtime in the host, such as 0.2.0; absent if every version will do. */
  minRuntime?: string
  /** Functions of the host that the app calls. */
  hostFunctions?: string[]
  /** True if its runtime makes a card of the page when the user shares it in the menu of the host. */
  makesCards?: true
  /** Declarations of the events that the app reports, by name. */
  customEvents?: object
  app: AppConfig
  pages: PageConfig[]
}

/** Returns the complete style of a page: the app's style, overridden by the page's own, in the same appearance. */
export function styleOf(app: AppConfig, page: PageConfig): PageStyle {
  const style: Record<string, unknown> = { ...app.style }
  for (const [key, value] of Object.entries(page.style)) {
    if (value === null) delete style[key]
    else style[key] = value
  }
  return style
}
