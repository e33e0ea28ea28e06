import {
  type CallbackVerdict,
  callbackBody,
  callbackWindow,
  parseForm,
  signParameters,
  verifyCallback,
  verifyRefundCallback,
  webhookHeaderNames,
  webhookHeaders,
  webhookSignature,
} from '@souk/contract'
import { CallbackVerificationError } from './errors.ts'
import type { PaymentEvent, RefundEvent } from './operations.generated.ts'
import { randomId } from './randomId.ts'
import type { Clock } from './runtime.ts'
import { requireText } from './settings.ts'

/** A received callback, preferably the raw body; parsed form fields are accepted. */
export type ReceivedCallback = string | Uint8Array | URLSearchParams | Readonly<Record<string, unknown>>

/** Request headers: a Web `Headers`, or the plain object of Node frameworks. */
export type ReceivedHeaders =
  | {
      /** Returns the value of a header, whose name may have any case. */
      get(name: string): string | null
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Processes a payment result. Returning acknowledges it; if it throws, Souk retries later. */
export type PaymentHandler = (event: PaymentEvent) => void | Promise<void>

/** Processes the result of a refund. Returning acknowledges it; if it throws, Souk retries later. */
export type RefundHandler = (event: RefundEvent) => void | Promise<void>

/** Options of the handlers of callbacks. */
export interface HandlerOptions {
  /** Called with errors of the handler and of the verification. Default: `console.error`. */
  onError?: (error: unknown) => void
}

/** The part of Node's request that the handlers need. Express adds `body` if a parser has run. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  /** HTTP method. */
  readonly method?: string | undefined
  /** Headers by their names in lowercase. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Whether a parser has read the body. */
  readonly readableEnded: boolean
  /** The body as a parser has read it. */
  readonly body?: unknown
}

/** The part of Node's response that the handlers need. */
export interface NodeResponse {
  /** Sets the status and headers. */
  writeHead(status: number, headers: Record<string, string>): unknown
  /** Sends the body. */
  end(body: string): unknown
}

/** A listener for `node:http` and Express. */
export type NodeListener = (request: NodeRequest, response: NodeResponse) => Promise<void>

/** A handler of Web standard requests. */
export type WebHandler = (request: Request) => Promise<Response>

/** A signed callback, to test your own handler. */
export interface TestCallback {
  /** Headers of the request. */
  headers: Record<string, string>
  /** The signed form. */
  body: string
}

/** Verifies a callback and hands it to a handler. */
type Receive = (received: ReceivedCallback, headers: ReceivedHeaders) => Promise<void>

/** Verifies the fields of one kind of callback. */
type Verifier<Callback> = (
  received: string | Uint8Array | Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  options: { now: number; tolerance: number },
) => CallbackVerdict<Callback>

/** Maximum body size in bytes; a callback has about 600. */
const maxBodySize = 64 * 1024

/** Settings of the verification; {@link SoukOptions} explains them. */
interface CallbackSettings {
  appid: string
  secret: string
  callbackSecrets?: readonly string[] | undefined
  callbackTolerance?: number | undefined
  clock: Clock
}

/** Verifies the callbacks of a mini app, with results of payments and refunds; available as `souk.callbacks`. */
export class Callbacks {
  readonly #appid: string
  /** The first one signs test callbacks. */
  readonly #secrets: readonly [string, ...string[]]
  readonly #tolerance: number
  readonly #clock: Clock

  constructor({ appid, secret, callbackSecrets = [], callbackTolerance = callbackWindow, clock }: CallbackSettings) {
    for (const other of callbackSecrets) requireText('callbackSecrets', other)
    if (!(callbackTolerance > 0)) throw new TypeError('callbackTolerance must be a positive number of milliseconds')
    this.#appid = appid
    this.#secrets = [secret, ...callbackSecrets]
    this.#tolerance = callbackTolerance
    this.#clock = clock
  }

  /**
   * Verifies that Souk sent a callback for this mini app, unchanged, within the last 5 minutes or `callbackTolerance`,
   * and returns the result.
   *
   * With the raw body, pass `headers` too: during a secret rotation they allow verification with either secret.
   *
   * @throws CallbackVerificationError with the reason.
   */
  verify(received: ReceivedCallback, headers?: ReceivedHeaders): PaymentEvent {
    const { sign: _, ...fields } = this.#verify(verifyCallback, received, headers)
    return fields as PaymentEvent
  }

