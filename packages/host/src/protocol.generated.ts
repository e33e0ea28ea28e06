// Generated from packages/contract/src/embed.ts by `npm run generate`.

/**
 * Messages between the page of an embedded mini app (`/host/embed/<appid>`) and the application around it: a web view
 * of iOS, Android, Flutter or React Native, or a web page with `@souk/host`. They are JSON-RPC 2.0 without batches, as
 * text. Each side calls methods of the other. The page calls `initialize` first, which returns the user's session, so
 * that no URL contains it.
 */

/** Version of the protocol. Optional fields and new methods in `EmbedMethods` do not change it. */
export const embedVersion = 1

/** Name of the channel that a web view adds to the page: `window.soukHost`, or `webkit.messageHandlers.soukHost`. */
export const embedChannel = 'soukHost'

/** Handlers that an application can implement instead of the page. It lists them in `handles`. */
export const embedHandlers = [
  'share',
  'scanCode',
  'getLocation',
  'openUrl',
  'requestPayment',
  'askConsent',
  'openMiniApp',
  'shareMiniApp',
  'launchApp',
  'invokeNativePlugin',
  'callHostFunction',
  'setKeepScreenOn',
  'getScreenBrightness',
  'setScreenBrightness',
  'storage',
] as const
export type EmbedHandler = (typeof embedHandlers)[number]

/** Distances in px that the system's bars cover. */
export interface EmbedInsets {
  top: number
  bottom: number
}

/** Appearance of the application. Missing fields follow the system. */
export interface EmbedEnvironment {
  language?: 'en' | 'zh-CN' | 'ar'
  theme?: 'light' | 'dark'
  insets?: EmbedInsets
}

/** What mini apps learn about the application from `neu.getAppBaseInfo`. Missing texts are empty. */
export interface EmbedApplication {
  name?: string
  version?: string
  /** Identifier of a native application, such as `com.example.bank`. */
  packageName?: string
}

/**
 * A page of a mini app as a card. `path` is as in `openMiniApp`, `imageUrl` as in `share` or empty, and `extraData`,
 * which the card passes to the page, JSON or empty.
 */
export interface EmbedCard {
  appid: string
  title: string
  path: string
  imageUrl: string
  extraData: string
}

/** The mini app for which the application opens this one, with the parameters of its `openMiniApp`. */
export interface EmbedReferrer {
  appid: string
  extraData?: string
}

