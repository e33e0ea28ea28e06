import { readStored, writeStored } from '@souk/web'
import { computed, ref, watch } from 'vue'

export const schemes = ['system', 'light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

const storageKey = 'souk.host.scheme'
const stored = readStored(storageKey)
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const isSystemDark = ref(systemIsDark.matches)
systemIsDark.addEventListener('change', ({ matches }) => {
  isSystemDark.value = matches
})

/** Selected color scheme; stored in this browser. */
export const scheme = ref<Scheme>(schemes.find((name) => name === stored) ?? 'system')

/** Scheme of the application around an embedded mini app, which is not stored. */
export const embeddedScheme = ref<Scheme>()
const effective = computed(() => embeddedScheme.value ?? scheme.value)

/** Color scheme in effect. */
export const theme = computed(() =>
  effective.value === 'system' ? (isSystemDark.value ? 'dark' : 'light') : effective.value,
)

watch(
  effective,
  (chosen) => {
    if (chosen === 'system') delete document.documentElement.dataset.scheme
    else document.documentElement.dataset.scheme = chosen
  },
  { immediate: true },
)
watch(scheme, (chosen) => writeStored(storageKey, chosen))
