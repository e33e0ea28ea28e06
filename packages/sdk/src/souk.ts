import { openOperations } from '@souk/contract'
import type { OnAttempt } from './attempts.ts'
import { Callbacks } from './callbacks.ts'
import { SoukApiError, TradeStillProcessingError } from './errors.ts'
import { type Connection, call, type Send, signatureOf } from './http.ts'
import type { NotDelivered } from './notDelivered.ts'
import { OpenOperations } from './openOperations.generated.ts'
import type { TradeDetail, UploadedFile } from './operations.generated.ts'
import type { FinalTrade, OperationName, Result } from './operations.ts'
import { type Clock, type Fetch, systemClock } from './runtime.ts'
import { readBaseUrl, requireText } from './settings.ts'
import { type CallOptions, isTemporary } from './transport.ts'

/** Options of a client. */
export interface SoukOptions {
  /** URL of Souk before `/neuopenapi`, such as `http://localhost:7070`. */
  baseUrl: string
  /** Mini app id. */
  appid: string
  /** The app secret. It signs requests and verifies callbacks, and is never sent. */
  secret: string
  /** Timeout of one attempt in ms. Default 10 000. */
  timeout?: number
  /** Maximum number of retries where retrying is safe. Default 2; 0 disables retries. */
  maxRetries?: number
  /**
   * Called once when `sendNotify` or `sendActivity` has succeeded, but does not reach all recipients (open-api §4.3),
   * such as with `{ count: 2, reasons: { off: 2 }, operation: 'sendNotify' }`. The method waits for it, and throws what
   * it throws; the message has been sent nevertheless.
   */
  onNotDelivered?: (found: NotDelivered) => void | Promise<void>
  /**
   * Called before each attempt of a call, and what it returns when the attempt has ended, for logs and traces. The call
   * throws what they throw, also if the request has been executed.
   */
  onAttempt?: OnAttempt
  /**
   * Further secrets with which callbacks may be signed, such as the previous one during a rotation. `secret` is always
   * accepted.
   */
  callbackSecrets?: readonly string[]
  /** Maximum age of a callback in ms, in either direction of the clock. Default 300 000: 5 minutes. */
  callbackTolerance?: number
  /** Default: the global `fetch`. */
  fetch?: Fetch
  /** Default: the system clock. */
  clock?: Clock
  /** Random number in [0, 1) for the jitter of retries. Default: `Math.random`. */
  random?: () => number
}

/** Options of `waitForTrade`. */
export interface WaitOptions {
  /** Ends the waiting. */
  signal?: AbortSignal
  /** Timeout in ms, after which a last query may take that of one attempt. Default 120 000. */
  timeout?: number
  /** First polling interval in ms; grows by 50 % each time, up to 10 s. Default 1000. */
  interval?: number
}

/** An image to upload (open-api §4.1): PNG, JPEG and the like, up to 2 MB. */
export type FileContent = Blob | Uint8Array | ArrayBuffer

/**
 * Client of the open API for the backend of a mini app. Each operation is a method of the same name that returns
 * `response` of the envelope. The client signs requests, adds timestamps, and retries where that is safe.
 *
 * All methods throw `SoukApiError` for an error response, `SoukConnectionError` if there is no response, and the reason
 * of `options.signal` when it is aborted. Methods that sign throw `AmbiguousParametersError` instead of sending a
 * request whose signature would also be valid for other parameters.
 *
 * @example
 * const souk = new Souk({ baseUrl: 'http://localhost:7070', appid, secret })
 * const { accessToken } = await souk.accessToken({ code })
 * const { openId } = await souk.userInfo(accessToken)
 */
export class Souk extends OpenOperations {
  /** Verifies payment result callbacks (open-api §6). */
  readonly callbacks: Callbacks
  readonly #connection: Connection
  readonly #send: ReturnType<typeof createSend>

  /** @throws TypeError for a missing or invalid option. */
  constructor(options: SoukOptions) {
    const { baseUrl, appid, secret, callbackSecrets, callbackTolerance } = options
    requireText('appid', appid)
    requireText('secret', secret)
    const clock = options.clock ?? systemClock
    const connection: Connection = {
      baseUrl: readBaseUrl(baseUrl, '/neuopenapi'),
      appid,
      secret,
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      clock,
      random: options.random ?? Math.random,
      timeout: options.timeout ?? 10_000,
      maxRetries: options.maxRetries ?? 2,
      onNotDelivered: options.onNotDelivered,
      onAttempt: options.onAttempt,
    }
    const send = createSend(connection)
    super(send)
    this.#connection = connection
    this.#send = send
    this.callbacks = new Callbacks({ appid, secret, callbackSecrets, callbackTolerance, clock })
  }

  /** Uploads an image (open-api §4.1) and returns its URL for use as `iconUrl`. */
  async fileUpload(content: FileContent, options: CallOptions & { name?: string } = {}): Promise<UploadedFile> {
    const { name = 'file', ...callOptions } = options
    const blob = content instanceof Blob ? content : new Blob([content as Uint8Array<ArrayBuffer> | ArrayBuffer])
    return this.#send('fileUpload', {}, callOptions, { content: blob, name })
  }

  /**
   * Polls the trade until `transactionStatus` is not 1 (open-api §3.2). Temporary failures do not end the wait; errors
   * such as an unknown `tradeNo` do.
   *
   * @throws TradeStillProcessingError after the timeout; the trade itself continues.
   */
  async waitForTrade(tradeNo: string, options: WaitOptions = {}): Promise<FinalTrade> {
    const { signal, timeout = 120_000, interval = 1000 } = options
    const { clock } = this.#connection
    const deadline = clock.now() + timeout
    let trade: TradeDetail | undefined
    let failure: unknown
    for (let pause = interval; ; pause = Math.min(pause * 1.5, Math.max(interval, 10_000))) {
      let asked = 0
      try {
        // The next poll is the retry.
        trade = await this.tradedetail(tradeNo, { maxRetries: 0, ...(signal && { signal }) })
        failure = undefined
        if (isFinal(trade)) return trade
      } catch (thrown) {
        if (!isTemporary(thrown)) throw thrown
        failure = thrown
        asked = thrown instanceof SoukApiError ? (thrown.retryAfter ?? 0) : 0
      }
      const left = deadline - clock.now()
      if (left <= 0) throw new TradeStillProcessingError(tradeNo, timeout, trade, failure)
      await clock.sleep(Math.min(Math.max(pause, asked), left), signal)
    }
  }
}

/** Returns a function that sends operations as `Send` does, with an optional file. */
function createSend(connection: Connection) {
  return async function send<N extends OperationName>(
    operation: N,
    parameters: Parameters<Send>[1],
    options?: CallOptions,
    file?: { content: Blob; name: string },
  ): Promise<Result<N>> {
    const defined = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))
    const { auth } = openOperations[operation]
    if (auth === 'accessToken') requireText('accessToken', defined.accessToken)
    const sign = (timestamp: number) => signatureOf(connection, defined, timestamp)
    return (await call(connection, operation, defined, options, auth === 'sign' ? { sign, file } : {})) as Result<N>
  }
}

function isFinal(trade: TradeDetail): trade is TradeDetail & FinalTrade {
  return trade.transactionStatus !== 1
}
