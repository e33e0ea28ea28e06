import { type EmbedApplication, type EmbedEnvironment, type EmbedMethods, embedHandlers } from './protocol.generated.ts'

type Awaitable<T> = T | Promise<T>
type Handler<M extends keyof EmbedMethods> = (
  params: EmbedMethods[M]['params'],
) => keyof EmbedMethods[M]['result'] extends never ? Awaitable<void> : Awaitable<EmbedMethods[M]['result']>

/** Storage of mini apps. Each mini app has its own entries; store them per user. */
export interface HostStorage {
  /** Returns all entries of a mini app, for example a Map. */
  read(appid: string): Awaitable<Iterable<readonly [key: string, data: string]>>
  set(appid: string, key: string, data: string): Awaitable<void>
  remove(appid: string, key: string): Awaitable<void>
  clear(appid: string): Awaitable<void>
}

/**
 * Functions that the operator of the server has declared, by name. The page checks input and result. Throw a `Failure`
 * for a declared failure, or a `Refusal`.
 */
export interface HostFunctions {
  // biome-ignore lint/suspicious/noExplicitAny: the operator declares the type of each input
  [name: string]: (input: any, call: { appid: string }) => unknown
}

/** Handlers that replace those of the page. Throw a `Refusal` if the user or your application declines. */
export interface HostHandlers {
  share?: Handler<'share'>
  scanCode?: Handler<'scanCode'>
  getLocation?: Handler<'getLocation'>
  openUrl?: Handler<'openUrl'>
  requestPayment?: Handler<'requestPayment'>
  askConsent?: Handler<'askConsent'>
  openMiniApp?: Handler<'openMiniApp'>
  shareMiniApp?: Handler<'shareMiniApp'>
  launchApp?: Handler<'launchApp'>
  invokeNativePlugin?: Handler<'invokeNativePlugin'>
  setKeepScreenOn?: Handler<'setKeepScreenOn'>
  getScreenBrightness?: Handler<'getScreenBrightness'>
  setScreenBrightness?: Handler<'setScreenBrightness'>
  storage?: HostStorage
}

export interface HostOptions {
  /** Address of your Souk server, such as `https://souk.example`. */
  server: string | URL
  /** Session of the user, or a function that gets one. The function is called again when a session has expired. */
  session: string | (() => Awaitable<string>)
  handlers?: HostHandlers
  functions?: HostFunctions
  environment?: EmbedEnvironment
  /** What mini apps learn about your application. */
  application?: EmbedApplication
}

/** `functions` answers the other one. */
const handlerNames: readonly string[] = embedHandlers.filter((name) => name !== 'callHostFunction')
const storageMethods = ['read', 'set', 'remove', 'clear'] as const

/**
 * Checks the options, and returns the origin of the server.
 * @throws TypeError that names the option and what is allowed
 */
export function checkOptions(options: HostOptions): string {
  const { server, session, handlers = {}, functions = {} } = options
  if (!(typeof session === 'function' || (typeof session === 'string' && session !== ''))) {
    throw new TypeError('createHost: session must be a session token or a function that returns one.')
  }
  for (const [name, handler] of Object.entries(handlers)) checkHandler(name, handler)
  if (Object.values(functions).some((each) => typeof each !== 'function'))
    throw new TypeError('createHost: functions must be an object of functions.')
  return originOf(server)
}

function originOf(server: string | URL): string {
  const allowed = 'server must be the address of a Souk server, such as https://souk.example'
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError(`createHost: ${allowed}; it is ${server}.`)
  if (url.href !== `${url.origin}/`) throw new TypeError(`createHost: ${allowed}, without a path; it is ${server}.`)
  return url.origin
}

function checkHandler(name: string, handler: unknown): void {
  if (!handlerNames.includes(name)) {
    throw new TypeError(`createHost: there is no handler ${name}. The handlers are ${handlerNames.join(', ')}.`)
  }
  if (handler === undefined) return
  if (name !== 'storage') {
    if (typeof handler !== 'function') throw new TypeError(`createHost: the handler ${name} must be a function.`)
    return
  }
  if (storageMethods.some((method) => typeof (handler as HostStorage | null)?.[method] !== 'function')) {
    throw new TypeError(`createHost: the handler storage must have the methods ${storageMethods.join(', ')}.`)
  }
}
