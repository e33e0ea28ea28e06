import type { InjectionKey } from 'vue'

/** Values of a navigator's `open-type`, named after the navigation functions. */
export type OpenType = 'navigate' | 'redirect' | 'switchTab' | 'reLaunch' | 'navigateBack' | 'exit'

/** Services that tags need from their environment, provided as `tagHostKey`. Without it navigators do nothing. */
export interface TagHost {
  /**
   * Navigates. `url` may be relative to the page; it is empty for navigateBack and exit. Rejects with `{ errMsg }`,
   * like the functions of `neu`.
   */
  navigate(openType: OpenType, url: string, options: NavigateOptions): Promise<unknown>
  /** Loads the page of a pressed navigator, which is opened when it is released. */
  preload?(url: string): void
  /** Asks the user for `user.info` or `user.phone`, like `neu.getAuthCode`. */
  authorize(scope: string): Promise<{ code: string; errMsg?: string }>
  /** Returns a URL that browsers can open in a new tab; undefined in a frame, where pages have no URL. */
  href?(url: string): string | undefined
  /** Returns the URL of a project file for a path that is only known at run time, such as `/static/a.png`. */
  assetUrl?(path: string): string
  /** Converts rpx in styles that are only known at run time. */
  css?(style: string): string
  /** Called when a button with `open-type="share"` is tapped, with the button's dataset. */
  share?(dataset: DOMStringMap): void
  /**
   * Returns the URL that a web-view loads; undefined if it may not show this one. If omitted, all http and https URLs
   * are allowed.
   */
  webViewUrl?(url: URL): URL | undefined
  /** Returns where maps get their tiles; undefined if no server is configured. */
  mapTiles?(): MapTiles | undefined
  /** Asks the user for the position of the device. */
  locate?(): Promise<{ latitude: number; longitude: number }>
  /** Returns the page that contains the component in whose `setup` it is called. */
  page?(): TagPage | undefined
}

/** A tile server for maps. */
export interface MapTiles {
  /** Template such as `https://tiles.example/{z}/{x}/{y}.png`. */
  url: string
  /** Attribution that the map shows, for example "© OpenStreetMap contributors". */
  attribution?: string
}

/** A page that `page-meta` and `navigation-bar` change. */
export interface TagPage {
  /** Replaces attributes of the page's style in pages.json. */
  setStyle(attributes: Readonly<Record<string, unknown>>): void
  /** Changes what pages.json has no attribute for. An empty text takes a change back. */
  setMeta(changes: {
    pageStyle?: string | undefined
    rootFontSize?: string | undefined
    rootBackgroundColor?: string | undefined
  }): void
  setNavigationBar(changes: {
    title?: string
    isLoading?: boolean
    frontColor?: '#ffffff' | '#000000'
    backgroundColor?: string
    /** Duration and timing function of a change of colors. */
    colorTransition?: string
  }): void
  /** In px and ms. */
  scrollTo(target: { scrollTop: number; duration: number }): Promise<void>
}

export interface NavigateOptions {
  /** Number of pages to go back. */
  delta?: number
  animationType?: string
  /** In ms. */
  animationDuration?: number
}

export const tagHostKey: InjectionKey<TagHost> = Symbol('souk.tagHost')
