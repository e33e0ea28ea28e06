import { ref, watch } from 'vue'
import { useTheme } from 'vuetify'

export const schemes = ['system', 'light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

const remembered = 'souk.scheme'
const stored = localStorage.getItem(remembered)

/** Light, dark, or what the system says; kept in this browser. */
export const scheme = ref<Scheme>(schemes.find((name) => name === stored) ?? 'system')

/** Keeps the component library and the design tokens on the chosen scheme; called once, by the app. */
export function followScheme(): void {
  const theme = useTheme()
  watch(
    scheme,
    (chosen) => {
      theme.change(chosen)
      if (chosen === 'system') delete document.documentElement.dataset.scheme
      else document.documentElement.dataset.scheme = chosen
      localStorage.setItem(remembered, chosen)
    },
    { immediate: true },
  )
}
