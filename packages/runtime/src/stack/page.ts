import type { Component, ComponentPublicInstance, InjectionKey } from 'vue'
import type { Carrier } from '../carrier.ts'
import type { AppConfig, Build, PageConfig, PageModule } from '../config.ts'
import type { RenderedPage } from '../page/renderedPage.ts'
import type { NavigationBarOverrides } from '../shell/bars.ts'
import type { EventChannel } from './eventChannel.ts'

/** Those that listen, by the name of the hook. */
export type Hooks = Map<string, ((argument?: unknown) => unknown)[]>

/**
 * A page that is open. Shallowly reactive: a property that is given a new value is seen by whoever drew from it. `style`, `overrides` and `motion` are
 * replaced, never written into.
 */
export interface PageInstance extends RenderedPage {
  /** From the project root, without extension and without a slash in front. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly isTab: boolean
  config: PageConfig
  style: RenderedPage['style']
  /** The page's own component; `component` draws it and calls its hooks. With `suspense`, Vue's own, where its setup is asynchronous. */
  readonly content: Component & { suspense?: Component }
  subNVues: PageModule['subNVues']
  /** What the app has changed of its navigation bar since it was opened. */
  overrides: NavigationBarOverrides
  /** It is not the lowest of the open pages. */
  canGoBack: boolean
  motion: RenderedPage['motion']
  /** The instance of `component`; null before it is set up. */
  vm: ComponentPublicInstance | null
  readonly hooks: Hooks
  /** Its setup is asynchronous, and has not come to its end. */
  isWaiting: boolean
  /** To the page that opened it (`getOpenerEventChannel`). */
  readonly opener: EventChannel
  /** False between onHide and onShow. */
  isShown: boolean
  /** onReady was called. */
  isReady: boolean
  /** onUnload was called: it is drawn, if at all, only as long as it moves away. */
  isUnloaded: boolean
}

/** The app that runs here. */
export interface MiniApp {
  readonly build: Build
  /** Replaced by a hot update; reactive. */
  config: AppConfig
  readonly carrier: Carrier
  /** On top; undefined before the first page is there. Reactive. */
  readonly top: PageInstance | undefined
  /** Every page that is to be drawn: open ones, tabs that are kept, and those that are just leaving. Reactive; in the order of their ids. */
  readonly rendered: readonly PageInstance[]
  readonly hooks: Hooks
  /** What any way back of the user does: the button in the bar, a key, or a swipe, which has moved the page already. */
  back(isMoved?: boolean): void
}

/** Given to all components by createMiniApp. */
export const appKey: InjectionKey<MiniApp> = Symbol('app')
/** Given to the components of a page by PageRoot. */
export const pageKey: InjectionKey<PageInstance> = Symbol('page')
