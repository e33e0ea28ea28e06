import type { SoukError } from '@souk/contract'
import { day } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { watchPartitions } from '../../../../test/partitionReads.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { createPartitions, firstUuidAt, partitionedTables, periodAt } from '../../../kernel/db/partitions.ts'
import { connect, type Sql } from '../../../kernel/db/pool.ts'
import { createTrade, searchTrades, tradeTotals } from './index.ts'

const month = 31 * day
/** Months that have partitions, from the present on. */
const months = 12

let database: FreshDatabase
let sql: Sql
let readPartitions: () => Promise<string[]>
let fixture: TradeFixture
let projectId: string

beforeAll(async () => {
  database = await freshDatabase()
  for (let ahead = 0; ahead < months; ahead += 3) await createPartitions(database.sql, Date.now() + ahead * month)
  sql = connect(database.url, { max: 1 })
  readPartitions = watchPartitions(sql, 'all_trades')
  const made = await createTradeFixture(sql)
  fixture = { ...made, context: { ...made.context, settings: { ...made.context.settings, sandbox: false } } }
  projectId = made.app.app.projectId
  // The first trade creates the merchant.
  await fixture.create()
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

let inserted = 0
/** Inserts a finished trade of the month after `ahead` months. */
async function insertAt(ahead: number, outTradeNo: string): Promise<{ time: number; tradeNo: string }> {
  const time = periodAt(partitionedTables.all_trades, Date.now() + ahead * month).from + 1000 + inserted++
  const tradeNo = firstUuidAt(time)
  const { appid } = fixture.app.app
  await sql`
    insert into all_trades
      (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire,
       transaction_status, ctime, mtime)
    select appid, ${tradeNo}, merchant_id, ${outTradeNo}, 1250, 'SAR', ${fixture.openId}, ${fixture.payer.uid},
      'https://backend.example/', 0, 2, ${time}, ${time}
    from merchants where appid = ${appid}`
  return { time, tradeNo }
}

beforeEach(async () => {
  await readPartitions()
})

test('creating and reading a trade touches one partition', async () => {
  await createTrade(fixture.context, fixture.app, fixture.order())
  expect(await readPartitions()).toEqual([])
  const { tradeNo } = await insertAt(6, 'detail')
  await readPartitions()
  for (let n = 0; n < 7; n++) await fixture.detail(tradeNo)
  expect(await readPartitions()).toHaveLength(1)
})

test('an outTradeNo is unique in all partitions, for concurrent requests too, and repeated only if it is the same', async () => {
  const { tradeNo } = await insertAt(4, 'taken')
  const order = fixture.order({ outTradeNo: 'taken' })
  await readPartitions()
  const codes = await Promise.all(
    [1, 2, 3].map(() => createTrade(fixture.context, fixture.app, order).catch((error: SoukError) => error.code)),
  )
  expect(codes).toEqual(Array(3).fill('out_trade_no_conflict'))
  expect(await readPartitions()).toHaveLength(1)
  const rows = await sql`select trade_no from all_trades where out_trade_no = 'taken'`
  expect([...rows]).toEqual([{ tradeNo }])
})

test('searches and totals of a period read its partitions only, and later pages no newer ones', async () => {
  const made = []
  for (const ahead of [3, 5, 7, 9]) made.push(await insertAt(ahead, `search ${ahead}`))
  const { time } = made[2]!
  await readPartitions()
  const { from, to } = { from: time - 3 * day, to: time + 20 * day }
  const found = await searchTrades(fixture.context, admin, { projectId, from, to })
  expect(found.items.map(({ outTradeNo }) => outTradeNo)).toEqual(['search 7'])
  // The month before is read because clocks may have been corrected by a day.
  expect((await readPartitions()).length).toBeLessThanOrEqual(2)
  const { rows } = await tradeTotals(fixture.context, admin, { projectId, from, to })
  expect(rows).toMatchObject([{ count: 1, amount: 1250 }])
  expect((await readPartitions()).length).toBeLessThanOrEqual(2)
})

test('pages of recent trades read few partitions, and others read what they need', async () => {
  for (let n = 0; n < 3; n++) await insertAt(10, `recent ${n}`)
  fixture.context.clock.time = periodAt(partitionedTables.all_trades, Date.now() + 10 * month).from + month / 2
  const search = (limit: number, page: { cursor?: string } = {}) =>
    searchTrades(fixture.context, admin, { projectId, limit, ...page })
  await readPartitions()
  const first = await search(2)
  expect(first.items.map(({ outTradeNo }) => outTradeNo)).toEqual(['recent 2', 'recent 1'])
  // Those of two months, and those that were created ahead.
  expect((await readPartitions()).length).toBeLessThanOrEqual(6)
  const second = await search(2, { cursor: first.next! })
  expect(second.items.map(({ outTradeNo }) => outTradeNo)).toEqual(['recent 0', 'search 9'])
  await readPartitions()
  await search(1, { cursor: second.next! })
  // Those of later months are not read.
  expect(await readPartitions()).not.toContain('trades_default')
})
