import { analyticsLimits } from './analytics.ts'
import {
  boolean,
  bytes,
  type Check,
  fields,
  imageAddress,
  integer,
  json,
  list,
  number,
  oneOf,
  Refused,
  text,
} from './bridgeCheck.ts'
import { entrySize, storageLimits } from './bridgeProtocol.ts'
import { cardContent } from './cards.ts'
import { customEventName } from './customEvents.ts'
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
  'hostFunction',
  'messages',
  'consent',
  'payment',
  'place',
  'notice',
  'inspection',
] as const
export type HostQuestion = (typeof hostQuestions)[number]

export type SensorReading = { x: number; y: number; z: number } | { direction: number }

/** A file that a mini app keeps. `data` is a data URL, `createTime` is in ms. */
export interface KeptFile {
  path: string
  data: string
  createTime: number
}

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
  /** Set if the user has opened a card, with what it passes on, as JSON. */
  card?: { extraData?: string }
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

/** Address of another application. Addresses that a browser would run or read itself are excluded. */
const applicationAddress = text(
  2048,
  /^(?:$|(?!(?:javascript|vbscript|data|blob|file|filesystem|about|view-source):)[a-z][a-z\d+.-]*:)/i,
  'an address with the scheme of an application, such as bank://pay, or an http or https URL',
)
/** A value that a mini app passes on. */
const extraData = json(64 * 1024)
const pagePath = text(2048)

const filePath = text(512, /./, 'a path')
const storageKey: Check<string> = (value, at) => {
  if (value === '') throw new Refused(at, 'a non-empty string')
  return bytes(storageLimits.key)(value, at)
}

interface Method<Params, Result, Question> {
  params: Check<Params>
  /** Only a type: the frame does not check results. */
  result?: Returned<Result>
  /** The question that comes before it has an effect, for a user who has not answered it yet. */
  asks?: Question
}

interface Returned<Result> {
  /** Never set. */
  as?: Result
}

const returns = <Result>(): Returned<Result> => ({})

const method = <Params, Result = Record<never, never>, const Question extends HostQuestion | null = null>(
  declared: Method<Params, Result, Question>,
): Method<Params, Result, Question> => declared

const nothing = fields({})

