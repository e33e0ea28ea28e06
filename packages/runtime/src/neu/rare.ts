import { watch } from 'vue'
import { currentCarrier } from '../carriers/current.ts'
import { importOnce } from '../importOnce.ts'
import { keyboardHeight } from '../page/keyboard.ts'
import { currentApp } from '../stack/app.ts'
import { addHook, type HookName, type HookTypes } from '../stack/hooks.ts'
import { absoluteUrl } from './absoluteUrl.ts'
import { checkDomain } from './domains.ts'
import { previewImage } from './image.ts'
import { deviceEvent, getLocale } from './system.ts'

/** Functions that few apps call. Those with much code load it when they are called. */

type Loaded<F> = F extends (options: infer O) => infer R ? (options: O) => Promise<Awaited<R>> : never

/** Creates a function that loads its module when it is called. */
function from<M, N extends keyof M>(load: () => Promise<M>, name: N): Loaded<M[N]> {
  return (async (options: unknown) =>
    ((await load())[name] as (options: unknown) => unknown)(options)) as unknown as Loaded<M[N]>
}

const canvas = () => import('./canvasContext.ts')
export const canvasToTempFilePath = from(canvas, 'canvasToTempFilePath')
export const canvasGetImageData = from(canvas, 'canvasGetImageData')
export const canvasPutImageData = from(canvas, 'canvasPutImageData')

const files = () => import('./chooseFiles.ts')
export const chooseVideo = from(files, 'chooseVideo')
export const chooseMedia = from(files, 'chooseMedia')
export const chooseFile = from(files, 'chooseFile')
export const chooseMessageFile = from(files, 'chooseMessageFile')
export const getVideoInfo = from(files, 'getVideoInfo')
export const getFileInfo = from(files, 'getFileInfo')
export const compressImage = from(files, 'compressImage')

const saving = () => import('./saveFile.ts')
export const saveImageToPhotosAlbum = from(saving, 'saveImage')
export const saveVideoToPhotosAlbum = from(saving, 'saveVideo')
export const openDocument = from(saving, 'openDocument')

export const setPageMeta = from(() => import('./pageMeta.ts'), 'setPageMeta')

const saved = () => import('./fileSystem.ts')
export const saveFile = from(saved, 'saveFile')
export const getSavedFileList = from(saved, 'getSavedFileList')
export const getSavedFileInfo = from(saved, 'getSavedFileInfo')
export const removeSavedFile = from(saved, 'removeSavedFile')

type Sensors = typeof import('./sensors.ts')
type Sensor = Parameters<Sensors['startSensor']>[0]
type SensorListener<R> = (reading: R) => void
const loadSensors = importOnce(() => import('./sensors.ts'))

/** Creates the functions of a sensor. They run in the order of their calls. */
function sensorFunctions<R>(sensor: Sensor) {
  return {
    start: async ({ interval }: { interval?: string }) => (await loadSensors()).startSensor(sensor, interval),
    stop: async () => (await loadSensors()).stopSensor(sensor),
    on: (listener: SensorListener<R>) => void loadSensors().then((it) => it.onSensor(sensor, listener as never)),
    off: (listener?: SensorListener<R>) => void loadSensors().then((it) => it.offSensor(sensor, listener as never)),
  }
}

type Axes = Record<'x' | 'y' | 'z', number>
export const {
  start: startAccelerometer,
  stop: stopAccelerometer,
  on: onAccelerometerChange,
  off: offAccelerometerChange,
} = sensorFunctions<Axes>('accelerometer')
export const {
  start: startGyroscope,
  stop: stopGyroscope,
  on: onGyroscopeChange,
  off: offGyroscopeChange,
} = sensorFunctions<Axes>('gyroscope')
export const {
  start: startCompass,
  stop: stopCompass,
  on: onCompassChange,
  off: offCompassChange,
} = sensorFunctions<{ direction: number }>('compass')

