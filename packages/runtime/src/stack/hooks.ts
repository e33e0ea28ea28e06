import type { Device } from '@souk/shell/host'
import { type App, type ComponentPublicInstance, getCurrentInstance, inject, onBeforeUnmount } from 'vue'
import type { Address } from './address.ts'
import type { LaunchInfo } from './launchInfo.ts'
import { appKey, type Hooks, type PageInstance, pageKey } from './page.ts'

/** How the user shares a page: in the menu of the host, or by a button with `open-type="share"`, the target. */
export interface ShareOptions {
  from: 'menu' | 'button'
  target?: { dataset: DOMStringMap }
}

/** A page as a card. By default the title is the name of the mini app, and the page is the one that is shared. */
export interface SharedCard {
  title?: string
  /** Page with its query. */
  path?: string
  /** A file of the mini app, or an address that the host may load. */
  imageUrl?: string
  /** Passed to the page that the card opens, in the launch options. */
  extraData?: unknown
  /** The card if it needs time; after 3 s, or if it fails, the other fields are used. */
  promise?: Promise<SharedCard>
}

/** Signatures of all hooks. Only the return values of `onBackPress` and `onShareAppMessage` have an effect. */
export interface HookTypes {
  onLoad: (query: Record<string, string>) => unknown
  /** Pages get no options; App.vue gets the address that the app was opened with. */
  onShow: (options: Address & LaunchInfo) => unknown
  onReady: () => unknown
  onHide: () => unknown
  onUnload: () => unknown
  /** Return true to stay on the page. `backbutton` is any user action, `navigateBack` the call. */
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
  /** `index` counts from 0; `pagePath` has no leading slash. */
  onTabItemTap: (tab: { index: number; text: string; pagePath: string }) => unknown
  onShareAppMessage: (options: ShareOptions) => SharedCard | Promise<SharedCard> | undefined
  /** The button as in pages.json, and its index. */
  onNavigationBarButtonTap: (button: { index: number; text?: string; [key: string]: unknown }) => unknown
  onNavigationBarSearchInputClicked: () => unknown
  onNavigationBarSearchInputChanged: (options: { text: string }) => unknown
  onNavigationBarSearchInputConfirmed: (options: { text: string }) => unknown
  onLaunch: (options: Address & LaunchInfo) => unknown
  /** The error's stack, or its message if it has none. */
  onError: (message: string) => unknown
  /** `isEntryPage`: it was the first page of the app. */
  onPageNotFound: (
    options: Address & {
      /** Whether it was the first page of the app. */
      isEntryPage: boolean
    },
  ) => unknown
  onUnhandledRejection: (options: {
    /** What the promise was rejected with. */
    reason: unknown
    /** The promise. */
    promise: Promise<unknown>
  }) => unknown
}

export type HookName = keyof HookTypes

/** A page or the app. */
interface HookOwner {
  readonly hooks: Hooks
  /** While true, hooks are not called. */
  readonly isWaiting?: boolean
}

/** Returns true if the page or one of its components has registered the hook. */
export function hasHook(owner: HookOwner, name: HookName): boolean {
  return !!owner.hooks.get(name)?.length
}

/**
 * Calls the hooks of that name in order of registration. Returns true if one of them returned true. An error is
 * reported and does not stop the others.
 */
export function fire<N extends HookName>(owner: HookOwner, name: N, argument?: Parameters<HookTypes[N]>[0]): boolean {
  let isTrue = false
  if (owner.isWaiting) return isTrue
  for (const hook of [...(owner.hooks.get(name) ?? [])]) if (call(hook, argument)) isTrue = true
  return isTrue
}

/** Calls a hook. Returns true if it returned true. An error is reported. */
function call<T>(hook: (argument: T) => unknown, argument: T): boolean {
  try {
    return hook(argument) === true
  } catch (error) {
    reportError(error)
    return false
  }
}

/** Registers a hook. Returns a function that removes it. */
export function addHook(owner: HookOwner, name: HookName, hook: unknown): () => void {
  const { hooks } = owner
  // Wrapped, because two components may register the same function and one of them may be removed.
  const own = (argument?: unknown) => (hook as (argument?: unknown) => unknown)(argument)
  hooks.set(name, [...(hooks.get(name) ?? []), own])
  return () => {
    hooks.set(
      name,
      hooks.get(name)!.filter((each) => each !== own),
    )
  }
}

