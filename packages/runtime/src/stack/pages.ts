import type { ComponentPublicInstance } from 'vue'
import { formatUrl } from './address.ts'
import { currentApp } from './app.ts'
import type { EventChannel } from './emitter.ts'
import { type PageInstance, pageKey } from './page.ts'
import { openPages } from './places.ts'

/** A page as `getCurrentPages` gives it; whatever else is asked of it is asked of the page's own component. */
export interface CurrentPage {
  /** From the project root, without a slash in front. */
  readonly route: string
  readonly options: Readonly<Record<string, string>>
  readonly $vm: ComponentPublicInstance | null
  readonly $page: { id: number; path: string; fullPath: string; options: Readonly<Record<string, string>> }
  getOpenerEventChannel(): EventChannel
  // biome-ignore lint/suspicious/noExplicitAny: what the component has is known where it is written
  [key: string]: any
}

const known = new WeakMap<PageInstance, CurrentPage>()

/** The open pages, lowest first. */
export function getCurrentPages(): CurrentPage[] {
  return openPages(currentApp().places).map((page) => {
    let given = known.get(page)
    if (!given) {
      given = currentPageOf(page)
      known.set(page, given)
    }
    return given
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

/** App.vue, with what it has as `globalData`. */
// biome-ignore lint/suspicious/noExplicitAny: what App.vue has is known where it is written
export function getApp(): any {
  return currentApp().root
}

/** The page in which a component stands. */
export function pageOf({ $ }: ComponentPublicInstance): PageInstance | undefined {
  return ($ as unknown as { provides: Record<symbol, unknown> }).provides[pageKey as symbol] as PageInstance | undefined
}
