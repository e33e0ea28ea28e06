import type { BridgeMethods } from '@souk/contract/bridge'
import { ApiError } from '@souk/shell/apiError'
import type { Device, HostMethods, Overlays } from '@souk/shell/host'
import { offeredOverlays, overlayMethods } from '@souk/shell/overlayMethods'
import type { Build } from '../build.ts'
import type { pageMethods } from './pageMethods.ts'

let overlays: Promise<Overlays> | undefined
let host: Promise<HostMethods> | undefined

/**
 * Answers bridge calls on H5: the page draws overlays and does what the browser allows it, the development host answers
 * the rest. Without one, as in releases, the rest is rejected.
 */
export async function callInPage<M extends keyof BridgeMethods>(
  device: Device,
  developmentHost: Build['host'],
  method: M,
  params: BridgeMethods[M]['params'],
): Promise<BridgeMethods[M]['result']> {
  if (isOverlay(method)) {
    // An overlay that was never shown need not be loaded to be hidden.
    if (!overlays && /^(hide|close)/.test(method)) return {} as never
    return (await loadOverlays(device))[method](params as never) as never
  }
  if (Object.hasOwn(isPageMethod, method)) {
    const { pageMethods } = await import('./pageMethods.ts')
    return (await pageMethods[method as 'share'](params as never, undefined as never)) as never
  }
  if (!developmentHost) {
    // Projects show this message to their users.
    const reason = __SOUK_UNI_APP__ ? `method 'uni.${method}' not supported` : 'not supported on H5'
    throw new ApiError(`${method}:fail ${reason}`)
  }
  host ??= developmentHost()
  const run = (await host)[method as 'openMiniApp']
  if (!run) throw new ApiError(`${method}:fail not supported in development on H5`)
  return run(params as never, await loadOverlays(device)) as never
}

function loadOverlays(device: Device): Promise<Overlays> {
  overlays ??= import('@souk/shell/overlays/overlays').then(
    ({ createOverlays }) => createOverlays(document.body, device, __SOUK_MAP_TILES__ ?? undefined),
    (error) => {
      overlays = undefined
      throw error
    },
  )
  return overlays
}

const isOverlay = (method: string): method is keyof Overlays =>
  [...overlayMethods, ...offeredOverlays].includes(method as keyof Overlays)

/** The names, known before the methods are loaded. */
const isPageMethod: Record<keyof typeof pageMethods, true> = {
  share: true,
  readSensor: true,
  startRecording: true,
  controlRecording: true,
  readRecording: true,
  readFiles: true,
  writeFile: true,
  removeFile: true,
}
