// The routes of this project, from its pages.json. Written by `souk pages types`: change that file instead.

/** Pages that tabs open: `switchTab` alone goes there. */
export type TabPath =
  | "/pages/index/index"
  | "/pages/list/list"

/** Every other page. */
export type PagePath =
  | "/pages/detail/detail"

/** The page that the app starts with. */
export type LaunchPath = "/pages/index/index"

export type Route = PagePath | TabPath
/** The `url` of `navigateTo` and `redirectTo`. */
export type PageUrl = PagePath | `${PagePath}?${string}`

/** The `url` of `switchTab`, which takes no query. */
export type TabUrl = TabPath

/** The `url` of `reLaunch`, which takes both. */
export type AnyUrl = Route | `${Route}?${string}`
