import { boolean, bytes, type Check, integer, list, number, oneOf, Refused, record, text } from './bridgeCheck.ts'
import { entrySize, storageLimits } from './bridgeProtocol.ts'

export * from './bridgeCheck.ts'
export * from './bridgeProtocol.ts'

/**
 * Messages between a mini app in its frame and the host application around it. The frame is of an opaque origin and reaches the host only
 * through one MessagePort. The frame makes the channel and sends one end of it with its `Hello` to `window.parent`, so that the other end belongs to
 * exactly the document that said hello and can never land in one that has taken its place in the frame. The host accepts one hello per
 * frame element, from its contentWindow alone, and checks every message against these types at run time. What the host says is not
 * checked by the frame, which has nothing that its parent must not have.
 */

/** What a mini app may ask its host for, with what it gives back. A refusal comes as `{ errMsg: '<method>:fail <reason>' }`. */
export interface BridgeMethods {
  /** open-api §1: a code with the scope user.info, without a prompt. */
  login: { params: Record<never, never>; result: { code: string } }
  /** Asks the user; `scope` is a comma list of user.info, user.phone, user.email. */
  getAuthCode: { params: { scope: string }; result: { code: string } }
  /** Shows the cashier for a trade. The other fields are for comparison only: what is charged is the trade. Amount in major units. */
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
  /** `icon` is none, success, error, loading or an address. Duration in ms. */
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
  /** Leaves the mini app: back on its first page. */
  exitMiniApp: { params: Record<never, never>; result: Record<never, never> }
  vibrate: { params: { type: 'long' | 'short' }; result: Record<never, never> }
  makePhoneCall: { params: { phoneNumber: string }; result: Record<never, never> }
}

export type BridgeMethod = keyof BridgeMethods

/** From the frame to `window.parent`, with one end of a MessageChannel. */
export interface Hello {
  souk: 'hello'
  version: number
}

/** From the frame over its port. `Bars` is the runtime's. */
export type FrameMessage<Bars> = FrameRequest | { type: 'bars'; bars: Partial<Bars> }

export type FrameRequest = {
  [M in BridgeMethod]: { type: 'request'; id: number; method: M; params: BridgeMethods[M]['params'] }
}[BridgeMethod]

/** From the host over the port. `Device` and `BarEvent` are the runtime's. */
export type HostMessage<Device, BarEvent> =
  | Welcome<Device>
  /** In place of the welcome: the versions differ. */
  | { type: 'refused'; version: number }
  | { type: 'response'; id: number; result: unknown }
  | { type: 'response'; id: number; errMsg: string }
  | { type: 'barEvent'; event: BarEvent }
  /** What has changed of it. */
  | { type: 'device'; device: Partial<Device> }
  /** The mini app went out of sight or came back; at first it is in sight. */
  | { type: 'visibility'; visible: boolean }
  /** The system's own way back: key, button or gesture. */
  | { type: 'back' }

/** The host's first message. */
export interface Welcome<Device> {
  type: 'welcome'
  version: number
  appid: string
  device: Device
  /** All that the mini app has stored, for the synchronous calls. */
  storage: [key: string, data: string][]
  /** What it is to show; none for its launch page. */
  start?: { path: string; query: Record<string, string> }
}

/** A CSS colour that is no more than that. */
export const color = text(128, /^(?!.*url)[\w#(),.%/ +-]*$/i, 'a colour')

/**
 * The address of an image, or an empty text for none. Nothing else may be fetched or run on the host's behalf; and no `blob:`, which a frame of
 * an opaque origin cannot share.
 */
export const imageAddress = text(
  16 * 1024 ** 2,
  /^(?:$|https?:\/\/|data:image\/)/i,
  'an absolute http or https address or a data: image',
)

const nothing = record<Record<never, never>>({})
const storageKey: Check<string> = (value, at) => {
  if (value === '') throw new Refused(at, 'a text that is not empty')
  return bytes(storageLimits.key)(value, at)
}

const parameters: { [M in BridgeMethod]: Check<BridgeMethods[M]['params']> } = {
  login: nothing,
  getAuthCode: record({
    scope: text(
      256,
      /^user\.(info|phone|email)(,user\.(info|phone|email))*$/,
      'a comma-separated list of user.info, user.phone, user.email',
    ),
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
    duration: number(0, 3_600_000),
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
}

/** What a mini app may ask for. */
export const bridgeMethods = Object.keys(parameters) as BridgeMethod[]

/** The version of whoever says hello; undefined where the message is no hello. */
export function readHello(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { souk, version } = data as Partial<Record<keyof Hello, unknown>>
  return souk === 'hello' && Number.isInteger(version) ? (version as number) : undefined
}

/** What came over the port of a frame, checked: as it is, or why not, with the request that gets the refusal. */
export type Received<Bars> = FrameMessage<Bars> | { type: 'refused'; reason: string; id?: number }

const requestId = integer(1, Number.MAX_SAFE_INTEGER)

/** Reads a message of a frame. Never throws. */
export function readFrameMessage<Bars>(data: unknown, bars: Check<Partial<Bars>>): Received<Bars> {
  let id: number | undefined
  let method = 'bridge'
  try {
    const { type } = record<{ type: 'request' | 'bars' }>({ type: oneOf('request', 'bars') })(data, 'message')
    if (type === 'bars') return { type, bars: bars((data as { bars?: unknown }).bars, 'bars') }
    const { id: asked, method: name, params } = data as { id?: unknown; method?: unknown; params?: unknown }
    id = requestId(asked, 'id')
    if (typeof name !== 'string' || !Object.hasOwn(parameters, name))
      throw new Refused('method', 'one that the host knows')
    method = name
    return { type, id, method, params: parameters[name as BridgeMethod](params, '') } as FrameRequest
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { type: 'refused', reason: `${method}:fail ${error.message}`, ...(id === undefined ? {} : { id }) }
  }
}
