import { analyticsLimits } from './analytics.ts'
import { boolean, bytes, type Check, integer, json, list, number, oneOf, Refused, record, text } from './bridgeCheck.ts'
import { entrySize, storageLimits } from './bridgeProtocol.ts'
import type { DomainRules } from './domainRules.ts'
import { scopeListLength, scopeListPattern } from './scopes.ts'
import { hour, minute } from './time.ts'

export { analyticsLimits } from './analytics.ts'
export * from './bridgeCheck.ts'
export * from './bridgeProtocol.ts'
export * from './domainRules.ts'
export type { DomainPurpose, Domains } from './domains.ts'
export * from './runtimeVersion.ts'

/**
 * Messages between a mini app in a frame and its host application. The frame has an opaque origin and reaches the host
 * only through one MessagePort. The frame creates the channel and sends one port with its `Hello` to `window.parent`,
 * so that the other port belongs to the document that sent the hello, and never to one that replaced it in the frame.
 * The host accepts one hello per frame element, only from its contentWindow, and validates every message at run time.
 * The frame does not validate the host's messages, because it holds nothing that must be protected from its parent.
 */

/** Methods that a mini app can call on its host. Failures are returned as `{ errMsg: '<method>:fail <reason>' }`. */
export interface BridgeMethods {
  /** Returns a login code with the scope user.info without a prompt; it covers no e-mail address before consent. */
  login: { params: Record<never, never>; result: { code: string } }
  /**
   * Asks the user for consent. `scope` is a comma-separated list; scopes that the installation does not know are
   * dropped, and the result lists those that were granted.
   */
  getAuthCode: { params: { scope: string }; result: { code: string; scope: string } }
  /**
   * Shows the cashier for a trade. The trade is charged; the other fields are only compared with it. Amount in major
   * units.
   */
  requestPayment: {
    params: { tradeNo: string; name?: string; country?: string; currency?: string; amount?: string }
    result: { status: 0 | 1 | 2; failCode?: number }
  }
  getUserProfile: {
    params: { desc?: string }
    result: { userInfo: { nickName: string; avatarUrl: string; language: string } }
  }
  setStorage: { params: { key: string; data: string }; result: Record<never, never> }
  removeStorage: { params: { key: string }; result: Record<never, never> }
  clearStorage: { params: Record<never, never>; result: Record<never, never> }
  /** `icon` is none, success, error, loading or a URL. Duration in ms. */
  showToast: {
    params: { title: string; icon: string; image: string; duration: number; mask: boolean; position: string }
    result: Record<never, never>
  }
  hideToast: { params: Record<never, never>; result: Record<never, never> }
  showLoading: { params: { title: string; mask: boolean }; result: Record<never, never> }
  hideLoading: { params: Record<never, never>; result: Record<never, never> }
  showModal: {
    params: {
      title: string
      content: string
      showCancel: boolean
      cancelText: string
      cancelColor: string
      confirmText: string
      confirmColor: string
      editable: boolean
      placeholderText: string
    }
    result: { confirm: boolean; cancel: boolean; content?: string }
  }
  showActionSheet: {
    params: { title: string; itemList: string[]; itemColor: string }
    result: { tapIndex: number }
  }
  previewImage: { params: { urls: string[]; current: number }; result: Record<never, never> }
  setClipboardData: { params: { data: string }; result: Record<never, never> }
  getClipboardData: { params: Record<never, never>; result: { data: string } }
  /** Leaves the mini app when the user goes back on its first page. */
  exitMiniApp: { params: Record<never, never>; result: Record<never, never> }
  vibrate: { params: { type: 'long' | 'short' }; result: Record<never, never> }
  makePhoneCall: { params: { phoneNumber: string }; result: Record<never, never> }
  /** Scans a code with the camera or, unless `onlyFromCamera`, from an image that the user chooses. */
  scanCode: {
    params: { onlyFromCamera: boolean; scanType: string[] }
    result: { result: string; scanType: string; charSet: string }
  }
  /** Degrees, meters, and meters per second; `speed` is -1 if it is not known. */
  getLocation: {
    params: { isHighAccuracy: boolean }
    result: { latitude: number; longitude: number; accuracy: number; altitude: number; speed: number }
  }
  /** Shows a place on a map. `scale` is a level of tiles. */
  openLocation: {
    params: { latitude: number; longitude: number; name: string; address: string; scale?: number }
    result: Record<never, never>
  }
  /** Lets the user choose a place on a map, which begins at a position or where the device is. */
  chooseLocation: {
    params: { latitude?: number; longitude?: number }
    result: { latitude: number; longitude: number; name: string; address: string }
  }
  /** Saves a file to the device. `data` is a data URL. */
  saveFile: { params: { kind: 'image' | 'video' | 'document'; data: string }; result: Record<never, never> }
  setKeepScreenOn: { params: { keepScreenOn: boolean }; result: Record<never, never> }
  /** Opens the share sheet of the device. `url` is an address of the web or empty. */
  share: { params: { title: string; text: string; url: string; imageUrl?: string }; result: Record<never, never> }
  /**
   * Shares a page of the mini app, as a card if the host application has them. `path` is as in `openMiniApp`,
   * `extraData` is JSON.
   */
  shareMiniApp: {
    params: { title: string; path: string; imageUrl: string; extraData: string }
    result: Record<never, never>
  }
  /**
   * Opens another mini app of the host; `path` is a page with its query, or empty for the launch page. The other mini
   * app gets `extraData`, which is JSON.
   */
  openMiniApp: {
    params: { appid: string; path: string; extraData?: string; envVersion?: 'release' | 'trial' | 'develop' }
    result: Record<never, never>
  }
  /** Opens another application, by an address of any scheme or by its identifier. */
  launchApp: { params: { url: string; identity: string }; result: Record<never, never> }
  /** Starts the mini app again; `path` is as in `openMiniApp`. */
  restartMiniApp: { params: { path: string }; result: Record<never, never> }
  /** Shows or hides the inspector. */
  setDebug: { params: { isOn: boolean }; result: Record<never, never> }
  /** Calls a native plug-in of the application around the host. `data` is JSON, the result any value of JSON. */
  invokeNativePlugin: { params: { name: string; data: string }; result: { result?: unknown } }
  /**
   * Returns the next reading of a sensor that is at least `interval` ms away: x, y and z in m/s² or rad/s, direction
   * in degrees clockwise from north.
   */
  readSensor: {
    params: { sensor: 'accelerometer' | 'gyroscope' | 'compass'; interval: number }
    result: SensorReading
  }
  /** Records sound with the microphone until it is stopped, for at most `duration` ms. Resolves when it records. */
  startRecording: { params: { duration: number }; result: Record<never, never> }
  controlRecording: { params: { action: 'pause' | 'resume' | 'stop' }; result: Record<never, never> }
  /** Waits for the end of the recording. `data` is a data URL, `duration` is in ms. */
  readRecording: { params: Record<never, never>; result: { data: string; duration: number } }
  /** Returns the files that the mini app keeps. */
  readFiles: { params: Record<never, never>; result: { files: KeptFile[] } }
  /** Keeps a file. `data` is a data URL. */
  writeFile: { params: { path: string; data: string }; result: Record<never, never> }
  removeFile: { params: { path: string }; result: Record<never, never> }
  /**
   * Reports what happened, for the analytics of the mini app. Only the fields of the kind are set, others are empty.
   * `address` is host and path of a failed request, `status` its HTTP status, 0 without a response.
   */
  reportEvent: {
    params: {
      kind: 'page' | 'error' | 'request'
      page: string
      message: string
      stack: string
      method: string
      address: string
      status: number
    }
    result: Record<never, never>
  }
}

