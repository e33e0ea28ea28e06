import { Callbacks } from './callbacks.ts'
import { TradeStillProcessingError } from './errors.ts'
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
import { type CallOptions, isPassing } from './transport.ts'

/** Settings of a client. */
export interface SoukOptions {
  /** Address of Souk in front of `/neuopenapi`, such as `http://localhost:7070`. */
  baseUrl: string
  appid: string
  /** The app's secret. It signs requests and verifies callbacks, and is never sent. */
  secret: string
  /** How long one try of a call may take, in ms. Default 10 000. */
  timeout?: number
  /** How many further tries a call may have where repeating it is safe. Default 2; 0 switches repeating off. */
  maxRetries?: number
  /** Default: the global `fetch`. */
  fetch?: Fetch
  /** Default: the system's clock. */
  clock?: Clock
  /** From [0, 1), spreads repeated tries. Default: `Math.random`. */
  random?: () => number
}

/** How long `waitForTrade` waits. */
export interface WaitOptions {
  signal?: AbortSignal
  /** When to stop waiting, in ms from now. Default 120 000. */
  timeout?: number
  /** The first pause between two looks, in ms; each pause is half as long again, up to 10 s. Default 1000. */
  interval?: number
}

/** An image to upload (open-api §4.1): PNG, JPEG and the like, up to 2 MB. */
export type FileContent = Blob | Uint8Array | ArrayBuffer

/**
 * The open API for the backend of one mini app. Each operation of the document is a method of the same name, and gives
 * `response` of its envelope. Signing, timestamps and safe repetition are done here.
 *
 * Every method throws `SoukApiError` when Souk refuses, `SoukConnectionError` when there is no answer, and the reason of
 * `options.signal` when that is aborted.
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
  #lastNotify = 0

  /** @throws TypeError when a setting is missing or cannot be right. */
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
   * Exchanges a code of `neu.login()` or `neu.getAuthCode()` for an access token (open-api §4.3, §2.3).
   *
   * A code can be exchanged once, and exchanging it again revokes the token: the call is repeated only where Souk has
   * certainly not carried it out. After `SoukConnectionError`, ask the page for a new code.
   */
  async accessToken(parameters: AccessTokenParameters, options?: CallOptions): Promise<AccessToken> {
    const { scope = 'user.info', ...rest } = parameters
    return this.#signed('accessToken', { grantType: 'authorization_code', scope, ...rest }, options)
  }

  /** Reads the profile of the user who logged in (open-api §4.3, §2.4). What the token's scope does not grant is null. */
  async userInfo(accessToken: string, options?: CallOptions): Promise<UserProfile> {
    requireText('accessToken', accessToken)
    return (await call(this.#connection, 'userInfo', { accessToken }, options)) as UserProfile
  }

  /**
   * Creates a trade (open-api §4.3). `amount` in cents, `timeExpire` in ms. Idempotent by `outTradeNo` while the trade is
   * processing: the same order again gives the same `tradeNo`.
   */
  async trade(parameters: TradeParameters, options?: CallOptions): Promise<CreatedTrade> {
    return this.#signed('trade', parameters, options)
  }

  /** Reads a trade (open-api §4.3, §2.5). To wait for its end, use `waitForTrade`. */
  async tradedetail(tradeNo: string, options?: CallOptions): Promise<TradeDetail> {
    return this.#signed('tradedetail', { tradeNo }, options)
  }

  /** Closes a trade that is processing (open-api §4.3). Closing it again is true again; a paid one is refused. */
  async tradeclose(tradeNo: string, options?: CallOptions): Promise<boolean> {
    return this.#signed('tradeclose', { tradeNo }, options)
  }

  /**
   * Sends a plain-text notification (open-api §4.3). A repeated try is the same signed request, which Souk answers
   * without sending again; two calls are two notifications, even when they say the same.
   */
  async sendNotify(parameters: NotifyParameters, options?: CallOptions): Promise<boolean> {
    const { notifyType = 1, ...rest } = parameters
    return this.#signed('sendNotify', { notifyType, ...rest }, options)
  }

  /** Shows, replaces or (status 0) removes an activity message (open-api §4.3). `validityTime` in seconds. */
  async sendActivity(parameters: ActivityParameters, options?: CallOptions): Promise<boolean> {
    return this.#signed('sendActivity', parameters, options)
  }

  /** Uploads an image (open-api §4.1), and gives an address that can serve as `iconUrl`. */
  async fileUpload(content: FileContent, options: CallOptions & { name?: string } = {}): Promise<UploadedFile> {
    const { name = 'file', ...callOptions } = options
    const blob = content instanceof Blob ? content : new Blob([content as Uint8Array<ArrayBuffer> | ArrayBuffer])
    return this.#signed('fileUpload', {}, callOptions, { content: blob, name })
  }

  /**
   * Asks for the trade until `transactionStatus` is not 1 (open-api §3.2). A passing failure to ask does not end the
   * wait; a refusal, such as an unknown `tradeNo`, does.
   *
   * @throws TradeStillProcessingError when the time is up; the trade itself goes on.
   */
  async waitForTrade(tradeNo: string, options: WaitOptions = {}): Promise<FinalTrade> {
    const { signal, timeout = 120_000, interval = 1000 } = options
    const { clock } = this.#connection
    const deadline = clock.now() + timeout
    let trade: TradeDetail | undefined
    let failure: unknown
    for (let pause = interval; ; pause = Math.min(pause * 1.5, Math.max(interval, 10_000))) {
      try {
        trade = await this.tradedetail(tradeNo, signal ? { signal } : {})
        failure = undefined
        if (isFinal(trade)) return trade
      } catch (thrown) {
        if (!isPassing(thrown)) throw thrown
        failure = thrown
      }
      const left = deadline - clock.now()
      if (left <= 0) throw new TradeStillProcessingError(tradeNo, timeout, trade, failure)
      await clock.sleep(Math.min(pause, left), signal)
    }
  }

  async #signed<N extends OperationName>(
    operation: N,
    parameters: Readonly<Record<string, string | number | readonly string[] | undefined>>,
    options?: CallOptions,
    file?: { content: Blob; name: string },
  ): Promise<Result<N>> {
    const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))
    const sign = (time: number) => {
      const timestamp = operation === 'sendNotify' ? this.#distinctTime(time) : time
      return signatureOf(this.#connection, given, timestamp)
    }
    return (await call(this.#connection, operation, given, options, sign, file)) as Result<N>
  }

  /** Two notifications of the same text in one millisecond would have one sign, and count as one. */
  #distinctTime(time: number): number {
    this.#lastNotify = Math.max(time, this.#lastNotify + 1)
    return this.#lastNotify
  }
}

function isFinal(trade: TradeDetail): trade is TradeDetail & FinalTrade {
  return trade.transactionStatus !== 1
}
