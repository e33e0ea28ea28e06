import type { InjectionKey } from 'vue'

/** Where a navigator leads: the `open-type` of the document's navigation calls. */
export type OpenType = 'navigate' | 'redirect' | 'switchTab' | 'reLaunch' | 'navigateBack' | 'exit'

/** What tags ask of whatever they run in; the runtime provides it under `tagHostKey`. Without it they draw, and lead nowhere. */
export interface TagHost {
  /**
   * `url` as the page wrote it, perhaps relative to the page; empty for navigateBack and exit. Pages back and duration (ms) as far as they were
   * given. Rejects with `{ errMsg }` as the calls of `neu` do.
   */
  navigate(openType: OpenType, url: string, options: NavigateOptions): Promise<unknown>
  /** What `neu.getAuthCode` does: asks the user for `user.info` or `user.phone`. */
  authorise(scope: string): Promise<{ code: string; errMsg?: string }>
  /** The address that the browser may open for a page's `url` in a tab of its own; undefined where pages have none (in a frame). */
  href?(url: string): string | undefined
  /** The address of a file of the project for a path known at run time only, such as `/static/a.png`. */
  assetUrl?(path: string): string
  /** A text of styles that a page has at run time only, with lengths as browsers know them. */
  css?(style: string): string
  /** A button with `open-type="share"` was tapped; `dataset` is the button's. */
  share?(dataset: DOMStringMap): void
  /** Whether a web-view may show this address; without it, every http and https address and files of the project. */
  allowsUrl?(url: URL): boolean
}

export interface NavigateOptions {
  delta?: number
  animationType?: string
  animationDuration?: number
}

export const tagHostKey: InjectionKey<TagHost> = Symbol('souk.tagHost')
