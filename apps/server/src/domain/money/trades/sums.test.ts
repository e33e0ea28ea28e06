import { Calendar, day, hour, minute, type TransactionStatus } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { addUpTrades, closeTrade, expireTrades, refundTrade, sumSales, tradeTotals } from '../index.ts'
import type { Period } from './sums.store.ts'

/** Trades are numbered by the wall clock. The domain clock of an installation differs from it by less than a day. */
const start = Math.floor(Date.now() / hour) * hour - 18 * hour

let database: FreshDatabase
/** Two mini apps of a project, whose clocks are the same. */
let shops: TradeFixture[]
let projectId: string

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  await database.sql`truncate all_trades, refunds, trade_changes, trade_sums`
  await database.sql`insert into trade_progress default values on conflict do nothing`
  shops = [await createTradeFixture(database.sql), await createTradeFixture(database.sql)]
  shops[1]!.context.clock = shops[0]!.context.clock
  shops[0]!.context.clock.time = start
  projectId = shops[0]!.app.app.projectId
})

const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!
const later = (most: number) => {
  shops[0]!.context.clock.time += Math.floor(Math.random() * most)
}

/** Creates a trade, and lets it end in one of the ways that a trade ends, or not. */
async function trade(): Promise<void> {
  const { context, create, pay, app, returnOwedMoney } = pick(shops)
  later(25 * minute)
  const tradeNo = await create({ amount: 100 + Math.floor(Math.random() * 900), currency: pick(['SAR', 'USD']) })
  const end = Math.random()
  if (end < 0.1) return
  if (end < 0.2) await closeTrade(context, app, { tradeNo })
  else if (end < 0.3) await pay(tradeNo, 'failed:24')
  else await pay(tradeNo, 'succeeded')
  if (end < 0.6) return
  later(20 * minute)
  await refundTrade(context, admin, { tradeNo, note: '', amount: 50 })
  if (end < 0.8) await returnOwedMoney()
  // As if the provider had rejected it.
  else if (end < 0.9) await database.sql`update refunds set state = 'refused' where trade_no = ${tradeNo}`
}

interface Filter {
  appid?: string
  status?: TransactionStatus[]
}

interface Row {
  appid: string
  ctime: number
  transactionStatus: TransactionStatus
  currency: string
  amount: number
  refunded: number
}

/** Sums up trades one by one, as {@link tradeTotals} returns them. */
async function addUp(sql: Tx, { from, to, timeZone, appid, status }: Filter & Period & { timeZone: string }) {
  const rows = await sql<Row[]>`
    select appid, ctime, transaction_status, currency, amount, (
      select coalesce(sum(amount), 0)::bigint from refunds r
      where r.trade_no = t.trade_no and initiator = 'operator' and state <> 'refused'
    ) as refunded
    from all_trades t where ctime >= ${from} and ctime < ${to}`
  const calendar = new Calendar(timeZone)
  const sums = new Map<string, { day: string; count: number; amount: number; refundedAmount: number }>()
  for (const row of rows) {
    if (appid !== undefined && row.appid !== appid) continue
    if (status && !status.includes(row.transactionStatus)) continue
    const { transactionStatus, currency } = row
    const name = calendar.dayName(row.ctime)
    const key = [name, transactionStatus, currency].join()
    const sum = sums.get(key) ?? { day: name, transactionStatus, currency, count: 0, amount: 0, refundedAmount: 0 }
    sum.count += 1
    sum.amount += row.amount - row.refunded
    sum.refundedAmount += row.refunded
    sums.set(key, sum)
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}

/** Compares totals of some periods with the trades, all in one snapshot of the database. */
async function compare(): Promise<void> {
  const { context } = shops[0]!
  await database.sql.begin(async (tx) => {
    await tx`set transaction isolation level repeatable read`
    const now = context.clock.now()
    for (const [from, to] of [
      [start, now + 1],
      [start - day, now + minute],
      [start + hour + 1, Math.max(start + hour + 2, now - 90 * minute)],
      [now - 7 * minute, now - 2 * minute],
    ] as const) {
      const filter = {
        from,
        to,
        timeZone: pick(['UTC', 'Asia/Riyadh', 'Asia/Kathmandu', 'America/New_York']),
        ...pick<Filter>([{}, { appid: shops[0]!.app.app.appid }, { status: [2] }, { status: [1, 6] }]),
      }
      const expected = await addUp(tx, filter)
      for (const sandbox of [true, false]) {
        const own = { ...context, sql: tx as unknown as Sql, settings: { ...context.settings, sandbox } }
        const { rows } = await tradeTotals(own, admin, { projectId, ...filter })
        expect([sandbox, filter, rows]).toEqual([sandbox, filter, expected])
      }
    }
  })
}

const changes = () => database.sql`select from trade_changes`

test('totals are those of all trades at any time, while trades end and the job runs', async () => {
  const { context } = shops[0]!
  let isDone = false
  const until = async (work: () => Promise<unknown>) => {
    while (!isDone) await work()
  }
  const others = Promise.all([until(() => addUpTrades(context)), until(() => addUpTrades(context)), until(compare)])
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let n = 0; n < 15; n++) await trade()
    }),
  )
  shops[0]!.context.clock.time += 3 * day
  await expireTrades(context)
  isDone = true
  await others
  await compare()
  await addUpTrades(context)
  expect(await changes()).toEqual([])
  await compare()
})