const sharing = () => import('./sharing.ts')
export const share = from(sharing, 'share')
export const shareWithSystem = share
export const shareMiniAppMessage = from(sharing, 'shareMiniAppMessage')

const applications = () => import('./applications.ts')
export const navigateToMiniProgram = from(applications, 'navigateToMiniProgram')
export const launchApp = from(applications, 'launchApp')
export const restartMiniProgram = from(applications, 'restartMiniProgram')
export const setEnableDebug = from(applications, 'setEnableDebug')
export const invokeNativePlugin = from(applications, 'invokeNativePlugin')
export const openPressReader = from(applications, 'openPressReader')

/** Scans a code with the camera, or from an image. Fails with `cancel` if the user closes the camera. */
export function scanCode({
  onlyFromCamera = false,
  scanType = [],
}: {
  onlyFromCamera?: boolean
  scanType?: string[]
}): Promise<{ result: string; scanType: string; charSet: string }> {
  return currentCarrier().call('scanCode', { onlyFromCamera, scanType: scanType.map(String) })
}

/** The position of the device, with the user's permission. */
export interface Position {
  latitude: number
  longitude: number
  accuracy: number
  altitude: number
  /** In m/s; -1 if it is not known. */
  speed: number
}

export async function getLocation({ isHighAccuracy = false }: { isHighAccuracy?: boolean }): Promise<Position> {
  if (__SOUK_PLATFORM__ !== 'H5') return currentCarrier().call('getLocation', { isHighAccuracy })
  return (await import('@souk/shell/device/browser')).readPosition(isHighAccuracy)
}

interface Place {
  latitude: number
  longitude: number
  name?: string
  address?: string
}

/** Shows a place on a map over the app. */
export function openLocation({
  latitude,
  longitude,
  name,
  address,
  scale,
}: Place & { scale?: number }): Promise<object> {
  return currentCarrier().call('openLocation', {
    latitude,
    longitude,
    name: String(name ?? ''),
    address: String(address ?? ''),
    ...(scale !== undefined && { scale: Math.min(20, Math.max(3, scale)) }),
  })
}

/** Lets the user choose a place on a map. Fails with `cancel` if the user closes it. */
export function chooseLocation({ latitude, longitude }: Partial<Place>): Promise<Required<Place>> {
  return currentCarrier().call(
    'chooseLocation',
    latitude === undefined || longitude === undefined ? {} : { latitude, longitude },
  )
}

export async function setKeepScreenOn({ keepScreenOn }: { keepScreenOn: boolean }): Promise<object> {
  if (__SOUK_PLATFORM__ !== 'H5') return currentCarrier().call('setKeepScreenOn', { keepScreenOn })
  await (await import('@souk/shell/device/browser')).keepScreenOn(keepScreenOn)
  return {}
}

