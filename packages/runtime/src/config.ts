import type { PageStyle, Platform, SideWindowStyle, StartMode, SubNVue, TabBar, TopWindowStyle } from '@souk/pages'
import type { Component } from 'vue'

/**
 * What the build hands to the runtime. It comes from the pages.json engine: resolved for one platform, defaults filled in,
 * provenance left out.
 */

export type Os = 'Android' | 'iOS'

/** A window beside the page (§2.13); widths and heights as they are written, in px. */
export interface WindowConfig<Style> {
  path: string
  style: Style
  /** Visible width in px from which on it is shown. */
  matchMedia: { minWidth: number }
}

export interface WindowsConfig {
  topWindow?: WindowConfig<TopWindowStyle>
  leftWindow?: WindowConfig<SideWindowStyle>
  rightWindow?: WindowConfig<SideWindowStyle>
}

/** What is known before the first page is there. */
export interface AppConfig {
  platform: Platform
  /** Whose conventions count where the document tells Android from iOS; on H5 Android. */
  os: Os
  /** Path of the launch page: the first entry of `pages`. */
  launch: string
  tabBar: TabBar | null
  windows: WindowsConfig
  /** The style of a page that sets nothing: globalStyle and defaults. */
  style: PageStyle
  /** Start modes (§2.15); in development only. */
  condition?: { current: number; list: StartMode[] }
}

/** The configuration of a page. */
export interface PageConfig {
  /** From the project root, without extension. */
  path: string
  /** The top-level keys of its style that differ from AppConfig.style; null where AppConfig.style has one that the page has not. */
  style: { [key in keyof PageStyle]?: PageStyle[key] | null }
  /** Root of the subpackage that lists it. */
  root?: string
}

/** What a page's module gives. */
export interface PageModule {
  config: PageConfig
  component: Component
  /** Whether the page file is an .nvue: its boxes are flex columns (§2.5). */
  nvue?: boolean
  /** The sub-windows of its style, by id (§2.8), as they are written: what is not set must be told from a default. */
  subNVues?: Record<string, { config: SubNVue; load: () => Promise<Component> }>
}

/** The pages of the app. */
export interface Routes {
  /** Loads a page with its chunk; undefined where pages.json does not list the path. */
  [path: string]: (() => Promise<PageModule>) | undefined
}

/** What the entry of a build calls `createMiniApp` with. */
export interface Build {
  app: AppConfig
  /** App.vue, whose options or setup may say onLaunch, onShow, onHide. */
  root?: Component
  /** Loads the launch page without the route table. */
  launch: () => Promise<PageModule>
  /** Loads the route table. */
  routes: () => Promise<Routes>
  /** Loads the components of side windows, by name. */
  windows?: Partial<Record<keyof WindowsConfig, () => Promise<Component>>>
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

/** The style of a page in full. */
export function styleOf(app: AppConfig, page: PageConfig): PageStyle {
  const style: Record<string, unknown> = { ...app.style }
  for (const [key, value] of Object.entries(page.style)) {
    if (value === null) delete style[key]
    else style[key] = value
  }
  return style
}
