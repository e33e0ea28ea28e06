import type { PageStyle } from '@souk/pages'
import type { NavigationBarModel, TabBarModel } from '@souk/shell/bars'
import type { Motion } from '@souk/shell/page/motion'
import type { Component } from 'vue'
import type { PageModule } from '../build.ts'
import type { SubNVueWindow } from './subNVue.ts'

/** The part of a page that PageView renders. The stack owns it; reactive. */
export interface RenderedPage {
  readonly id: number
  /** As in pages.json. */
  readonly path: string
  /** The complete style; replaced when pages.json changes during development. */
  readonly style: PageStyle
  /** Rendered inside `neu-page`. */
  readonly component: Component
  readonly subNVues?: PageModule['subNVues'] | undefined
  /** True for nvue layout: boxes are flex columns. */
  readonly nvue?: boolean | undefined
  readonly navigationBar: NavigationBarModel
  /** Null if the page is not a tab or the tab bar is hidden. */
  readonly tabBar: TabBarModel | null
  /** What `page-meta` and `neu.setPageMeta` have changed. */
  readonly meta: PageMeta
  /** The running animation; null if there is none. The stack sets it and removes it after `duration` ms. */
  readonly motion: Motion | null
  /** True if a page is below. */
  readonly canGoBack: boolean
  /** The component of the page. */
  readonly content: Component
  /** Returns true if the page listens to the hook, so that unused events need not be computed. */
  hasHook(hook: PageEvent): boolean
  emit(hook: 'onPageScroll', event: { scrollTop: number }): void
  emit(hook: 'onReachBottom' | 'onPullDownRefresh'): void
  /** Set during the setup of the view, before that of the page's component, and null again when the view is gone. */
  controls: PageControls | null
  /** Kept up to date by PageView, for bars that depend on it. */
  scrollTop: number
}

/** Changes to a page that pages.json has no attribute for. */
export interface PageMeta {
  /** CSS of the element `page`. */
  style?: string
  /** True if the user cannot scroll the page. */
  isFixed?: boolean
  background?: string
  rootFontSize?: string
}

type PageEvent = 'onPageScroll' | 'onReachBottom' | 'onPullDownRefresh'

/** Operations on a rendered page. */
export interface PageControls {
  /** Resolves when the position is reached. Lengths in px, times in ms. */
  scrollTo(target: ScrollTarget): Promise<void>
  /** Shows the indicator and fires onPullDownRefresh, as if the user had pulled the page. */
  startPullDownRefresh(): Promise<void>
  stopPullDownRefresh(): void
  /** Implements `neu.getSubNVueById`; undefined if the page has no sub-window with this id. */
  subNVue(id: string): SubNVueWindow | undefined
  /** The scroll container; undefined before the page is rendered. */
  readonly scroller: HTMLElement | undefined
}

/** Options of `neu.pageScrollTo`. */
export interface ScrollTarget {
  scrollTop?: number | undefined
  /** CSS selector of an element in the page; overrides `scrollTop`. */
  selector?: string | undefined
  /** Added to the position of `selector`. */
  offsetTop?: number | undefined
  /** Default 300. */
  duration?: number | undefined
}
