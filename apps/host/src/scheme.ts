import { computed, ref, watch } from 'vue'

export const schemes = ['system', 'light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

const storageKey = 'souk.host.scheme'
const stored = localStorage.getItem(storageKey)
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const isSystemDark = ref(systemIsDark.matches)
systemIsDark.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches
})

/** Selected color scheme; stored in this browser. */
export const scheme = ref<Scheme>(schemes.find((name) => name === stored) ?? 'system')

/** Color scheme in effect. */
export const theme = computed(() =>
  scheme.value === 'system' ? (isSystemDark.value ? 'dark' : 'light') : scheme.value,
)

watch(
  scheme,
  (chosen) => {
    if (chosen === 'system') delete document.documentElement.dataset.scheme
    else document.documentElement.dataset.scheme = chosen
    localStorage.setItem(storageKey, chosen)
  },
  { immediate: true },
)