/**
 * Questions of a host application to the user. It draws them itself, above everything that a mini app can draw, and
 * they take no input until they have been visible and still for a moment. The first-open notice and the offer of an
 * inspection follow from no method.
 */
export const hostQuestions = [
  'clipboard',
  'camera',
  'microphone',
  'location',
  'motion',
  'download',
  'share',
  'miniApp',
  'application',
  'consent',
  'payment',
  'place',
  'notice',
  'inspection',
] as const
export type HostQuestion = (typeof hostQuestions)[number]

/** The question that comes before each method has an effect, for a user who has not answered it yet. */
export const bridgeQuestions = {
  login: null,
  getAuthCode: 'consent',
  requestPayment: 'payment',
  // The first-open notice lists what it returns.
  getUserProfile: null,
  setStorage: null,
  removeStorage: null,
  clearStorage: null,
  showToast: null,
  hideToast: null,
  showLoading: null,
  hideLoading: null,
  showModal: null,
  showActionSheet: null,
  previewImage: null,
  // Needs a user gesture instead, as in browsers.
  setClipboardData: null,
  getClipboardData: 'clipboard',
  exitMiniApp: null,
  vibrate: null,
  // The device asks before it calls.
  makePhoneCall: null,
  scanCode: 'camera',
  getLocation: 'location',
  openLocation: null,
  // The map on which the user chooses.
  chooseLocation: 'place',
  saveFile: 'download',
  setKeepScreenOn: null,
  share: 'share',
  shareMiniApp: 'share',
  openMiniApp: 'miniApp',
  launchApp: 'application',
  restartMiniApp: null,
  setDebug: null,
  // The application asks for what its plug-ins need.
  invokeNativePlugin: null,
  readSensor: 'motion',
  startRecording: 'microphone',
  // Only for a recording that was allowed.
  controlRecording: null,
  readRecording: null,
  readFiles: null,
  writeFile: null,
  removeFile: null,
  reportEvent: null,
} as const satisfies Record<BridgeMethod, HostQuestion | null>

