import { day, hour } from '@souk/contract'
import { type FakeProvider, startStripe, stripeSecrets } from '@souk/fake-providers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../../test/database.ts'
import { untilWaiting } from '../../../../../test/locks.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../../test/tradeFixture.ts'
import { newId } from '../../../../kernel/id.ts'
import { getTradeStory } from '../../../operations/index.ts'
import { createProviderAccount, handlePayerReturn, startPayment, updateProviderAccount } from '../../payments/index.ts'
import {
  compareDay,
  getReconciliation,
  processWebhook,
  reconcileDay,
  reconcileDays,
  refundTrade,
  searchReconciliations,
} from '../index.ts'
import { updateReconciliationToRunning } from './store.ts'

const noon = Math.floor(Date.now() / day) * day + 12 * hour

let database: FreshDatabase
let fixture: TradeFixture
let projectId: string
let appid: string

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
  fixture.context.clock.time = noon
  projectId = fixture.app.app.projectId
  appid = fixture.app.app.appid
  await fixture.sql`delete from graphile_worker._private_jobs`
  await fixture.sql`truncate reconciliations, reconciliation_differences`
})

const search = async (input = {}) =>
  (await searchReconciliations(fixture.context, admin, { projectId, appid, ...input })).items
/** Moves the clock past the end of the day and the hour that payments in flight get, and compares the day. */
async function compared() {
  fixture.context.clock.ahead += day + hour
  await reconcileDays(fixture.context)
  await compare()
  const [row] = await search()
  return getReconciliation(fixture.context, admin, row!)
}
async function compare(): Promise<void> {
  for (const { reconciliationId } of await search()) await compareDay(fixture.context, reconciliationId)
}
/** Counts the queued comparisons of this fixture. */
async function queued(): Promise<number> {
  const { count } = await fixture.sql`
    select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'compareDay'
      and payload ->> 'reconciliationId' = any(${(await search()).map((row) => row.reconciliationId)}::text[])`
  return count
}
const attemptOf = async (tradeNo: string) =>
  (await getTradeStory(fixture.context, admin, { tradeNo })).attempts[0]!.attemptId

