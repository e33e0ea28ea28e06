import { minute, openOperations } from '@souk/contract'
import { Callbacks } from './callbacks.ts'
import { SoukApiError, TradeStillProcessingError } from './errors.ts'
import { type Connection, call, signatureOf } from './http.ts'
import type {
  AccessToken,
  AccessTokenParameters,
  ActivityParameters,
  CreatedTrade,
  FinalTrade,
  NotifyParameters,
  OperationName,
  Result,
  TradeDetail,
  TradeParameters,
  UploadedFile,
  UserProfile,
} from './operations.ts'
import { type Clock, type Fetch, systemClock } from './runtime.ts'
import { readBaseUrl, requireText } from './settings.ts'
import { type CallOptions, isTemporary } from './transport.ts'

/** Options of a client. */
export interface SoukOptions {
  /** URL of Souk before `/neuopenapi`, such as `http://localhost:7070`. */
  baseUrl: string
  appid: string
  /** The app secret. It signs requests and verifies callbacks, and is never sent. */
  secret: string
  /** Timeout of one attempt in ms. Default 10 000. */
  timeout?: number
  /** Maximum number of retries where retrying is safe. Default 2; 0 disables retries. */
  maxRetries?: number
  /** Default: the global `fetch`. */
  fetch?: Fetch
  /** Default: the system clock. */
  clock?: Clock
  /** Random number in [0, 1) for the jitter of retries. Default: `Math.random`. */
  random?: () => number
}

/** Options of `waitForTrade`. */
export interface WaitOptions {
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
export class Souk {
  /** Verifies payment result callbacks (open-api §6). */
  readonly callbacks: Callbacks
  readonly #connection: Connection
  /** Timestamps of the last request and of the last write, in ms. */
  readonly #last = { request: 0, write: 0 }

  /** @throws TypeError for a missing or invalid option. */
  constructor(options: SoukOptions) {
    const { baseUrl, appid, secret } = options
    requireText('appid', appid)
    requireText('secret', secret)
    const clock = options.clock ?? systemClock
    this.#connection = {
      baseUrl: readBaseUrl(baseUrl, '/neuopenapi'),
      appid,
      secret,
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      clock,
      random: options.random ?? Math.random,
      timeout: options.timeout ?? 10_000,
      maxRetries: options.maxRetries ?? 2,
    }
    this.callbacks = new Callbacks({ appid, secret, clock })
  }

  /**
   * Exchanges a code of `neu.login()` or `neu.getAuthCode()` for an access token (open-api §4.3, open-api §2.3).
   *
   * A code can be exchanged once; exchanging it again revokes the token. The call is retried only if Souk has certainly
   * not processed it. After `SoukConnectionError`, request a new code on the page.
   */
  async accessToken(parameters: AccessTokenParameters, options?: CallOptions): Promise<AccessToken> {
    const { scope = 'user.info', ...rest } = parameters
    return this.#signed('accessToken', { grantType: 'authorization_code', scope, ...rest }, options)
  }

  /** Returns the profile of the user (open-api §4.3, open-api §2.4). Fields outside the token's scope are null. */
  async userInfo(accessToken: string, options?: CallOptions): Promise<UserProfile> {
    requireText('accessToken', accessToken)
    return (await call(this.#connection, 'userInfo', { accessToken }, options)) as UserProfile
  }

  /**
   * Creates a trade (open-api §4.3). `amount` in cents, `timeExpire` in ms. Idempotent by `outTradeNo` while the trade
   * is processing: the same order again returns the same `tradeNo`.
   */
  async trade(parameters: TradeParameters, options?: CallOptions): Promise<CreatedTrade> {
    return this.#signed('trade', parameters, options)
  }

  /** Returns a trade (open-api §4.3, open-api §2.5). To wait for a final state, use `waitForTrade`. */
  async tradedetail(tradeNo: string, options?: CallOptions): Promise<TradeDetail> {
    return this.#signed('tradedetail', { tradeNo }, options)
  }

  /** Closes a processing trade (open-api §4.3). Closing a closed trade returns true again; a paid trade is an error. */
  async tradeclose(tradeNo: string, options?: CallOptions): Promise<boolean> {
    return this.#signed('tradeclose', { tradeNo }, options)
  }

  /**
   * Sends a plain-text notification (open-api §4.3). Retries are the same signed request, which Souk does not send
   * twice; two calls are two notifications, even with the same text.
   */
  async sendNotify(parameters: NotifyParameters, options?: CallOptions): Promise<boolean> {
    const { notifyType = 1, ...rest } = parameters
    return this.#signed('sendNotify', { notifyType, ...rest }, options)
  }

  /** Shows, replaces or (status 0) removes an activity message (open-api §4.3). `validityTime` in seconds. */
  async sendActivity(parameters: ActivityParameters, options?: CallOptions): Promise<boolean> {
    return this.#signed('sendActivity', parameters, options)
  }

  /** Uploads an image (open-api §4.1) and returns its URL for use as `iconUrl`. */
  async fileUpload(content: FileContent, options: CallOptions & { name?: string } = {}): Promise<UploadedFile> {
    const { name = 'file', ...callOptions } = options
    const blob = content instanceof Blob ? content : new Blob([content as Uint8Array<ArrayBuffer> | ArrayBuffer])
    return this.#signed('fileUpload', {}, callOptions, { content: blob, name })
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

  async #signed<N extends OperationName>(
    operation: N,
    parameters: Readonly<Record<string, string | number | readonly string[] | undefined>>,
    options?: CallOptions,
    file?: { content: Blob; name: string },
  ): Promise<Result<N>> {
    const defined = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))
    const sign = (time: number) => {
      return signatureOf(this.#connection, defined, this.#timestamp(operation, time))
    }
    return (await call(this.#connection, operation, defined, options, { sign, file })) as Result<N>
  }

  /**
   * Assigns each write its own timestamp: two notifications with the same text would otherwise have the same sign, and
   * so would a query and a close of the same trade, which Souk rejects.
   */
  #timestamp(operation: OperationName, time: number): number {
    const last = this.#last
    // The clock was set back. Souk refuses timestamps that are minutes ahead.
    if (last.request > time + minute) last.request = last.write = 0
    const isWrite = openOperations[operation].method !== 'GET'
    const timestamp = Math.max(time, (isWrite ? last.request : last.write) + 1)
    last.request = Math.max(last.request, timestamp)
    if (isWrite) last.write = timestamp
    return timestamp
  }
}

function isFinal(trade: TradeDetail): trade is TradeDetail & FinalTrade {
  return trade.transactionStatus !== 1
}
