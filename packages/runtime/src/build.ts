import type { HostFunctionSchemas } from '@souk/contract/hostFunctions'
import type { SubNVue } from '@souk/pages'
import type { AppConfig, PageConfig, WindowsConfig } from '@souk/shell/config'
import type { HostMethods } from '@souk/shell/host'
import type { Component } from 'vue'

/** The module of a page, loaded when the page is first opened. */
export interface PageModule {
  config: PageConfig
  /** The default export of its file. */
  component: Component
  /** True for .nvue files: their boxes are flex columns (pages-json §2.5). */
  nvue?: boolean
  /**
   * The sub-windows of its style by id (pages-json §2.8), as written, because an unset attribute must be
   * distinguishable from a default.
   */
  subNVues?: Record<string, { config: SubNVue; load: () => Promise<Component> }>
}

/** The pages of the app by path. */
export interface Routes {
  /** Loads the page's module; undefined if pages.json does not list the path. */
  [path: string]: (() => Promise<PageModule>) | undefined
}

/** A built mini app: the argument with which the generated entry calls `createMiniApp`. */
export interface Build {
  app: AppConfig
  /**
   * Loads App.vue and main.js. Called after the carrier has opened, because their modules may call `neu` when loaded.
   */
  project?: () => Promise<ProjectModule>
  /** Loads the launch page, so that the first load does not need the route table. */
  launch: () => Promise<PageModule>
  /** Loads the table of all pages, when a page other than the launch page is first opened. */
  routes: () => Promise<Routes>
  /** Loads the configurations of all pages, for a page whose module cannot be loaded. */
  pages?: () => Promise<PageConfig[]>
  /** Loads the components of side windows, by name. */
  windows?: Partial<Record<keyof WindowsConfig, () => Promise<Component>>>
  /** Loads the schemas of the functions of the host that the app calls, by name. */
  hostFunctions?: () => Promise<{ readonly [name: string]: HostFunctionSchemas }>
  /** Loads what custom-events.json declares, in development, to say which reports will be refused. */
  customEvents?: () => Promise<object>
  /** Creates the host of H5 in development, for methods that a page alone does not have. */
  host?: () => Promise<HostMethods>
}

interface ProjectModule {
  /** App.vue; its options or setup may declare onLaunch, onShow and onHide. */
  root?: Component
  /** The changes of main.js to the Vue app before it is mounted: plug-ins, global components. */
  setup?: (app: import('vue').App) => void
  /** The component that replaces the tab bar; pages that are tabs have an instance each. */
  tabBar?: Component
}