describe('reconciliation with the sandbox provider', () => {
  async function paid(): Promise<string> {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, 'succeeded')
    return tradeNo
  }

  test('finds no differences without faults, even with owed refunds', async () => {
    const [, refunded] = [await paid(), await paid()]
    await fixture.pay(await fixture.create(), 'failed:5')
    await fixture.pay(await fixture.create(), 'pending')
    await refundTrade(fixture.context, admin, { tradeNo: refunded, amount: 300, note: 'Sent twice' })
    const { reconciliation, differences } = await compared()
    expect(differences).toEqual([])
    expect(reconciliation).toMatchObject({
      account: 'provider:sandbox',
      day: noon - 12 * hour,
      state: 'finished',
      attempts: 4,
      differences: 0,
    })
    await fixture.returnOwedMoney()
    await reconcileDay(fixture.context, admin, { projectId, day: noon })
    await compare()
    expect(await search()).toMatchObject([{ differences: 0 }])
  })

  test.each([
    ['notThere', `state = 'canceled'`, { booked: 1250, told: null, detail: 'canceled' }],
    ['amount', 'amount = 1200', { booked: 1250, told: 1200 }],
    ['amount', `currency = 'USD'`, { bookedCurrency: 'SAR', toldCurrency: 'USD' }],
    ['refunded', `refunds = '{"x": 40}'`, { booked: 0, told: 40 }],
  ])('lists what is %s', async (difference, change, facts) => {
    const tradeNo = await paid()
    await paid()
    await fixture.sql.unsafe(
      `update sandbox_payments set ${change} where attempt_id = '${await attemptOf(tradeNo)}'::uuid`,
    )
    const { reconciliation, differences } = await compared()
    expect(differences).toMatchObject([{ tradeNo, difference, repaired: false, ...facts }])
    expect(reconciliation).toMatchObject({ attempts: 2, differences: 1 })
    expect(await search({ differing: true })).toHaveLength(1)
    expect(await search({ differing: false })).toEqual([])
  })

  test('compares the days after the clock of a sandbox was set back', async () => {
    fixture.context.clock.ahead = 10 * day
    await paid()
    await compared()
    fixture.context.clock.ahead = 0
    await paid()
    fixture.context.clock.ahead = day
    await reconcileDays(fixture.context)
    expect((await search()).map((row) => row.day)).toEqual([noon - 12 * hour + 10 * day, noon - 12 * hour])
  })

  test('includes earlier payments with a refund completed on the day', async () => {
    const tradeNo = await paid()
    expect(await compared()).toMatchObject({ differences: [] })
    fixture.context.clock.ahead += 3 * day
    await refundTrade(fixture.context, admin, { tradeNo, note: 'Sent twice' })
    await fixture.returnOwedMoney()
    await fixture.sql`update sandbox_payments set refunds = '{}' where attempt_id = ${await attemptOf(tradeNo)}`
    const { reconciliation, differences } = await compared()
    expect(reconciliation).toMatchObject({ day: noon + 3.5 * day, attempts: 1 })
    expect(differences).toMatchObject([{ tradeNo, difference: 'refunded', booked: 1250, told: 0 }])
  })

  test('reports no repair if a succeeded payment is missing in the ledger', async () => {
    const tradeNo = await paid()
    await fixture.sql`alter table ledger_entries disable trigger user`
    await fixture.sql`delete from ledger_entries where trade_no = ${tradeNo}`
    await fixture.sql`alter table ledger_entries enable trigger user`
    const { differences } = await compared()
    expect(differences).toMatchObject([{ tradeNo, difference: 'notBooked', told: 1250, repaired: false }])
  })

  test('enqueues stalled comparisons again', async () => {
    await paid()
    fixture.context.clock.ahead += day
    await reconcileDays(fixture.context)
    expect(await queued()).toBe(1)
    await fixture.sql`delete from graphile_worker._private_jobs`
    await reconcileDays(fixture.context)
    expect(await queued()).toBe(0)
    fixture.context.clock.ahead += day
    await reconcileDays(fixture.context)
    expect(await queued()).toBe(1)
  })

  test('compares a day again that is reopened while it is being compared', async () => {
    const tradeNo = await paid()
    await compared()
    await reconcileDay(fixture.context, admin, { projectId, day: noon })
    const { sql, context } = fixture
    let first: Promise<void> | undefined
    await sql.begin(async (tx) => {
      await tx`select from reconciliations for update`
      first = compare()
      await untilWaiting(sql, 1)
      await tx`update sandbox_payments set refunds = '{"x": 40}' where attempt_id = ${await attemptOf(tradeNo)}`
      context.clock.time++
      const scope = { appid, account: 'provider:sandbox', day: noon - 12 * hour }
      await updateReconciliationToRunning(tx, { ...scope, now: context.clock.now() })
    })
    await first
    expect(await search()).toMatchObject([{ state: 'running', differences: 0 }])
    await compare()
    expect(await search()).toMatchObject([{ state: 'finished', differences: 1 }])
  })

  test('settles payments whose results were lost', async () => {
    const tradeNo = await fixture.create()
    await fixture.pay(tradeNo, 'pending')
    await fixture.sql`
      update sandbox_payments set state = 'succeeded', decides_at = null where attempt_id = ${await attemptOf(tradeNo)}`
    const { differences } = await compared()
    expect(differences).toMatchObject([{ tradeNo, difference: 'notBooked', told: 1250, booked: null, repaired: true }])
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
  })
})

test('starts each day once, an hour after its end, including missed days', async () => {
  await fixture.pay(await fixture.create(), 'succeeded')
  fixture.context.clock.ahead = 13 * hour - 1
  await reconcileDays(fixture.context)
  expect(await search()).toEqual([])
  fixture.context.clock.ahead = 3 * day
  await fixture.pay(await fixture.create(), 'succeeded')
  fixture.context.clock.ahead = 5 * day
  for (let run = 0; run < 3; run++) await reconcileDays(fixture.context)
  expect((await search()).map((row) => row.day)).toEqual([noon + 2.5 * day, noon - 0.5 * day])
  expect(await queued()).toBe(2)
})

