import { setTimeout as wait } from 'node:timers/promises'
import { Souk, SoukApiError, SoukConnectionError } from '../../../../packages/sdk/src/index.ts'
import { newId } from '../../src/kernel/id.ts'

/** What people outside know of a trade, for having been told so. */
export interface Known {
  tradeNo: string
  outTradeNo: string
  amount: number
  /** Every final status that anybody was told. */
  told: Set<number>
  /** Refunds that were taken, in cents by refundNo. */
  refunds: Map<string, number>
}

export interface TrafficOptions {
  /** Before the server: who asks there while no server runs gets no answer. */
  front: string
  /** Resolves while a server runs. */
  ready: () => Promise<unknown>
  /** The domain's clock, ms. */
  now: () => Promise<number>
  adminToken: string
  app: { appid: string; secret: string; openId: string }
  session: string
  /** Of the merchant's backend. */
  receiver: string
  randomOf: (name: string) => () => number
}

/** Amounts say which provider takes a payment first, cents: from each of these a hundred, and for the sandbox all above. */
export const amounts = { checkout: 1_000, stripe: 2_000, paytabs: 3_000, sandbox: 4_000 }
/** Amounts with which the sandbox's provider does something else than take the money at once. */
const rehearsed = [90_027, 90_100, 90_101, 90_102, 90_103, 90_104, 90_105, 90_106]
/** Cards of the local providers: the first whose number is above what is drawn. */
const cards: [below: number, number: string][] = [
  [0.5, '4242424242424242'],
  [0.66, '4000000000003220'],
  [0.76, '4000000000000002'],
  [0.81, '4000000000009995'],
  [0.91, '4000000000000077'],
  [0.96, '4000000000000259'],
  [1, '4000000000000069'],
]

/** How many ask at once. */
const crowd = 12

/** Merchants, payers and an operator, who go on whatever becomes of the server, and remember what they were told. */
export class Traffic {
  readonly known = new Map<string, Known>()
  /** Answers that nobody should ever get. */
  readonly faults: string[] = []
  readonly #options: TrafficOptions
  readonly #souk: Souk
  #stopped = false
  readonly #people: Promise<void>[]

