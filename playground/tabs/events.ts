import { onHide, onLoad, onShow, onTabItemTap } from '@souk/runtime'
import { type Ref, ref } from 'vue'

/** Returns the log of hooks of the page that calls this in its setup. */
export function useEvents(): Ref<string[]> {
  const events = ref<string[]>([])
  onLoad(() => events.value.push('onLoad'))
  onShow(() => events.value.push('onShow'))
  onHide(() => events.value.push('onHide'))
  onTabItemTap(({ index, text, pagePath }) => events.value.push(`onTabItemTap ${index} ${text} ${pagePath}`))
  return events
}
