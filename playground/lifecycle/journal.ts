import { onHide, onLoad, onReady, onShow, onTabItemTap, onUnload } from '@souk/runtime'
import { onMounted, onUnmounted, reactive } from 'vue'

/** Log of the hooks that have run, one line each. */
export const journal = reactive<string[]>([])

export function note(event: string, argument?: unknown): void {
  journal.push(argument === undefined ? event : `${event} ${JSON.stringify(argument)}`)
}

/** Logs all hooks of the page that calls this in its setup. */
export function logHooks(page: string): void {
  onLoad((query) => note(`${page}.onLoad`, query))
  onShow(() => note(`${page}.onShow`))
  onReady(() => note(`${page}.onReady`))
  onHide(() => note(`${page}.onHide`))
  onUnload(() => note(`${page}.onUnload`))
  onTabItemTap((tab) => note(`${page}.onTabItemTap`, tab))
  onMounted(() => note(`${page}.mounted`))
  onUnmounted(() => note(`${page}.unmounted`))
}
