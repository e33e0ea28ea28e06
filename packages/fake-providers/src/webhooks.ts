import { randomOf } from './seededRandom.ts'

/** How webhooks go wrong. Chances are from 0 to 1; `maxDelay` in ms. With delays they overtake each other. */
export interface Weather {
  seed: number
  lost: number
  duplicated: number
  maxDelay: number
  /** Kept back until `release` is called. */
  held: boolean
}

export const fairWeather: Weather = { seed: 1, lost: 0, duplicated: 0, maxDelay: 0, held: false }

/** One webhook on its way. `signed` makes its headers at the moment it is sent. */
export interface Webhook {
  url: string
  body: string
  signed: (body: string) => Record<string, string>
}

/** What was sent, and what came back; null where nothing did. */
export interface Delivery extends Webhook {
  status: number | null
}

/** Pauses before the second and every further delivery of a webhook that was not taken, ms. */
const pauses = [500, 2_000, 10_000, 60_000]

/** Sends webhooks, at least once, unless the weather is against it. */
export class Webhooks {
  readonly held: Webhook[] = []
  readonly deliveries: Delivery[] = []
  #weather = fairWeather
  #random = randomOf(fairWeather.seed)
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #stop = new AbortController()

  get weather(): Weather {
    return this.#weather
  }

  set weather(weather: Weather) {
    this.#weather = weather
    this.#random = randomOf(weather.seed)
  }

  send(webhook: Webhook): void {
    const { lost, duplicated, maxDelay, held } = this.#weather
    if (held) this.held.push(webhook)
    if (held || this.#random() < lost) return
    const copies = this.#random() < duplicated ? 2 : 1
    for (let copy = 0; copy < copies; copy++) this.#later(Math.floor(this.#random() * maxDelay), webhook)
  }

  /** Sends what was kept back, in the order given: indexes of `held`, which may repeat. Waits until all are answered. */
  async release(order: readonly number[] = this.held.map((_, index) => index)): Promise<void> {
    const chosen = order.map((index) => this.held[index]!)
    this.held.length = 0
    for (const webhook of chosen) await this.#deliver(webhook)
  }

  /** Waits until nothing is under way. What waits for its time is not waited for. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  close(): void {
    this.#stop.abort()
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #later(ms: number, webhook: Webhook, failures = 0): void {
    const run = () => {
      const delivery = this.#deliver(webhook).then((taken) => {
        const pause = pauses[failures]
        if (!taken && pause !== undefined && !this.#stop.signal.aborted) this.#later(pause, webhook, failures + 1)
      })
      this.#underWay.add(delivery)
      void delivery.finally(() => this.#underWay.delete(delivery))
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
    const { url, body, signed } = webhook
    const headers = { 'content-type': 'application/json', ...signed(body) }
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(10_000)])
    const status = await fetch(url, { method: 'POST', headers, body, signal }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => null,
    )
    this.deliveries.push({ ...webhook, status })
    if (this.deliveries.length > 1_000) this.deliveries.shift()
    return status !== null && status >= 200 && status < 300
  }
}
