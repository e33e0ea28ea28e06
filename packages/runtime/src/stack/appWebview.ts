import { addHook, type HookName } from './hooks.ts'
import type { PageInstance } from './page.ts'

/** What `$getAppWebview` returns on App, where components listen to their page in blocks of `APP-PLUS`. */
export interface AppWebview {
  readonly id: string
  /** Calls the listener on show, hide and close. Other events never occur. */
  addEventListener(type: string, listener: () => unknown): void
  removeEventListener(type: string, listener: () => unknown): void
}

const hooks: Readonly<Record<string, HookName>> = { show: 'onShow', hide: 'onHide', close: 'onUnload' }

/** Returns the events of a page as those of uni-app's web view, which does not exist here. */
export function appWebview(page: PageInstance): AppWebview {
  const removals = new Map<string, Map<unknown, () => void>>()
  const webview: AppWebview = {
    id: String(page.id),
    addEventListener(type, listener) {
      const hook = hooks[type]
      if (!hook) return
      webview.removeEventListener(type, listener)
      const ofType = removals.get(type) ?? new Map<unknown, () => void>()
      removals.set(
        type,
        ofType.set(
          listener,
          addHook(page, hook, () => void listener()),
        ),
      )
    },
    removeEventListener(type, listener) {
      removals.get(type)?.get(listener)?.()
      removals.get(type)?.delete(listener)
    },
  }
  return webview
}