/** Methods that a mini app can call on its host. Failures are returned as `{ errMsg: '<method>:fail <reason>' }`. */
const methods = {
  /** Returns a login code with the scope user.info without a prompt; it covers no e-mail address before consent. */
  login: method({
    params: nothing,
    result: returns<{ code: string }>(),
  }),
  /**
   * Asks the user for consent. `scope` is a comma-separated list; scopes that the installation does not know are
   * dropped, and the result lists those that were granted.
   */
  getAuthCode: method({
    params: fields({
      scope: text(scopeListLength, scopeListPattern, 'a comma-separated list of scopes such as user.info'),
    }),
    result: returns<{
      /** The code, which the backend exchanges once and soon. */
      code: string
      /** The scopes that were granted, separated by commas. */
      scope: string
    }>(),
    asks: 'consent',
  }),
  /**
   * Shows the cashier for a trade. The trade is charged; the other fields are only compared with it. Amount in major
   * units.
   */
  requestPayment: method({
    params: fields(
      { tradeNo: text(64, /./, 'a transaction number') },
      {
        name: text(1000),
        country: text(100),
        currency: text(16),
        amount: text(32, /^\d{1,9}(\.\d{1,2})?$/, 'an amount in major units such as 12.50'),
      },
    ),
    result: returns<{ status: 0 | 1 | 2; failCode?: number }>(),
    asks: 'payment',
  }),
  getUserProfile: method({
    params: fields({}, { desc: text(1000) }),
    result: returns<{
      /** The profile. */
      userInfo: {
        /** The name that the user has chosen. */
        nickName: string
        /** Address of the picture. */
        avatarUrl: string
        /** Language of the user, BCP 47. */
        language: string
      }
    }>(),
    // The first-open notice lists what it returns.
    asks: null,
  }),
  /**
   * Asks the user once whether the mini app may send messages. Later calls return what the user has chosen by then;
   * `ban` if the mini app has no capability to send any.
   */
  requestSubscribeMessage: method({
    params: nothing,
    result: returns<{ answer: 'accept' | 'reject' | 'ban' }>(),
    asks: 'messages',
  }),
  setStorage: method({
    params: (value, at) => {
      const params = fields({ key: storageKey, data: bytes(storageLimits.entry) })(value, at)
      if (entrySize(params.key, params.data) > storageLimits.entry)
        throw new Refused('key and data together', `at most ${storageLimits.entry} bytes long`)
      return params
    },
  }),
  removeStorage: method({
    params: fields({ key: storageKey }),
  }),
  clearStorage: method({
    params: nothing,
  }),
  /** `icon` is none, success, error, loading or a URL. Duration in ms. */
  showToast: method({
    params: fields({
      title: text(1000),
      icon: text(64, /^\w*$/, 'a word'),
      image: imageAddress,
      duration: number(0, hour),
      mask: boolean,
      position: oneOf<string>('', 'top', 'center', 'bottom'),
    }),
  }),
  hideToast: method({
    params: nothing,
  }),
  showLoading: method({
    params: fields({ title: text(1000), mask: boolean }),
  }),
  hideLoading: method({
    params: nothing,
  }),
  showModal: method({
    params: fields({
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
    result: returns<{ confirm: boolean; cancel: boolean; content?: string }>(),
  }),
  /** Cancels all dialogs of `showModal`. */
  hideModal: method({
    params: nothing,
  }),
  showActionSheet: method({
    params: fields({ title: text(1000), itemList: list(text(1000), 100), itemColor: color }),
    result: returns<{ tapIndex: number }>(),
  }),
  /** Cancels all sheets of `showActionSheet`. */
  hideActionSheet: method({
    params: nothing,
  }),
  previewImage: method({
    params: fields({ urls: list(imageAddress, 500), current: integer(0, 499) }),
  }),
  closePreviewImage: method({
    params: nothing,
  }),
  setClipboardData: method({
    params: fields({ data: bytes(1024 ** 2) }),
    // Needs a user gesture instead, as in browsers.
    asks: null,
  }),
  getClipboardData: method({
    params: nothing,
    result: returns<{ data: string }>(),
    asks: 'clipboard',
  }),
  /** Leaves the mini app when the user goes back on its first page. */
  exitMiniApp: method({
    params: nothing,
  }),
  vibrate: method({
    params: fields({ type: oneOf('long', 'short') }),
  }),
  makePhoneCall: method({
    params: fields({ phoneNumber: text(64, /^[\d+*#(). -]+$/, 'a telephone number') }),
    // The device asks before it calls.
    asks: null,
  }),
  /** Scans a code with the camera or, unless `onlyFromCamera`, from an image that the user chooses. */
  scanCode: method({
    params: fields({ onlyFromCamera: boolean, scanType: list(text(32, /^\w+$/, 'a word'), 10) }),
    result: returns<{ result: string; scanType: string; charSet: string }>(),
    asks: 'camera',
  }),
  /** Degrees, meters, and meters per second; `speed` is -1 if it is not known. */
  getLocation: method({
    params: fields({ isHighAccuracy: boolean }),
    result: returns<{ latitude: number; longitude: number; accuracy: number; altitude: number; speed: number }>(),
    asks: 'location',
  }),
  /** Shows a place on a map. `scale` is a level of tiles. */
  openLocation: method({
    params: fields(
      { latitude: number(-90, 90), longitude: number(-180, 180), name: text(200), address: text(500) },
      { scale: number(3, 20) },
    ),
  }),
  /** Lets the user choose a place on a map, which begins at a position or where the device is. */
  chooseLocation: method({
    params: fields({}, { latitude: number(-90, 90), longitude: number(-180, 180) }),
    result: returns<{ latitude: number; longitude: number; name: string; address: string }>(),
    // The map on which the user chooses.
    asks: 'place',
  }),
  /** Saves a file to the device. `data` is a data URL. */
  saveFile: method({
    params: fields({
      kind: oneOf('image', 'video', 'document'),
      data: text(
        64 * 1024 ** 2,
        /^data:(?:image|video|application|text)\/[\w.+-]+(?:;[\w=-]+)*;base64,[\w+/]*={0,2}$/,
        'a data: URL in base64 of an image, a video or a document',
      ),
    }),
    asks: 'download',
  }),
  setKeepScreenOn: method({
    params: fields({ keepScreenOn: boolean }),
  }),
  /** Brightness of the screen from 0 to 1, which only a native application around the host can read and change. */
  getScreenBrightness: method({
    params: nothing,
    result: returns<{ value: number }>(),
  }),
  setScreenBrightness: method({
    params: fields({ value: number(0, 1) }),
  }),
  /** Opens the share sheet of the device. `url` is an address of the web or empty. */
  share: method({
    params: fields(
      {
        title: text(200),
        text: text(1000),
        url: text(2048, /^(?:$|https?:\/\/)/i, 'an absolute http or https URL'),
      },
      { imageUrl: imageAddress },
    ),
    asks: 'share',
  }),
  /**
   * Shares a page of the mini app as a card. `path` is as in `openMiniApp`, `extraData` is JSON or empty. Without a
   * title it is the name of the mini app.
   */
  shareMiniApp: method({
    params: cardContent,
    asks: 'share',
  }),
  /**
   * Opens another mini app of the host; `path` is a page with its query, or empty for the launch page. The other mini
   * app gets `extraData`, which is JSON.
   */
  openMiniApp: method({
    params: fields(
      { appid: text(64, /^\w+$/, 'the id of a mini app'), path: pagePath },
      { extraData, envVersion: oneOf('release', 'trial', 'develop') },
    ),
    asks: 'miniApp',
  }),
  /** Opens another application, by an address of any scheme or by its identifier. */
  launchApp: method({
    params: fields({ url: applicationAddress, identity: text(256, /^[\w.-]*$/, 'the identifier of an application') }),
    asks: 'application',
  }),
  /** Starts the mini app again; `path` is as in `openMiniApp`. */
  restartMiniApp: method({
    params: fields({ path: pagePath }),
  }),
  /** Shows or hides the inspector. */
  setDebug: method({
    params: fields({ isOn: boolean }),
  }),
  /** Calls a native plug-in of the application around the host. `data` is JSON, the result any value of JSON. */
  invokeNativePlugin: method({
    params: fields({ name: text(100, /./, 'the name of a plug-in'), data: json(1024 ** 2) }),
    result: returns<{ result?: unknown }>(),
    // The application asks for what its plug-ins need.
    asks: null,
  }),
  /**
   * Calls a function of the application that the operator has declared. `input` is JSON. Returns the result, any value
   * of JSON, or the reason of a declared failure.
   */
  callHostFunction: method({
    params: fields({ name: text(64, /^[a-z][A-Za-z0-9]*$/, 'the name of a function'), input: json(256 * 1024) }),
    result: returns<{ result?: unknown; failure?: string }>(),
    // Each time, unless the operator has declared none.
    asks: 'hostFunction',
  }),
  /**
   * Returns the next reading of a sensor that is at least `interval` ms away: x, y and z in m/s² or rad/s, direction
   * in degrees clockwise from north.
   */
  readSensor: method({
    params: fields({ sensor: oneOf('accelerometer', 'gyroscope', 'compass'), interval: number(0, minute) }),
    result: returns<SensorReading>(),
    asks: 'motion',
  }),
  /** Records sound with the microphone until it is stopped, for at most `duration` ms. Resolves when it records. */
  startRecording: method({
    params: fields({ duration: number(1, 10 * minute) }),
    asks: 'microphone',
  }),
  controlRecording: method({
    params: fields({ action: oneOf('pause', 'resume', 'stop') }),
    // Only for a recording that was allowed.
    asks: null,
  }),
  /** Waits for the end of the recording. `data` is a data URL, `duration` is in ms. */
  readRecording: method({
    params: nothing,
    result: returns<{ data: string; duration: number }>(),
  }),
  /** Returns the files that the mini app keeps. */
  readFiles: method({
    params: nothing,
    result: returns<{ files: KeptFile[] }>(),
  }),
  /** Keeps a file. `data` is a data URL. */
  writeFile: method({
    params: fields({
      path: filePath,
      data: text(
        14 * 1024 ** 2,
        /^data:(?=[^,]{0,200},)[\w.+/-]*(?:;[\w=-]+)*;base64,[\w+/]*={0,2}$/,
        'a data: URL in base64 of at most 10 MB, with a short type',
      ),
    }),
  }),
  removeFile: method({
    params: fields({ path: filePath }),
  }),
  /**
   * Reports what happened, for the analytics of the mini app. Only the fields of the kind are set, others are empty.
   * `address` is host and path of a failed request, `status` its HTTP status, 0 without a response.
   */
  reportEvent: method({
    params: fields({
      kind: oneOf('page', 'error', 'request'),
      page: text(analyticsLimits.text),
      message: text(analyticsLimits.text),
      stack: text(analyticsLimits.stack),
      method: text(10, /^[A-Z]*$/, 'an HTTP method'),
      address: text(analyticsLimits.text),
      status: integer(0, 599),
    }),
  }),
  /** Reports a custom event of the mini app. `fields` is JSON: an object of short texts, integers and booleans. */
  reportCustomEvent: method({
    params: fields({
      name: text(64, customEventName, 'letters, digits and _, the first a letter'),
      fields: json(4096),
    }),
  }),
}

export type BridgeMethod = keyof typeof methods

export type BridgeMethods = {
  [M in BridgeMethod]: (typeof methods)[M] extends Method<infer Params, infer Result, HostQuestion | null>
    ? { params: Params; result: Result }
    : never
}

/** The question before each method; null if there is none. */
export const bridgeQuestions = Object.fromEntries(
  Object.entries(methods).map(([name, { asks = null }]) => [name, asks]),
) as { [M in BridgeMethod]: (typeof methods)[M] extends Method<infer _, infer _, infer Question> ? Question : never }

/** Names of all bridge methods. */
export const bridgeMethods = Object.keys(methods) as BridgeMethod[]

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
    const { type } = fields({ type: oneOf('request', 'bars') })(data, 'message')
    if (type === 'bars') return { type, bars: bars((data as { bars?: unknown }).bars, 'bars') }
    const { id: requestedId, method: name, params } = data as { id?: unknown; method?: unknown; params?: unknown }
    id = requestId(requestedId, 'id')
    if (typeof name !== 'string' || !Object.hasOwn(methods, name)) throw new Refused('method', 'a method of the host')
    method = name
    return { type, id, method, params: methods[name as BridgeMethod].params(params, '') } as FrameRequest
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { type: 'refused', reason: `${method}:fail ${error.message}`, ...(id === undefined ? {} : { id }) }
  }
}
