import { type FakeProvider, startStripe, stripeSecrets } from '@souk/fake-providers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, hour, type Stage, tradeStage } from '../../../../test/tradeFixture.ts'
import { newId } from '../../../kernel/id.ts'
import { createProviderAccount, payerReturns, startPayment, updateProviderAccount } from '../../payments/index.ts'
import { getTradeStory } from '../../timeline/index.ts'
import {
  compareDay,
  getReconciliation,
  processWebhook,
  reconcileDay,
  reconcileDays,
  refundTrade,
  searchReconciliations,
} from '../index.ts'

const day = 24 * hour
const noon = Math.floor(Date.now() / day) * day + 12 * hour

let database: FreshDatabase
let stage: Stage
let projectId: string
let appid: string

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  stage = await tradeStage(database.sql)
  stage.context.clock.time = noon
  projectId = stage.app.app.projectId
  appid = stage.app.app.appid
  await stage.sql`delete from graphile_worker._private_jobs`
  await stage.sql`truncate reconciliations, reconciliation_differences`
})

const search = async (input = {}) =>
  (await searchReconciliations(stage.context, admin, { projectId, appid, ...input })).items
/** Lets the day end, and compares it. */
async function compared() {
  stage.context.clock.ahead += day
  await reconcileDays(stage.context)
  await compare()
  const [row] = await search()
  return getReconciliation(stage.context, admin, row!)
}
async function compare(): Promise<void> {
  for (const { reconciliationId } of await search()) await compareDay(stage.context, reconciliationId)
}
/** How many comparisons of this stage wait in the queue. */
async function queued(): Promise<number> {
  const { count } = await stage.sql`
    select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'compareDay'
      and payload ->> 'reconciliationId' = any(${(await search()).map((row) => row.reconciliationId)}::text[])`
  return count
}
const attemptOf = async (tradeNo: string) =>
  (await getTradeStory(stage.context, admin, { tradeNo })).attempts[0]!.attemptId

describe('a day with the sandbox’s provider', () => {
  async function paid(): Promise<string> {
    const tradeNo = await stage.create()
    await stage.pay(tradeNo, 'succeeded')
    return tradeNo
  }

  test('on which all went well has no differences, with refunds under way too', async () => {
    const [, refunded] = [await paid(), await paid()]
    await stage.pay(await stage.create(), 'failed:5')
    await stage.pay(await stage.create(), 'pending')
    await refundTrade(stage.context, admin, { tradeNo: refunded, amount: 300, note: 'Sent twice' })
    const { reconciliation, differences } = await compared()
    expect(differences).toEqual([])
    expect(reconciliation).toMatchObject({
      account: 'provider:sandbox',
      day: noon - 12 * hour,
      state: 'finished',
      attempts: 4,
      differences: 0,
    })
    await stage.returnOwedMoney()
    await reconcileDay(stage.context, admin, { projectId, day: noon })
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
    await stage.sql.unsafe(
      `update sandbox_payments set ${change} where attempt_id = '${await attemptOf(tradeNo)}'::uuid`,
    )
    const { reconciliation, differences } = await compared()
    expect(differences).toMatchObject([{ tradeNo, difference, repaired: false, ...facts }])
    expect(reconciliation).toMatchObject({ attempts: 2, differences: 1 })
    expect(await search({ differing: true })).toHaveLength(1)
    expect(await search({ differing: false })).toEqual([])
  })

  test('compares the payments of which a refund ended on it, whenever they were made', async () => {
    const tradeNo = await paid()
    expect(await compared()).toMatchObject({ differences: [] })
    stage.context.clock.ahead += 3 * day
    await refundTrade(stage.context, admin, { tradeNo, note: 'Sent twice' })
    await stage.returnOwedMoney()
    await stage.sql`update sandbox_payments set refunds = '{}' where attempt_id = ${await attemptOf(tradeNo)}`
    const { reconciliation, differences } = await compared()
    expect(reconciliation).toMatchObject({ day: noon + 3.5 * day, attempts: 1 })
    expect(differences).toMatchObject([{ tradeNo, difference: 'refunded', booked: 1250, told: 0 }])
  })

  test('claims no repair where the ledger lacks what the payment is known to have brought', async () => {
    const tradeNo = await paid()
    await stage.sql`alter table ledger_entries disable trigger user`
    await stage.sql`delete from ledger_entries where trade_no = ${tradeNo}`
    await stage.sql`alter table ledger_entries enable trigger user`
    const { differences } = await compared()
    expect(differences).toMatchObject([{ tradeNo, difference: 'notBooked', told: 1250, repaired: false }])
  })

  test('whose comparison the queue has given up is put into it again', async () => {
    await paid()
    stage.context.clock.ahead += day
    await reconcileDays(stage.context)
    expect(await queued()).toBe(1)
    await stage.sql`delete from graphile_worker._private_jobs`
    await reconcileDays(stage.context)
    expect(await queued()).toBe(0)
    stage.context.clock.ahead += day
    await reconcileDays(stage.context)
    expect(await queued()).toBe(1)
  })

  test('finds money of which nothing was ever heard, and brings it to the trade or back to the payer', async () => {
    const tradeNo = await stage.create()
    await stage.pay(tradeNo, 'pending')
    await stage.sql`
      update sandbox_payments set state = 'succeeded', decides_at = null where attempt_id = ${await attemptOf(tradeNo)}`
    const { differences } = await compared()
    expect(differences).toMatchObject([{ tradeNo, difference: 'notBooked', told: 1250, booked: null, repaired: true }])
    expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
  })
})

