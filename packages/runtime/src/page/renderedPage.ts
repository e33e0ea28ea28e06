import type { PageStyle } from '@souk/pages'
import type { Component } from 'vue'
import type { PageModule } from '../config.ts'
import type { NavigationBarModel, TabBarModel } from '../shell/bars.ts'
import type { Motion } from './motion.ts'
import type { SubNVueWindow } from './subNVue.ts'

/** What is drawn of a page: the page stack keeps it, reactive, and PageView draws it. */
export interface RenderedPage {
  readonly id: number
  /** As in pages.json. */
  readonly path: string
  /** In full; another object when pages.json changes during development. */
  readonly style: PageStyle
  /** Stands in `neu-page`. */
  readonly component: Component
  readonly subNVues?: PageModule['subNVues'] | undefined
  /** Whether it is laid out as nvue pages are: boxes are flex columns. */
  readonly nvue?: boolean | undefined
  readonly navigationBar: NavigationBarModel
  /** Null where the page is no tab or the tab bar is hidden. */
  readonly tabBar: TabBarModel | null
  /** What moves now; null while the page stands. The stack sets it and, after `duration` ms, takes it away again. */
  readonly motion: Motion | null
  /** Whether anything listens to a hook, so that what nobody hears is not worked out. */
  hasHook(hook: PageEvent): boolean
  emit(hook: 'onPageScroll', event: { scrollTop: number }): void
  emit(hook: 'onReachBottom' | 'onPullDownRefresh'): void
  /** Set from the setup of the view on, which is before that of the page's component, until it is gone. */
  controls: PageControls | null
  /** Of the bars that depend on it; PageView keeps it up to date. */
  scrollTop: number
}

type PageEvent = 'onPageScroll' | 'onReachBottom' | 'onPullDownRefresh'

/** What the app does with a page that is drawn. */
export interface PageControls {
  /** Resolves when the place is reached. Lengths and times in px and ms. */
  scrollTo(target: ScrollTarget): Promise<void>
  /** Shows the sign and says onPullDownRefresh, as if the page had been pulled. */
  startPullDownRefresh(): Promise<void>
  stopPullDownRefresh(): void
  /** For `neu.getSubNVueById`; undefined where the page has none of that id. */
  subNVue(id: string): SubNVueWindow | undefined
  /** The element that the page scrolls in; undefined before it is drawn. */
  readonly scroller: HTMLElement | undefined
}

/** Of `neu.pageScrollTo`. */
export interface ScrollTarget {
  scrollTop?: number | undefined
  /** CSS selector of an element of the page; comes before `scrollTop`. */
  selector?: string | undefined
  /** Added to the place of `selector`. */
  offsetTop?: number | undefined
  /** Default 300. */
  duration?: number | undefined
}
