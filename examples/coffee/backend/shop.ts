import { createHash, randomBytes } from 'node:crypto'
import { type FinalTrade, type Language, type Souk, SoukApiError, TradeStillProcessingError } from '@souk/sdk'
import { currency, drinkOf } from './menu.ts'
import { type Messages, messages } from './messages.ts'
import type { Customer, Item, Order, OrderState, Store } from './store.ts'

/** A request that the shop rejects. The mini app translates `code`. */
export class ShopError extends Error {
  readonly status: number
  readonly code: 'signed_out' | 'not_found' | 'malformed' | 'too_late'

  constructor(status: number, code: ShopError['code']) {
    super(code)
    this.status = status
    this.code = code
  }
}

export interface ShopOptions {
  souk: Souk
  store: Store
  /** URL for payment results. */
  notifyUrl: string
  /** Icon of activity messages. */
  iconUrl: string
  /** Makes the coffee and calls `done`. */
  brew(done: () => void): void
}

/** The new state of an unpaid order by the final `transactionStatus` of its trade. */
const stateAfter: Record<FinalTrade['transactionStatus'], OrderState> = {
  2: 'making',
  3: 'failed',
  4: 'expired',
  5: 'canceled',
  6: 'canceled',
}

/** Time in seconds after which the activity message of an uncollected order disappears. */
const messageLifetime = 3600

/** Time after which the mini app logs in again, in ms. */
const sessionLifetime = 24 * 3600 * 1000

/** Returns the outTradeNo of an order, such as coffee-0002; with `change`, that of the trade of a changed order. */
function tradeNumber(id: number, change?: number): string {
  const number = `coffee-${String(id).padStart(4, '0')}`
  return change === undefined ? number : `${number}-${change}`
}

/** Souk Coffee: manages customers and orders, and calls the open API. */
export class Shop {
  readonly #souk: Souk
  readonly #store: Store
  readonly #options: ShopOptions

  constructor(options: ShopOptions) {
    this.#souk = options.souk
    this.#store = options.store
    this.#options = options
    // Orders that were being made when the process ended.
    for (const order of this.#store.listOrdersInState('making')) this.#make(order)
  }

  /** Login flow: exchanges the code of `neu.login()` for an access token, reads the openId, and creates a session. */
  async logIn(code: string): Promise<{ token: string }> {
    const { openId, nickName } = await this.#readProfile(code, 'user.info')
    this.#store.upsertCustomer(openId, nickName ?? '')
    const token = randomBytes(24).toString('base64url')
    const now = Date.now()
    this.#store.insertSession(digest(token), openId, { now, expires: now + sessionLifetime })
    return { token }
  }

  /** Saves the phone number, using a code of `neu.getAuthCode()`. */
  async savePhone(code: string): Promise<Customer> {
    const { openId, country, phone } = await this.#readProfile(code, 'user.phone')
    if (phone !== null) this.#store.updatePhone(openId, `${country} ${phone}`)
    return this.#store.findCustomer(openId)
  }

  async #readProfile(code: string, scope: string) {
    const { accessToken } = await this.#souk.accessToken({ code, scope })
    return this.#souk.userInfo(accessToken)
  }

  customer(token: string): Customer {
    const openId = this.#store.findOpenId(digest(token), Date.now())
    if (openId === undefined) throw new ShopError(401, 'signed_out')
    return this.#store.findCustomer(openId)
  }

  /** Creates the trade and the order. */
  async place({ openId }: Customer, items: Item[], language: Language): Promise<Order> {
    const id = this.#store.insertNumber()
    const trade = await this.#createTrade(tradeNumber(id), { openId, items, language })
    return this.#store.insertOrder({ id, openId, language, items, time: Date.now(), ...trade })
  }

  /** Changes an unpaid order: closes its trade and creates another one. */
  async change(customer: Customer, id: number, items: Item[]): Promise<Order> {
    const order = this.order(customer, id)
    await this.#close(order)
    const trade = await this.#createTrade(tradeNumber(id, this.#store.insertNumber()), { ...order, items })
    const changed = this.#store.updateOrder(order.outTradeNo, { items, ...trade })
    if (changed) return changed
    // Another request has changed or canceled the order. Its new trade must not be paid.
    await this.#souk.tradeclose(trade.tradeNo)
    throw new ShopError(409, 'too_late')
  }