test('a day is begun once, when it has been over for an hour, and days without the server are made up for', async () => {
  await stage.pay(await stage.create(), 'succeeded')
  stage.context.clock.ahead = 13 * hour - 1
  await reconcileDays(stage.context)
  expect(await search()).toEqual([])
  stage.context.clock.ahead = 3 * day
  await stage.pay(await stage.create(), 'succeeded')
  stage.context.clock.ahead = 5 * day
  for (let run = 0; run < 3; run++) await reconcileDays(stage.context)
  expect((await search()).map((row) => row.day)).toEqual([noon + 2.5 * day, noon - 0.5 * day])
  expect(await queued()).toBe(2)
})

test('a day compared on somebody’s word does not hide the days before it', async () => {
  await stage.pay(await stage.create(), 'succeeded')
  stage.context.clock.ahead = 2 * day
  const other = await tradeStage(database.sql)
  other.context.clock.time = stage.context.clock.time
  other.context.clock.ahead = 2 * day
  await other.pay(await other.create(), 'succeeded')
  other.context.clock.ahead = 3 * day
  await reconcileDay(other.context, admin, { projectId: other.app.app.projectId, day: noon + 2 * day })
  stage.context.clock.ahead = 3 * day
  await reconcileDays(stage.context)
  expect(await search()).toMatchObject([{ day: noon - 0.5 * day }])
})

test('only a day that is over is compared on somebody’s word', async () => {
  await expect(reconcileDay(stage.context, admin, { projectId, day: noon })).rejects.toMatchObject({
    code: 'parameter_invalid',
  })
})

describe('a day with a provider elsewhere', () => {
  let stripe: FakeProvider
  let providerAccountId: string
  beforeEach(async () => {
    stage.context.clock.time = Date.now()
    stripe = await startStripe()
    const made = await createProviderAccount(stage.context, admin, {
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
    const tradeNo = await stage.create()
    await startPayment(stage.context, stage.payer, { tradeNo, payMethod: 'card' })
    stripe.pay(await attemptOf(tradeNo))
    return tradeNo
  }

  test('is compared with what that says', async () => {
    const heard = await paidElsewhere()
    await payerReturns(stage.context, await attemptOf(heard))
    const unheard = await paidElsewhere()
    const { reconciliation, differences } = await compared()
    expect(reconciliation).toMatchObject({
      account: `provider:${providerAccountId}`,
      accountName: 'Cards',
      attempts: 2,
    })
    expect(differences).toMatchObject([{ tradeNo: unheard, difference: 'notBooked', repaired: true }])
    expect(await stage.detail(unheard)).toMatchObject({ transactionStatus: 2 })
  })

  test('is compared again where the provider tells of a refund that Souk did not make', async () => {
    const tradeNo = await paidElsewhere()
    await payerReturns(stage.context, await attemptOf(tradeNo))
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
    await processWebhook(stage.context, providerAccountId, Buffer.from(body), signatureHeaders(body))
    await compare()
    const [row] = await search()
    expect(row).toMatchObject({ state: 'finished', differences: 1 })
    const { differences } = await getReconciliation(stage.context, admin, row!)
    expect(differences).toMatchObject([{ tradeNo, difference: 'refunded', booked: 0, told: 400 }])
  })

  test('lists what it could not be asked about, and is put off where it could not be asked at all', async () => {
    const one = await paidElsewhere()
    await payerReturns(stage.context, await attemptOf(one))
    await updateProviderAccount(stage.context, admin, { providerAccountId, secrets: { secretKey: 'sk_other' } })
    const { differences } = await compared()
    expect(differences).toMatchObject([{ tradeNo: one, difference: 'unanswered', booked: 1250, told: null }])

    const trade = (await stage.sql<{ trade_no: string }[]>`select trade_no from trades where trade_no = ${one}`)[0]!
    for (let copy = 0; copy < 12; copy++) {
      await stage.sql`
        insert into payment_attempts
          (appid, trade_no, attempt_id, provider, provider_account_id, pay_type, pay_method, state, ctime, mtime)
        values (${appid}, ${trade.trade_no}, ${newId()}, 'stripe', ${providerAccountId}, 2, 3, 'failed',
          ${stage.context.clock.time}, 0)`
    }
    await reconcileDay(stage.context, admin, { projectId, day: stage.context.clock.time })
    await expect(compare()).rejects.toThrow('cannot be asked')
    expect(await search()).toMatchObject([{ state: 'running' }])
  })
})