export type SensorReading = { x: number; y: number; z: number } | { direction: number }

/** A file that a mini app keeps. `data` is a data URL, `createTime` is in ms. */
export interface KeptFile {
  path: string
  data: string
  createTime: number
}

export type BridgeMethod = keyof BridgeMethods

/** Sent from the frame to `window.parent`, with one port of a MessageChannel. */
export interface Hello {
  souk: 'hello'
  version: number
}

/** Sent by the frame over its port. `Bars` is a type of the runtime. */
export type FrameMessage<Bars> = FrameRequest | { type: 'bars'; bars: Partial<Bars> }

export type FrameRequest = {
  [M in BridgeMethod]: { type: 'request'; id: number; method: M; params: BridgeMethods[M]['params'] }
}[BridgeMethod]

/** Sent by the host over the port. `Device` and `BarEvent` are types of the runtime. */
export type HostMessage<Device, BarEvent> =
  | Welcome<Device>
  /** Sent instead of the welcome if the versions differ. */
  | { type: 'refused'; version: number }
  | { type: 'response'; id: number; result: unknown }
  | { type: 'response'; id: number; errMsg: string }
  | { type: 'barEvent'; event: BarEvent }
  /** Only the changed fields. */
  | { type: 'device'; device: Partial<Device> }
  /** The mini app was hidden or shown; initially it is visible. */
  | { type: 'visibility'; visible: boolean }
  /** Back navigation by a system key, button or gesture. */
  | { type: 'back' }
  /** A developer inspects the mini app. The message has a port for the inspector's agent; the welcome may have one. */
  | { type: 'inspect' }

/** A tile server for maps. The content security policy of releases allows it. */
export interface MapTiles {
  /** Template such as `https://tiles.example/{z}/{x}/{y}.png`. */
  url: string
  /** Attribution that the map shows, for example "© OpenStreetMap contributors". */
  attribution?: string
}

/** The host's first message. */
export interface Welcome<Device> {
  type: 'welcome'
  version: number
  appid: string
  device: Device
  /** The whole storage of the mini app, for synchronous reads. */
  storage: [key: string, data: string][]
  /** Absent if the host does not know them. */
  domainRules?: DomainRules
  /** True if the host wants to know what happens, by `reportEvent`. */
  collectsEvents?: boolean
  /** Tile server for maps; absent if the operator has configured none. */
  mapTiles?: MapTiles
  /** The page to open; absent for the launch page. */
  start?: { path: string; query: Record<string, string> }
  /** The mini app that has opened this one. */
  referrer?: Referrer
  /** Absent if the host does not say. */
  host?: HostApplication
}

/** A mini app that has opened another one, and what it has passed to it, as JSON. */
export interface Referrer {
  appid: string
  extraData?: string
}

