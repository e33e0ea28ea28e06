import { readStored, writeStored } from '@souk/web'
import { computed, ref, watch } from 'vue'

export const schemes = ['system', 'light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

const remembered = 'souk.scheme'
const stored = readStored(remembered)

/** Color scheme: light, dark or the system's. Stored in this browser. */
export const scheme = ref<Scheme>(schemes.find((name) => name === stored) ?? 'system')

const system = matchMedia('(prefers-color-scheme: dark)')
const isSystemDark = ref(system.matches)
system.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches
})

/** Whether the page is dark now, for what CSS cannot color. */
export const isDark = computed(() => (scheme.value === 'system' ? isSystemDark.value : scheme.value === 'dark'))

/** Applies the scheme to the page. Call it once, in the app's setup. */
export function followScheme(): void {
  watch(
    scheme,
    (chosen) => {
      if (chosen === 'system') delete document.documentElement.dataset.scheme
      else document.documentElement.dataset.scheme = chosen
      writeStored(remembered, chosen)
    },
    { immediate: true },
  )
}
