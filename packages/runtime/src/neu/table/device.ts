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
type Direction = {
  /** In degrees, clockwise from north. */
  direction: number
}
type Height = {
  /** In px; 0 when the keyboard is closed. */
  height: number
}

/** The position of the device, with the user's permission. */
export interface Position {
  /** In degrees, WGS 84. */
  latitude: number
  /** In degrees, WGS 84. */
  longitude: number
  /** Radius in meters in which the device is. */
  accuracy: number
  /** In meters. */
  altitude: number
  /** In m/s; -1 if it is not known. */
  speed: number
}

/** What the device of the user can do. */
export const device = {
  /** Copies a text to the clipboard. Needs a tap or a key press in the last seconds. */
  setClipboardData: call({
    ...inHost,
    fails: ['notAfterTap'],
    module: 'clipboard',
    method: 'setClipboardData',
    options: {
      /** The text. */
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
    result: type<{
      /** The text on the clipboard; empty if there is none. */
      data: string
    }>(),
  }),
  /** Opens the telephone of the device with a number. The user decides whether to call. */
  makePhoneCall: call({
    ...ofDevice,
    method: 'makePhoneCall',
    options: {
      /** The number, with digits, spaces and `+*#().-`. */
      phoneNumber: required(text),
    },
  }),
  /** Lets the device vibrate for a moment. Devices without a motor do nothing. */
  vibrateShort: call({ ...ofDevice, method: 'vibrate', options: { type: ignored<'heavy' | 'medium' | 'light'>() } }),
  /** Lets the device vibrate for half a second. Devices without a motor do nothing. */
  vibrateLong: call({ ...ofDevice, method: 'vibrate' }),
  /** Scans a code with the camera, or from an image. Fails with `cancel` if the user closes the camera. */
  scanCode: call({
    ...ofDevice,
    fails: ['canceled', 'notSupported'],
    method: 'scanCode',
    differs: 'codes other than QR codes need a browser with BarcodeDetector',
    options: {
      /** Does not offer images of the device; false by default. */
      onlyFromCamera: flag,
      /** Kinds of codes, such as `['qrCode', 'barCode']`; all by default. */
      scanType: list<string>(),
      sound: ignored<'default' | 'none'>(),
      autoDecodeCharset: ignored<boolean>(),
      autoDecodeCharSet: ignored<boolean>(),
      barCodeInput: ignored<boolean>(),
      hideAlbum: ignored<boolean>(),
      autoZoom: ignored<boolean>(),
    },
    result: type<{
      /** The text of the code. */
      result: string
      /** Kind of the code, such as `QR_CODE`. */
      scanType: string
      /** Character set of the text: `UTF-8`. */
      charSet: string
    }>(),
  }),
  /** Returns the position of the device, after the user agrees. */
  getLocation: call({
    ...ofPlaces,
    fails: ['notSupported'],
    method: 'getLocation',
    differs: 'coordinates are always WGS 84',
    options: {
      /** Asks for the satellites too, which takes longer; false by default. */
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
    fails: ['notSupported'],
    options: { type: ignored<'wgs84' | 'gcj02'>(), needFullAccuracy: ignored<boolean>() },
  }),
  /** Stops the reports of `startLocationUpdate`. */
  stopLocationUpdate: call(updates),
  /** Adds a listener to the positions that `startLocationUpdate` reports. */
  onLocationChange: event({ ...updates, is: type<On<Position>>() }),
  /** Removes a listener, or all of them. */
  offLocationChange: event({ ...updates, is: type<Off<Position>>() }),
  /** Adds a listener to failures of `startLocationUpdate`, such as a signal that is lost. */
  onLocationChangeError: event({
    ...updates,
    is: type<
      On<{
        /** What failed. */
        errMsg: string
      }>
    >(),
  }),
  /** Removes a listener, or all of them. */
  offLocationChangeError: event({
    ...updates,
    is: type<
      Off<{
        /** What failed. */
        errMsg: string
      }>
    >(),
  }),
  /** Lets the user choose a place on a map. Fails with `cancel` if the user closes it. */
  chooseLocation: call({
    ...ofPlaces,
    fails: ['canceled'],
    method: 'chooseLocation',
    differs: 'the user moves the map to the place and names it; there is no search',
    options: {
      /** Where the map begins, in degrees; by default where the device is. */
      latitude: number,
      /** Where the map begins, in degrees; by default where the device is. */
      longitude: number,
      keyword: ignored<string>(),
    },
    result: type<{
      /** In degrees, WGS 84. */
      latitude: number
      /** In degrees, WGS 84. */
      longitude: number
      /** What the user has called the place. */
      name: string
      /** Its address as the user has entered it, or its coordinates. */
      address: string
    }>(),
  }),
  /** Shows a place on a map over the app. */
  openLocation: call({
    ...ofPlaces,
    method: 'openLocation',
    options: {
      /** In degrees, WGS 84. */
      latitude: required(number),
      /** In degrees, WGS 84. */
      longitude: required(number),
      /** Name of the place, beside the marker. */
      name: unchecked<string>(),
      /** Address of the place, below its name. */
      address: unchecked<string>(),
      /** Level of tiles, from 3 to 20. */
      scale: number,
    },
  }),
  /** Returns the state of the battery. `level` is in percent. */
  getBatteryInfo: call({
    ...inPage,
    fails: ['notSupported'],
    module: 'device',
    differs: 'fails in browsers without the Battery Status API',
    result: type<{
      /** In percent. */
      level: number
      /** Whether the device is connected to power. */
      isCharging: boolean
    }>(),
  }),
  /** Keeps the screen on while the mini app is open, or lets it turn off again. */
  setKeepScreenOn: call({
    ...ofDevice,
    fails: ['notSupported'],
    method: 'setKeepScreenOn',
    options: {
      /** True keeps it on. */
      keepScreenOn: required(flag),
    },
  }),
  /** Returns the brightness of the screen, from 0 to 1. */
  getScreenBrightness: call({
    ...brightness,
    method: 'getScreenBrightness',
    result: type<{
      /** From 0 to 1. */
      value: number
    }>(),
  }),
  /** Sets the brightness of the screen, from 0 to 1. The application restores it when the user leaves the mini app. */
  setScreenBrightness: call({
    ...brightness,
    method: 'setScreenBrightness',
    options: {
      /** From 0 to 1. */
      value: required(number),
    },
  }),
  /** Takes the focus from the field that has it, so that the keyboard closes. */
  hideKeyboard: call({ ...inPage, module: 'keyboard' }),
  /** Returns the selection in the field that has the focus, as positions in its text. */
  getSelectedTextRange: call({
    ...inPage,
    fails: ['noField'],
    module: 'keyboard',
    result: type<{
      /** Start of the selection, in UTF-16 code units. */
      start: number
      /** End of the selection, in UTF-16 code units. */
      end: number
    }>(),
  }),
  /** Notifies with the height in px that the soft keyboard covers. */
  onKeyboardHeightChange: event({ ...inPage, module: 'keyboard', is: type<On<Height>>() }),
  /** Removes a listener, or all of them. */
  offKeyboardHeightChange: event({ ...inPage, module: 'keyboard', is: type<Off<Height>>() }),
  /** Opens the share sheet of the device for any provider. Fails with `cancel` if the user closes it. */
  share: call({
    ...inHost,
    ...sharing,
    fails: ['canceled', 'noImage', 'notSupported'],
    method: 'share',
    differs: 'opens the share sheet of the device, whatever the provider',
    options: {
      /** 0: title, summary, link and picture; 1: text only; 2 or `image`: the picture only. */
      type: unchecked<0 | 1 | 2 | 3 | 4 | 5 | 'text' | 'image'>(),
      /** Title of what is shared. */
      title: text,
      /** Text of what is shared. */
      summary: text,
      /** Link that is shared, an http or https address. */
      href: text,
      /** Address or path of the picture. */
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
  /** Opens the share sheet of the device. */
  shareWithSystem: call({
    ...inHost,
    ...sharing,
    fails: ['canceled', 'noImage', 'notSupported'],
    method: 'share',
    differs: 'opens the share sheet of the device, whatever the provider',
    options: {
      /** What is shared; `text` by default. */
      type: unchecked<'text' | 'image'>(),
      /** Text that is shared. */
      summary: text,
      /** Link that is shared, an http or https address. */
      href: text,
      /** Address or path of the picture. */
      imageUrl: text,
    },
  }),
  /** Shares a page of the app as a card. Fails with `cancel` if the user closes the sheet of the host. */
  shareMiniAppMessage: call({
    ...hostOnly,
    ...sharing,
    fails: ['canceled'],
    method: 'shareMiniApp',
    differs: 'the card is a link if the application around the host has no conversations',
    options: {
      /** The name of the mini app if it is omitted. */
      title: text,
      /** Page with its query; the launch page if it is omitted. */
      path: text,
      /** Address or path of the picture of the card. */
      imageUrl: text,
      /** Passed on to the mini app that the card opens, as `referrerInfo.extraData`. A value of JSON. */
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
    options: {
      /** Name of the plug-in. */
      api_name: required(text),
      /** Passed on to the plug-in. A value of JSON. */
      data: unchecked<unknown>(),
    },
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
  startAccelerometer: call({
    ...sensor,
    fails: ['notSupported'],
    options: {
      /** Time between readings: 20, 60 or 200 ms; `normal` by default, which is the longest. */
      interval,
    },
  }),
  /** Turns the sensor off. */
  stopAccelerometer: call(sensor),
  /**
   * Adds a listener to the acceleration of the device, including gravity.
   * @returns `x`, `y` and `z` in m/s².
   */
  onAccelerometerChange: event({ ...sensor, is: type<On<Axes>>() }),
  /** Removes a listener, or all of them. */
  offAccelerometerChange: event({ ...sensor, is: type<Off<Axes>>() }),
  /** Turns the sensor on, or changes its interval. Fails if the device has none or the user refuses. */
  startGyroscope: call({
    ...sensor,
    fails: ['notSupported'],
    options: {
      /** Time between readings: 20, 60 or 200 ms; `normal` by default, which is the longest. */
      interval,
    },
  }),
  /** Turns the sensor off. */
  stopGyroscope: call(sensor),
  /**
   * Adds a listener to the rotation of the device.
   * @returns `x`, `y` and `z` in rad/s.
   */
  onGyroscopeChange: event({ ...sensor, is: type<On<Axes>>() }),
  /** Removes a listener, or all of them. */
  offGyroscopeChange: event({ ...sensor, is: type<Off<Axes>>() }),
  /** Turns the sensor on. Fails if the device has none or the user refuses. */
  startCompass: call({
    ...sensor,
    fails: ['notSupported'],
    options: {
      /** Time between readings: `game`, `ui` or `normal`; `normal` by default, which is 200 ms. */
      interval: unchecked<string>(),
    },
  }),
  /** Turns the sensor off. */
  stopCompass: call(sensor),
  /** Adds a listener to the direction in which the device points. */
  onCompassChange: event({ ...sensor, is: type<On<Direction>>() }),
  /** Removes a listener, or all of them. */
  offCompassChange: event({ ...sensor, is: type<Off<Direction>>() }),
  /** Accepts a listener to warnings about memory, which no browser sends. */
  onMemoryWarning: event({
    ...neverReported,
    is: type<
      On<{
        /** Level of the warning. */
        level: number
      }>
    >(),
  }),
  /** Removes a listener, or all of them. */
  offMemoryWarning: event({
    ...neverReported,
    is: type<
      Off<{
        /** Level of the warning. */
        level: number
      }>
    >(),
  }),
  /** Accepts a listener to screenshots, which no browser reports. */
  onUserCaptureScreen: event({ ...neverReported, is: type<On>() }),
  /** Removes a listener, or all of them. */
  offUserCaptureScreen: event({ ...neverReported, is: type<Off>() }),
}
