import { minute, second } from '@souk/contract'
import {
  type EmbedEnvironment,
  type EmbedMessage,
  type EmbedMethod,
  type EmbedMethods,
  type EmbedNotifications,
  type EmbedSender,
  embedErrors,
  embedMessageLimit,
  embedPageNotifications,
  embedResults,
} from '@souk/contract/embed'
import { ApplicationError } from '../container/application.ts'
import { type ChannelKind, openChannel } from './channel.ts'

/** Longest waits for answers, in ms: of the application, and of users, who may pay at their bank. */
const answerTimeouts = { application: 15 * second, user: 30 * minute }
const byUser: readonly EmbedMethod[] = [
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
]
/** Longest reason of the application that a mini app gets, in characters. */
const longestReason = 200

/** A request from the application to the page. */
export interface PageHandlers {
  /** Returns false if there is nothing to go back to. */
  back(): boolean
  visibility(isVisible: boolean): void
  environment(changed: EmbedEnvironment): void
}

/** JSON-RPC with the application around the page. */
export interface Connection {
  kind: ChannelKind
  call<M extends EmbedMethod>(method: M, params: EmbedMethods[M]['params']): Promise<EmbedMethods[M]['result']>
  notify<N extends keyof EmbedNotifications>(name: N, params: EmbedNotifications[N]): void
}

interface Received {
  id?: unknown
  method?: unknown
  params?: unknown
  result?: unknown
  error?: { code?: unknown; message?: unknown } | null
}

interface Waiting {
  method: EmbedMethod
  timer: ReturnType<typeof setTimeout>
  resolve(result: never): void
  reject(error: ApplicationError): void
}

/** Connects to the application. @returns undefined without a channel */
export function connect(handlers: PageHandlers): Connection | undefined {
  const channel = openChannel((text) => receive(text))
  if (!channel) return undefined
  const { kind } = channel
  const sender: EmbedSender = { pageId: randomId() }
  const send = (message: EmbedMessage) => channel.send(JSON.stringify({ ...message, ...sender }))
  const notify: Connection['notify'] = (method, params) => send({ jsonrpc: '2.0', method, params })

  const calls = createCalls(send, complain)

  /** Logs a mistake of the application's developers. */
  function complain(message: string): void {
    console.error(`Souk: ${message}`)
    notify('failed', { code: 'malformed', message })
  }

  function receive(text: string): void {
    if (text.length > embedMessageLimit) {
      const reason = `the application sent ${text.length} characters; the limit is ${embedMessageLimit}`
      complain(`A message is too long: ${reason}`)
      // The text is not parsed; a wrong id can only end a call that then fails.
      const [, id] = /"id"\s*:\s*(\d{1,9})\b/.exec(text.slice(0, 200) + text.slice(-200)) ?? []
      if (id !== undefined) calls.settle({ id: Number(id), error: { message: reason } })
      return
    }
    const message = parse(text)
    if (!message) complain(`The application sent a message that is not a JSON object: ${text.slice(0, 100)}`)
    else if (typeof message.method !== 'string') calls.settle(message)
    else if (message.id === undefined) onNotification(message.method, message.params)
    else answer(message.id as number, message.method)
  }

  function answer(id: number, method: string): void {
    const message = `The page does not implement ${method}.`
    if (method === 'back') send({ jsonrpc: '2.0', id, result: { isHandled: handlers.back() } })
    else send({ jsonrpc: '2.0', id, error: { code: embedErrors.methodNotFound, message } })
  }

  function onNotification(method: string, params: unknown): void {
    try {
      if (method === 'visibility') handlers.visibility(embedPageNotifications.visibility(params, method).isVisible)
      else if (method === 'environment') handlers.environment(embedPageNotifications.environment(params, method))
    } catch (invalid) {
      complain(`The application's notification is malformed. ${(invalid as Error).message}`)
    }
  }

  return {
    kind,
    notify,
    call: calls.call,
  }
}

/** Creates the calls of the application: sends them, and settles each with its response. */
function createCalls(send: (message: EmbedMessage) => void, complain: (message: string) => void) {
  const waiting = new Map<number, Waiting>()
  let calls = 0

  function settle({ id, result, error }: Received): void {
    const call = waiting.get(id as number)
    // Calls that timed out no longer have an entry.
    if (!call) return
    waiting.delete(id as number)
    clearTimeout(call.timer)
    if (error) {
      call.reject(new ApplicationError(reasonOf(error)))
      return
    }
    try {
      call.resolve(embedResults[call.method](result, `${call.method}: result`) as never)
    } catch (invalid) {
      const { message } = invalid as Error
      complain(`The application's answer is malformed. ${message}`)
      call.reject(new ApplicationError(message))
    }
  }

  return {
    settle,
    call: ((method, params) => {
      return new Promise((resolve, reject) => {
        const id = ++calls
        const timeout = byUser.includes(method) ? answerTimeouts.user : answerTimeouts.application
        const timer = setTimeout(() => {
          waiting.delete(id)
          reject(new ApplicationError(`${method}: the application has not answered for ${timeout / second} s`))
        }, timeout)
        waiting.set(id, { method, timer, resolve, reject })
        send({ jsonrpc: '2.0', id, method, params })
      })
    }) satisfies Connection['call'],
  }
}

/** Returns the message of an error of the application, cut to a length that a mini app can show. */
function reasonOf({ message }: NonNullable<Received['error']>): string {
  return typeof message === 'string' && message !== '' ? message.slice(0, longestReason) : 'the application refused'
}

/** Returns a random id. Not by `crypto.randomUUID`, which needs HTTPS. */
const randomId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (each) => each.toString(36)).join('-')

function parse(text: string): Received | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
