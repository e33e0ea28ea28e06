// The routes of this project. Generated from pages.json by `souk pages types`; do not edit.

/** Pages of tabs, which only `switchTab` opens. */
export type TabPath =
  | "/pages/index/index"
  | "/pages/list/list"

/** All other pages. */
export type PagePath =
  | "/pages/detail/detail"

/** The launch page. */
export type LaunchPath = "/pages/index/index"

export type Route = PagePath | TabPath
/** The `url` of `navigateTo` and `redirectTo`. */
export type PageUrl = PagePath | `${PagePath}?${string}`

/** The `url` of `switchTab`, without a query. */
export type TabUrl = TabPath

/** The `url` of `reLaunch`, which opens any page. */
export type AnyUrl = Route | `${Route}?${string}`
