import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseBefore, type FreshDatabase } from '../../../../test/database.ts'
import { migrate } from '../../../kernel/db/migrate.ts'
import type { Sql } from '../../../kernel/db/pool.ts'

let database: FreshDatabase
let sql: Sql

beforeAll(async () => {
  database = await databaseBefore('0040')
  sql = database.sql
})
afterAll(() => database.drop())

test('migrates earlier payments to the ledger and keeps owed refunds', async () => {
  await sql`insert into projects (project_id, name, ctime) values (${id(1)}, 'P', 0)`
  await sql`
    insert into apps (appid, project_id, name, capabilities, default_language, ctime)
    values ('aaaaaaaaaaaaaaa', ${id(1)}, 'A', '{}', 'en_US', 0)`
  await sql`insert into merchants (merchant_id, appid, ctime) values (${id(2)}, 'aaaaaaaaaaaaaaa', 0)`
  await trade(10, 2, 'succeeded')
  await trade(20, 6, 'succeeded', { amount: 1300, state: 'owed' })
  await trade(30, 4, 'succeeded', { amount: 1250, state: 'returned' })
  await trade(40, 3, 'failed')

  await migrate(database.url)

  const balances = await sql`
    select split_part(account, ':', 1) as account, sum(amount)::int as balance
    from (select debit as account, amount from ledger_entries union all select credit, -amount from ledger_entries) moved
    group by 1 order by 1`
  expect(balances).toEqual([
    { account: 'merchant', balance: -1250 },
    { account: 'provider', balance: 1250 + 1300 },
    { account: 'returns', balance: -1300 },
  ])
  const refunds = await sql`select initiator, reason, state, amount, payer, pay_type from refunds order by trade_no`
  expect(refunds).toEqual([
    { initiator: 'system', reason: 'tradeFinal', state: 'owed', amount: 1300, payer: 1, pay_type: 2 },
    { initiator: 'system', reason: 'tradeFinal', state: 'returned', amount: 1250, payer: 1, pay_type: 2 },
  ])
})

const id = (number: number) => String(number).padStart(32, '0')

async function trade(
  number: number,
  status: number,
  attempt: string,
  back?: { amount: number; state: string },
): Promise<void> {
  const appid = 'aaaaaaaaaaaaaaa'
  const [tradeNo, attemptId] = [id(number), id(number + 1)]
  await sql`
    insert into trades
      (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire,
       transaction_status, ctime, mtime)
    values (${appid}, ${tradeNo}, ${id(2)}, ${String(number)}, 1250, 'SAR', ${id(3)}, 1, 'https://x.test', 9, ${status}, 0, 0)`
  await sql`
    insert into payment_attempts (appid, trade_no, attempt_id, provider, pay_type, pay_method, state, ctime, mtime)
    values (${appid}, ${tradeNo}, ${attemptId}, 'sandbox', 2, 3, ${attempt}, 0, 0)`
  if (!back) return
  await sql`
    insert into money_returns (appid, trade_no, attempt_id, amount, currency, reason, state, ctime, mtime)
    values (${appid}, ${tradeNo}, ${attemptId}, ${back.amount}, 'SAR', 'late', ${back.state}, 0, 0)`
}
