import { randomBytes } from 'node:crypto'
import {
  type CallbackFault,
  callbackAcknowledged,
  callbackBody,
  type consoleOperations,
  type openOperations,
  type PaymentCallback,
  type RefundCallback,
  type ResultOf,
  retryDelay,
  SoukError,
  second,
  webhookHeaders,
} from '@souk/contract'
import type { FakeApp } from './app.ts'
import type { FakeClock } from './clock.ts'

type Operations = typeof openOperations
type Unsigned = Omit<PaymentCallback, 'sign' | 'timestamp'> | Omit<RefundCallback, 'sign' | 'timestamp'>

/** Longest wait for the response of a backend, in ms. */
const timeout = 5 * second

type Listed = ResultOf<typeof consoleOperations.listCallbacks>[number]
type Attempt = Listed['attempts'][number]

/** The result of an attempt. `retryAfter` is in ms. */
type Sent = Pick<Attempt, 'duration' | 'acknowledged' | 'status' | 'reply' | 'error'> & { retryAfter: number }
const unsent: Sent = { duration: 0, acknowledged: false, status: null, reply: null, error: null, retryAfter: 0 }

/** Longest beginning of a response that is shown. */
const maxReply = 1024

/** A callback with its attempts. */
interface Callback {
  readonly app: FakeApp
  readonly url: string
  readonly fields: Unsigned
  state: 'pending' | 'delivered' | 'dead'
  nextAttempt: number | null
  readonly attempts: Attempt[]
}

/** Sends signed callbacks, and repeats them until they are acknowledged. */
export class Callbacks {
  readonly #callbacks: Callback[] = []
  readonly #faults = new Map<FakeApp, { fault: CallbackFault; remaining: number }>()
  readonly #clock: FakeClock
  readonly #secretsOf: (app: FakeApp) => string[]

  constructor(clock: FakeClock, secretsOf: (app: FakeApp) => string[]) {
    this.#clock = clock
    this.#secretsOf = secretsOf
  }

