import { day } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUpLedger, addUpTrades } from '../../src/domain/money/index.ts'
import { type FreshDatabase, freshDatabase } from '../database.ts'
import { fillInstallation, type LargeInstallation } from '../largeInstallation.ts'
import { costsOf, Reader, reading, unknownText, unmeasured } from '../reads.ts'
import { splitPartitions } from '../splitPartitions.ts'

/** More trades than a total counts, and more than a page has for each mini app. */
const size = { projects: 300, apps: 300, members: 300, users: 3_000, trades: 30_000, others: 3_000 }
const limit = 10

let database: FreshDatabase
let large: LargeInstallation
let reader: Reader

beforeAll(async () => {
  database = await freshDatabase()
  // A page of each list has rows of two partitions: trades are 1 to 21 days old, and requests at most one.
  await splitPartitions(database.sql, ({ period }) => Date.now() - (period === 'month' ? 11 : 0.5) * day)
  large = await fillInstallation(database.sql, size)
  // The tables of a test are so small that reading them as a whole would be cheaper.
  reader = await Reader.start(`${database.url}?enable_seqscan=off`)
})
afterAll(async () => {
  await reader?.stop()
  await database.drop()
})

/** Operations whose lists are empty here: those of one thing, and those of a time that has no rows. */
const withoutRows: readonly string[] = [
  'getConsent',
  'getApp',
  'listSecrets',
  'listReleaseHealth',
  'listIncidents',
  'getReview',
  'getTrade',
  'getReconciliation',
  'getCallback',
  'getRequest',
  'getEventDelivery',
]

test('every operation that reads has costs, or a reason why it is not measured', () => {
  const listed = [...Object.keys(costsOf(large, size, limit)), ...Object.keys(unmeasured)]
  expect(listed.toSorted()).toEqual(reading.map(({ id }) => id).toSorted())
})

describe.for(reading.map(({ id }) => id).filter((id) => !Object.hasOwn(unmeasured, id)))('%s', (id) => {
  test('reads no more rows than its costs say', async () => {
    const operation = reading.find((each) => each.id === id)!
    const hasLists = JSON.stringify(operation.result).includes('"array"') && !withoutRows.includes(id)
    for (const [input, most] of costsOf(large, size, limit)[id]!) {
      const { rows, read } = await reader.read(operation, input, { limit, uid: large.uid })
      expect([input, read <= most ? most : read]).toEqual([input, most])
      if (hasLists && input.text !== unknownText) expect([input, rows]).not.toEqual([input, 0])
    }
  })
})

// The last one, since it replaces the trades.
test('tables that are filled without their triggers have what the triggers make of the same rows', async () => {
  const { sql } = database
  const derived = ['out_trade_nos', 'ledger_balances', 'ledger_changes', 'trade_sums', 'trade_changes']
  const read = async () => {
    const found: Record<string, unknown> = {}
    for (const table of derived) found[table] = await sql.unsafe(`select t::text from ${table} t order by 1`)
    return found
  }
  const filled = await read()
  expect(filled).toMatchObject({ ledger_changes: [], trade_changes: [] })
  const sources = ['all_trades', 'refunds', 'ledger_entries', 'callbacks']
  await sql.begin(async (tx) => {
    for (const table of sources)
      await tx.unsafe(`create temporary table copied_${table} on commit drop as table ${table}`)
    // The ledger refuses to be truncated.
    await tx.unsafe('set local session_replication_role = replica')
    await tx.unsafe(`truncate ${[...sources, ...derived].join(', ')} cascade`)
    await tx.unsafe('set local session_replication_role = origin')
    for (const table of sources) await tx.unsafe(`insert into ${table} select * from copied_${table}`)
  })
  await Promise.all([addUpLedger({ sql }), addUpTrades({ sql })])
  expect(await read()).toEqual(filled)
})