  /** Leaves timeExpire to Souk, because the clock of a sandbox may have been moved. */
  async #createTrade(outTradeNo: string, { openId, items, language }: Pick<Order, 'openId' | 'items' | 'language'>) {
    const ordered = items.map(({ drink, quantity }) => ({ ...drinkOf(drink), quantity }))
    const amount = ordered.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
    const { tradeNo } = await this.#souk.trade({
      outTradeNo,
      description: ordered.map(({ name, quantity }) => `${quantity} × ${name[language]}`).join(', '),
      notifyUrl: this.#options.notifyUrl,
      amount,
      currency,
      openId,
    })
    return { outTradeNo, tradeNo, amount }
  }

  async cancel(customer: Customer, id: number): Promise<Order> {
    const order = this.order(customer, id)
    await this.#close(order)
    this.#store.moveOrder(order.outTradeNo, 'unpaid', 'canceled')
    return this.order(customer, id)
  }

  /** @throws ShopError if the order has been paid or has ended in another way */
  async #close(order: Order): Promise<void> {
    if (order.state !== 'unpaid') throw new ShopError(409, 'too_late')
    try {
      await this.#souk.tradeclose(order.tradeNo)
    } catch (error) {
      if (!(error instanceof SoukApiError) || error.status !== 409) throw error
      await this.#awaitResult(order)
      throw new ShopError(409, 'too_late')
    }
  }

  /** Polls the trade of an unpaid order until it has a result. */
  async refresh(customer: Customer, id: number): Promise<Order> {
    const order = this.order(customer, id)
    if (order.state === 'unpaid') await this.#awaitResult(order)
    return this.order(customer, id)
  }

  async #awaitResult({ tradeNo }: Order): Promise<void> {
    try {
      await this.settle(await this.#souk.waitForTrade(tradeNo, { timeout: 10_000 }))
    } catch (error) {
      // This may take hours. The callback will report the result.
      if (!(error instanceof TradeStillProcessingError)) throw error
    }
  }

  /** Applies the result of a trade, from a callback or from polling. The second call has no effect. */
  async settle(trade: Pick<FinalTrade, 'outTradeNo' | 'transactionStatus'>): Promise<void> {
    const order = this.#store.moveOrder(String(trade.outTradeNo), 'unpaid', stateAfter[trade.transactionStatus])
    if (order?.state !== 'making') return
    this.#make(order)
    await this.#notify(order, 'paid', 'making')
  }

  #make({ outTradeNo }: Order): void {
    this.#options.brew(() => {
      const order = this.#store.moveOrder(outTradeNo, 'making', 'ready')
      if (order) void this.#notify(order, 'ready', 'waiting')
    })
  }

  /** Marks an order as collected and removes its activity message. */
  async collect(customer: Customer, id: number): Promise<Order> {
    const order = this.#store.moveOrder(this.order(customer, id).outTradeNo, 'ready', 'collected')
    if (!order) throw new ShopError(409, 'too_late')
    await this.#sendActivity(order, 'waiting', 0)
    return order
  }

  /** Sends a notification and updates the activity message. Failures are logged and do not affect the order. */
  async #notify(order: Order, notification: 'paid' | 'ready', activity: 'making' | 'waiting'): Promise<void> {
    const { openId, language, id } = order
    const text = messages[language][notification](id)
    const link = `pages/order/order?id=${id}`
    const sent = [
      this.#souk.sendNotify({ openIds: [openId], ...text, navigateType: '1', link, language }),
      this.#sendActivity(order, activity, 1),
    ]
    for (const result of await Promise.allSettled(sent)) {
      if (result.status === 'rejected') console.error(`Order ${id}: ${result.reason}`)
    }
  }

  /** Sends an activity message, which replaces an earlier one with the same `activityId`. */
  #sendActivity({ openId, language, id, outTradeNo }: Order, words: keyof Messages, status: 0 | 1): Promise<boolean> {
    return this.#souk.sendActivity({
      activityId: outTradeNo,
      openIds: [openId],
      color: '9A4A24',
      templateId: 'order',
      ...messages[language][words](id),
      iconUrl: this.#options.iconUrl,
      path: `pages/order/order?id=${id}`,
      status,
      validityTime: messageLifetime,
      language,
    })
  }

  order({ openId }: Customer, id: number): Order {
    const order = this.#store.findOrder(openId, id)
    if (!order) throw new ShopError(404, 'not_found')
    return order
  }

  orders({ openId }: Customer): Order[] {
    return this.#store.listOrders(openId)
  }
}

/** Hashes a token, so that the database contains no usable tokens. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
