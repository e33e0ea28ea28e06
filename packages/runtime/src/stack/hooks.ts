import { type App, type ComponentPublicInstance, inject, onUnmounted } from 'vue'
import type { Device } from '../carrier.ts'
import type { Address } from './address.ts'
import { appKey, pageKey } from './page.ts'

/** What hooks are called with, and what they may answer. */
export interface HookTypes {
  onLoad: (query: Record<string, string>) => unknown
  /** In App.vue with the address that the app was opened with. */
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
  onTabItemTap: (tab: { index: number; text: string; pagePath: string }) => unknown
  /** The button as pages.json describes it, and its index. */
  onNavigationBarButtonTap: (button: { index: number; text?: string; [key: string]: unknown }) => unknown
  onNavigationBarSearchInputClicked: () => unknown
  onNavigationBarSearchInputChanged: (options: { text: string }) => unknown
  onNavigationBarSearchInputConfirmed: (options: { text: string }) => unknown
  onLaunch: (options: Address) => unknown
  onError: (message: string) => unknown
  onPageNotFound: (options: Address & { isEntryPage: boolean }) => unknown
  onUnhandledRejection: (options: { reason: unknown; promise: Promise<unknown> }) => unknown
}

export type HookName = keyof HookTypes

/** Those that listen, by name. */
export type Hooks = Map<string, ((argument?: unknown) => unknown)[]>

/** Who has hooks: a page, or the app. */
interface Hooked {
  readonly hooks: Hooks
}

/** True where a hook of that name was given, by the page or by one of its components. */
export function has(hooked: Hooked, name: HookName): boolean {
  return !!hooked.hooks.get(name)?.length
}

/**
 * Calls the hooks of that name, in the order in which they were given. True where one of them returned true. One that fails is reported and
 * stops no other.
 */
export function fire<N extends HookName>(hooked: Hooked, name: N, argument?: Parameters<HookTypes[N]>[0]): boolean {
  let isTrue = false
  for (const hook of [...(hooked.hooks.get(name) ?? [])]) {
    try {
      if (hook(argument) === true) isTrue = true
    } catch (error) {
      reportError(error)
    }
  }
  return isTrue
}

/** Gives back what takes it away. */
export function addHook(hooked: Hooked, name: HookName, hook: unknown): () => void {
  const { hooks } = hooked
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
export function addOptionHooks(hooked: Hooked, vm: ComponentPublicInstance): () => void {
  const removals = hookNames.flatMap((name) =>
    [(vm.$options as Record<string, unknown>)[name]]
      .flat()
      .flatMap((hook) => (typeof hook === 'function' ? addHook(hooked, name, hook.bind(vm)) : [])),
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

/** In setup: of the page that the component stands in, and only as long as it stands there; outside of pages, and with `isApp`, of the app. */
function hook<N extends HookName>(name: N, isApp?: boolean): (hook: HookTypes[N]) => void {
  hookNames.push(name)
  return (hook) => {
    const hooked: Hooked = (!isApp && inject(pageKey, null)) || inject(appKey)!
    onUnmounted(addHook(hooked, name, hook))
  }
}

export const onLoad = hook('onLoad')
/** In App.vue with the address that the app was opened with. */
export const onShow = hook('onShow')
export const onReady = hook('onReady')
export const onHide = hook('onHide')
export const onUnload = hook('onUnload')
/** What returns true keeps the page. */
export const onBackPress = hook('onBackPress')
export const onPullDownRefresh = hook('onPullDownRefresh')
export const onReachBottom = hook('onReachBottom')
export const onPageScroll = hook('onPageScroll')
export const onResize = hook('onResize')
export const onTabItemTap = hook('onTabItemTap')
export const onNavigationBarButtonTap = hook('onNavigationBarButtonTap')
export const onNavigationBarSearchInputClicked = hook('onNavigationBarSearchInputClicked')
export const onNavigationBarSearchInputChanged = hook('onNavigationBarSearchInputChanged')
export const onNavigationBarSearchInputConfirmed = hook('onNavigationBarSearchInputConfirmed')
// Of the app, wherever they are given.
export const onLaunch = hook('onLaunch', true)
export const onError = hook('onError', true)
export const onPageNotFound = hook('onPageNotFound', true)
export const onUnhandledRejection = hook('onUnhandledRejection', true)