  /**
   * Verifies the result of a refund, like {@link Callbacks.verify} that of a payment.
   *
   * @throws CallbackVerificationError with the reason.
   */
  verifyRefund(received: ReceivedCallback, headers?: ReceivedHeaders): RefundEvent {
    const { sign: _, ...fields } = this.#verify(verifyRefundCallback, received, headers)
    return fields as RefundEvent
  }

  /**
   * Creates a listener for `node:http` and Express, with or without body parser: `app.post(path,
   * souk.callbacks.node(…))`. Responds 200 after the handler has returned, 400 if the verification fails, 500 if the
   * handler throws.
   */
  node(handler: PaymentHandler, options?: HandlerOptions): NodeListener {
    return this.#listener(async (...received) => handler(this.verify(...received)), options)
  }

  /** Creates a listener for the results of refunds, like {@link Callbacks.node}. */
  nodeRefund(handler: RefundHandler, options?: HandlerOptions): NodeListener {
    return this.#listener(async (...received) => handler(this.verifyRefund(...received)), options)
  }

  /** Creates a handler for Web standard requests: Hono, Deno, Bun, workers. */
  web(handler: PaymentHandler, options?: HandlerOptions): WebHandler {
    return this.#webHandler(async (...received) => handler(this.verify(...received)), options)
  }

  /** Creates a handler for the results of refunds, like {@link Callbacks.web}. */
  webRefund(handler: RefundHandler, options?: HandlerOptions): WebHandler {
    return this.#webHandler(async (...received) => handler(this.verifyRefund(...received)), options)
  }

  /**
   * Creates a callback signed with this client's secret, to test your own handler. Omitted fields are those of a
   * succeeded trade. Each callback has its own `notifyId`, since handlers process a `notifyId` once.
   */
  signTestCallback(fields: Partial<Omit<PaymentEvent, 'appid' | 'timestamp'>> = {}): TestCallback {
    const payment = { transactionStatus: 2, failReasonType: -1, payType: 2, payMethod: 3, payNo: 'test-payment' }
    return this.#signTest((common) => ({ ...common, ...payment, ...fields, timestamp: common.timestamp }))
  }

  /** Creates the callback of a refund, like {@link Callbacks.signTestCallback}. Omitted fields are those of success. */
  signTestRefund(fields: Partial<Omit<RefundEvent, 'appid' | 'timestamp'>> = {}): TestCallback {
    const numbers = { refundNo: '4123456789abcdef0123456789abcdef', outRefundNo: 'test-refund' }
    const refund = { ...numbers, refundStatus: 2, failReason: null }
    return this.#signTest((common) => ({ ...common, ...refund, ...fields, timestamp: common.timestamp }))
  }

  #signTest(complete: (common: ReturnType<typeof commonFields>) => Parameters<typeof callbackBody>[0]): TestCallback {
    const now = this.#clock.now()
    const callback = complete(commonFields(this.#appid, now))
    const [secret] = this.#secrets
    const body = callbackBody(callback, secret)
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...webhookHeaders(callback.notifyId, now, body, [secret]),
    }
    return { headers, body }
  }

