import { onHide, onLoad, onReady, onShow, onTabItemTap, onUnload } from '@souk/runtime'
import { note } from './log.js'

/** Logs all hooks of the page that calls this in its setup. */
export function logHooks(name) {
  onLoad((query) => note(`${name}.onLoad ${JSON.stringify(query)}`))
  onShow(() => note(`${name}.onShow`))
  onReady(() => note(`${name}.onReady`))
  onHide(() => note(`${name}.onHide`))
  onUnload(() => note(`${name}.onUnload`))
  onTabItemTap(({ index, text, pagePath }) => note(`${name}.onTabItemTap ${index} ${text} ${pagePath}`))
}
