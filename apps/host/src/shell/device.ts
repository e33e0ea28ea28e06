import type { EmbedInsets } from '@souk/contract/embed'
import type { InspectedDevice } from '@souk/contract/inspection'
import { conventionsOf, type Device } from '@souk/host-view'
import { readStoredJson, writeStored } from '@souk/web'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import { locale } from '../i18n/index.ts'
import { theme } from '../scheme.ts'

/** Screen sizes to choose from, px. `fit` adapts its height to the window. */
const screens = {
  fit: { width: 390, height: 844, statusBarHeight: 44, safeAreaBottom: 20 },
  small: { width: 320, height: 568, statusBarHeight: 20, safeAreaBottom: 0 },
  phone: { width: 375, height: 667, statusBarHeight: 20, safeAreaBottom: 0 },
  tall: { width: 390, height: 844, statusBarHeight: 47, safeAreaBottom: 34 },
  tablet: { width: 768, height: 1024, statusBarHeight: 24, safeAreaBottom: 20 },
} as const satisfies Record<string, Pick<Device, 'width' | 'height' | 'statusBarHeight' | 'safeAreaBottom'>>

export type Screen = keyof typeof screens
export const screenNames = Object.keys(screens) as Screen[]

/** Preferred platform of the releases to open. */
export const platforms = ['Mini App', 'App', 'H5'] as const

interface Choices {
  screen: Screen
  isRotated: boolean
  hasStatusBar: boolean
  platform: (typeof platforms)[number]
  os: Device['os']
  /** Shows the inspector of the open mini app; in a sandbox only. */
  isInspecting: boolean
}

/** Mini apps know two systems; computers count as Android. */
const actualOs = conventionsOf(navigator) ?? 'Android'

const storageKey = 'souk.host.device'
const defaults: Choices = {
  screen: 'fit',
  isRotated: false,
  hasStatusBar: true,
  platform: 'Mini App',
  os: actualOs,
  isInspecting: false,
}

/** Settings of the device bar; stored in this browser. */
export const deviceSettings = reactive<Choices>({ ...defaults, ...readStoredJson(storageKey) })
// The stored screen may be from another version of the host.
if (!Object.hasOwn(screens, deviceSettings.screen)) deviceSettings.screen = defaults.screen
watch(deviceSettings, () => writeStored(storageKey, JSON.stringify(deviceSettings)))

const viewport = reactive({ width: innerWidth, height: innerHeight })
addEventListener('resize', () => Object.assign(viewport, { width: innerWidth, height: innerHeight }))

const isInstalled = matchMedia('(display-mode: standalone)').matches
/** Minimum window for the phone frame with the device bar, px. */
const minFramed = { width: 720, height: 600 }
/** Total vertical margin of the phone frame, px. */
const frameMargin = 48

/** Distances that the system's bars cover, if the page is embedded in an application. */
export const embeddedInsets = shallowRef<EmbedInsets>()

/** True if the host is shown in a phone frame instead of full screen. */
export const isFramed = computed(
  () =>
    !embeddedInsets.value && !isInstalled && viewport.width >= minFramed.width && viewport.height >= minFramed.height,
)

/** Device that the host and its mini apps run on. */
export const device = computed<Device>(() => {
  const os = embeddedInsets.value ? actualOs : deviceSettings.os
  const common = { os, language: locale.value, theme: theme.value }
  if (!isFramed.value) {
    const orientation = viewport.width > viewport.height ? 'landscape' : 'portrait'
    const { top: statusBarHeight, bottom: safeAreaBottom } = embeddedInsets.value ?? { top: 0, bottom: 0 }
    return { ...common, ...viewport, statusBarHeight, safeAreaBottom, orientation }
  }
  const { width, height: maxHeight, statusBarHeight, safeAreaBottom } = screens[deviceSettings.screen]
  const height = deviceSettings.screen === 'fit' ? Math.min(maxHeight, viewport.height - frameMargin) : maxHeight
  return {
    ...common,
    ...(deviceSettings.isRotated ? { width: height, height: width } : { width, height }),
    statusBarHeight: deviceSettings.hasStatusBar ? statusBarHeight : 0,
    safeAreaBottom,
    orientation: deviceSettings.isRotated ? 'landscape' : 'portrait',
  }
})

/** Returns the device as inspections and recordings report it. */
export function inspectedDevice(): InspectedDevice {
  const { width, height, statusBarHeight, safeAreaBottom, language, theme } = device.value
  return { width, height, statusBarHeight, safeAreaBottom, language, theme }
}

/** Text color of the status bar as requested by the visible mini app; undefined on the host's own pages. */
export const statusBarForeground = ref<'black' | 'white'>()
