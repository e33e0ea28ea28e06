/**
 * The page `/__souk/device`: a mini app in a phone as the host draws it, with the development host. On a phone it fills
 * the screen.
 */

import {
  type AppManifest,
  type BarEvent,
  type Bars,
  conventionsOf,
  type Device,
  developmentDomainRules,
  developmentHost,
  MiniApp,
  StatusBar,
} from '@souk/host-view'
import { computed, createApp, defineComponent, h, reactive, ref, shallowRef } from 'vue'
import { watchDiagnostics } from './diagnostics.ts'
import { type OpenInspector, openInspector } from './inspector.ts'
import { selectedMode, showStartModes } from './startModes.ts'
import './device.css'

type Screen = Pick<Device, 'width' | 'height' | 'statusBarHeight' | 'safeAreaBottom'>

const screens: Readonly<Record<string, Screen>> = {
  Small: { width: 320, height: 568, statusBarHeight: 20, safeAreaBottom: 0 },
  Phone: { width: 375, height: 667, statusBarHeight: 20, safeAreaBottom: 0 },
  Tall: { width: 390, height: 844, statusBarHeight: 47, safeAreaBottom: 34 },
  Tablet: { width: 768, height: 1024, statusBarHeight: 24, safeAreaBottom: 20 },
}
const languages = { en: 'English', zh: '中文', ar: 'العربية' }

const manifest = shallowRef<AppManifest>(await load())
const { app } = manifest.value

const frame = ref<{ back(): void; act(event: BarEvent): void; restart(): void }>()
const connection = { appid: __SOUK_APPID__, server: __SOUK_SERVER__ }
const development = developmentHost({
  ...connection,
  onExit: () => frame.value?.restart(),
})
const replayed = __SOUK_REPLAY__
  ? await import('./replayHost.ts').then(({ createReplayHost }) =>
      createReplayHost(development, {
        onStart: (now) => {
          start.value = now
        },
        onRestart: () => frame.value?.restart(),
      }),
    )
  : undefined
const start = shallowRef(replayed ? replayed.start : startOf(app))
const domainRules = await developmentDomainRules(connection)

const viewport = reactive({ width: innerWidth, height: innerHeight })
/** Minimum window for a phone with its controls, px, as in the host. */
const isFramed = computed(() => !replayed?.device && viewport.width >= 720 && viewport.height >= 600)

const theme: Device['theme'] = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
const settings = reactive({ screen: 'Phone', isTurned: false, language: 'en', theme })
const device = reactive<Device>({
  ...screens.Phone!,
  orientation: 'portrait',
  os: conventionsOf(navigator) ?? app.os,
  language: 'en',
  theme: 'light',
})

function apply(): void {
  const { language, theme } = settings
  if (replayed?.device) Object.assign(device, replayed.device)
  else if (!isFramed.value) {
    const orientation = viewport.width > viewport.height ? 'landscape' : 'portrait'
    Object.assign(device, { ...viewport, statusBarHeight: 0, safeAreaBottom: 0, orientation, language, theme })
  } else {
    const { width, height, statusBarHeight, safeAreaBottom } = screens[settings.screen]!
    Object.assign(device, {
      width: settings.isTurned ? height : width,
      height: settings.isTurned ? width : height,
      statusBarHeight,
      safeAreaBottom,
      orientation: settings.isTurned ? 'landscape' : 'portrait',
      language,
      theme,
    })
  }
}
apply()
addEventListener('resize', () => {
  Object.assign(viewport, { width: innerWidth, height: innerHeight })
  apply()
})

/** Returns the page of the start mode (pages-json §2.15); in a frame the host chooses it. */
function startOf({ condition, launch }: AppManifest['app']) {
  if (condition === undefined || condition.list.length === 0) return undefined
  const current = selectedMode() ?? condition.current
  showStartModes(condition.list, current)
  const { path, query } = condition.list[current] ?? { path: launch }
  return { path, query: Object.fromEntries(new URLSearchParams(query)) }
}