  #verify<Callback>(
    verifyFields: Verifier<Callback>,
    received: ReceivedCallback,
    headers: ReceivedHeaders | undefined,
  ): Callback {
    const body = received instanceof URLSearchParams ? received.toString() : received
    refuseMissing(body)
    const options = { now: this.#clock.now(), tolerance: this.#tolerance }
    let verdict = verifyFields(body, this.#secrets, options)
    if (!verdict.ok && verdict.code === 'sign_mismatch') {
      const vouched = headers && this.#fieldsByHeaders(body, headers)
      if (vouched) verdict = verifyFields(vouched, this.#secrets, options)
      else if (appidOf(body) !== this.#appid) {
        throw new CallbackVerificationError(
          'other_app',
          `it is not for ${this.#appid}; use a separate notifyUrl per mini app, or select the client by the appid in the body`,
        )
      }
    }
    if (!verdict.ok) throw new CallbackVerificationError(verdict.mistake ?? verdict.code, verdict.reason)
    return verdict.callback
  }

  #listener(receive: Receive, options: HandlerOptions | undefined): NodeListener {
    return async (request, response) => {
      const { method, headers } = request
      const { status, text } = await this.#answer(method, () => readNodeBody(request), headers, receive, options)
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
      response.end(text)
    }
  }

  #webHandler(receive: Receive, options: HandlerOptions | undefined): WebHandler {
    return async (request) => {
      const { method, headers } = request
      const { status, text } = await this.#answer(method, () => readWebBody(request), headers, receive, options)
      return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    }
  }

  /**
   * Verifies the body by its Standard Webhooks headers and returns its fields, signed with the first secret. During
   * a rotation the headers contain a signature per active secret, but the body only one.
   */
  #fieldsByHeaders(body: string | Uint8Array | Readonly<Record<string, unknown>>, headers: ReceivedHeaders) {
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined
    const id = headerOf(headers, webhookHeaderNames.id)
    const timestamp = headerOf(headers, webhookHeaderNames.timestamp)
    const signatures = headerOf(headers, webhookHeaderNames.signature)
    if (!id || !timestamp || !signatures) return undefined
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    const given = signatures.split(' ')
    const isVouched = this.#secrets.some((secret) => {
      const expected = webhookSignature(id, timestamp, text, secret)
      return given.some((signature) => equal(signature, expected))
    })
    if (!isVouched) return undefined
    const fields = fieldsOf(body)
    fields.set('sign', signParameters(fields, this.#secrets[0]))
    return Object.fromEntries(fields)
  }

  async #answer(
    method: string | undefined,
    readBody: () => Promise<ReceivedCallback>,
    headers: ReceivedHeaders,
    receive: Receive,
    { onError = (error) => console.error(error) }: HandlerOptions = {},
  ): Promise<{ status: number; text: string }> {
    if (method !== 'POST') return { status: 405, text: 'Callbacks must be sent with POST.' }
    try {
      await receive(await readBody(), headers)
      return { status: 200, text: 'success' }
    } catch (error) {
      onError(error)
      // Souk stores the response, so the developer sees the reason in the list of callbacks.
      return error instanceof CallbackVerificationError
        ? { status: 400, text: error.message }
        : { status: 500, text: 'fail' }
    }
  }
}

/** Returns the fields of a test callback that all kinds have. */
const commonFields = (appid: string, now: number) => ({
  notifyId: randomId(),
  notifyTime: now,
  appid,
  merchantId: '1123456789abcdef0123456789abcdef',
  tradeNo: '2123456789abcdef0123456789abcdef',
  outTradeNo: 'test-order',
  amount: 100,
  currency: 'SAR',
  openId: '3123456789abcdef0123456789abcdef',
  timestamp: now,
})

function refuseMissing(body: unknown): void {
  const missing =
    body === undefined ||
    body === null ||
    (body instanceof Uint8Array || typeof body === 'string' ? body.length === 0 : Object.keys(body).length === 0)
  if (missing) {
    throw new CallbackVerificationError(
      'body_missing',
      'there is no body; it was not read yet, or a parser that does not take forms has read it: hand over the raw body',
    )
  }
}

function appidOf(body: string | Uint8Array | Readonly<Record<string, unknown>>): unknown {
  return typeof body === 'string' || body instanceof Uint8Array ? fieldsOf(body).get('appid') : body.appid
}

/** `parseForm` takes a string with one character per byte. */
function fieldsOf(body: string | Uint8Array): Map<string, string> {
  return parseForm(typeof body === 'string' ? new TextEncoder().encode(body) : body)
}

function headerOf(headers: ReceivedHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name]
  return typeof value === 'string' ? value : value?.[0]
}

/** Compares in a time that depends only on the lengths. */
function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < b.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

async function readNodeBody(request: NodeRequest): Promise<ReceivedCallback> {
  const { body } = request
  const parsed = typeof body === 'string' || (typeof body === 'object' && body !== null && Object.keys(body).length > 0)
  if (parsed) return body as ReceivedCallback
  if (request.readableEnded) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of request) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    refuseLarge(text)
  }
  return text
}

async function readWebBody(request: Request): Promise<string> {
  if (request.bodyUsed) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of request.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    refuseLarge(text)
  }
  return text
}

function refuseLarge(text: string): void {
  if (text.length > maxBodySize)
    throw new CallbackVerificationError('callback_malformed', 'the body is larger than a callback')
}
