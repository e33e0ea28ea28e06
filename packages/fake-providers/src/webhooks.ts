import { seededRandom } from './seededRandom.ts'
import { minute, second } from './time.ts'

/** Faults injected into webhooks. Rates are from 0 to 1. */
export interface WebhookFaults {
  seed: number
  lossRate: number
  duplicateRate: number
  /** Maximum delay in ms. Delayed webhooks can arrive out of order. */
  maxDelay: number
  /** Holds webhooks until `release` is called. */
  hold: boolean
}

export const noWebhookFaults: WebhookFaults = { seed: 1, lossRate: 0, duplicateRate: 0, maxDelay: 0, hold: false }

/** A webhook to send. `signatureHeaders` signs the body for each delivery. */
export interface Webhook {
  url: string
  body: string
  signatureHeaders: (body: string) => Record<string, string>
}

/** A sent webhook. `status` is null if there was no response. */
export interface Delivery extends Webhook {
  status: number | null
}

/** Delays before each retry of a webhook that was not acknowledged, in ms. */
const retryDelays = [0.5 * second, 2 * second, 10 * second, minute]
const deliveryTimeout = 10 * second
const maxRecordedDeliveries = 1_000

/** Sends webhooks at least once, unless injected faults prevent it. */
export class WebhookSender {
  readonly held: Webhook[] = []
  readonly deliveries: Delivery[] = []
  #faults = noWebhookFaults
  #random = seededRandom(noWebhookFaults.seed)
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #inFlight = new Set<Promise<void>>()
  readonly #stop = new AbortController()

  get faults(): WebhookFaults {
    return this.#faults
  }

  set faults(faults: WebhookFaults) {
    this.#faults = faults
    this.#random = seededRandom(faults.seed)
  }

  send(webhook: Webhook): void {
    const { lossRate, duplicateRate, maxDelay, hold } = this.#faults
    if (hold) this.held.push(webhook)
    if (hold || this.#random() < lossRate) return
    const copies = this.#random() < duplicateRate ? 2 : 1
    for (let copy = 0; copy < copies; copy++) this.#schedule(Math.floor(this.#random() * maxDelay), webhook)
  }

  /**
   * Sends held webhooks in the given order of indexes into `held`, which may repeat. Resolves when all are answered.
   */
  async release(order: readonly number[] = this.held.map((_, index) => index)): Promise<void> {
    const webhooks = order.map((index) => this.held[index]!)
    this.held.length = 0
    for (const webhook of webhooks) await this.#deliver(webhook)
  }

  /** Resolves when no delivery is in flight. Does not wait for delayed ones. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight)
  }

  close(): void {
    this.#stop.abort()
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #schedule(ms: number, webhook: Webhook, failures = 0): void {
    const run = () => {
      const delivery = this.#deliver(webhook).then((acknowledged) => {
        const delay = retryDelays[failures]
        if (!acknowledged && delay !== undefined && !this.#stop.signal.aborted)
          this.#schedule(delay, webhook, failures + 1)
      })
      this.#inFlight.add(delivery)
      void delivery.finally(() => this.#inFlight.delete(delivery))
    }
    if (ms === 0) run()
    else {
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        run()
      }, ms)
      this.#timers.add(timer.unref())
    }
  }

  async #deliver(webhook: Webhook): Promise<boolean> {
    const { url, body, signatureHeaders } = webhook
    const headers = { 'content-type': 'application/json', ...signatureHeaders(body) }
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(deliveryTimeout)])
    const status = await fetch(url, { method: 'POST', headers, body, signal }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => null,
    )
    this.deliveries.push({ ...webhook, status })
    if (this.deliveries.length > maxRecordedDeliveries) this.deliveries.shift()
    return status !== null && status >= 200 && status < 300
  }
}
