import { DatabaseSync } from 'node:sqlite'
import type { Language } from '@souk/sdk'

/** An order is unpaid until its trade has a result. A paid order is made, becomes ready and is collected. */
export type OrderState = 'unpaid' | 'making' | 'ready' | 'collected' | 'failed' | 'expired' | 'canceled'

export interface Item {
  drink: string
  quantity: number
}

export interface Order {
  /** The order number. */
  id: number
  openId: string
  /** The language of messages about this order. */
  language: Language
  items: Item[]
  /** In cents. */
  amount: number
  state: OrderState
  /** The order's trade. A changed order gets a new one. */
  outTradeNo: string
  tradeNo: string
  /** Creation time in ms. */
  time: number
}

export interface Customer {
  openId: string
  name: string
  phone: string | null
}

/** Stores customers and orders in an SQLite file. */
export class Store {
  readonly #database: DatabaseSync

  /** `:memory:` creates a database without a file. */
  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec(`
      create table if not exists customers (openId text primary key, name text not null, phone text) strict;
      -- Sessions of earlier versions did not expire.
      drop table if exists sessions;
      create table if not exists logins (token text primary key, openId text not null, expires integer not null) strict;
      create table if not exists orders (
        id integer primary key,
        openId text not null,
        language text not null,
        items text not null,
        amount integer not null,
        state text not null,
        outTradeNo text not null unique,
        tradeNo text not null,
        time integer not null
      ) strict;
      create table if not exists numbers (number integer primary key autoincrement) strict;
      -- Orders of earlier versions were numbered without this table.
      insert or ignore into numbers select max(id) from orders having max(id) is not null;
    `)
  }

  /** Inserts or updates a customer. Keeps a known phone number if none is given. */
  upsertCustomer(openId: string, name: string): void {
    this.#database
      .prepare('insert into customers (openId, name) values (?, ?) on conflict do update set name = excluded.name')
      .run(openId, name)
  }

  updatePhone(openId: string, phone: string): void {
    this.#database.prepare('update customers set phone = ? where openId = ?').run(phone, openId)
  }

  findCustomer(openId: string): Customer {
    return this.#database.prepare('select * from customers where openId = ?').get(openId) as unknown as Customer
  }

  /** Inserts a session and deletes those that have expired. Times in ms. */
  insertSession(token: string, openId: string, { now, expires }: { now: number; expires: number }): void {
    this.#database.prepare('delete from logins where expires <= ?').run(now)
    this.#database.prepare('insert into logins (token, openId, expires) values (?, ?, ?)').run(token, openId, expires)
  }

  findOpenId(token: string, now: number): string | undefined {
    const row = this.#database.prepare('select openId from logins where token = ? and expires > ?').get(token, now)
    return row?.openId as string | undefined
  }

  /** Returns a number that has not been used before, for an order and for each of its trades. */
  insertNumber(): number {
    return Number(this.#database.prepare('insert into numbers default values').run().lastInsertRowid)
  }

  insertOrder(order: Omit<Order, 'state'>): Order {
    const { id, openId, language, items, amount, outTradeNo, tradeNo, time } = order
    const row = this.#database
      .prepare(
        `insert into orders (id, openId, language, items, amount, outTradeNo, tradeNo, time, state)
         values (?, ?, ?, ?, ?, ?, ?, ?, 'unpaid') returning *`,
      )
      .get(id, openId, language, JSON.stringify(items), amount, outTradeNo, tradeNo, time)
    return read(row)!
  }

  /** Replaces contents and trade of an unpaid order. Returns undefined if it is no longer unpaid with that trade. */
  updateOrder(
    replaced: string,
    { items, amount, outTradeNo, tradeNo }: Pick<Order, 'items' | 'amount' | 'outTradeNo' | 'tradeNo'>,
  ): Order | undefined {
    const row = this.#database
      .prepare(
        `update orders set items = ?, amount = ?, outTradeNo = ?, tradeNo = ?
         where outTradeNo = ? and state = 'unpaid' returning *`,
      )
      .get(JSON.stringify(items), amount, outTradeNo, tradeNo, replaced)
    return read(row)
  }

  /** Moves an order to another state. Returns undefined if it was no longer in state `from`. */
  moveOrder(outTradeNo: string, from: OrderState, to: OrderState): Order | undefined {
    const row = this.#database
      .prepare('update orders set state = ? where outTradeNo = ? and state = ? returning *')
      .get(to, outTradeNo, from)
    return read(row)
  }

  findOrder(openId: string, id: number): Order | undefined {
    return read(this.#database.prepare('select * from orders where openId = ? and id = ?').get(openId, id))
  }

  /** Returns the newest order first. */
  listOrders(openId: string): Order[] {
    const rows = this.#database.prepare('select * from orders where openId = ? order by id desc').all(openId)
    return rows.map((row) => read(row)!)
  }

  listOrdersInState(state: OrderState): Order[] {
    const rows = this.#database.prepare('select * from orders where state = ?').all(state)
    return rows.map((row) => read(row)!)
  }

  close(): void {
    this.#database.close()
  }
}

function read(row: Record<string, unknown> | undefined): Order | undefined {
  return row && ({ ...row, items: JSON.parse(String(row.items)) } as Order)
}