test('looks for accounts whose payments are all lost once a day', async () => {
  // Later than the days of other tests.
  fixture.context.clock.ahead = 1000 * day
  await fixture.pay(await fixture.create(), 'succeeded')
  let searches = 0
  const sql = new Proxy(fixture.sql, {
    apply: (target, self, args) => {
      if (String(args[0]).includes('all of them may be lost')) searches++
      return Reflect.apply(target, self, args)
    },
  })
  const context = Object.assign(Object.create(fixture.context), { sql })
  fixture.context.clock.ahead += day
  for (let run = 0; run < 3; run++) await reconcileDays(context)
  expect(searches).toBe(1)
  fixture.context.clock.ahead += day
  await reconcileDays(context)
  expect(searches).toBe(2)
})

test('the comparisons of many merchants leave room for other jobs', async () => {
  const pay = async () => fixture.pay(await fixture.create(), 'succeeded')
  for (let count = 0; count < 40; count++) {
    await pay()
    fixture.context.clock.ahead += day
  }
  fixture.context.clock.ahead += hour
  await reconcileDays(fixture.context)
  const queues = await fixture.sql<{ id: number | null }[]>`
    select distinct job_queue_id as id from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'compareDay'`
  expect(queues.map(({ id }) => id)).not.toContain(null)
  expect(queues.length).toBeLessThanOrEqual(16)
})

test('a day compared on request does not hide missed days before it', async () => {
  await fixture.pay(await fixture.create(), 'succeeded')
  fixture.context.clock.ahead = 2 * day
  const other = await createTradeFixture(database.sql)
  other.context.clock.time = fixture.context.clock.time
  other.context.clock.ahead = 2 * day
  await other.pay(await other.create(), 'succeeded')
  other.context.clock.ahead = 3 * day
  await reconcileDay(other.context, admin, { projectId: other.app.app.projectId, day: noon + 2 * day })
  fixture.context.clock.ahead = 3 * day
  await reconcileDays(fixture.context)
  expect(await search()).toMatchObject([{ day: noon - 0.5 * day }])
})

test('rejects a day that is not over', async () => {
  await expect(reconcileDay(fixture.context, admin, { projectId, day: noon })).rejects.toMatchObject({
    code: 'parameter_invalid',
  })
})

