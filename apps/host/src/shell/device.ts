import type { Device } from '@souk/runtime/host'
import { computed, reactive, ref, watch } from 'vue'
import { locale } from '../i18n/index.ts'
import { theme } from '../scheme.ts'
import { kept } from '../storedJson.ts'

/** The screens that a developer can choose from, px. `fit` is as tall as there is room. */
const screens = {
  fit: { width: 390, height: 844, statusBarHeight: 44, safeAreaBottom: 20 },
  small: { width: 320, height: 568, statusBarHeight: 20, safeAreaBottom: 0 },
  phone: { width: 375, height: 667, statusBarHeight: 20, safeAreaBottom: 0 },
  tall: { width: 390, height: 844, statusBarHeight: 47, safeAreaBottom: 34 },
  tablet: { width: 768, height: 1024, statusBarHeight: 24, safeAreaBottom: 20 },
} as const satisfies Record<string, Pick<Device, 'width' | 'height' | 'statusBarHeight' | 'safeAreaBottom'>>

export type Screen = keyof typeof screens
export const screenNames = Object.keys(screens) as Screen[]

/** What releases of a mini app are opened: those for this platform, where it has one. */
export const platforms = ['Mini App', 'App', 'H5'] as const

interface Choices {
  screen: Screen
  isTurned: boolean
  hasStatusBar: boolean
  platform: (typeof platforms)[number]
  os: Device['os']
}

const remembered = 'souk.host.device'
const first: Choices = { screen: 'fit', isTurned: false, hasStatusBar: true, platform: 'Mini App', os: 'Android' }

/** What was chosen in the device bar; kept in this browser. */
export const chosen = reactive<Choices>({ ...first, ...kept(remembered) })
// Another version may have had other screens.
if (!Object.hasOwn(screens, chosen.screen)) chosen.screen = first.screen
watch(chosen, () => localStorage.setItem(remembered, JSON.stringify(chosen)))

const room = reactive({ width: innerWidth, height: innerHeight })
addEventListener('resize', () => Object.assign(room, { width: innerWidth, height: innerHeight }))

const isInstalled = matchMedia('(display-mode: standalone)').matches
/** What a phone and the controls beside it need, px. A phone that is turned is as wide, but not as tall. */
const least = { width: 720, height: 600 }
/** Above and below the phone, px. */
const around = 48

/** Whether the host is drawn as a phone with room around it, rather than as the whole of the screen that it runs on. */
export const isFramed = computed(() => !isInstalled && room.width >= least.width && room.height >= least.height)

/** The device that the host and its mini apps run on. */
export const device = computed<Device>(() => {
  const common = { os: chosen.os, language: locale.value, theme: theme.value }
  if (!isFramed.value) {
    const orientation = room.width > room.height ? 'landscape' : 'portrait'
    return { ...common, ...room, statusBarHeight: 0, safeAreaBottom: 0, orientation }
  }
  const { width, height: tallest, statusBarHeight, safeAreaBottom } = screens[chosen.screen]
  const height = chosen.screen === 'fit' ? Math.min(tallest, room.height - around) : tallest
  return {
    ...common,
    ...(chosen.isTurned ? { width: height, height: width } : { width, height }),
    statusBarHeight: chosen.hasStatusBar ? statusBarHeight : 0,
    safeAreaBottom,
    orientation: chosen.isTurned ? 'landscape' : 'portrait',
  }
})

/** In what colour the status bar can be read: as the bars of the mini app on top want it; undefined where the host itself is shown. */
export const statusBarForeground = ref<'black' | 'white'>()
