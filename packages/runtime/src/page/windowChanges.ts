import type { WindowsConfig } from '@souk/shell/config'
import { shallowReactive } from 'vue'

/** What functions such as `neu.showLeftWindow` have changed about a side window. */
interface WindowChange {
  /** Replaces the conditions in pages.json. */
  isShown?: boolean
  /** CSS properties, by their names in camel case. */
  style?: Record<string, string | number>
}

export type WindowChanges = { [name in keyof WindowsConfig]?: WindowChange }

export const windowChanges = /* @__PURE__ */ shallowReactive<WindowChanges>({})