/** Methods of the application, called by the page. */
export interface EmbedMethods {
  /** The first call. `version` is the page's version; an application that does not know it responds with an error. */
  initialize: {
    params: { version: number; appid: string }
    result: {
      version: number
      session: string
      handles: EmbedHandler[]
      environment?: EmbedEnvironment
      application?: EmbedApplication
      referrer?: EmbedReferrer
    }
  }
  /** Requests a new session, because the last one has expired or was revoked. An error closes the mini app. */
  getSession: { params: Record<never, never>; result: { session: string } }
  /** Opens the share sheet. `url` is a web address, or empty; `imageUrl` one of a picture, or a data URL. */
  share: { params: { title: string; text: string; url: string; imageUrl?: string }; result: Record<never, never> }
  /** Scans a code with the camera or, unless `onlyFromCamera`, from an image. */
  scanCode: {
    params: { onlyFromCamera: boolean; scanType: string[] }
    result: { result: string; scanType: string; charSet: string }
  }
  /** Degrees, meters, and meters per second; `speed` is -1 if it is not known. */
  getLocation: {
    params: { isHighAccuracy: boolean }
    result: { latitude: number; longitude: number; accuracy: number; altitude: number; speed: number }
  }
  /** Opens an address that is not part of the mini app: `https:`, `http:`, or `tel:`. */
  openUrl: { params: { url: string }; result: Record<never, never> }
  /** Lets the user pay a trade. `status` is 0 canceled, 1 failed, 2 succeeded, as in `neu.requestPayment`. */
  requestPayment: {
    params: { tradeNo: string; subject: string; amount: number; currency: string }
    result: { status: 0 | 1 | 2; failCode?: number }
  }
  /**
   * Asks the user whether a mini app may access data, and returns the answer, which the page passes to the server.
   * `titles` names the data of each scope in the language of the page.
   */
  askConsent: {
    params: { appid: string; name: string; scopes: string[]; titles?: string[] }
    result: { isAllowed: boolean }
  }
  /**
   * Opens another mini app; `path` is a page with its query, or empty for the launch page. The other one gets
   * `extraData`, which is JSON, if the application answers its `initialize` with a referrer.
   */
  openMiniApp: {
    params: { appid: string; path: string; extraData?: string; envVersion?: 'release' | 'trial' | 'develop' }
    result: Record<never, never>
  }
  /** Shares a page of a mini app as a card. */
  shareMiniApp: { params: EmbedCard; result: Record<never, never> }
  /** Opens another application by an address of any scheme, or by its identifier. One of the two may be empty. */
  launchApp: { params: { url: string; identity: string }; result: Record<never, never> }
  /** Calls a native plug-in for a mini app. `data` is JSON; `result` is any value of JSON. */
  invokeNativePlugin: { params: { appid: string; name: string; data: string }; result: { result?: unknown } }
  /**
   * Calls a function that the operator of the server has declared. `input` is JSON that matches its schema. The answer
   * has a `result` that matches the schema, or the reason of a declared failure.
   */
  callHostFunction: {
    params: { appid: string; name: string; input: string }
    result: { result?: unknown; failure?: string }
  }
  /** Keeps the screen on, until it is called with false, at the latest when the user leaves the mini app. */
  setKeepScreenOn: { params: { keepScreenOn: boolean }; result: Record<never, never> }
  /** Brightness of the screen from 0 to 1. */
  getScreenBrightness: { params: Record<never, never>; result: { value: number } }
  /** Sets the brightness, which the application restores when the user leaves the mini app. */
  setScreenBrightness: { params: { value: number }; result: Record<never, never> }
  /** The user's storage of a mini app. The page enforces its limits. */
  readStorage: { params: { appid: string }; result: { entries: [key: string, data: string][] } }
  setStorage: { params: { appid: string; key: string; data: string }; result: Record<never, never> }
  removeStorage: { params: { appid: string; key: string }; result: Record<never, never> }
  clearStorage: { params: { appid: string }; result: Record<never, never> }
}
export type EmbedMethod = keyof EmbedMethods

/** Notifications to the application. They have no answer. */
export interface EmbedNotifications {
  /** The mini app shows its first page. */
  ready: { name: string }
  /**
   * The mini app cannot be opened, or a result of the application is malformed (`code` is `malformed`). Other codes:
   * `version`, `session_invalid`, `unreachable`, error codes of the server, and reasons why the mini app did not start.
   */
  failed: { code: string; message: string }
  /** The user wants to leave the mini app. */
  close: Record<never, never>
  /** Colors that the page draws below the status bar of the system. */
  appearance: { name: string; statusBar: 'black' | 'white'; orientation: 'auto' | 'portrait' | 'landscape' }
}

/** Methods of the page, called by the application. */
export interface EmbedPageMethods {
  /**
   * The system's back key or gesture. On the first page it closes the mini app, and `close` follows. `isHandled` is
   * false if no mini app is running; the application should then close the page.
   */
  back: { params: Record<never, never>; result: { isHandled: boolean } }
}

/** Notifications to the page. */
export interface EmbedPageNotifications {
  /** The mini app was hidden or shown; initially it is visible. */
  visibility: { isVisible: boolean }
  /** Only the changed fields. */
  environment: EmbedEnvironment
}

/**
 * Added to each message of the page: a random text, new for each load. Some web views expose the channel to all frames,
 * so a mini app could send messages too, but it does not know this text.
 */
export interface EmbedSender {
  pageId: string
}

/** A message in either direction. */
export type EmbedMessage =
  | { jsonrpc: '2.0'; id: number; method: string; params?: unknown }
  | { jsonrpc: '2.0'; method: string; params?: unknown }
  | { jsonrpc: '2.0'; id: number; result: unknown }
  | { jsonrpc: '2.0'; id: number; error: { code: number; message: string } }

/** Error codes of JSON-RPC, and `refused` if the user or the application refused the call. */
export const embedErrors = { methodNotFound: -32601, invalidParams: -32602, internal: -32603, refused: 1 } as const

/**
 * Maximum length of a message of the application, in characters: twice the storage of a mini app, whose texts JSON may
 * escape. The page refuses longer ones without reading them.
 */
export const embedMessageLimit = 2 ** 25
