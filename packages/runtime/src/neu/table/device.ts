import {
  call,
  event,
  flag,
  hostOnly,
  ignored,
  inHost,
  inPage,
  list,
  number,
  type Off,
  type On,
  required,
  text,
  type,
  unchecked,
  word,
} from './entry.ts'

const ofDevice = { ...inHost, module: 'device' } as const
const ofPlaces = { ...inHost, module: 'places' } as const
const sensor = { ...inHost, module: 'sensors', isLoadedWhenCalled: true, method: 'readSensor' } as const
const updates = {
  ...inHost,
  module: 'locationUpdates',
  isLoadedWhenCalled: true,
  method: 'getLocation',
  differs: 'coordinates are always WGS 84; only while the app is open',
} as const
const sharing = { isLoadedWhenCalled: true, module: 'sharing' } as const
const application = {
  ...hostOnly,
  module: 'applications',
  isLoadedWhenCalled: true,
  method: 'invokeNativePlugin',
} as const
const brightness = {
  ...hostOnly,
  module: 'applications',
  isLoadedWhenCalled: true,
  differs: 'needs an application around the host that can change it',
} as const
const neverReported = {
  ...inPage,
  module: 'appEvents',
  differs: 'browsers do not report it: no listener is ever called',
} as const
const interval = word<'game' | 'ui' | 'normal'>()

type Axes = Record<'x' | 'y' | 'z', number>
type Direction = { direction: number }
type Height = { height: number }

/** The position of the device, with the user's permission. */
export interface Position {
  latitude: number
  longitude: number
  accuracy: number
  altitude: number
  /** In m/s; -1 if it is not known. */
  speed: number
}

