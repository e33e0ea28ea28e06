import {
  callbackBody,
  type PaymentCallback,
  parseForm,
  signParameters,
  verifyCallback,
  webhookHeaderNames,
  webhookHeaders,
  webhookSignature,
} from '@souk/contract'
import { CallbackVerificationError } from './errors.ts'
import type { FinalStatus } from './operations.ts'
import type { Clock } from './runtime.ts'

/**
 * A payment result (open-api §6): times in ms, `amount` in cents. Delivered at least once, so the same `notifyId` can come
 * again: act on it once, and return normally each time.
 */
export type PaymentEvent = Omit<PaymentCallback, 'transactionStatus' | 'sign'> & { transactionStatus: FinalStatus }

/** What a callback arrived as: best the raw body; the fields that a form parser made of it will do. */
export type ReceivedCallback = string | Uint8Array | URLSearchParams | Readonly<Record<string, unknown>>

/** Headers of a request: a Web `Headers`, or the plain object of Node's frameworks. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Acts on a payment result. Returning acknowledges it; throwing has Souk deliver it again later. */
export type PaymentHandler = (event: PaymentEvent) => void | Promise<void>

export interface HandlerOptions {
  /** Is told what the handler threw, and why a callback was refused. Default: `console.error`. */
  onError?: (error: unknown) => void
}

/** What the handlers of this class need of Node's request; Express adds `body` once a parser has run. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly readableEnded: boolean
  readonly body?: unknown
}

export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

/** A callback takes some 600 bytes. */
const maxBodySize = 64 * 1024

/** Verifies payment result callbacks of one mini app; reached as `souk.callbacks`. */
export class Callbacks {
  readonly #appid: string
  readonly #secret: string
  readonly #clock: Clock

  constructor({ appid, secret, clock }: { appid: string; secret: string; clock: Clock }) {
    this.#appid = appid
    this.#secret = secret
    this.#clock = clock
  }

  /**
   * The payment result in a callback, once it is certain that Souk made it for this mini app, that nothing changed it, and
   * that it was signed within the last 5 minutes.
   *
   * With the raw body, hand over `headers` as well: while a secret is being rotated, they let either secret verify it.
   *
   * @throws CallbackVerificationError which names the reason.
   */
  verify(received: ReceivedCallback, headers?: ReceivedHeaders): PaymentEvent {
    const body = received instanceof URLSearchParams ? received.toString() : received
    refuseMissing(body)
    const now = this.#clock.now()
    let verdict = verifyCallback(body, [this.#secret], { now })
    if (!verdict.ok && verdict.code === 'sign_mismatch') {
      const vouched = headers && this.#fieldsByHeaders(body, headers)
      if (vouched) verdict = verifyCallback(vouched, [this.#secret], { now })
      else if (appidOf(body) !== this.#appid) {
        throw new CallbackVerificationError(
          'other_app',
          `it is not for ${this.#appid}; give each mini app its own notifyUrl, or choose the client by the appid of the body`,
        )
      }
    }
    if (!verdict.ok) throw new CallbackVerificationError(verdict.mistake ?? verdict.code, verdict.reason)
    const { sign: _, transactionStatus, ...fields } = verdict.callback
    return { ...fields, transactionStatus: transactionStatus as FinalStatus }
  }

  /**
   * A listener for `node:http` and Express, with or without a body parser in front: `app.post(path, souk.callbacks.node(…))`.
   * It answers 200 once the handler has returned, 400 to what cannot be verified, 500 when the handler throws.
   */
  node(
    handler: PaymentHandler,
    options?: HandlerOptions,
  ): (request: NodeRequest, response: NodeResponse) => Promise<void> {
    return async (request, response) => {
      const { status, text } = await this.#answer(
        request.method,
        () => readNodeBody(request),
        request.headers,
        handler,
        options,
      )
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
      response.end(text)
    }
  }

  /** The same for Web standard requests: Hono, Deno, Bun, workers. */
  web(handler: PaymentHandler, options?: HandlerOptions): (request: Request) => Promise<Response> {
    return async (request) => {
      const { status, text } = await this.#answer(
        request.method,
        () => readWebBody(request),
        request.headers,
        handler,
        options,
      )
      return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    }
  }

  /**
   * A callback as Souk would send it now, signed with this client's secret, to test a handler of one's own with. What is not
   * given is that of a trade that succeeded.
   */
  signTestCallback(fields: Partial<Omit<PaymentEvent, 'appid' | 'timestamp'>> = {}): {
    headers: Record<string, string>
    body: string
  } {
    const now = this.#clock.now()
    const callback = {
      notifyId: '0123456789abcdef0123456789abcdef',
      notifyTime: now,
      appid: this.#appid,
      merchantId: '1123456789abcdef0123456789abcdef',
      tradeNo: '2123456789abcdef0123456789abcdef',
      outTradeNo: 'test-order',
      transactionStatus: 2,
      failReasonType: -1,
      amount: 100,
      currency: 'SAR',
      openId: '3123456789abcdef0123456789abcdef',
      payType: 2,
      payMethod: 3,
      payNo: 'test-payment',
      ...fields,
      timestamp: now,
    }
    const body = callbackBody(callback, this.#secret)
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...webhookHeaders(callback.notifyId, now, body, [this.#secret]),
    }
    return { headers, body }
  }

  /**
   * The fields of a body that the Standard Webhooks headers vouch for, signed anew with this client's secret: while two
   * secrets are active, the headers carry a signature of each, but the body has room for one.
   */
  #fieldsByHeaders(body: string | Uint8Array | Readonly<Record<string, unknown>>, headers: ReceivedHeaders) {
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined
    const id = headerOf(headers, webhookHeaderNames.id)
    const timestamp = headerOf(headers, webhookHeaderNames.timestamp)
    const signatures = headerOf(headers, webhookHeaderNames.signature)
    if (!id || !timestamp || !signatures) return undefined
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    const expected = webhookSignature(id, timestamp, text, this.#secret)
    if (!signatures.split(' ').some((signature) => equal(signature, expected))) return undefined
    const fields = parseForm(body)
    fields.set('sign', signParameters(fields, this.#secret))
    return Object.fromEntries(fields)
  }

  async #answer(
    method: string | undefined,
    readBody: () => Promise<ReceivedCallback>,
    headers: ReceivedHeaders,
    handler: PaymentHandler,
    { onError = (error) => console.error(error) }: HandlerOptions = {},
  ): Promise<{ status: number; text: string }> {
    if (method !== 'POST') return { status: 405, text: 'A callback is a POST.' }
    try {
      await handler(this.verify(await readBody(), headers))
      return { status: 200, text: 'success' }
    } catch (error) {
      onError(error)
      // The reason stands in Souk's ledger of callbacks, where the developer looks first.
      return error instanceof CallbackVerificationError
        ? { status: 400, text: error.message }
        : { status: 500, text: 'fail' }
    }
  }
}

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
  return typeof body === 'string' || body instanceof Uint8Array ? parseForm(body).get('appid') : body.appid
}

function headerOf(headers: ReceivedHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name]
  return typeof value === 'string' ? value : value?.[0]
}

/** Equality in a time that depends on the lengths alone. */
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
