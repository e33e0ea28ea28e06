import { type App, type ComponentPublicInstance, inject, onBeforeUnmount } from 'vue'
import type { Device } from '../carrier.ts'
import type { Address } from './address.ts'
import { appKey, type Hooks, pageKey } from './page.ts'

/** Each hook, by name: what it is called with. Only what `onBackPress` returns counts. */
export interface HookTypes {
  onLoad: (query: Record<string, string>) => unknown
  /** Of a page without anything, in App.vue with the address that the app was opened with. */
  onShow: (options: Address) => unknown
  onReady: () => unknown
  onHide: () => unknown
  onUnload: () => unknown
  /** True: the page stays. `backbutton` is whatever the user does to go back, `navigateBack` the call. */
  onBackPress: (options: { from: 'backbutton' | 'navigateBack' }) => unknown
  onPullDownRefresh: () => unknown
  onReachBottom: () => unknown
  /** In px. */
  onPageScroll: (options: { scrollTop: number }) => unknown
  /** In px. */
  onResize: (options: {
    size: { windowWidth: number; windowHeight: number; screenWidth: number; screenHeight: number }
    deviceOrientation: Device['orientation']
  }) => unknown
  /** `index` counts from 0, `pagePath` is without a slash in front. */
  onTabItemTap: (tab: { index: number; text: string; pagePath: string }) => unknown
  /** The button as pages.json describes it, and its index. */
  onNavigationBarButtonTap: (button: { index: number; text?: string; [key: string]: unknown }) => unknown
  onNavigationBarSearchInputClicked: () => unknown
  onNavigationBarSearchInputChanged: (options: { text: string }) => unknown
  onNavigationBarSearchInputConfirmed: (options: { text: string }) => unknown
  onLaunch: (options: Address) => unknown
  /** The error's stack, or its message where there is none. */
  onError: (message: string) => unknown
  /** `isEntryPage`: the app was to begin with it. */
  onPageNotFound: (options: Address & { isEntryPage: boolean }) => unknown
  onUnhandledRejection: (options: { reason: unknown; promise: Promise<unknown> }) => unknown
}

export type HookName = keyof HookTypes

/** Who has hooks: a page, or the app. */
interface HookOwner {
  readonly hooks: Hooks
  /** Until it is false, no hook is called. */
  readonly isWaiting?: boolean
}

/** True where a hook of that name was given, by the page or by one of its components. */
export function hasHook(owner: HookOwner, name: HookName): boolean {
  return !!owner.hooks.get(name)?.length
}

/**
 * Calls the hooks of that name, in the order in which they were given. True where one of them returned true. One that fails is reported and
 * stops no other.
 */
export function fire<N extends HookName>(owner: HookOwner, name: N, argument?: Parameters<HookTypes[N]>[0]): boolean {
  let isTrue = false
  if (owner.isWaiting) return isTrue
  for (const hook of [...(owner.hooks.get(name) ?? [])]) {
    try {
      if (hook(argument) === true) isTrue = true
    } catch (error) {
      reportError(error)
    }
  }
  return isTrue
}

/** Gives back what takes it away. */
export function addHook(owner: HookOwner, name: HookName, hook: unknown): () => void {
  const { hooks } = owner
  // Two components may give the same function, and one of them goes.
  const own = (argument?: unknown) => (hook as (argument?: unknown) => unknown)(argument)
  hooks.set(name, [...(hooks.get(name) ?? []), own])
  return () => {
    hooks.set(
      name,
      hooks.get(name)!.filter((each) => each !== own),
    )
  }
}

/** Those that a component has among its options; Vue gives a list where mixins have some too. Gives back what takes them away. */
export function addOptionHooks(owner: HookOwner, vm: ComponentPublicInstance): () => void {
  const removals = hookNames.flatMap((name) =>
    [(vm.$options as Record<string, unknown>)[name]]
      .flat()
      .flatMap((hook) => (typeof hook === 'function' ? addHook(owner, name, hook.bind(vm)) : [])),
  )
  return () => {
    for (const remove of removals) remove()
  }
}

/** So that hooks of mixins come together. */
export function mergeHooks(app: App): void {
  for (const name of hookNames)
    app.config.optionMergeStrategies[name] = (to, from) => (from ? [to ?? [], from].flat() : to)
}

const hookNames: HookName[] = []

/**
 * The function by which a component gives a hook of this name, in its setup: one of the page that it stands in, for as long as it stands there. Outside
 * of pages, and with `isApp`, it is one of the app.
 */
function hook<N extends HookName>(name: N, isApp?: boolean): (hook: HookTypes[N]) => void {
  hookNames.push(name)
  return (hook) => {
    const owner: HookOwner = (!isApp && inject(pageKey, null)) || inject(appKey)!
    // Not once it is unmounted: by then a hot update has mounted its successor, and called hooks.
    onBeforeUnmount(addHook(owner, name, hook))
  }
}

/** The page has been made, with the query of its address: `url?id=1` gives `{ id: '1' }`. Called once, before the page is drawn. */
export const onLoad = hook('onLoad')
/** The page is on top and in sight: after `onLoad`, and each time it is so again. In App.vue of the app, with the address that it was opened with. */
export const onShow = hook('onShow')
/** The page is drawn for the first time. */
export const onReady = hook('onReady')
/** Another page covers this one, or the app goes out of sight. In App.vue of the app. */
export const onHide = hook('onHide')
/** The page is closed, and does not come back. */
export const onUnload = hook('onUnload')
/** The user or `neu.navigateBack` wants to leave the page. What returns true keeps it. */
export const onBackPress = hook('onBackPress')
/** The page was pulled down (§2.4 enablePullDownRefresh), or `neu.startPullDownRefresh` called. The sign stays until `neu.stopPullDownRefresh`. */
export const onPullDownRefresh = hook('onPullDownRefresh')
/** The page is scrolled to `onReachBottomDistance` before its end (§2.4); once until it has been away from there. */
export const onReachBottom = hook('onReachBottom')
/** The page is scrolled. */
export const onPageScroll = hook('onPageScroll')
/** The window has another size, or the device was turned. */
export const onResize = hook('onResize')
/** The page's own tab was tapped, whether or not it was open already. */
export const onTabItemTap = hook('onTabItemTap')
/** A button of the navigation bar was tapped (§2.6.1). */
export const onNavigationBarButtonTap = hook('onNavigationBarButtonTap')
/** The search box of the navigation bar was tapped (§2.6.3), also one that is `disabled`. */
export const onNavigationBarSearchInputClicked = hook('onNavigationBarSearchInputClicked')
/** The text in the search box is another one. */
export const onNavigationBarSearchInputChanged = hook('onNavigationBarSearchInputChanged')
/** The text in the search box is to be searched for. */
export const onNavigationBarSearchInputConfirmed = hook('onNavigationBarSearchInputConfirmed')

// Of the app, wherever they are given.

/** The app starts, with the address that it was opened with. */
export const onLaunch = hook('onLaunch', true)
/** Something was thrown that nobody caught. */
export const onError = hook('onError', true)
/** A page was asked for that pages.json does not have; who listens may open another one. */
export const onPageNotFound = hook('onPageNotFound', true)
/** A promise was rejected, and nobody listens to that. */
export const onUnhandledRejection = hook('onUnhandledRejection', true)
