import type { NavigationBarOverrides } from '@souk/shell/bars'
import type { AppConfig, PageConfig } from '@souk/shell/config'
import type { Component, ComponentPublicInstance, InjectionKey } from 'vue'
import type { Build, PageModule } from '../build.ts'
import type { Carrier } from '../carriers/carrier.ts'
import type { RenderedPage } from '../page/renderedPage.ts'
import type { EventChannel } from './eventChannel.ts'

/** Listeners by hook name. */
export type Hooks = Map<string, ((argument?: unknown) => unknown)[]>

/** An open page. Shallowly reactive: `style`, `overrides`, `meta` and `motion` are replaced, never mutated. */
export interface PageInstance extends RenderedPage {
  /** Path from the project root, without extension and leading slash. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly isTab: boolean
  config: PageConfig
  style: RenderedPage['style']
  /**
   * The page's own component, which `component` wraps to call its hooks. `suspense` is Vue's Suspense, set if its
   * setup is asynchronous.
   */
  readonly content: Component & { suspense?: Component }
  subNVues: PageModule['subNVues']
  /** The app's changes to its navigation bar since it was opened. */
  overrides: NavigationBarOverrides
  /** True if a page is below. */
  canGoBack: boolean
  meta: RenderedPage['meta']
  motion: RenderedPage['motion']
  /** The instance of `content`; null before it is set up. */
  vm: ComponentPublicInstance | null
  /** The instance of the component that replaces the tab bar; null without one. */
  tabBarVm: object | null
  readonly hooks: Hooks
  /** True while an asynchronous setup is running. */
  isWaiting: boolean
  /** Channel to the page that opened this one (`getOpenerEventChannel`). */
  readonly opener: EventChannel
  /** False between onHide and onShow. */
  isShown: boolean
  /** True after onReady. */
  isReady: boolean
  /** True after onUnload; the page is then only rendered until its animation ends. */
  isUnloaded: boolean
}

/** The running app. */
export interface MiniApp {
  readonly build: Build
  /** Replaced by a hot update; reactive. */
  config: AppConfig
  readonly carrier: Carrier
  /** The page on top; undefined before the first page is open. Reactive. */
  readonly top: PageInstance | undefined
  /** All rendered pages: open ones, kept tabs, and those that are leaving. Reactive; in order of their ids. */
  readonly rendered: readonly PageInstance[]
  readonly hooks: Hooks
  /** Goes back on any user action: the button in the bar, a key, or a swipe, which has already moved the page. */
  back(isMoved?: boolean): void
}

/** Provided to all components by createMiniApp. */
export const appKey: InjectionKey<MiniApp> = Symbol('app')
/** Provided to the components of a page by PageRoot. */
export const pageKey: InjectionKey<PageInstance> = Symbol('page')
