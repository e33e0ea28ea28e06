import { setTimeout as wait } from 'node:timers/promises'
import { minute, type Provider, providerNames } from '@souk/contract'
import { Souk, SoukApiError, SoukConnectionError } from '../../../../packages/sdk/src/index.ts'
import { newId } from '../../src/kernel/id.ts'

/** A trade as its merchant and payer know it. */
export interface KnownTrade {
  tradeNo: string
  outTradeNo: string
  amount: number
  /** Every final status that was reported to a client. */
  reportedStatuses: Set<number>
  /** Accepted refunds in cents by refundNo. */
  refunds: Map<string, number>
}

export interface TrafficOptions {
  /** URL of the proxy in front of the server. */
  front: string
  /** Resolves while a server runs. */
  ready: () => Promise<unknown>
  /** Reads the domain clock, ms. */
  now: () => Promise<number>
  adminToken: string
  app: { appid: string; secret: string; openId: string }
  session: string
  /** URL of the merchant's backend. */
  receiver: string
  randomOf: (name: string) => () => number
  /** Number of concurrent users. */
  concurrency: number
  /** Pauses of a user between two orders and between two tries of a request, ms. */
  pause: { order: number; retry: number }
  /** Sends the requests; the global `fetch` by default. */
  fetch?: typeof fetch
}

/** Lowest amount in cents routed to each provider first: a range of 100, and everything above for the sandbox. */
export const amounts = Object.fromEntries(providerNames.map((name, index) => [name, 1_000 * (index + 1)])) as Record<
  Provider,
  number
>
/** Magic amounts of the sandbox provider. */
const sandboxAmounts = [90_027, 90_100, 90_101, 90_102, 90_103, 90_104, 90_105, 90_106]
/** Test cards with cumulative probabilities. */
const cards: [below: number, number: string][] = [
  [0.5, '4242424242424242'],
  [0.66, '4000000000003220'],
  [0.76, '4000000000000002'],
  [0.81, '4000000000009995'],
  [0.91, '4000000000000077'],
  [0.96, '4000000000000259'],
  [1, '4000000000000069'],
]

/** Statuses of a server that is down, also from a proxy in front of it. */
const awayStatuses = [502, 503, 504]

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'

/** Simulated merchants, payers and an operator who retry through crashes and record what was reported to them. */
export class Traffic {
  readonly known = new Map<string, KnownTrade>()
  /** Unexpected responses. */
  readonly faults: string[] = []
  readonly #options: TrafficOptions
  readonly #souk: Souk
  readonly #fetch: typeof fetch
  #stopped = false
  readonly #users: Promise<void>[]

  constructor(options: TrafficOptions) {
    this.#options = options
    const { front, app } = options
    this.#fetch = options.fetch ?? fetch
    const connection = { baseUrl: front, maxRetries: 0, fetch: this.#fetch }
    this.#souk = new Souk({ ...connection, appid: app.appid, secret: app.secret })
    this.#users = Array.from({ length: options.concurrency }, (_, user) =>
      this.#placeOrders(user).catch((error: Error) => void this.faults.push(error.stack ?? error.message)),
    )
  }

  /** Stops after the current orders. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#users)
  }

  /** Queries a trade as its merchant. */
  async look(trade: KnownTrade): Promise<number | undefined> {
    const detail = await this.#try(() => this.#souk.tradedetail(trade.tradeNo))
    if (detail && detail.transactionStatus !== 1) trade.reportedStatuses.add(detail.transactionStatus)
    return detail?.transactionStatus
  }

  async #placeOrders(user: number): Promise<void> {
    for (let order = 0; !this.#stopped; order++) {
      const name = `${user}-${order}`
      await this.#runOrder(name, this.#options.randomOf(`runOrder ${name}`))
      await wait(this.#options.pause.order)
    }
  }

