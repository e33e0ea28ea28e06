import type { PageStyle, Platform, SideWindowStyle, StartMode, SubNVue, TabBar, TopWindowStyle } from '@souk/pages'
import type { Component } from 'vue'

/**
 * What the build hands to the runtime. It comes from the pages.json engine (`resolve` of @souk/pages): resolved for one platform, defaults filled in,
 * provenance left out.
 */

/** Whose conventions count where the document tells the two systems apart, as with `titleAlign`. */
export type Os = 'Android' | 'iOS'

/** The tab bar (§2.7), and the font that its `iconfont`s are of: a file of the project, which the document does not name. */
export type TabBarConfig = TabBar & { iconfontSrc?: string }

/** A window beside the page (§2.13). */
export interface WindowConfig<Style> {
  /** Of its file from the project root, as it is written. */
  path: string
  /** `width` or `height` as it is written, as in `240px`; the rest as pages have it. */
  style: Style
  /** Visible width in px from which on it is shown. */
  matchMedia: { minWidth: number }
}

/** The windows that pages.json has; H5 only. */
export interface WindowsConfig {
  topWindow?: WindowConfig<TopWindowStyle>
  leftWindow?: WindowConfig<SideWindowStyle>
  rightWindow?: WindowConfig<SideWindowStyle>
}

/** Of the app as a whole: all that is known before the module of a page is loaded. */
export interface AppConfig {
  platform: Platform
  /** On H5 Android. */
  os: Os
  /** Path of the launch page: the first entry of `pages`. */
  launch: string
  /** Null where pages.json has none. */
  tabBar: TabBarConfig | null
  windows: WindowsConfig
  /** The style of a page that sets nothing: globalStyle and defaults. */
  style: PageStyle
  /** Start modes (§2.15); in development only. */
  condition?: { current: number; list: StartMode[] }
}

/** The configuration of a page; `styleOf` gives its style in full. */
export interface PageConfig {
  /** From the project root, without extension and without a slash in front. */
  path: string
  /** Only what differs from `AppConfig.style`, by key, each with its whole value; null where the page has not what that one has. */
  style: { [key in keyof PageStyle]?: PageStyle[key] | null }
  /** Root of the subpackage that lists it. */
  root?: string
}

/** What is loaded of a page when it is opened for the first time. */
export interface PageModule {
  config: PageConfig
  /** The default export of its file. */
  component: Component
  /** Whether the page file is an .nvue: its boxes are flex columns (§2.5). */
  nvue?: boolean
  /** The sub-windows of its style, by id (§2.8), as they are written: what is not set must be told from a default. */
  subNVues?: Record<string, { config: SubNVue; load: () => Promise<Component> }>
}

/** The pages of the app, by path. */
export interface Routes {
  /** Loads the page's module; undefined where pages.json does not list the path. */
  [path: string]: (() => Promise<PageModule>) | undefined
}

/** A mini app as the build has made it: what the entry, which the build writes too, calls `createMiniApp` with. */
export interface Build {
  app: AppConfig
  /** Loads what the project has besides pages: after the carrier was opened, since its modules may call `neu` as they are loaded. */
  project?: () => Promise<ProjectModule>
  /** Loads the launch page, so that the first load needs no route table. */
  launch: () => Promise<PageModule>
  /** Loads the table of all pages; called when a page other than the launch page is opened. */
  routes: () => Promise<Routes>
  /** Loads the components of side windows, by name. */
  windows?: Partial<Record<keyof WindowsConfig, () => Promise<Component>>>
}

export interface ProjectModule {
  /** App.vue, whose options or setup may say onLaunch, onShow, onHide. */
  root?: Component
  /** What main.js wants to do with the Vue app before it is mounted: plug-ins, global components. */
  setup?: (app: import('vue').App) => void
}

/** `souk-app.json` beside index.html: what the host draws from before any script of the mini app has run. */
export interface AppManifest {
  /** Of this format. */
  version: 1
  app: AppConfig
  pages: PageConfig[]
}

/** The style of a page in full: that of the app, and what the page says before it. */
export function styleOf(app: AppConfig, page: PageConfig): PageStyle {
  const style: Record<string, unknown> = { ...app.style }
  for (const [key, value] of Object.entries(page.style)) {
    if (value === null) delete style[key]
    else style[key] = value
  }
  return style
}