const textStyle = ref<Bars['navigationBar']['textStyle']>('black')
const inspector = shallowRef<OpenInspector>()

async function toggleInspector(): Promise<void> {
  const open = inspector.value
  inspector.value = undefined
  if (open) open.close()
  else inspector.value = await openInspector(manifest.value.app)
}

const choice = (name: string, options: Record<string, string>, value: string, choose: (value: string) => void) =>
  h('label', [
    h('span', name),
    h(
      'select',
      { value, onChange: (event: Event) => choose((event.target as HTMLSelectElement).value) },
      Object.entries(options).map(([key, text]) => h('option', { value: key, selected: key === value }, text)),
    ),
  ])
const action = (text: string, act: () => void, isPressed?: boolean) =>
  h('button', { type: 'button', onClick: act, 'aria-pressed': isPressed }, text)
const withApply = (change: () => void) => () => {
  change()
  apply()
}

const controls = () =>
  h('aside', { class: 'controls', 'aria-label': 'Device' }, [
    h('h2', 'Device'),
    choice(
      'Screen',
      Object.fromEntries(
        Object.entries(screens).map(([name, { width, height }]) => [name, `${name} ${width} × ${height}`]),
      ),
      settings.screen,
      (value) => {
        settings.screen = value
        apply()
      },
    ),
    choice('Language', languages, settings.language, (value) => {
      settings.language = value
      apply()
    }),
    h('div', { class: 'row' }, [
      action(
        'Turn',
        withApply(() => Object.assign(settings, { isTurned: !settings.isTurned })),
        settings.isTurned,
      ),
      action(
        'Dark',
        withApply(() => Object.assign(settings, { theme: settings.theme === 'dark' ? 'light' : 'dark' })),
        settings.theme === 'dark',
      ),
      action('Inspector', () => void toggleInspector(), inspector.value !== undefined),
      action('Back', () => frame.value?.back()),
      action('Restart', () => frame.value?.restart()),
    ]),
  ])

const DevicePage = defineComponent(() => () => [
  h('div', { class: ['stage', { framed: isFramed.value }] }, [
    h('main', { class: 'screen', style: { inlineSize: `${device.width}px`, blockSize: `${device.height}px` } }, [
      h(MiniApp, {
        ref: frame,
        manifest: manifest.value,
        url: '/index.html',
        appid: __SOUK_APPID__,
        device,
        methods: replayed?.methods ?? development,
        answer: replayed?.answer,
        start: start.value,
        canReload: true,
        domainRules,
        mapTiles: __SOUK_MAP_TILES__ ?? undefined,
        observer: inspector.value?.observer ?? replayed?.observer,
        onOrientation: (orientation: 'auto' | 'portrait' | 'landscape') => {
          if (orientation === 'auto') return
          settings.isTurned = orientation === 'landscape'
          apply()
        },
        onStatusBar: (style: Bars['navigationBar']['textStyle']) => {
          textStyle.value = style
        },
      }),
      device.statusBarHeight > 0 &&
        h(StatusBar, { textStyle: textStyle.value, height: device.statusBarHeight, language: device.language }),
    ]),
    isFramed.value && controls(),
  ]),
  inspector.value &&
    h(
      'div',
      { class: 'inspector' },
      inspector.value.render({
        onRestart: () => frame.value?.restart(),
        onClose: () => void toggleInspector(),
      }),
    ),
])

createApp(DevicePage).mount('#device')

// `souk test` repeats what the user did with the bars.
addEventListener('souk:bar', (event) => frame.value?.act((event as CustomEvent<BarEvent>).detail))

watchDiagnostics()
// The running mini app updates itself; this is for the next start.
import.meta.hot?.on('souk:configuration', (configuration: Omit<AppManifest, 'version'>) => {
  manifest.value = { version: 1, ...configuration }
})

async function load(): Promise<AppManifest> {
  const response = await fetch('/souk-app.json')
  return (await response.json()) as AppManifest
}