export async function hideKeyboard(): Promise<void> {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

export const { on: onLocaleChange, off: offLocaleChange } = deviceEvent(getLocale, () => ({ locale: getLocale() }))

export const { on: onUIStyleChange } = deviceEvent(
  () => currentCarrier().device.theme,
  () => ({ style: currentCarrier().device.theme }),
)

type KeyboardListener = (event: { height: number }) => void
const keyboardListeners = new Map<KeyboardListener | undefined, () => void>()

/** Notifies with the height in px that the soft keyboard covers. */
export function onKeyboardHeightChange(listener: KeyboardListener): void {
  let height = 0
  const update = () => {
    const current = keyboardHeight()
    if (current === height) return
    height = current
    listener({ height })
  }
  const stop = watch(() => currentCarrier().device.keyboardHeight, update)
  window.visualViewport?.addEventListener('resize', update)
  offKeyboardHeightChange(listener)
  keyboardListeners.set(listener, () => {
    stop()
    window.visualViewport?.removeEventListener('resize', update)
  })
}

export function offKeyboardHeightChange(listener?: KeyboardListener): void {
  for (const [each, stop] of keyboardListeners) {
    if (listener && each !== listener) continue
    stop()
    keyboardListeners.delete(each)
  }
}

/** Loads a font from an approved host or the app's files: `source` is `url("…")`. */
export async function loadFontFace({
  family,
  source,
  desc,
}: {
  family: string
  source: string
  desc?: { style?: string; weight?: string; variant?: string }
  global?: boolean
}): Promise<{ status: string }> {
  const [, quoted = ''] = /^url\((.*)\)$/s.exec(source.trim()) ?? []
  const path = quoted.trim().replace(/^["']|["']$/g, '')
  if (!path) throw new Error('source must be url("…")')
  checkDomain('download', path)
  const { style = 'normal', weight = 'normal' } = desc ?? {}
  const font = new FontFace(family, `url(${JSON.stringify(absoluteUrl(path))})`, { style, weight })
  document.fonts.add(await font.load())
  return { status: 'loaded' }
}

interface MediaSource {
  url: string
  type?: 'image' | 'video'
}

/** Shows images full-screen. Videos are left out. */
export function previewMedia({ sources, current = 0 }: { sources: MediaSource[]; current?: number }): Promise<object> {
  const isImage = ({ type = 'image' }: MediaSource) => type === 'image'
  const before = sources.slice(0, current).filter(isImage).length
  return previewImage({ urls: sources.filter(isImage).map(({ url }) => url), current: before })
}

/** Does nothing: the host asks the user at the call itself. */
export async function authorize(_: { scope: string }): Promise<object> {
  return {}
}

export async function getSetting(): Promise<{ authSetting: Record<string, boolean> }> {
  return { authSetting: {} }
}

export const openSetting = getSetting

/** Returns no providers, because there are no third-party ones. */
export async function getProvider({ service }: { service: string }): Promise<{ service: string; provider: string[] }> {
  return { service, provider: [] }
}

/** Always succeeds, because sessions belong to the app's own backend. */
export async function checkSession(): Promise<object> {
  return {}
}

export function exitMiniProgram(): Promise<object> {
  return currentCarrier().call('exitMiniApp', {})
}

/** https://w3c.github.io/battery/, not available in all browsers. */
type BatteryNavigator = Navigator & { getBattery?(): Promise<{ level: number; charging: boolean }> }

/** Returns the state of the battery. `level` is in percent. */
export async function getBatteryInfo(): Promise<{ level: number; isCharging: boolean }> {
  const battery = await (navigator as BatteryNavigator).getBattery?.()
  if (!battery) throw new Error('not supported')
  return { level: Math.round(battery.level * 100), isCharging: battery.charging }
}

/** Browsers do not report this, so no listener of it is ever called. */
const neverHappens = (_listener?: () => void): void => {}
export const onMemoryWarning = neverHappens
export const offMemoryWarning = neverHappens
export const onUserCaptureScreen = neverHappens
export const offUserCaptureScreen = neverHappens

type Remove = () => void

/** Creates the on and off functions for a hook of the app. */
function appHook<N extends HookName>(name: N) {
  const removals = new Map<unknown, Remove>()
  return {
    on(listener: HookTypes[N]): void {
      removals.get(listener)?.()
      removals.set(listener, addHook(currentApp(), name, listener))
    },
    off(listener?: HookTypes[N]): void {
      for (const [each, remove] of removals) {
        if (listener && each !== listener) continue
        remove()
        removals.delete(each)
      }
    },
  }
}

export const { on: onAppShow, off: offAppShow } = appHook('onShow')
export const { on: onAppHide, off: offAppHide } = appHook('onHide')
export const { on: onError, off: offError } = appHook('onError')
export const { on: onPageNotFound, off: offPageNotFound } = appHook('onPageNotFound')
export const { on: onUnhandledRejection, off: offUnhandledRejection } = appHook('onUnhandledRejection')
