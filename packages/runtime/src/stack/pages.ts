import type { ComponentPublicInstance } from 'vue'
import { formatUrl } from './address.ts'
import { running } from './app.ts'
import { type AppWebview, appWebview } from './appWebview.ts'
import type { EventChannel } from './eventChannel.ts'
import { type PageInstance, pageKey } from './page.ts'
import { openPages } from './stackState.ts'

/** An open page as returned by `getCurrentPages`. Other properties are those that the page's component exposes. */
export interface CurrentPage {
  /** Path from the project root, without leading slash. */
  readonly route: string
  /** The query of its address. */
  readonly options: Readonly<Record<string, string>>
  /** The instance of its component; null before that is set up. */
  readonly $vm: ComponentPublicInstance | null
  readonly $page: { id: number; path: string; fullPath: string; options: Readonly<Record<string, string>> }
  /** Returns the channel to the page that opened this one. */
  getOpenerEventChannel(): EventChannel
  /** Returns the instance of the project's own tab bar; absent in apps without one. */
  getTabBar?(): object | null
  /** On App: returns the events of the page, as those of its web view in uni-app. */
  $getAppWebview?(): AppWebview
  // biome-ignore lint/suspicious/noExplicitAny: the component's own properties are not known here
  [key: string]: any
}

const proxies = new WeakMap<PageInstance, CurrentPage>()

/** Returns the open pages: the launch page or current tab first, the page on top last. */
export function getCurrentPages(): CurrentPage[] {
  return (running ? openPages(running.stackState) : []).map((page) => {
    let proxy = proxies.get(page)
    if (!proxy) {
      proxy = currentPageOf(page)
      proxies.set(page, proxy)
    }
    return proxy
  })
}

function currentPageOf(page: PageInstance): CurrentPage {
  let webview: AppWebview | undefined
  const own: Record<string, unknown> = {
    route: page.path,
    options: page.query,
    $page: { id: page.id, path: page.path, fullPath: formatUrl(page), options: page.query },
    getOpenerEventChannel: () => page.opener,
    ...(__SOUK_PLATFORM__ === 'App' && { $getAppWebview: () => (webview ??= appWebview(page)) }),
    ...(running?.customTabBar && { getTabBar: () => page.tabBarVm }),
  }
  const vm = () => page.vm as Record<string, unknown> | null
  return new Proxy(own, {
    get(own, key: string) {
      if (key === '$vm') return page.vm
      // Promises look for `then` on the value that they resolve with.
      return key in own || key === 'then' ? own[key] : vm()?.[key]
    },
    set: (_, key: string, value) => {
      const component = vm()
      if (component) component[key] = value
      return component !== null
    },
  }) as unknown as CurrentPage
}

/**
 * Returns the instance of App.vue with `globalData`, its option or an object, and with itself as `$vm`; undefined
 * before the app was created.
 */
// biome-ignore lint/suspicious/noExplicitAny: the properties of App.vue are not known here
export function getApp(): any {
  return running?.root
}

/** Returns the page that contains a component. */
export function pageOf({ $ }: ComponentPublicInstance): PageInstance | undefined {
  return ($ as unknown as { provides: Record<symbol, unknown> }).provides[pageKey as symbol] as PageInstance | undefined
}