  sendPayment(app: FakeApp, trade: ResultOf<Operations['tradedetail']>, url: string): void {
    this.#send(app, url, {
      ...this.#commonFields(app, trade),
      transactionStatus: trade.transactionStatus,
      failReasonType: trade.failReasonType,
      payType: trade.payType,
      payMethod: trade.payMethod,
      payNo: trade.payNo,
    })
  }

  sendRefund(app: FakeApp, refund: ResultOf<Operations['refunddetail']>, url: string): void {
    this.#send(app, url, {
      ...this.#commonFields(app, refund),
      refundNo: refund.refundNo,
      outRefundNo: refund.outRefundNo,
      refundStatus: refund.refundStatus,
      failReason: refund.failReason,
    })
  }

  /** Returns whether the callback of a trade was acknowledged; null before the first attempt. */
  isAcknowledged(tradeNo: string): boolean | null {
    const found = this.#callbacks.find(({ fields }) => fields.tradeNo === tradeNo && !('refundNo' in fields))
    return found && found.attempts.length > 0 ? found.state === 'delivered' : null
  }

  /** Returns the callbacks of a mini app, newest first. */
  list(app: FakeApp, filter: { state?: string; tradeNo?: string; limit?: number }): Listed[] {
    return this.#callbacks
      .filter((callback) => callback.app === app)
      .map(shown)
      .filter(({ state }) => filter.state === undefined || state === filter.state)
      .filter(({ tradeNo }) => filter.tradeNo === undefined || tradeNo === filter.tradeNo.toLowerCase())
      .reverse()
      .slice(0, filter.limit)
  }

  /** Sends a callback again. @throws SoukError `callback_not_found` */
  async replay(notifyId: string): Promise<Listed> {
    const found = this.#callbacks.find(({ fields }) => fields.notifyId === notifyId)
    if (!found) throw new SoukError('callback_not_found')
    await this.#attempt(found)
    return shown(found)
  }

  /** Injects a fault into the next attempts of a mini app, as a sandbox does. */
  setFault(app: FakeApp, fault: CallbackFault, count: number): void {
    if (count > 0) this.#faults.set(app, { fault, remaining: count })
    else this.#faults.delete(app)
  }

  faultOf(app: FakeApp): { fault: CallbackFault | null; remaining: number } {
    return this.#faults.get(app) ?? { fault: null, remaining: 0 }
  }

  /** Uses up one injected fault. */
  #takeFault(app: FakeApp): CallbackFault | undefined {
    const injected = this.#faults.get(app)
    if (injected) this.setFault(app, injected.fault, injected.remaining - 1)
    return injected?.fault
  }

  #commonFields(app: FakeApp, { tradeNo, outTradeNo, amount, currency, openId }: Named) {
    return {
      notifyId: randomBytes(16).toString('hex'),
      notifyTime: this.#clock.now(),
      appid: app.appid,
      merchantId: app.merchantId,
      tradeNo,
      outTradeNo,
      amount,
      currency,
      openId,
    }
  }

  #send(app: FakeApp, url: string, fields: Unsigned): void {
    const now = this.#clock.now()
    const callback: Callback = { app, url, fields, state: 'pending', nextAttempt: now, attempts: [] }
    this.#callbacks.push(callback)
    this.#attemptAt(callback, now)
  }

  async #attempt(callback: Callback): Promise<void> {
    const { app, attempts } = callback
    const fault = this.#takeFault(app)
    if (fault === 'twice') await this.#post(callback)
    const sent =
      fault === 'drop' ? { ...unsent, error: 'Dropped by the sandbox: not sent.' } : await this.#post(callback)
    const { retryAfter, ...result } =
      fault === 'error500' ? { ...unsent, status: 500, error: 'The sandbox replaced the response with a 500.' } : sent
    attempts.push({ attempt: attempts.length + 1, via: 'notifyUrl', time: this.#clock.now(), ...result })
    if (result.acknowledged) callback.state = 'delivered'
    const delay = callback.state === 'delivered' ? null : retryDelay(attempts.length, 0, retryAfter)
    callback.nextAttempt = delay === null ? null : this.#clock.now() + delay
    if (callback.nextAttempt !== null) this.#attemptAt(callback, callback.nextAttempt)
    else if (callback.state === 'pending') callback.state = 'dead'
  }

  /** Sends a callback at a time, unless it has been sent again before. */
  #attemptAt(callback: Callback, time: number): void {
    this.#clock.at(time, () => (callback.nextAttempt === time ? this.#attempt(callback) : undefined))
  }

  async #post({ app, fields, url }: Callback): Promise<Sent> {
    const secrets = this.#secretsOf(app)
    // Real time, like that of requests.
    const signedAt = Date.now()
    const duration = () => Date.now() - signedAt
    const body = callbackBody({ ...fields, timestamp: signedAt } as Parameters<typeof callbackBody>[0], secrets[0]!)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...webhookHeaders(fields.notifyId, signedAt, body, secrets),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      const retryAfter = Number(response.headers.get('retry-after') ?? 0) * second || 0
      const reply = await response.text()
      const acknowledged = callbackAcknowledged(response.status, reply)
      return {
        duration: duration(),
        acknowledged,
        status: response.status,
        reply: reply.slice(0, maxReply),
        error: null,
        retryAfter,
      }
    } catch (error) {
      const { message, cause } = error as Error
      return { ...unsent, duration: duration(), error: cause instanceof Error ? cause.message : message }
    }
  }
}

/** Returns a callback as the console lists it. */
function shown({ app, fields, url, state, nextAttempt, attempts }: Callback): Listed {
  const { notifyId, notifyTime, tradeNo, outTradeNo } = fields
  const isRefund = 'refundNo' in fields
  return {
    notifyId,
    appid: app.appid,
    tradeNo,
    outTradeNo,
    refundNo: isRefund ? fields.refundNo : null,
    transactionStatus: isRefund ? fields.refundStatus : fields.transactionStatus,
    notifyUrl: url,
    state,
    nextAttempt,
    pausedUntil: null,
    ctime: notifyTime,
    attempts,
  }
}

type Named = Pick<PaymentCallback, 'tradeNo' | 'outTradeNo' | 'amount' | 'currency' | 'openId'>