describe('reconciliation with an external provider', () => {
  let stripe: FakeProvider
  let providerAccountId: string
  beforeEach(async () => {
    fixture.context.clock.time = Date.now()
    stripe = await startStripe()
    const made = await createProviderAccount(fixture.context, admin, {
      appid,
      provider: 'stripe',
      name: 'Cards',
      settings: { baseUrl: stripe.url },
      secrets: stripeSecrets,
    })
    providerAccountId = made.providerAccountId
  })
  afterEach(() => stripe.close())

  async function paidElsewhere(): Promise<string> {
    const tradeNo = await fixture.create()
    await startPayment(fixture.context, fixture.payer, { tradeNo, payMethod: 'card' })
    stripe.pay(await attemptOf(tradeNo))
    return tradeNo
  }

  test('compares the ledger with the provider', async () => {
    const payment = await paidElsewhere()
    await handlePayerReturn(fixture.context, await attemptOf(payment))
    const unheard = await paidElsewhere()
    const { reconciliation, differences } = await compared()
    expect(reconciliation).toMatchObject({
      account: `provider:${providerAccountId}`,
      accountName: 'Cards',
      attempts: 2,
    })
    expect(differences).toMatchObject([{ tradeNo: unheard, difference: 'notBooked', repaired: true }])
    expect(await fixture.detail(unheard)).toMatchObject({ transactionStatus: 2 })
  })

  test('repeats the comparison after a refund in the provider’s console', async () => {
    const tradeNo = await paidElsewhere()
    await handlePayerReturn(fixture.context, await attemptOf(tradeNo))
    expect(await compared()).toMatchObject({ differences: [] })

    stripe.setWebhookFaults({ hold: true })
    stripe.webhookUrl = 'http://localhost:9'
    const { paymentId } = stripe.find(await attemptOf(tradeNo))!
    await fetch(`${stripe.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stripeSecrets.secretKey}` },
      body: new URLSearchParams({ payment_intent: paymentId, amount: '400' }),
    })
    const { body, signatureHeaders } = stripe.webhooks.held[0]!
    await processWebhook(fixture.context, providerAccountId, Buffer.from(body), signatureHeaders(body))
    await compare()
    const [row] = await search()
    expect(row).toMatchObject({ state: 'finished', differences: 1 })
    const { differences } = await getReconciliation(fixture.context, admin, row!)
    expect(differences).toMatchObject([{ tradeNo, difference: 'refunded', booked: 0, told: 400 }])
  })

  test('lists payments whose attempts a restore has lost, even on a day without other payments', async () => {
    const kept = await paidElsewhere()
    await handlePayerReturn(fixture.context, await attemptOf(kept))
    fixture.context.clock.time += day
    stripe.moveClock(day)
    const lost = await paidElsewhere()
    const attemptId = await attemptOf(lost)
    await fixture.sql`delete from payment_attempts where trade_no = ${lost}`
    await fixture.sql`update all_trades set attempt_in_flight = null where trade_no = ${lost}`
    // As if the first partition of trades had been archived (ADR 346).
    await fixture.sql`alter table trades rename to other_trades`
    const { reconciliation, differences } = await compared()
    await fixture.sql`alter table other_trades rename to trades`
    expect(reconciliation).toMatchObject({ attempts: 0, differences: 1 })
    expect(differences).toMatchObject([
      { attemptId, tradeNo: lost, difference: 'lost', booked: null, told: 1250, toldCurrency: 'SAR', repaired: false },
    ])
  })

  test('keeps lost payments when the provider cannot list its payments anymore', async () => {
    const lost = await paidElsewhere()
    await fixture.sql`delete from payment_attempts where trade_no = ${lost}`
    await fixture.sql`update all_trades set attempt_in_flight = null where trade_no = ${lost}`
    await handlePayerReturn(fixture.context, await attemptOf(await paidElsewhere()))
    const before = await compared()
    expect(before.differences).toMatchObject([{ tradeNo: lost, difference: 'lost' }])
    await updateProviderAccount(fixture.context, admin, { providerAccountId, secrets: { secretKey: 'sk_other' } })
    await reconcileDay(fixture.context, admin, { projectId, day: before.reconciliation.day })
    await compare()
    const { reconciliation, differences } = await getReconciliation(fixture.context, admin, before.reconciliation)
    expect(reconciliation).toMatchObject({ state: 'finished', differences: 2 })
    expect(differences.map(({ difference }) => difference).sort()).toEqual(['lost', 'unanswered'])
  })

  test('lists failed queries, and is postponed if all fail', async () => {
    const one = await paidElsewhere()
    await handlePayerReturn(fixture.context, await attemptOf(one))
    await updateProviderAccount(fixture.context, admin, { providerAccountId, secrets: { secretKey: 'sk_other' } })
    const { differences } = await compared()
    expect(differences).toMatchObject([{ tradeNo: one, difference: 'unanswered', booked: 1250, told: null }])

    const trade = (await fixture.sql<{ tradeNo: string }[]>`select trade_no from trades where trade_no = ${one}`)[0]!
    for (let copy = 0; copy < 12; copy++) {
      await fixture.sql`
        insert into payment_attempts
          (appid, trade_no, attempt_id, provider, provider_account_id, pay_type, pay_method, state, ctime, mtime)
        values (${appid}, ${trade.tradeNo}, ${newId()}, 'stripe', ${providerAccountId}, 2, 3, 'failed',
          ${fixture.context.clock.time}, 0)`
    }
    await reconcileDay(fixture.context, admin, { projectId, day: fixture.context.clock.time })
    await expect(compare()).rejects.toThrow('cannot be queried')
    expect(await search()).toMatchObject([{ state: 'running' }])
  })
})