/**
 * Registers the hooks in a component's options, which are arrays if mixins declare them too. Returns a function that
 * removes them.
 */
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

/** Makes Vue merge the hooks of mixins into arrays. */
export function mergeHooks(app: App): void {
  for (const name of hookNames)
    app.config.optionMergeStrategies[name] = (to, from) => (from ? [to ?? [], from].flat() : to)
}

const hookNames: HookName[] = []

/**
 * Creates the function that registers a hook in a component's setup. The hook belongs to the page that contains the
 * component until that is unmounted; outside pages, and with `isApp`, to the app.
 */
function hook<N extends HookName>(name: N, isApp?: boolean): (hook: HookTypes[N]) => void {
  hookNames.push(name)
  return (hook) => {
    const page = isApp ? null : inject(pageKey, null)
    const owner: HookOwner = page ?? inject(appKey)!
    // Not in onUnmounted: a hot update mounts the new component, which calls hooks, before that.
    onBeforeUnmount(addHook(owner, name, hook))
    if (page && getCurrentInstance()!.type !== page.content) catchUp(page, name, hook)
  }
}

/**
 * Calls a hook of a component whose page has already been loaded and shown, as uni-app does: components are created
 * after these hooks of their page.
 */
function catchUp<N extends HookName>(page: PageInstance, name: N, hook: HookTypes[N]): void {
  if (!page.vm || page.isWaiting) return
  const isMissed = name === 'onLoad' || (name === 'onShow' && page.isShown)
  if (isMissed) call(hook as (query: unknown) => unknown, name === 'onLoad' ? { ...page.query } : undefined)
}

/** Called once with the query of the page's address before the page is rendered: `url?id=1` gives `{ id: '1' }`. */
export const onLoad = hook('onLoad')
/**
 * Called after `onLoad`, and each time the page is visible on top again. In App.vue: when the app is shown, with the
 * address that it was opened with.
 */
export const onShow = hook('onShow')
/** Called when the page has been rendered for the first time. */
export const onReady = hook('onReady')
/** Called when another page covers this one or the app is hidden. In App.vue: when the app is hidden. */
export const onHide = hook('onHide')
/** Called when the page is closed. */
export const onUnload = hook('onUnload')
/** Called when the user or `neu.navigateBack` wants to leave the page. Return true to stay. */
export const onBackPress = hook('onBackPress')
/**
 * Called when the page is pulled down (pages-json §2.4 enablePullDownRefresh) or by `neu.startPullDownRefresh`. The
 * indicator stays until `neu.stopPullDownRefresh`.
 */
export const onPullDownRefresh = hook('onPullDownRefresh')
/**
 * Called when the page is scrolled to within `onReachBottomDistance` of its end (pages-json §2.4), and not again
 * until it has left that range.
 */
export const onReachBottom = hook('onReachBottom')
/** Called when the page is scrolled. */
export const onPageScroll = hook('onPageScroll')
/** Called when the window is resized or the device rotated. */
export const onResize = hook('onResize')
/** Called when the page's own tab is tapped, even if it is already open. */
export const onTabItemTap = hook('onTabItemTap')
/** Called when the user shares the page. Returns its card. */
export const onShareAppMessage = hook('onShareAppMessage')
/** Called when a button of the navigation bar is tapped (pages-json §2.6.1). */
export const onNavigationBarButtonTap = hook('onNavigationBarButtonTap')
/** Called when the search box of the navigation bar is tapped (pages-json §2.6.3), even if `disabled`. */
export const onNavigationBarSearchInputClicked = hook('onNavigationBarSearchInputClicked')
/** Called when the text in the search box changes. */
export const onNavigationBarSearchInputChanged = hook('onNavigationBarSearchInputChanged')
/** Called when the user submits the search. */
export const onNavigationBarSearchInputConfirmed = hook('onNavigationBarSearchInputConfirmed')

// Hooks of the app, in any component.

/** Called when the app starts, with the address that it was opened with. */
export const onLaunch = hook('onLaunch', true)
/** Called on an uncaught error. */
export const onError = hook('onError', true)
/** Called when a page is requested that pages.json does not list. The listener may open another one. */
export const onPageNotFound = hook('onPageNotFound', true)
/** Called on an unhandled promise rejection. */
export const onUnhandledRejection = hook('onUnhandledRejection', true)
