import { day } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { watchPartitions } from '../../../../test/partitionReads.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import {
  createPartitions,
  firstUuidAt,
  listPartitions,
  partitionedTables,
  periodAt,
} from '../../../kernel/db/partitions.ts'
import { connect, type Sql } from '../../../kernel/db/pool.ts'
import { callbacksOfTrade, deliverDueCallbacks, getCallback, searchCallbacks } from './index.ts'
import { claimCallbacks, findPendingIds, listDueReceivers } from './store.ts'

const { callbacks } = partitionedTables
const month = 31 * day

let database: FreshDatabase
let sql: Sql
let readPartitions: () => Promise<string[]>
let fixture: TradeFixture
let projectId: string

beforeAll(async () => {
  database = await freshDatabase()
  // Months of the past, instead of the first partition.
  for (const { name, range } of await listPartitions(database.sql, callbacks)) {
    if (range) await database.sql.unsafe(`drop table ${name}`)
  }
  for (let ago = 12; ago >= 0; ago -= 3) await createPartitions(database.sql, Date.now() - ago * month)
  sql = connect(database.url, { max: 1 })
  readPartitions = watchPartitions(sql, 'callbacks')
  const made = await createTradeFixture(sql)
  fixture = { ...made, context: { ...made.context, settings: { ...made.context.settings, sandbox: false } } }
  fixture.context.clock.time = Date.now()
  projectId = made.app.app.projectId
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})
beforeEach(async () => {
  await sql`truncate callbacks, callback_attempts, delivery_receivers`
  await readPartitions()
})

let inserted = 0
/** Inserts a callback of `ago` months ago, and of a trade of `tradeAgo` months ago. */
async function insertAt(ago: number, state = 'delivered', tradeAgo = ago) {
  inserted++
  const timeAt = (months: number) => periodAt(callbacks, Date.now() - months * month).from + inserted
  const [time, notifyId, tradeNo] = [timeAt(ago), firstUuidAt(timeAt(ago)), firstUuidAt(timeAt(tradeAgo))]
  const { appid } = fixture.app.app
  const fields = { notifyId, tradeNo, appid, outTradeNo: `months ago: ${ago}`, transactionStatus: 2 }
  await sql`
    insert into callbacks (appid, notify_id, trade_no, notify_url, fields, state, next_attempt, ctime, mtime)
    values (${appid}, ${notifyId}, ${tradeNo}, 'http://localhost:8080/notify', ${sql.json(fields)}, ${state},
      ${state === 'pending' ? fixture.context.clock.now() : null}, ${time}, ${time})`
  return { appid, notifyId, tradeNo }
}

const partitionAt = (ago: number) =>
  `callbacks_${new Date(periodAt(callbacks, Date.now() - ago * month).from).toISOString().slice(0, 7).replace('-', '_')}`

test('a callback is found by its number in its month, and by its trade not before that of the trade', async () => {
  const { appid, notifyId, tradeNo } = await insertAt(6, 'delivered', 7)
  await readPartitions()
  for (let n = 0; n < 7; n++) await getCallback(fixture.context, admin, { notifyId })
  expect(await readPartitions()).toEqual([partitionAt(6)])
  expect(await callbacksOfTrade(fixture.context, { appid, tradeNo })).toMatchObject([{ notifyId }])
  expect(await readPartitions()).not.toContain(partitionAt(9))
})

test('a search for due callbacks and a claim read the months with pending callbacks only', async () => {
  for (const ago of [10, 8, 6, 4]) await insertAt(ago)
  await insertAt(0, 'pending')
  const ids = await findPendingIds(sql)
  await readPartitions()
  const now = fixture.context.clock.now()
  const due = { firstAttempts: now, retries: now, ids }
  expect(await listDueReceivers(sql, due, now)).toEqual([{ receiver: 'localhost:8080', hasFirstAttempts: true }])
  const claimed = await sql.begin((tx) => claimCallbacks(tx, new Map([['localhost:8080', 5]]), due, now + day))
  expect(claimed).toHaveLength(1)
  const read = await readPartitions()
  expect(read).toContain(partitionAt(0))
  // The month before or the next one belong to the range on the first or last day of a month.
  expect(read.length).toBeLessThanOrEqual(2)
})

test('callbacks that are pending in an old month, or without a partition, are delivered', async () => {
  const made = [await insertAt(9, 'pending'), await insertAt(0, 'pending'), await insertAt(-40, 'pending')]
  await deliverDueCallbacks(fixture.context)
  for (const { notifyId } of made) {
    expect(await getCallback(fixture.context, admin, { notifyId })).toMatchObject({
      state: 'delivered',
      attempts: [{ attempt: 1 }],
    })
  }
})

test('a trade has one callback, regardless of the month', async () => {
  const { appid, tradeNo } = await insertAt(3)
  const second = (time: number) => sql`
    insert into callbacks (appid, notify_id, trade_no, notify_url, fields, state, ctime, mtime)
    values (${appid}, ${firstUuidAt(time)}, ${tradeNo}, '', '{}', 'dead', 0, 0)`
  const duplicate = { code: '23505' }
  await expect(second(periodAt(callbacks, Date.now() - 3 * month).from + day)).rejects.toMatchObject(duplicate)
  await expect(second(Date.now())).rejects.toMatchObject(duplicate)
})

test('pages of recent callbacks read few partitions, and later pages no newer ones', async () => {
  for (const ago of [8, 5, 0, 0, 0]) await insertAt(ago)
  await readPartitions()
  const search = (limit: number, page: { cursor?: string } = {}) =>
    searchCallbacks(fixture.context, admin, { projectId, limit, ...page })
  const namesOf = (page: Awaited<ReturnType<typeof search>>) => page.items.map(({ outTradeNo }) => outTradeNo)
  const first = await search(2)
  expect(namesOf(first)).toEqual(['months ago: 0', 'months ago: 0'])
  expect((await readPartitions()).length).toBeLessThanOrEqual(4)
  const second = await search(2, { cursor: first.next! })
  expect(namesOf(second)).toEqual(['months ago: 0', 'months ago: 5'])
  await readPartitions()
  expect(namesOf(await search(2, { cursor: second.next! }))).toEqual(['months ago: 8'])
  expect(await readPartitions()).not.toContain(partitionAt(0))
})
