import { computed, type Ref, ref, watch } from 'vue'
import type { Result } from '../api/client.ts'
import { clockOffset, domainNow } from '../clock.ts'

export type Activity = Result<'home'>[number]

/** Longer timers would end at once, ms. */
const longestTimer = 2 ** 31 - 1

/** Those of the messages whose time is not up, by the clock of the domain: they leave the list when it is. */
export function stillValid(messages: Ref<readonly Activity[] | undefined>): Ref<readonly Activity[] | undefined> {
  const now = ref(domainNow())
  const look = () => {
    now.value = domainNow()
  }
  const shown = computed(() => messages.value?.filter(({ validUntil }) => validUntil > now.value))
  watch(clockOffset, look)
  watch(
    [shown, clockOffset],
    (_now, _before, onCleanup) => {
      const next = Math.min(...(shown.value ?? []).map(({ validUntil }) => validUntil))
      if (next === Infinity) return
      const timer = setTimeout(look, Math.min(Math.max(next - domainNow(), 0), longestTimer))
      onCleanup(() => clearTimeout(timer))
    },
    { immediate: true },
  )
  return shown
}