test('trades from before sums were kept are added up once, and until then one by one', async () => {
  const { context } = shops[0]!
  for (let n = 0; n < 10; n++) await trade()
  // As if the triggers had been added now.
  await database.sql`truncate trade_changes, trade_sums, trade_progress`
  for (let n = 0; n < 5; n++) await trade()
  await compare()
  expect(await database.sql`select from trade_progress`).toEqual([])
  await Promise.all([addUpTrades(context), trade(), addUpTrades(context), compare()])
  await compare()
  await addUpTrades(context)
  expect(await changes()).toEqual([])
  await compare()
})

test('totals until now contain what was added up of a quarter of an hour that has not ended', async () => {
  const [{ context, create, pay }] = shops as [TradeFixture]
  context.clock.time = start + 3 * minute
  await pay(await create({ amount: 700 }), 'succeeded')
  await addUpTrades(context)
  for (const sandbox of [true, false]) {
    const own = { ...context, settings: { ...context.settings, sandbox } }
    const { rows } = await tradeTotals(own, admin, { projectId })
    expect([sandbox, rows]).toMatchObject([sandbox, [{ count: 1, amount: 700 }]])
  }
})

test('sales are those of paid trades, of projects and of mini apps, and contain what was refunded', async () => {
  const [tea, books] = shops as [TradeFixture, TradeFixture]
  const { context } = tea
  const sell = async ({ create, pay }: TradeFixture, amount: number, currency: 'SAR' | 'USD') => {
    const tradeNo = await create({ amount, currency })
    await pay(tradeNo, 'succeeded')
    return tradeNo
  }
  await sell(tea, 700, 'SAR')
  await tea.create({ amount: 5000 })
  context.clock.time += 2 * day + 7 * minute
  const tradeNo = await sell(books, 300, 'USD')
  await refundTrade(books.context, admin, { tradeNo, note: '' })
  await sell(tea, 900, 'SAR')
  const sales = (from: number, appids?: string[]) =>
    sumSales(context, {
      projectIds: [projectId],
      ...(appids && { appids }),
      period: { from, to: context.clock.now() + 1 },
    })
  for (const work of [() => undefined, () => addUpTrades(context)]) {
    await work()
    expect(await sales(start)).toMatchObject([
      { currency: 'SAR', amount: 1600, appid: '' },
      { currency: 'USD', amount: 300, appid: '' },
    ])
    expect(await sales(start + 1)).toMatchObject([{ amount: 900 }, { amount: 300 }])
    const appids = shops.map(({ app }) => app.app.appid)
    expect(await sales(start, appids)).toMatchObject([
      { currency: 'SAR', amount: 1600, appid: appids[0] },
      { currency: 'USD', amount: 300, appid: appids[1] },
    ])
  }
})
