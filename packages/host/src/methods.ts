import type { HostFunctions, HostOptions } from './options.ts'
import {
  type EmbedHandler,
  type EmbedMethod,
  type EmbedMethods,
  type EmbedReferrer,
  embedErrors,
  embedHandlers,
  embedVersion,
} from './protocol.generated.ts'

/** Thrown by handlers if the user or the application declines. Its message may be shown to the mini app. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** Thrown by `functions` to end a call with a failure that the operator has declared. */
export class Failure extends Error {
  override name = 'Failure'
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

/** An error with a code of the protocol. */
export class ProtocolError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Kind = 'string' | 'number' | 'boolean' | 'strings' | 'string?' | 'strings?'
type Shapes = { [M in EmbedMethod]: { [P in keyof EmbedMethods[M]['params']]-?: Kind } }

const shapes: Shapes = {
  initialize: { version: 'number', appid: 'string' },
  getSession: {},
  share: { title: 'string', text: 'string', url: 'string', imageUrl: 'string?' },
  scanCode: { onlyFromCamera: 'boolean', scanType: 'strings' },
  getLocation: { isHighAccuracy: 'boolean' },
  openUrl: { url: 'string' },
  requestPayment: { tradeNo: 'string', subject: 'string', amount: 'number', currency: 'string' },
  askConsent: { appid: 'string', name: 'string', scopes: 'strings', titles: 'strings?' },
  openMiniApp: { appid: 'string', path: 'string', extraData: 'string?', envVersion: 'string?' },
  shareMiniApp: { appid: 'string', title: 'string', path: 'string', imageUrl: 'string', extraData: 'string' },
  launchApp: { url: 'string', identity: 'string' },
  invokeNativePlugin: { appid: 'string', name: 'string', data: 'string' },
  callHostFunction: { appid: 'string', name: 'string', input: 'string' },
  setKeepScreenOn: { keepScreenOn: 'boolean' },
  getScreenBrightness: {},
  setScreenBrightness: { value: 'number' },
  readStorage: { appid: 'string' },
  setStorage: { appid: 'string', key: 'string', data: 'string' },
  removeStorage: { appid: 'string', key: 'string' },
  clearStorage: { appid: 'string' },
}

/** Schemes of the addresses that handlers get. Others could run scripts in the application. */
const urlSchemes: { [M in EmbedMethod]?: RegExp } = {
  openUrl: /^(https?|tel):/,
  share: /^(https?:|$)/,
  launchApp: /^(?!(javascript|vbscript|data|blob|file):)/i,
}

type Methods = { [M in EmbedMethod]?: (params: EmbedMethods[M]['params']) => unknown }

/** Returns the methods that the options implement. */
function methodsOf(options: HostOptions, referrer: () => EmbedReferrer | undefined): Methods {
  const { functions } = options
  const { storage, ...handlers } = options.handlers ?? {}
  const getSession = async () => {
    const session = typeof options.session === 'function' ? await options.session() : options.session
    if (typeof session !== 'string' || session === '') throw new TypeError('The function session returned no session.')
    return { session }
  }
  return {
    ...handlers,
    async initialize({ version }) {
      if (version !== embedVersion) {
        throw new ProtocolError(
          embedErrors.invalidParams,
          `This @souk/host implements version ${embedVersion} of the protocol, not ${version}. Install the version of your server.`,
        )
      }
      return {
        version: embedVersion,
        ...(await getSession()),
        handles: handled(options),
        environment: options.environment,
        application: options.application,
        referrer: referrer(),
      }
    },
    getSession,
    ...(functions && { callHostFunction: (call) => callFunction(functions, call) }),
    ...(storage && {
      readStorage: async ({ appid }) => ({ entries: [...(await storage.read(appid))] }),
      setStorage: ({ appid, key, data }) => storage.set(appid, key, data),
      removeStorage: ({ appid, key }) => storage.remove(appid, key),
      clearStorage: ({ appid }) => storage.clear(appid),
    }),
  }
}

async function callFunction(
  functions: HostFunctions,
  { appid, name, input }: EmbedMethods['callHostFunction']['params'],
): Promise<EmbedMethods['callHostFunction']['result']> {
  const run = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!run) throw new ProtocolError(embedErrors.methodNotFound, `The application does not implement ${name}.`)
  try {
    return { result: await run(JSON.parse(input), { appid }) }
  } catch (error) {
    if (error instanceof Failure) return { failure: error.reason }
    throw error
  }
}

function handled({ handlers = {}, functions }: HostOptions): EmbedHandler[] {
  return embedHandlers.filter((name) =>
    name === 'callHostFunction' ? functions !== undefined : handlers[name] !== undefined,
  )
}

/**
 * Returns a function that answers a call of the page.
 * @throws ProtocolError if the call is invalid, or Refusal
 */
export function createAnswers(
  options: HostOptions,
  referrer: () => EmbedReferrer | undefined = () => undefined,
): (method: string, params: unknown) => Promise<unknown> {
  const methods = methodsOf(options, referrer)
  return async (name, params) => {
    const method = Object.hasOwn(methods, name) ? methods[name as EmbedMethod] : undefined
    if (!method || !Object.hasOwn(shapes, name)) {
      throw new ProtocolError(embedErrors.methodNotFound, `The application does not implement ${name}.`)
    }
    checkParams(name as EmbedMethod, params)
    return (await method(params as never)) ?? {}
  }
}

function checkParams(method: EmbedMethod, params: unknown): void {
  const values = Object(params) as Record<string, unknown>
  const refuse = (what: string) => {
    throw new ProtocolError(embedErrors.invalidParams, `${method}: ${what}`)
  }
  for (const [name, kind] of Object.entries(shapes[method]) as [string, Kind][]) {
    const value = values[name]
    // Among others what a page of an older server does not send.
    if (value === undefined && kind.endsWith('?')) continue
    const type = kind.replace('?', '')
    const isList = type === 'strings'
    const isValid = isList
      ? Array.isArray(value) && value.every((each) => typeof each === 'string')
      : typeof value === type
    if (!isValid) refuse(`${name} must be a ${isList ? 'list of strings' : type}`)
  }
  const schemes = urlSchemes[method]
  if (schemes && !schemes.test(values.url as string)) refuse(`url must match ${schemes}`)
}
