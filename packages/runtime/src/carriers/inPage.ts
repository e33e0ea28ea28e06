import type { PageBars } from '@souk/shell/bars'
import type { AppConfig } from '@souk/shell/config'
import { conventionsOf } from '@souk/shell/device/system'
import type { Device } from '@souk/shell/host'
import { shallowReactive } from 'vue'
import type { Build } from '../build.ts'
import type { Carrier } from './carrier.ts'
import { importOnce } from './importOnce.ts'

/** The carrier of H5. App.ts draws what it shows. */
export interface InPage extends Carrier {
  bars: PageBars | null
}

export function inPage({ app, host }: Pick<Build, 'app' | 'host'>, start: Carrier['start']): InPage {
  const device = shallowReactive(readDevice(app))
  const refresh = () => Object.assign(device, readDevice(app))
  const dark = matchMedia('(prefers-color-scheme: dark)')
  addEventListener('resize', refresh)
  addEventListener('languagechange', refresh)
  dark.addEventListener('change', refresh)
  document.addEventListener('visibilitychange', () => carrier.onVisibilityChange(!document.hidden))

  const carrier: InPage = shallowReactive({
    kind: 'page',
    device,
    fileAddresses: shallowReactive(new Map()),
    bars: null,
    start,
    mapTiles: __SOUK_MAP_TILES__ ?? undefined,
    onBarEvent: () => {},
    onVisibilityChange: () => {},
    showBars(bars) {
      carrier.bars = bars
      if (bars.navigationBar.title) document.title = bars.navigationBar.title
    },
    call: async (method, params) => (await loadPageCalls()).callInPage(device, host, method, params),
  } satisfies InPage as InPage)
  return carrier
}

const loadPageCalls = importOnce(() => import('./pageCalls.ts'))

function readDevice({ os }: AppConfig): Device {
  return {
    width: innerWidth,
    height: innerHeight,
    statusBarHeight: 0,
    safeAreaBottom: 0,
    orientation: innerWidth > innerHeight ? 'landscape' : 'portrait',
    os: conventionsOf(navigator) ?? os,
    language: navigator.language,
    theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  }
}
