import { ApiError } from '../apiError.ts'
import type { HostMethods } from '../host.ts'
import { callNumber, copyText, keepScreenOn, readPosition, saveFile, share, vibrate } from './browser.ts'
import { blobOf } from './dataUrl.ts'
import { readSensor } from './sensors.ts'

type DeviceMethods = Required<
  Pick<
    HostMethods,
    | 'setClipboardData'
    | 'getClipboardData'
    | 'vibrate'
    | 'makePhoneCall'
    | 'scanCode'
    | 'getLocation'
    | 'openLocation'
    | 'chooseLocation'
    | 'saveFile'
    | 'setKeepScreenOn'
    | 'share'
    | 'readSensor'
  >
>

/** Device methods for hosts that run in a browser. They do not ask the user; the host application does that. */
export const deviceMethods: DeviceMethods = {
  setClipboardData: ({ data }) =>
    reported('setClipboardData', async () => {
      await copyText(data)
      return {}
    }),
  getClipboardData: () =>
    reported('getClipboardData', async () => {
      // Not available on pages that were not loaded over https.
      if (!navigator.clipboard) throw new Error('not supported')
      return { data: await navigator.clipboard.readText() }
    }),
  async vibrate({ type }) {
    vibrate(type)
    return {}
  },
  async makePhoneCall({ phoneNumber }) {
    callNumber(phoneNumber)
    return {}
  },
  scanCode: (params, overlays) => overlays.scanCode(params),
  getLocation: ({ isHighAccuracy }) => reported('getLocation', () => readPosition(isHighAccuracy)),
  openLocation: (params, overlays) => overlays.openLocation(params),
  chooseLocation: (params, overlays) => overlays.chooseLocation(params),
  saveFile: ({ kind, data }) =>
    reported('saveFile', () => {
      saveFile(blobOf(data), kind)
      return {}
    }),
  setKeepScreenOn: ({ keepScreenOn: isOn }) =>
    reported('setKeepScreenOn', async () => {
      await keepScreenOn(isOn)
      return {}
    }),
  share: (shared) =>
    reported('share', async () => {
      await share(shared)
      return {}
    }),
  readSensor: ({ sensor, interval }) => reported('readSensor', () => readSensor(sensor, interval)),
}

/** Reports what the browser refuses to the mini app. */
export async function reported<R>(method: string, run: () => R | Promise<R>): Promise<R> {
  try {
    return await run()
  } catch (error) {
    throw new ApiError(`${method}:fail ${(error as Error).message}`)
  }
}
