import { computed, type Ref, ref, watch } from 'vue'
import type { Result } from '../api/client.ts'
import { clockOffset, domainNow } from '../clock.ts'

export type Activity = Result<'home'>[number]

/** Maximum delay of `setTimeout`, ms; longer timers fire immediately. */
const maxTimeout = 2 ** 31 - 1

/** Filters out messages when they expire by the domain clock. */
export function unexpired(messages: Ref<readonly Activity[] | undefined>): Ref<readonly Activity[] | undefined> {
  const now = ref(domainNow())
  const update = () => {
    now.value = domainNow()
  }
  const shown = computed(() => messages.value?.filter(({ validUntil }) => validUntil > now.value))
  watch(clockOffset, update)
  watch(
    [shown, clockOffset],
    (_now, _before, onCleanup) => {
      const next = Math.min(...(shown.value ?? []).map(({ validUntil }) => validUntil))
      if (next === Infinity) return
      const timer = setTimeout(update, Math.min(Math.max(next - domainNow(), 0), maxTimeout))
      onCleanup(() => clearTimeout(timer))
    },
    { immediate: true },
  )
  return shown
}