/** The application that the user sees around mini apps. Texts are empty if they are not known. */
export interface HostApplication {
  name: string
  version: string
  /** Identifier of a native application, such as `com.example.bank`. */
  packageName: string
  /** Version of the runtime in the host. */
  sdkVersion: string
}

/** A CSS color, without `url()` or other injected CSS. */
export const color = text(128, /^(?!.*url)[\w#(),.%/ +-]*$/i, 'a color')

/**
 * The URL of an image, or an empty string. Other schemes are refused, so that the host fetches and runs nothing else.
 * `blob:` URLs of a frame with an opaque origin cannot be read by the host.
 */
export const imageAddress = text(
  16 * 1024 ** 2,
  /^(?:$|https?:\/\/|data:image\/)/i,
  'an absolute http or https URL or a data: image',
)

/** Address of another application. Addresses that a browser would run or read itself are excluded. */
const applicationAddress = text(
  2048,
  /^(?:$|(?!(?:javascript|vbscript|data|blob|file|filesystem|about|view-source):)[a-z][a-z\d+.-]*:)/i,
  'an address with the scheme of an application, such as bank://pay, or an http or https URL',
)
/** A value that a mini app passes on. */
const extraData = json(64 * 1024)
const pagePath = text(2048)

const nothing = record<Record<never, never>>({})
const filePath = text(512, /./, 'a path')
const storageKey: Check<string> = (value, at) => {
  if (value === '') throw new Refused(at, 'a non-empty string')
  return bytes(storageLimits.key)(value, at)
}

const parameters: { [M in BridgeMethod]: Check<BridgeMethods[M]['params']> } = {
  login: nothing,
  getAuthCode: record({
    scope: text(scopeListLength, scopeListPattern, 'a comma-separated list of scopes such as user.info'),
  }),
  requestPayment: record<BridgeMethods['requestPayment']['params']>(
    { tradeNo: text(64, /./, 'a transaction number') },
    {
      name: text(1000),
      country: text(100),
      currency: text(16),
      amount: text(32, /^\d{1,9}(\.\d{1,2})?$/, 'an amount in major units such as 12.50'),
    },
  ),
  getUserProfile: record<BridgeMethods['getUserProfile']['params']>({}, { desc: text(1000) }),
  setStorage: (value, at) => {
    const params = record<BridgeMethods['setStorage']['params']>({ key: storageKey, data: bytes(storageLimits.entry) })(
      value,
      at,
    )
    if (entrySize(params.key, params.data) > storageLimits.entry)
      throw new Refused('key and data together', `at most ${storageLimits.entry} bytes long`)
    return params
  },
  removeStorage: record({ key: storageKey }),
  clearStorage: nothing,
  showToast: record({
    title: text(1000),
    icon: text(64, /^\w*$/, 'a word'),
    image: imageAddress,
    duration: number(0, hour),
    mask: boolean,
    position: oneOf('', 'top', 'center', 'bottom'),
  }),
  hideToast: nothing,
  showLoading: record({ title: text(1000), mask: boolean }),
  hideLoading: nothing,
  showModal: record({
    title: text(1000),
    content: text(100_000),
    showCancel: boolean,
    cancelText: text(100),
    cancelColor: color,
    confirmText: text(100),
    confirmColor: color,
    editable: boolean,
    placeholderText: text(1000),
  }),
  showActionSheet: record({ title: text(1000), itemList: list(text(1000), 100), itemColor: color }),
  previewImage: record({ urls: list(imageAddress, 500), current: integer(0, 499) }),
  setClipboardData: record({ data: bytes(1024 ** 2) }),
  getClipboardData: nothing,
  exitMiniApp: nothing,
  vibrate: record({ type: oneOf('long', 'short') }),
  makePhoneCall: record({ phoneNumber: text(64, /^[\d+*#(). -]+$/, 'a telephone number') }),
  scanCode: record({ onlyFromCamera: boolean, scanType: list(text(32, /^\w+$/, 'a word'), 10) }),
  getLocation: record({ isHighAccuracy: boolean }),
  openLocation: record<BridgeMethods['openLocation']['params']>(
    { latitude: number(-90, 90), longitude: number(-180, 180), name: text(200), address: text(500) },
    { scale: number(3, 20) },
  ),
  chooseLocation: record<BridgeMethods['chooseLocation']['params']>(
    {},
    { latitude: number(-90, 90), longitude: number(-180, 180) },
  ),
  saveFile: record({
    kind: oneOf('image', 'video', 'document'),
    data: text(
      64 * 1024 ** 2,
      /^data:(?:image|video|application|text)\/[\w.+-]+(?:;[\w=-]+)*;base64,[\w+/]*={0,2}$/,
      'a data: URL in base64 of an image, a video or a document',
    ),
  }),
  setKeepScreenOn: record({ keepScreenOn: boolean }),
  share: record<BridgeMethods['share']['params']>(
    {
      title: text(200),
      text: text(1000),
      url: text(2048, /^(?:$|https?:\/\/)/i, 'an absolute http or https URL'),
    },
    { imageUrl: imageAddress },
  ),
  shareMiniApp: record({
    title: text(200),
    path: pagePath,
    imageUrl: imageAddress,
    extraData: (value, at) => (value === '' ? '' : extraData(value, at)),
  }),
  openMiniApp: record<BridgeMethods['openMiniApp']['params']>(
    { appid: text(64, /^\w+$/, 'the id of a mini app'), path: pagePath },
    { extraData, envVersion: oneOf('release', 'trial', 'develop') },
  ),
  launchApp: record({ url: applicationAddress, identity: text(256, /^[\w.-]*$/, 'the identifier of an application') }),
  restartMiniApp: record({ path: pagePath }),
  setDebug: record({ isOn: boolean }),
  invokeNativePlugin: record({ name: text(100, /./, 'the name of a plug-in'), data: json(1024 ** 2) }),
  readSensor: record({ sensor: oneOf('accelerometer', 'gyroscope', 'compass'), interval: number(0, minute) }),
  startRecording: record({ duration: number(1, 10 * minute) }),
  controlRecording: record({ action: oneOf('pause', 'resume', 'stop') }),
  readRecording: nothing,
  readFiles: nothing,
  writeFile: record({
    path: filePath,
    data: text(
      14 * 1024 ** 2,
      /^data:(?=[^,]{0,200},)[\w.+/-]*(?:;[\w=-]+)*;base64,[\w+/]*={0,2}$/,
      'a data: URL in base64 of at most 10 MB, with a short type',
    ),
  }),
  removeFile: record({ path: filePath }),
  reportEvent: record({
    kind: oneOf('page', 'error', 'request'),
    page: text(analyticsLimits.text),
    message: text(analyticsLimits.text),
    stack: text(analyticsLimits.stack),
    method: text(10, /^[A-Z]*$/, 'an HTTP method'),
    address: text(analyticsLimits.text),
    status: integer(0, 599),
  }),
}

/** Names of all bridge methods. */
export const bridgeMethods = Object.keys(parameters) as BridgeMethod[]

/** Returns the protocol version of a hello, or undefined if the message is not a hello. */
export function readHello(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { souk, version } = data as Partial<Record<keyof Hello, unknown>>
  return souk === 'hello' && Number.isInteger(version) ? (version as number) : undefined
}

/** A validated message of a frame, or the reason why it is refused, with the id of the request to answer. */
export type Received<Bars> = FrameMessage<Bars> | { type: 'refused'; reason: string; id?: number }

const requestId = integer(1, Number.MAX_SAFE_INTEGER)

/** Validates a message of a frame. Never throws. */
export function readFrameMessage<Bars>(data: unknown, bars: Check<Partial<Bars>>): Received<Bars> {
  let id: number | undefined
  let method = 'bridge'
  try {
    const { type } = record<{ type: 'request' | 'bars' }>({ type: oneOf('request', 'bars') })(data, 'message')
    if (type === 'bars') return { type, bars: bars((data as { bars?: unknown }).bars, 'bars') }
    const { id: requestedId, method: name, params } = data as { id?: unknown; method?: unknown; params?: unknown }
    id = requestId(requestedId, 'id')
    if (typeof name !== 'string' || !Object.hasOwn(parameters, name))
      throw new Refused('method', 'a method of the host')
    method = name
    return { type, id, method, params: parameters[name as BridgeMethod](params, '') } as FrameRequest
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { type: 'refused', reason: `${method}:fail ${error.message}`, ...(id === undefined ? {} : { id }) }
  }
}