  /** Runs one order, from creation to refund. */
  async #runOrder(outTradeNo: string, random: () => number): Promise<void> {
    const trade = await this.#order(outTradeNo, random)
    if (!trade || random() < 0.05) return
    for (let tries = random() < 0.3 ? 2 : 1; tries > 0; tries--) {
      const others = [this.#interfere(trade, random)]
      if (random() < 0.1) others.push(this.#pay(trade, random))
      await Promise.all([this.#pay(trade, random), ...others])
      if (this.#stopped || (await this.look(trade)) !== 1) break
    }
    if (trade.reportedStatuses.has(2) && random() < 0.35) await this.#refund(trade, random)
  }

  async #order(outTradeNo: string, random: () => number): Promise<KnownTrade | undefined> {
    const { app, receiver, now } = this.#options
    const [from] = Object.values(amounts).slice(Math.floor(random() * providerNames.length))
    const special = from === amounts.sandbox && random() < 0.6
    const amount = special
      ? sandboxAmounts[Math.floor(random() * sandboxAmounts.length)]!
      : from! + Math.floor(random() * 100)
    const lifetime = random() < 0.15 ? 90_000 : random() < 0.4 ? 20 * minute : undefined
    const parameters = {
      outTradeNo,
      amount,
      currency: 'SAR' as const,
      openId: app.openId,
      notifyUrl: `${receiver}/${random() < 0.06 ? 'refuses' : 'paid'}`,
      ...(lifetime === undefined ? {} : { timeExpire: (await now()) + lifetime }),
    }
    const created = await this.#retry(() => this.#souk.trade(parameters))
    if (!created) return undefined
    const trade = {
      tradeNo: created.tradeNo,
      outTradeNo,
      amount,
      reportedStatuses: new Set<number>(),
      refunds: new Map(),
    }
    this.known.set(created.tradeNo, trade)
    return trade
  }

  async #pay(trade: KnownTrade, random: () => number): Promise<void> {
    const payMethod = random() < 0.8 ? 'card' : random() < 0.5 ? 'wallet-a' : 'wallet-b'
    const path = `/host/v1/trades/${trade.tradeNo}`
    const started = await this.#retry(() => this.#host('POST', `${path}/payments`, { payMethod }))
    if (started?.status === 2) trade.reportedStatuses.add(2)
    if (started?.challenge && random() < 0.8) {
      await this.#retry(() => this.#host('POST', `${path}/challenge`, { passed: random() < 0.7 }))
    }
    if (started?.redirect) await this.#payOnPage(started.redirect.url, payMethod, random)
  }

  /** Pays on the provider's page, and returns from it or not. */
  async #payOnPage(url: string, payMethod: string, random: () => number): Promise<void> {
    if (random() < 0.06) return
    const method = { card: 'card', 'wallet-a': 'googlepay', 'wallet-b': 'applepay' }[payMethod]!
    const form: Record<string, string> = random() < 0.06 ? { leave: '1' } : { method, number: this.#card(random) }
    const page = await this.#browse(url, form)
    const then = page?.text.includes('/challenge')
      ? await this.#browse(`${url}/challenge`, { [random() < 0.7 ? 'pass' : 'decline']: '1' })
      : page
    const back = /http:\/\/[\d.]+:\d+\/host\/v1\/return\/[0-9a-f]{32}/.exec(`${then?.location} ${then?.text}`)
    if (back && random() < 0.6) await this.#browse(back[0])
  }

  #card(random: () => number): string {
    const value = random()
    return cards.find(([below]) => value < below)![1]
  }

  /** Closes, cancels or resolves a trade while it is being paid. */
  async #interfere(trade: KnownTrade, random: () => number): Promise<void> {
    const value = random()
    if (value > 0.3) return
    await wait(random() * 300)
    if (value < 0.1) {
      if (await this.#retry(() => this.#souk.tradeclose(trade.tradeNo))) trade.reportedStatuses.add(6)
    } else if (value < 0.2) {
      await this.#retry(() => this.#host('POST', `/host/v1/trades/${trade.tradeNo}/cancel`, {}))
    } else {
      const outcome = random() < 0.5 ? 'succeeded' : 'failed:27'
      await this.#try(() => this.#console('/sandbox/results', { tradeNo: trade.tradeNo, outcome }))
    }
  }

  async #refund(trade: KnownTrade, random: () => number): Promise<void> {
    for (let parts = random() < 0.3 ? 2 : 1; parts > 0; parts--) {
      const amount = random() < 0.5 ? undefined : 1 + Math.floor(random() * trade.amount)
      const input = { note: 'Sent twice', refundNo: newId(), ...(amount === undefined ? {} : { amount }) }
      const refund = await this.#retry(() => this.#console(`/trades/${trade.tradeNo}/refunds`, input))
      if (refund) trade.refunds.set(input.refundNo, refund.amount)
    }
  }

  /** Repeats a request until there is a response. Returns undefined if it was rejected or the retries are used up. */
  async #retry<T>(ask: () => Promise<T>): Promise<T | undefined> {
    for (let tries = this.#stopped ? 5 : 20; tries > 0; tries--) {
      const outcome = await this.#ask(ask)
      if (outcome !== 'noResponse') return outcome === 'rejected' ? undefined : outcome.answer
      await wait(this.#options.pause.retry)
    }
    return undefined
  }

  /** Sends a request once. Returns undefined without a response, or if it was rejected. */
  async #try<T>(ask: () => Promise<T>): Promise<T | undefined> {
    const outcome = await this.#ask(ask)
    return typeof outcome === 'object' ? outcome.answer : undefined
  }

  async #ask<T>(ask: () => Promise<T>): Promise<{ answer: T } | 'rejected' | 'noResponse'> {
    await this.#options.ready()
    try {
      return { answer: await ask() }
    } catch (error) {
      if (error instanceof RequestRejected || error instanceof SoukApiError) {
        if (awayStatuses.includes(error.status)) return 'noResponse'
        if (error.status === 500) this.faults.push(error.message)
        return 'rejected'
      }
      if (error instanceof SoukConnectionError || error instanceof TypeError || isTimeout(error)) return 'noResponse'
      throw error
    }
  }

  async #host(method: string, path: string, input: object) {
    return json(await this.#send(method, path, this.#options.session, input), path)
  }

  async #console(path: string, input: object) {
    return json(await this.#send('POST', `/console/v1${path}`, this.#options.adminToken, input), path)
  }

  #send(method: string, path: string, token: string, input: object): Promise<Response> {
    return this.#fetch(this.#options.front + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
  }

  /** Requests a page as a payer's browser. Returns undefined without a response. */
  async #browse(url: string, form?: Record<string, string>): Promise<{ location: string; text: string } | undefined> {
    const body = form && new URLSearchParams(form)
    const answer = await this.#fetch(url, { redirect: 'manual', ...(body ? { method: 'POST', body } : {}) }).catch(
      () => {},
    )
    const text = await answer?.text().catch(() => undefined)
    return answer && text !== undefined ? { location: answer.headers.get('location') ?? '', text } : undefined
  }
}

/** An error response of a JSON surface. */
class RequestRejected extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own result.
async function json(answer: Response, path: string): Promise<any> {
  const text = await answer.text()
  if (answer.ok) return JSON.parse(text)
  throw new RequestRejected(answer.status, `${path} answered ${answer.status}: ${text}`)
}
