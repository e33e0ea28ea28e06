import type { ComponentPublicInstance } from 'vue'
import { formatUrl } from './address.ts'
import { running } from './app.ts'
import type { EventChannel } from './eventChannel.ts'
import { type PageInstance, pageKey } from './page.ts'
import { openPages } from './stackState.ts'

/** An open page, as `getCurrentPages` gives it. What is read from it or set on it besides is that of the page's own component, as far as that exposes it. */
export interface CurrentPage {
  /** From the project root, without a slash in front. */
  readonly route: string
  /** The query of its address. */
  readonly options: Readonly<Record<string, string>>
  /** The instance of its component; null before that is set up. */
  readonly $vm: ComponentPublicInstance | null
  readonly $page: { id: number; path: string; fullPath: string; options: Readonly<Record<string, string>> }
  /** To the page that opened this one. */
  getOpenerEventChannel(): EventChannel
  // biome-ignore lint/suspicious/noExplicitAny: what the component has is known where it is written
  [key: string]: any
}

const proxies = new WeakMap<PageInstance, CurrentPage>()

/** The open pages, the launch page or the current tab first, the page on top last. */
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
  const own: Record<string, unknown> = {
    route: page.path,
    options: page.query,
    $page: { id: page.id, path: page.path, fullPath: formatUrl(page), options: page.query },
    getOpenerEventChannel: () => page.opener,
  }
  const vm = () => page.vm as Record<string, unknown> | null
  return new Proxy(own, {
    get(own, key: string) {
      if (key === '$vm') return page.vm
      // A promise that resolves with a page asks whether it is one itself.
      return key in own || key === 'then' ? own[key] : vm()?.[key]
    },
    set: (_, key: string, value) => {
      const component = vm()
      if (component) component[key] = value
      return component !== null
    },
  }) as unknown as CurrentPage
}

/** The instance of App.vue, with what its options have as `globalData`; undefined before the app was created. */
// biome-ignore lint/suspicious/noExplicitAny: what App.vue has is known where it is written
export function getApp(): any {
  return running?.root
}

/** The page in which a component stands. */
export function pageOf({ $ }: ComponentPublicInstance): PageInstance | undefined {
  return ($ as unknown as { provides: Record<symbol, unknown> }).provides[pageKey as symbol] as PageInstance | undefined
}