/** What the device of the user can do. */
export const device = {
  setClipboardData: call({
    ...inHost,
    module: 'clipboard',
    method: 'setClipboardData',
    options: {
      data: required(text),
      /** Whether a toast tells the user; true by default. */
      showToast: unchecked<boolean>(),
    },
  }),
  /** Reads the clipboard. The host may ask the user first. */
  getClipboardData: call({
    ...inHost,
    module: 'clipboard',
    method: 'getClipboardData',
    result: type<{ data: string }>(),
  }),
  makePhoneCall: call({ ...ofDevice, method: 'makePhoneCall', options: { phoneNumber: required(text) } }),
  vibrateShort: call({ ...ofDevice, method: 'vibrate', options: { type: ignored<'heavy' | 'medium' | 'light'>() } }),
  vibrateLong: call({ ...ofDevice, method: 'vibrate' }),
  /** Scans a code with the camera, or from an image. Fails with `cancel` if the user closes the camera. */
  scanCode: call({
    ...ofDevice,
    method: 'scanCode',
    differs: 'codes other than QR codes need a browser with BarcodeDetector',
    options: {
      onlyFromCamera: flag,
      scanType: list<string>(),
      sound: ignored<'default' | 'none'>(),
      autoDecodeCharset: ignored<boolean>(),
      autoDecodeCharSet: ignored<boolean>(),
      barCodeInput: ignored<boolean>(),
      hideAlbum: ignored<boolean>(),
      autoZoom: ignored<boolean>(),
    },
    result: type<{ result: string; scanType: string; charSet: string }>(),
  }),
  getLocation: call({
    ...ofPlaces,
    method: 'getLocation',
    differs: 'coordinates are always WGS 84',
    options: {
      isHighAccuracy: unchecked<boolean>(),
      type: ignored<'wgs84' | 'gcj02'>(),
      altitude: ignored<boolean>(),
      geocode: ignored<boolean>(),
      highAccuracyExpireTime: ignored<number>(),
      timeout: ignored<number>(),
      cacheTimeout: ignored<number>(),
      provider: ignored<string>(),
    },
    result: type<Position>(),
  }),
  /** Reports the position to `onLocationChange` until it is stopped, at most every two seconds. */
  startLocationUpdate: call({
    ...updates,
    options: { type: ignored<'wgs84' | 'gcj02'>(), needFullAccuracy: ignored<boolean>() },
  }),
  stopLocationUpdate: call(updates),
  onLocationChange: event({ ...updates, is: type<On<Position>>() }),
  offLocationChange: event({ ...updates, is: type<Off<Position>>() }),
  onLocationChangeError: event({ ...updates, is: type<On<{ errMsg: string }>>() }),
  offLocationChangeError: event({ ...updates, is: type<Off<{ errMsg: string }>>() }),
  /** Lets the user choose a place on a map. Fails with `cancel` if the user closes it. */
  chooseLocation: call({
    ...ofPlaces,
    method: 'chooseLocation',
    differs: 'the user moves the map to the place and names it; there is no search',
    options: { latitude: number, longitude: number, keyword: ignored<string>() },
    result: type<{ latitude: number; longitude: number; name: string; address: string }>(),
  }),
  /** Shows a place on a map over the app. */
  openLocation: call({
    ...ofPlaces,
    method: 'openLocation',
    options: {
      latitude: required(number),
      longitude: required(number),
      name: unchecked<string>(),
      address: unchecked<string>(),
      /** Level of tiles, from 3 to 20. */
      scale: number,
    },
  }),
  /** Returns the state of the battery. `level` is in percent. */
  getBatteryInfo: call({
    ...inPage,
    module: 'device',
    differs: 'fails in browsers without the Battery Status API',
    result: type<{ level: number; isCharging: boolean }>(),
  }),
  setKeepScreenOn: call({ ...ofDevice, method: 'setKeepScreenOn', options: { keepScreenOn: required(flag) } }),
  /** Returns the brightness of the screen, from 0 to 1. */
  getScreenBrightness: call({ ...brightness, method: 'getScreenBrightness', result: type<{ value: number }>() }),
  /** Sets the brightness of the screen, from 0 to 1. The application restores it when the user leaves the mini app. */
  setScreenBrightness: call({
    ...brightness,
    method: 'setScreenBrightness',
    options: { value: required(number) },
  }),
  hideKeyboard: call({ ...inPage, module: 'keyboard' }),
  /** Returns the selection in the field that has the focus, as positions in its text. */
  getSelectedTextRange: call({ ...inPage, module: 'keyboard', result: type<{ start: number; end: number }>() }),
  /** Notifies with the height in px that the soft keyboard covers. */
  onKeyboardHeightChange: event({ ...inPage, module: 'keyboard', is: type<On<Height>>() }),
  offKeyboardHeightChange: event({ ...inPage, module: 'keyboard', is: type<Off<Height>>() }),
  /** Opens the share sheet of the device for any provider. Fails with `cancel` if the user closes it. */
  share: call({
    ...inHost,
    ...sharing,
    method: 'share',
    differs: 'opens the share sheet of the device, whatever the provider',
    options: {
      /** 0: title, summary, link and picture; 1: text only; 2 or `image`: the picture only. */
      type: unchecked<0 | 1 | 2 | 3 | 4 | 5 | 'text' | 'image'>(),
      title: text,
      summary: text,
      href: text,
      imageUrl: text,
      /** Address of a song or a video; shared as a link if there is no `href`. */
      mediaUrl: text,
      provider: ignored<string>(),
      scene: ignored<string>(),
      miniProgram: ignored<object>(),
      openCustomerServiceChat: ignored<boolean>(),
      corpid: ignored<string>(),
      customerUrl: ignored<string>(),
    },
  }),
  shareWithSystem: call({
    ...inHost,
    ...sharing,
    method: 'share',
    differs: 'opens the share sheet of the device, whatever the provider',
    options: { type: unchecked<'text' | 'image'>(), summary: text, href: text, imageUrl: text },
  }),
  /** Shares a page of the app as a card. Fails with `cancel` if the user closes the sheet of the host. */
  shareMiniAppMessage: call({
    ...hostOnly,
    ...sharing,
    method: 'shareMiniApp',
    differs: 'the card is a link if the application around the host has no conversations',
    options: {
      /** The name of the mini app if it is omitted. */
      title: text,
      /** Page with its query; the launch page if it is omitted. */
      path: text,
      imageUrl: text,
      extraData: unchecked<unknown>(),
    },
  }),
  /**
   * Calls a native plug-in of the application around the host. Returns the fields of its result, or the result as
   * `data` if it is not an object.
   */
  invokeNativePlugin: call({
    ...application,
    differs: 'needs an application around the host that has native plug-ins',
    options: { api_name: required(text), data: unchecked<unknown>() },
    // biome-ignore lint/suspicious/noExplicitAny: the plug-in defines the fields
    result: type<Record<string, any>>(),
  }),
  /** Opens the reader for newspapers, which is a native plug-in of some applications. */
  openPressReader: call({
    ...application,
    differs: 'needs an application around the host that has native plug-ins',
    // biome-ignore lint/suspicious/noExplicitAny: the plug-in defines the fields
    result: type<Record<string, any>>(),
  }),
  /** Turns the sensor on, or changes its interval. Fails if the device has none or the user refuses. */
  startAccelerometer: call({ ...sensor, options: { interval } }),
  stopAccelerometer: call(sensor),
  onAccelerometerChange: event({ ...sensor, is: type<On<Axes>>() }),
  offAccelerometerChange: event({ ...sensor, is: type<Off<Axes>>() }),
  startGyroscope: call({ ...sensor, options: { interval } }),
  stopGyroscope: call(sensor),
  onGyroscopeChange: event({ ...sensor, is: type<On<Axes>>() }),
  offGyroscopeChange: event({ ...sensor, is: type<Off<Axes>>() }),
  startCompass: call({ ...sensor, options: { interval: unchecked<string>() } }),
  stopCompass: call(sensor),
  onCompassChange: event({ ...sensor, is: type<On<Direction>>() }),
  offCompassChange: event({ ...sensor, is: type<Off<Direction>>() }),
  onMemoryWarning: event({ ...neverReported, is: type<On<{ level: number }>>() }),
  offMemoryWarning: event({ ...neverReported, is: type<Off<{ level: number }>>() }),
  onUserCaptureScreen: event({ ...neverReported, is: type<On>() }),
  offUserCaptureScreen: event({ ...neverReported, is: type<Off>() }),
}
