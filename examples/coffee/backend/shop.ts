import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type FinalTrade, type Language, type Souk, SoukApiError, TradeStillProcessingError } from '@souk/sdk'
import { currency, drinkOf } from './menu.ts'
import { type Messages, messages } from './messages.ts'
import type { Customer, Item, Order, OrderState, Store } from './store.ts'

/** What the shop does not do; `code` is for the page. */
export class Refusal extends Error {
  readonly status: number
  readonly code: 'signed_out' | 'not_found' | 'malformed' | 'too_late'

  constructor(status: number, code: Refusal['code']) {
    super(code)
    this.status = status
    this.code = code
  }
}

export interface ShopOptions {
  souk: Souk
  store: Store
  /** Where Souk sends payment results. */
  notifyUrl: string
  /** Of activity messages. */
  iconUrl: string
  /** Makes the coffee, and calls back. */
  brew(done: () => void): void
}

/** What becomes of an unpaid order when its trade ends with this `transactionStatus`. */
const stateAfter: Record<FinalTrade['transactionStatus'], OrderState> = {
  2: 'making',
  3: 'failed',
  4: 'expired',
  5: 'canceled',
  6: 'canceled',
}

/** How long an activity message stays when nobody collects the order, in seconds. */
const patience = 3600

/** Souk Coffee: customers, orders, and what Souk is told and asked about them. */
export class Shop {
  readonly #souk: Souk
  readonly #store: Store
  readonly #options: ShopOptions

  constructor(options: ShopOptions) {
    this.#souk = options.souk
    this.#store = options.store
    this.#options = options
    // Those that were being made when the shop was closed.
    for (const order of this.#store.ordersIn('making')) this.#make(order)
  }

  /** Login flow: `code` of `neu.login()` → access token → user info, which has the openId. The page gets a token of this shop. */
  async logIn(code: string): Promise<{ token: string }> {
    const { openId } = await this.#readProfile(code, 'user.info')
    const token = randomBytes(24).toString('base64url')
    this.#store.addSession(digest(token), openId)
    return { token }
  }

  /** The same with a code of `neu.getAuthCode()`, for what the customer has consented to. */
  takePhone(code: string): Promise<Customer> {
    return this.#readProfile(code, 'user.info,user.phone')
  }

  async #readProfile(code: string, scope: string): Promise<Customer> {
    const { accessToken } = await this.#souk.accessToken({ code, scope })
    const { openId, nickName, country, phone } = await this.#souk.userInfo(accessToken)
    return this.#store.keepCustomer({ openId, name: nickName ?? '', phone: phone && `${country} ${phone}` })
  }

  customer(token: string): Customer {
    const openId = this.#store.openIdOf(digest(token))
    if (openId === undefined) throw new Refusal(401, 'signed_out')
    return this.#store.customer(openId)
  }

  /** Creates the trade at Souk, and the order. */
  async place({ openId }: Customer, items: Item[], language: Language): Promise<Order> {
    const trade = await this.#createTrade(openId, items, language)
    return this.#store.addOrder({ openId, language, items, time: Date.now(), ...trade })
  }

  /** An unpaid order gets other contents: its trade is closed, and another one created. */
  async change(customer: Customer, id: number, items: Item[]): Promise<Order> {
    const order = this.order(customer, id)
    await this.#close(order)
    const trade = await this.#createTrade(order.openId, items, order.language)
    const changed = this.#store.changeOrder(order.outTradeNo, { items, ...trade })
    if (changed) return changed
    // Somebody else has changed or canceled it meanwhile. A trade without an order may not be paid.
    await this.#souk.tradeclose(trade.tradeNo)
    throw new Refusal(409, 'too_late')
  }

  /** Until when it can be paid is left to Souk, whose clock a sandbox may have moved. */
  async #createTrade(openId: string, items: readonly Item[], language: Language) {
    const ordered = items.map(({ drink, quantity }) => ({ ...drinkOf(drink), quantity }))
    const amount = ordered.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
    const { outTradeNo, tradeNo } = await this.#souk.trade({
      outTradeNo: randomUUID(),
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
    this.#store.move(order.outTradeNo, 'unpaid', 'canceled')
    return this.order(customer, id)
  }

  /** @throws Refusal when it has been paid meanwhile, or has ended otherwise */
  async #close(order: Order): Promise<void> {
    if (order.state !== 'unpaid') throw new Refusal(409, 'too_late')
    try {
      await this.#souk.tradeclose(order.tradeNo)
    } catch (error) {
      if (!(error instanceof SoukApiError) || error.status !== 409) throw error
      await this.#ask(order)
      throw new Refusal(409, 'too_late')
    }
  }

  /** Asks Souk how the payment went, again and again while it is processing. A callback that comes first changes nothing about it. */
  async refresh(customer: Customer, id: number): Promise<Order> {
    const order = this.order(customer, id)
    if (order.state === 'unpaid') await this.#ask(order)
    return this.order(customer, id)
  }

  async #ask({ tradeNo }: Order): Promise<void> {
    try {
      await this.settle(await this.#souk.waitForTrade(tradeNo, { timeout: 10_000 }))
    } catch (error) {
      // It may take hours. The callback will tell.
      if (!(error instanceof TradeStillProcessingError)) throw error
    }
  }

  /** Where a trade has ended, from a callback or from asking: whichever comes first counts, and the other does nothing. */
  async settle(trade: Pick<FinalTrade, 'outTradeNo' | 'transactionStatus'>): Promise<void> {
    const order = this.#store.move(String(trade.outTradeNo), 'unpaid', stateAfter[trade.transactionStatus])
    if (order?.state !== 'making') return
    this.#make(order)
    await this.#tell(order, 'paid', 'making')
  }

  #make({ outTradeNo }: Order): void {
    this.#options.brew(() => {
      const order = this.#store.move(outTradeNo, 'making', 'ready')
      if (order) void this.#tell(order, 'ready', 'waiting')
    })
  }

  /** The customer has it: the activity message goes. */
  async collect(customer: Customer, id: number): Promise<Order> {
    const order = this.#store.move(this.order(customer, id).outTradeNo, 'ready', 'collected')
    if (!order) throw new Refusal(409, 'too_late')
    await this.#sendActivity(order, 'waiting', 0)
    return order
  }

  /** A notification, and the activity message that follows the order. The order stands even where they do not arrive. */
  async #tell(order: Order, notification: 'paid' | 'ready', activity: 'making' | 'waiting'): Promise<void> {
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

  /** The same `activityId` takes the place of what stood there. */
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
      validityTime: patience,
      language,
    })
  }

  order({ openId }: Customer, id: number): Order {
    const order = this.#store.order(openId, id)
    if (!order) throw new Refusal(404, 'not_found')
    return order
  }

  orders({ openId }: Customer): Order[] {
    return this.#store.orders(openId)
  }
}

/** What the database knows of a token, which is of no use to whoever reads it there. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