  constructor(options: TrafficOptions) {
    this.#options = options
    const { front, app } = options
    this.#souk = new Souk({ baseUrl: front, appid: app.appid, secret: app.secret, maxRetries: 0 })
    this.#people = Array.from({ length: crowd }, (_, person) =>
      this.#goOn(person).catch((error: Error) => void this.faults.push(error.stack ?? error.message)),
    )
  }

  /** Lets everybody finish what they are at. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#people)
  }

  /** Asks how a trade stands, as its merchant. */
  async look(trade: Known): Promise<number | undefined> {
    const detail = await this.#try(() => this.#souk.tradedetail(trade.tradeNo))
    if (detail && detail.transactionStatus !== 1) trade.told.add(detail.transactionStatus)
    return detail?.transactionStatus
  }

  async #goOn(person: number): Promise<void> {
    for (let order = 0; !this.#stopped; order++) {
      const name = `${person}-${order}`
      await this.#story(name, this.#options.randomOf(`story ${name}`))
      await wait(30)
    }
  }

  /** One order, from the basket to the refund, or as far as it gets. */
  async #story(outTradeNo: string, random: () => number): Promise<void> {
    const trade = await this.#order(outTradeNo, random)
    if (!trade || random() < 0.05) return
    for (let tries = random() < 0.3 ? 2 : 1; tries > 0; tries--) {
      const others = [this.#disturb(trade, random)]
      if (random() < 0.1) others.push(this.#pay(trade, random))
      await Promise.all([this.#pay(trade, random), ...others])
      if (this.#stopped || (await this.look(trade)) !== 1) break
    }
    if (trade.told.has(2) && random() < 0.35) await this.#refund(trade, random)
  }

  async #order(outTradeNo: string, random: () => number): Promise<Known | undefined> {
    const { app, receiver, now } = this.#options
    const [from] = Object.values(amounts).slice(Math.floor(random() * 4))
    const special = from === amounts.sandbox && random() < 0.6
    const amount = special ? rehearsed[Math.floor(random() * rehearsed.length)]! : from! + Math.floor(random() * 100)
    const lifetime = random() < 0.15 ? 90_000 : random() < 0.4 ? 20 * 60_000 : undefined
    const parameters = {
      outTradeNo,
      amount,
      currency: 'SAR' as const,
      openId: app.openId,
      notifyUrl: `${receiver}/${random() < 0.06 ? 'refuses' : 'paid'}`,
      ...(lifetime === undefined ? {} : { timeExpire: (await now()) + lifetime }),
    }
    const made = await this.#insist(() => this.#souk.trade(parameters))
    if (!made) return undefined
    const trade = { tradeNo: made.tradeNo, outTradeNo, amount, told: new Set<number>(), refunds: new Map() }
    this.known.set(made.tradeNo, trade)
    return trade
  }

  async #pay(trade: Known, random: () => number): Promise<void> {
    const payMethod = random() < 0.8 ? 'card' : random() < 0.5 ? 'wallet-a' : 'wallet-b'
    const path = `/host/v1/trades/${trade.tradeNo}`
    const started = await this.#insist(() => this.#host('POST', `${path}/payments`, { payMethod }))
    if (started?.status === 2) trade.told.add(2)
    if (started?.challenge && random() < 0.8) {
      await this.#insist(() => this.#host('POST', `${path}/challenge`, { passed: random() < 0.7 }))
    }
    if (started?.redirect) await this.#payOnPage(started.redirect.url, payMethod, random)
  }

  /** What somebody does on the provider's page, and whether they come back from it. */
  async #payOnPage(url: string, payMethod: string, random: () => number): Promise<void> {
    if (random() < 0.06) return
    const method = { card: 'card', 'wallet-a': 'googlepay', 'wallet-b': 'applepay' }[payMethod]!
    const form: Record<string, string> = random() < 0.06 ? { leave: '1' } : { method, number: this.#card(random) }
    const page = await this.#browse(url, form)
    const then = page?.text.includes('/challenge')
      ? await this.#browse(`${url}/challenge`, { [random() < 0.7 ? 'pass' : 'refuse']: '1' })
      : page
    const back = /http:\/\/127\.0\.0\.1:\d+\/host\/v1\/return\/[0-9a-f]{32}/.exec(`${then?.location} ${then?.text}`)
    if (back && random() < 0.6) await this.#browse(back[0])
  }

  #card(random: () => number): string {
    const drawn = random()
    return cards.find(([below]) => drawn < below)![1]
  }

  /** What happens to a trade while it is being paid. */
  async #disturb(trade: Known, random: () => number): Promise<void> {
    const drawn = random()
    if (drawn > 0.3) return
    await wait(random() * 300)
    if (drawn < 0.1) {
      if (await this.#insist(() => this.#souk.tradeclose(trade.tradeNo))) trade.told.add(6)
    } else if (drawn < 0.2) {
      await this.#insist(() => this.#host('POST', `/host/v1/trades/${trade.tradeNo}/cancel`, {}))
    } else {
      const outcome = random() < 0.5 ? 'succeeded' : 'failed:27'
      await this.#try(() => this.#console('/sandbox/results', { tradeNo: trade.tradeNo, outcome }))
    }
  }

  async #refund(trade: Known, random: () => number): Promise<void> {
    for (let parts = random() < 0.3 ? 2 : 1; parts > 0; parts--) {
      const amount = random() < 0.5 ? undefined : 1 + Math.floor(random() * trade.amount)
      const asked = { note: 'Sent twice', refundNo: newId(), ...(amount === undefined ? {} : { amount }) }
      const refund = await this.#insist(() => this.#console(`/trades/${trade.tradeNo}/refunds`, asked))
      if (refund) trade.refunds.set(asked.refundNo, refund.amount)
    }
  }

  /** Asks again until there is an answer, as somebody does who wants it. Undefined: refused, or nobody wants it any more. */
  async #insist<T>(ask: () => Promise<T>): Promise<T | undefined> {
    for (let tries = this.#stopped ? 5 : 20; tries > 0; tries--) {
      const came = await this.#ask(ask)
      if (came !== 'nothing') return came === 'refused' ? undefined : came.answer
      await wait(20)
    }
    return undefined
  }

  /** Asks once. Undefined where there is no answer, or a refusal. */
  async #try<T>(ask: () => Promise<T>): Promise<T | undefined> {
    const came = await this.#ask(ask)
    return typeof came === 'object' ? came.answer : undefined
  }

  async #ask<T>(ask: () => Promise<T>): Promise<{ answer: T } | 'refused' | 'nothing'> {
    await this.#options.ready()
    try {
      return { answer: await ask() }
    } catch (error) {
      if (error instanceof Refused || error instanceof SoukApiError) {
        if (error.status === 500) this.faults.push(error.message)
        return 'refused'
      }
      if (error instanceof SoukConnectionError || error instanceof TypeError) return 'nothing'
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
    return fetch(this.#options.front + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
  }

  /** A payer's browser; undefined where nobody answers. */
  async #browse(url: string, form?: Record<string, string>): Promise<{ location: string; text: string } | undefined> {
    const body = form && new URLSearchParams(form)
    const answer = await fetch(url, { redirect: 'manual', ...(body ? { method: 'POST', body } : {}) }).catch(() => {})
    const text = await answer?.text().catch(() => undefined)
    return answer && text !== undefined ? { location: answer.headers.get('location') ?? '', text } : undefined
  }
}

/** A refusal of a JSON surface. */
class Refused extends Error {
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
  throw new Refused(answer.status, `${path} answered ${answer.status}: ${text}`)
}
