import { readStored, writeStored } from '@souk/web'
import { ref, watch } from 'vue'
import { useTheme } from 'vuetify'

export const schemes = ['system', 'light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

const remembered = 'souk.scheme'
const stored = readStored(remembered)

/** Color scheme: light, dark or the system's. Stored in this browser. */
export const scheme = ref<Scheme>(schemes.find((name) => name === stored) ?? 'system')

/** Applies the scheme to Vuetify and the design tokens. Call it once, in the app's setup. */
export function followScheme(): void {
  const theme = useTheme()
  watch(
    scheme,
    (chosen) => {
      theme.change(chosen)
      if (chosen === 'system') delete document.documentElement.dataset.scheme
      else document.documentElement.dataset.scheme = chosen
      writeStored(remembered, chosen)
    },
    { immediate: true },
  )
}
