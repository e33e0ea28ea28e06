import { day, hour, minute } from '@souk/contract'
import {
  checkoutSecrets,
  checkoutSettings,
  type FakeProvider,
  paytabsSecrets,
  paytabsSettings,
  startCheckout,
  startPaytabs,
  startStripe,
  stripeSecrets,
} from '@souk/fake-providers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../../test/database.ts'
import { untilWaiting } from '../../../../../test/locks.ts'
import { freePort } from '../../../../../test/server.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../../test/tradeFixture.ts'
import { newId } from '../../../../kernel/id.ts'
import { createApp, ensureMerchant } from '../../../miniApps/index.ts'
import { getTradeStory } from '../../../operations/index.ts'
import { ledgerBalances, processWebhook, refundTrade, returnMoney } from '../../ledger/index.ts'
import {
  appOfProviderAccount,
  cancelPayment,
  closeTrade,
  createProviderAccount,
  getRouting,
  handlePayerReturn,
  listProviderAccounts,
  listShadowAnswers,
  queryPendingAttempts,
  setRouting,
  shadowPayment,
  startPayment,
  testProviderAccount,
  updateProviderAccount,
} from '../index.ts'
import { chooseAccounts } from './chooseAccounts.ts'
import { type AccountRow, lockAdditions, type RoutingRule } from './store.ts'

let database: FreshDatabase
let fixture: TradeFixture
let appid: string
let stripe: FakeProvider
let checkout: FakeProvider

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  fixture = await createTradeFixture(database.sql)
  // Accounts of another fixture have another encryption key.
  await fixture.sql`delete from graphile_worker._private_jobs`
  // The fake providers' pages expire in real time.
  fixture.context.clock.time = Date.now()
  appid = fixture.app.app.appid
  stripe = await startStripe()
  checkout = await startCheckout()
})
afterEach(async () => {
  await Promise.all([stripe.close(), checkout.close()])
})

type Changes = { baseUrl?: string; secretKey?: string }
const atStripe = async ({ baseUrl = stripe.url, secretKey = stripeSecrets.secretKey }: Changes = {}) =>
  createProviderAccount(fixture.context, admin, {
    appid,
    provider: 'stripe',
    name: 'Cards',
    settings: { baseUrl },
    secrets: { ...stripeSecrets, secretKey },
  })
const atCheckout = async ({ baseUrl = checkout.url }: Changes = {}) =>
  createProviderAccount(fixture.context, admin, {
    appid,
    provider: 'checkout',
    name: 'Pages',
    settings: { ...checkoutSettings, baseUrl },
    secrets: checkoutSecrets,
  })
const nowhere = async () => `http://localhost:${await freePort()}`

const start = (tradeNo: string, payMethod = 'card') =>
  startPayment(fixture.context, fixture.payer, { tradeNo, payMethod })
const attempts = async (tradeNo: string) => (await getTradeStory(fixture.context, admin, { tradeNo })).attempts
const account = async (id: string) =>
  (await listProviderAccounts(fixture.context, admin, { appid })).find((it) => it.providerAccountId === id)!

describe('provider accounts', () => {
  test('never return their secrets and store them encrypted', async () => {
    const made = await atStripe()
    expect(made).toMatchObject({ appid, provider: 'stripe', enabled: true, settings: { baseUrl: stripe.url } })
    expect(made.webhookUrl).toBe(`http://souk.test/webhooks/${made.providerAccountId}`)
    const [row] = await fixture.sql`
      select * from provider_accounts where provider_account_id = ${made.providerAccountId}`
    const everything = JSON.stringify([await listProviderAccounts(fixture.context, admin, { appid }), row])
    for (const secret of Object.values(stripeSecrets)) {
      expect(everything).not.toContain(secret)
      expect((row!.ciphertext as Buffer).includes(secret)).toBe(false)
    }
    const audited = await fixture.sql`select detail from audit_log where subject = ${made.providerAccountId}`
    expect(JSON.stringify(audited)).not.toContain(stripeSecrets.secretKey)
  })

  test.each([
    [{ secretKey: 'pk_wrong' }, 'secrets: secretKey must start with sk_ or rk_.'],
    [{ baseUrl: 'ftp://x' }, 'settings: baseUrl must be'],
  ])('with %o is refused, by the name of the field', async (changes, message) => {
    await expect(atStripe(changes)).rejects.toThrow(message)
  })

  test('keep what is not updated', async () => {
    const { providerAccountId } = await atStripe()
    await updateProviderAccount(fixture.context, admin, { providerAccountId, name: 'Cards of others' })
    expect(await testProviderAccount(fixture.context, admin, { providerAccountId })).toMatchObject({ works: true })
    await updateProviderAccount(fixture.context, admin, { providerAccountId, secrets: { secretKey: 'sk_other' } })
    expect(await testProviderAccount(fixture.context, admin, { providerAccountId })).toMatchObject({
      works: false,
      reason: expect.stringContaining('401'),
    })
  })

  test('are at most 100 of a merchant', async () => {
    const { providerAccountId } = await atStripe()
    await fixture.sql`
      insert into provider_accounts
        (provider_account_id, merchant_id, name, provider, settings, key_id, ciphertext, ctime, mtime)
      select uuidv7(), merchant_id, name, provider, settings, key_id, ciphertext, ctime, mtime
      from provider_accounts cross join generate_series(1, 99) where provider_account_id = ${providerAccountId}`
    await expect(atCheckout()).rejects.toMatchObject({ code: 'provider_account_limit_reached' })
    const shared = { provider: 'sandbox', name: 'Shared', settings: {}, secrets: {} } as const
    const added = await createProviderAccount(fixture.context, admin, shared)
    await fixture.sql`delete from provider_accounts where provider_account_id = ${added.providerAccountId}`
  })

  test('are at most 100 of a merchant although many are added at once', async () => {
    const { providerAccountId } = await atStripe()
    await fixture.sql`
      insert into provider_accounts
        (provider_account_id, merchant_id, name, provider, settings, key_id, ciphertext, ctime, mtime)
      select uuidv7(), merchant_id, name, provider, settings, key_id, ciphertext, ctime, mtime
      from provider_accounts cross join generate_series(1, 97) where provider_account_id = ${providerAccountId}`
    const added = await Promise.allSettled(Array.from({ length: 6 }, () => atCheckout()))
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await listProviderAccounts(fixture.context, admin, { appid })).toHaveLength(100)
  })

  test('of a merchant are added while one of another merchant is', async () => {
    const { appid: other } = await createApp(fixture.context, admin, { name: 'Coffee House' })
    const { merchantId } = await ensureMerchant(fixture.context, (await fixture.context.apps.find(other))!)
    await fixture.sql.begin(async (tx) => {
      expect(await lockAdditions(tx, merchantId)).toBe(0)
      expect(await atStripe()).toMatchObject({ appid })
    })
  })

  test('keep both of two concurrent updates', async () => {
    const { providerAccountId } = await atStripe()
    await Promise.all([
      updateProviderAccount(fixture.context, admin, { providerAccountId, name: 'Cards of others' }),
      updateProviderAccount(fixture.context, admin, { providerAccountId, enabled: false }),
    ])
    expect(await account(providerAccountId)).toMatchObject({ name: 'Cards of others', enabled: false })
  })

  test('are skipped if their secrets are unreadable', async () => {
    const { providerAccountId } = await atStripe()
    await atCheckout()
    await fixture.sql`
      update provider_accounts set ciphertext = sha256(ciphertext) where provider_account_id = ${providerAccountId}`
    const tradeNo = await fixture.create()
    expect(await start(tradeNo)).toMatchObject({ status: 0, redirect: {} })
    expect(await attempts(tradeNo)).toMatchObject([{ provider: 'checkout' }])
    await fixture.sql`update provider_accounts set ciphertext = sha256(ciphertext)`
    await expect(start(await fixture.create())).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('accept new secrets in place of unreadable ones', async () => {
    const { providerAccountId } = await atStripe()
    await fixture.sql`
      update provider_accounts set ciphertext = sha256(ciphertext) where provider_account_id = ${providerAccountId}`
    expect(await appOfProviderAccount(fixture.context, providerAccountId)).toBe(appid)
    const update = (secrets: Record<string, string>) =>
      updateProviderAccount(fixture.context, admin, { providerAccountId, secrets })
    await expect(update({ secretKey: stripeSecrets.secretKey })).rejects.toThrow('webhookSecret missing.')
    await update(stripeSecrets)
    expect(await testProviderAccount(fixture.context, admin, { providerAccountId })).toMatchObject({ works: true })
  })

  test('require the secrets again when the base URL changes', async () => {
    const { providerAccountId } = await atStripe()
    const settings = { baseUrl: await nowhere() }
    const { secretKey } = stripeSecrets
    for (const secrets of [undefined, { secretKey }, { ...stripeSecrets, webhookSecret: ' ' }]) {
      const change = { providerAccountId, settings, ...(secrets && { secrets }) }
      await expect(updateProviderAccount(fixture.context, admin, change)).rejects.toThrow(
        'changing baseUrl requires all secrets',
      )
    }
    expect(await account(providerAccountId)).toMatchObject({ settings: { baseUrl: stripe.url } })
    await updateProviderAccount(fixture.context, admin, { providerAccountId, settings, secrets: stripeSecrets })
    expect(await account(providerAccountId)).toMatchObject({ settings })
  })

  test('that are disabled accept no new payments but settle earlier ones', async () => {
    const { providerAccountId } = await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    await updateProviderAccount(fixture.context, admin, { providerAccountId, enabled: false })
    const { attemptId } = (await attempts(tradeNo))[0]!
    stripe.pay(attemptId)
    await handlePayerReturn(fixture.context, attemptId)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
    // The built-in sandbox provider is used again.
    expect(await start(await fixture.create())).toEqual({ status: 2 })
  })
})

describe('payments', () => {
  test('are made on the provider’s page and booked to its account', async () => {
    const { providerAccountId } = await atStripe()
    const tradeNo = await fixture.create()
    expect(await start(tradeNo)).toMatchObject({ status: 0, redirect: { url: expect.stringContaining(stripe.url) } })
    const [attempt] = await attempts(tradeNo)
    expect(attempt).toMatchObject({ provider: 'stripe', payType: 2, state: 'redirect' })
    stripe.pay(attempt!.attemptId)
    await handlePayerReturn(fixture.context, attempt!.attemptId)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2, payType: 2 })
    expect(await fixture.sql`select debit, amount from ledger_entries where trade_no = ${tradeNo}`).toEqual([
      { debit: `provider:${providerAccountId}`, amount: 1250 },
    ])
  })

  test('resume on the same page; another method opens a new page and closes the first', async () => {
    await atStripe()
    const tradeNo = await fixture.create()
    const first = await start(tradeNo)
    expect(await start(tradeNo)).toEqual(first)
    const second = await start(tradeNo, 'wallet-a')
    expect(second.redirect!.url).not.toBe(first.redirect!.url)
    expect((await attempts(tradeNo)).map(({ state }) => state)).toEqual(['canceled', 'redirect'])
    expect(stripe.payments().map(({ state }) => state)).toEqual(['expired', 'open'])
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 1, payMethod: 1 })
  })

  test('on an unpaid page expire with the trade, and the page is closed', async () => {
    await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    fixture.context.clock.ahead = 2 * hour
    await queryPendingAttempts(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 4, failReasonType: 21 })
    expect(stripe.payments()).toMatchObject([{ state: 'expired' }])
  })

  test('are withdrawn as soon as an unreachable provider can be reached again', async () => {
    await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    stripe.failNext('dropBefore', 'dropBefore')
    await expect(closeTrade(fixture.context, fixture.app, { tradeNo })).rejects.toMatchObject({ code: 'unavailable' })
    await expect(cancelPayment(fixture.context, fixture.payer, { tradeNo })).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(await closeTrade(fixture.context, fixture.app, { tradeNo })).toBe(true)
    expect(stripe.payments()).toMatchObject([{ state: 'expired' }])
  })

  test('are withdrawn by a job if the merchant does not try again', async () => {
    await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    stripe.failNext('dropBefore')
    await expect(closeTrade(fixture.context, fixture.app, { tradeNo })).rejects.toMatchObject({ code: 'unavailable' })
    fixture.context.clock.ahead = minute
    await queryPendingAttempts(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 6 })
    expect(stripe.payments()).toMatchObject([{ state: 'expired' }])
  })

  test('are closed for the merchant who was first, although the provider answers the payer', async () => {
    await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    stripe.failNext('dropBefore')
    await expect(closeTrade(fixture.context, fixture.app, { tradeNo })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await cancelPayment(fixture.context, fixture.payer, { tradeNo })).toEqual({ status: 1, failCode: 22 })
    expect(await closeTrade(fixture.context, fixture.app, { tradeNo })).toBe(true)
  })

  test('are not canceled for a payer who has returned to the page', async () => {
    await atStripe()
    const tradeNo = await fixture.create()
    const first = await start(tradeNo)
    stripe.failNext('dropBefore')
    await expect(cancelPayment(fixture.context, fixture.payer, { tradeNo })).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(await start(tradeNo)).toEqual(first)
    fixture.context.clock.ahead = minute
    await queryPendingAttempts(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 1 })
    expect(stripe.payments()).toMatchObject([{ state: 'open' }])
  })

  test('are withdrawn by the merchant even if the payer chooses another method before the provider answers', async () => {
    await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    stripe.failNext('dropBefore')
    await expect(closeTrade(fixture.context, fixture.app, { tradeNo })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await start(tradeNo, 'wallet-a')).toEqual({ status: 1, failCode: 22 })
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 6 })
    expect(stripe.payments()).toMatchObject([{ state: 'expired' }])
  })

  test('that the provider does not cancel for the payer are still withdrawn by a merchant who closed meanwhile', async () => {
    await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    const [attempt] = await attempts(tradeNo)
    stripe.pay(attempt!.attemptId, 'delayed')
    let begins = 0
    const sql = new Proxy(fixture.sql, {
      get: (target, name) => {
        const begin = Reflect.get(target, name)
        // The third transaction follows the answer of the provider.
        if (name !== 'begin' || ++begins !== 3) return begin
        return async (...args: unknown[]) => {
          await fixture.sql`update payment_attempts set cancel_for = 'merchant' where trade_no = ${tradeNo}`
          return Reflect.apply(begin, target, args)
        }
      },
    })
    const context = Object.assign(Object.create(fixture.context), { sql })
    await expect(cancelPayment(context, fixture.payer, { tradeNo })).rejects.toMatchObject({
      code: 'payment_in_flight',
    })
    const mark = () => fixture.sql`select cancel_for as by from payment_attempts where trade_no = ${tradeNo}`
    expect(await mark()).toEqual([{ by: 'merchant' }])
    // The refusal itself is forgotten, so that a later cancellation is not due to it.
    await fixture.sql`update payment_attempts set cancel_for = null where trade_no = ${tradeNo}`
    await expect(cancelPayment(fixture.context, fixture.payer, { tradeNo })).rejects.toMatchObject({
      code: 'payment_in_flight',
    })
    expect(await mark()).toEqual([{ by: null }])
  })

  test('canceled by the payer are canceled at the provider', async () => {
    await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    expect(await cancelPayment(fixture.context, fixture.payer, { tradeNo })).toEqual({ status: 0 })
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 5 })
    expect(stripe.payments()).toMatchObject([{ state: 'expired' }])
  })
})

describe('a page that the provider cannot close', () => {
  test('does not block closing the trade, and a later payment is refunded', async () => {
    await atCheckout()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    expect(await closeTrade(fixture.context, fixture.app, { tradeNo })).toBe(true)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 6 })
    const { attemptId } = (await attempts(tradeNo))[0]!
    checkout.pay(attemptId)
    fixture.context.clock.ahead = minute
    await queryPendingAttempts(fixture.context)
    await fixture.returnOwedMoney()
    expect(checkout.payments()).toMatchObject([{ state: 'paid', refunds: [{ amount: 1250 }] }])
    expect((await getTradeStory(fixture.context, admin, { tradeNo })).refunds).toMatchObject([{ state: 'returned' }])
  })

  test('expires with the trade even if its URL was lost', async () => {
    const paytabs = await startPaytabs()
    await createProviderAccount(fixture.context, admin, {
      appid,
      provider: 'paytabs',
      name: 'Pages',
      secrets: paytabsSecrets,
      settings: { ...paytabsSettings, baseUrl: paytabs.url },
    })
    const tradeNo = await fixture.create()
    paytabs.failNext('dropAfter')
    expect(await start(tradeNo)).toEqual({ status: 0 })
    expect(paytabs.payments()).toHaveLength(1)
    fixture.context.clock.ahead = 2 * hour
    await queryPendingAttempts(fixture.context)
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 4, failReasonType: 21 })
    await paytabs.close()
  })

  test('is shown again for any payment method', async () => {
    await atCheckout()
    const tradeNo = await fixture.create()
    const first = await start(tradeNo)
    expect(await start(tradeNo, 'wallet-a')).toEqual(first)
    expect(await attempts(tradeNo)).toHaveLength(1)
  })
})

describe('events after a payment', () => {
  /** Creates a trade and pays it at the provider. */
  async function paid(provider: FakeProvider): Promise<string> {
    const tradeNo = await fixture.create()
    await start(tradeNo)
    const { attemptId } = (await attempts(tradeNo))[0]!
    provider.pay(attemptId)
    await handlePayerReturn(fixture.context, attemptId)
    provider.setWebhookFaults({ hold: true })
    provider.webhookUrl = 'http://localhost:9'
    return tradeNo
  }
  /** Processes all held webhooks twice. */
  async function receiveWebhook(provider: FakeProvider, providerAccountId: string): Promise<void> {
    const held = provider.webhooks.held.splice(0)
    expect(held).not.toEqual([])
    for (const { body, signatureHeaders } of [...held, ...held]) {
      await processWebhook(fixture.context, providerAccountId, Buffer.from(body), signatureHeaders(body))
    }
  }
  const storyOf = (tradeNo: string) => getTradeStory(fixture.context, admin, { tradeNo })
  const balances = async () => {
    const [found] = await ledgerBalances(fixture.context, admin, { projectId: fixture.app.app.projectId, appid })
    return found
  }

  test('a refund that fails later belongs to the merchant again and can be repeated', async () => {
    const { providerAccountId } = await atStripe()
    const tradeNo = await paid(stripe)
    await refundTrade(fixture.context, admin, { tradeNo, amount: 1000, note: 'Cold' })
    await fixture.returnOwedMoney()
    expect(await balances()).toMatchObject({ refunded: 1000, balance: 250 })

    stripe.failRefund((await attempts(tradeNo))[0]!.attemptId)
    await receiveWebhook(stripe, providerAccountId)
    const { refunds } = await storyOf(tradeNo)
    expect(refunds).toMatchObject([{ state: 'refused', refusal: 'lost_or_stolen_card', amount: 1000 }])
    expect((await fixture.events(tradeNo)).slice(-2)).toEqual(['moneyReturned', 'moneyCameBack'])
    expect(await balances()).toMatchObject({ captured: 1250, refunded: 0, balance: 1250, returning: 0 })

    await refundTrade(fixture.context, admin, { tradeNo, note: 'To another card' })
    expect((await storyOf(tradeNo)).refunds[1]).toMatchObject({ amount: 1250, state: 'owed' })
  })

  test('the refund of an unapplied payment that fails later is owed again', async () => {
    const { providerAccountId } = await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    const { attemptId } = (await attempts(tradeNo))[0]!
    stripe.pay(attemptId)
    await fixture.sql`update trades set amount = 1300 where trade_no = ${tradeNo}`
    await handlePayerReturn(fixture.context, attemptId)
    await fixture.returnOwedMoney()
    expect((await storyOf(tradeNo)).refunds).toMatchObject([{ initiator: 'system', state: 'returned' }])

    stripe.setWebhookFaults({ hold: true })
    stripe.webhookUrl = 'http://localhost:9'
    stripe.failRefund(attemptId)
    await receiveWebhook(stripe, providerAccountId)
    expect((await storyOf(tradeNo)).refunds).toMatchObject([{ state: 'owed', refusal: 'lost_or_stolen_card' }])
    expect(await balances()).toMatchObject({ balance: 0, returning: 1250 })

    // Stripe does not repeat a refund that has failed, so another one takes its place after a day.
    const returnFirst = async () => {
      const [{ refundNo } = { refundNo: '' }] = (await storyOf(tradeNo)).refunds
      await returnMoney(fixture.context, { appid, tradeNo, refundNo })
    }
    fixture.context.clock.ahead = day - minute
    await expect(returnFirst()).rejects.toThrow('lost_or_stolen_card')
    fixture.context.clock.ahead = day
    await returnFirst()
    expect(await balances()).toMatchObject({ balance: 0, returning: 1250 })
    const { refundNo } = (await storyOf(tradeNo)).refunds[1]!
    await returnMoney(fixture.context, { appid, tradeNo, refundNo })
    expect((await storyOf(tradeNo)).refunds).toMatchObject([
      { initiator: 'system', state: 'refused', refusal: 'lost_or_stolen_card' },
      { initiator: 'system', state: 'returned', amount: 1250 },
    ])
    expect(await balances()).toMatchObject({ balance: 0, returning: 0 })
  })

  test.each(['stripe', 'checkout'] as const)('a dispute at %s becomes one event of the trade', async (name) => {
    const { providerAccountId } = await (name === 'stripe' ? atStripe() : atCheckout())
    const provider = { stripe, checkout }[name]
    const tradeNo = await paid(provider)
    provider.dispute((await attempts(tradeNo))[0]!.attemptId)
    await receiveWebhook(provider, providerAccountId)
    const disputes = (await storyOf(tradeNo)).timeline.filter(({ event }) => event === 'moneyDisputed')
    expect(disputes).toMatchObject([{ kind: 'money', detail: { amount: 1250, currency: 'SAR' } }])
    expect(await fixture.sql`select actor, detail from audit_log where subject = ${tradeNo}`).toMatchObject([
      { actor: `provider ${providerAccountId}`, detail: { amount: 1250, currency: 'SAR' } },
    ])
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
    expect(await balances()).toMatchObject({ balance: 1250 })
  })

  test('a failed refund and a dispute are recorded after the trade has been archived', async () => {
    const { providerAccountId } = await atStripe()
    const tradeNo = await paid(stripe)
    const { attemptId } = (await attempts(tradeNo))[0]!
    await refundTrade(fixture.context, admin, { tradeNo, amount: 1000, note: 'Cold' })
    await fixture.returnOwedMoney()
    const [archived] = await fixture.sql`delete from all_trades where trade_no = ${tradeNo} returning appid`
    expect(archived).toEqual({ appid })

    stripe.failRefund(attemptId)
    stripe.dispute(attemptId)
    await receiveWebhook(stripe, providerAccountId)
    expect(await balances()).toMatchObject({ captured: 1250, refunded: 0, balance: 1250, returning: 0 })
    const late = await fixture.sql`select event from trade_events where trade_no = ${tradeNo} order by event_id`
    expect(late.slice(-2)).toEqual([{ event: 'moneyCameBack' }, { event: 'moneyDisputed' }])
  })

  test('a dispute that is reported twice at the same time is recorded once, also of an archived trade', async () => {
    const { providerAccountId } = await atStripe()
    const tradeNo = await paid(stripe)
    const { sql, context } = fixture
    const { attemptId } = (await attempts(tradeNo))[0]!
    await sql`delete from all_trades where trade_no = ${tradeNo}`
    stripe.dispute(attemptId)
    const [{ body, signatureHeaders }] = stripe.webhooks.held.splice(0) as [FakeProvider['webhooks']['held'][number]]
    const receive = () => processWebhook(context, providerAccountId, Buffer.from(body), signatureHeaders(body))
    let received: Promise<unknown> | undefined
    await sql.begin(async (tx) => {
      await tx`lock table trade_events in share mode`
      received = Promise.all([receive(), receive()])
      await untilWaiting(sql, 2)
    })
    await received
    const disputes = await sql`select from trade_events where trade_no = ${tradeNo} and event = 'moneyDisputed'`
    expect(disputes).toHaveLength(1)
  })

  test('a webhook about a refund by Souk changes nothing', async () => {
    const { providerAccountId } = await atCheckout()
    const tradeNo = await paid(checkout)
    await refundTrade(fixture.context, admin, { tradeNo, note: 'Cold' })
    await fixture.returnOwedMoney()
    const before = await fixture.events(tradeNo)
    await receiveWebhook(checkout, providerAccountId)
    expect(await fixture.events(tradeNo)).toEqual(before)
  })
})

describe('failover', () => {
  test.each([
    ['was never reached', async () => ({ baseUrl: await nowhere() })],
    ['refuses the order', async () => ({ secretKey: 'sk_other' })],
  ])('goes to the next account where the first %s', async (_, changes) => {
    await atStripe(await changes())
    await atCheckout()
    const tradeNo = await fixture.create()
    expect((await start(tradeNo)).redirect!.url).toContain(checkout.url)
    expect(await attempts(tradeNo)).toMatchObject([
      { provider: 'stripe', state: 'failed', payNo: null },
      { provider: 'checkout', state: 'redirect' },
    ])
    expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 1, payType: 1 })
  })

  test.each(['dropAfter', 'error'] as const)('does not happen when the outcome is unknown (%s)', async (fault) => {
    await atStripe()
    await atCheckout()
    const tradeNo = await fixture.create()
    stripe.failNext(fault)
    expect(await start(tradeNo)).toEqual({ status: 0 })
    expect(checkout.payments()).toEqual([])
    expect(await start(tradeNo)).toEqual({ status: 1, failCode: 23 })
    // The page was never shown, so the trade can be paid again after a minute.
    fixture.context.clock.ahead = minute
    await queryPendingAttempts(fixture.context)
    expect(await start(tradeNo)).toMatchObject({ status: 0, redirect: {} })
  })

  test('does not happen after a decline', async () => {
    await atCheckout()
    await atStripe()
    const tradeNo = await fixture.create()
    await start(tradeNo)
    const [attempt] = await attempts(tradeNo)
    checkout.pay(attempt!.attemptId, 'declined')
    await handlePayerReturn(fixture.context, attempt!.attemptId)
    expect(await attempts(tradeNo)).toHaveLength(1)
    expect(stripe.payments()).toEqual([])
    // The provider’s own code.
    const { timeline } = await getTradeStory(fixture.context, admin, { tradeNo })
    expect(timeline.find(({ event }) => event === 'failed')!.detail).toMatchObject({
      failReasonType: 24,
      reason: '20005',
    })
  })

  test('fails the trade if the last account rejects it, and leaves it open if that was not reached', async () => {
    await atStripe({ secretKey: 'sk_other' })
    const refused = await fixture.create()
    expect(await start(refused)).toEqual({ status: 1, failCode: 26 })
    expect(await fixture.detail(refused)).toMatchObject({ transactionStatus: 3, failReasonType: 26 })

    const { providerAccountId } = (await listProviderAccounts(fixture.context, admin, { appid }))[0]!
    await updateProviderAccount(fixture.context, admin, {
      providerAccountId,
      settings: { baseUrl: await nowhere() },
      secrets: stripeSecrets,
    })
    const unreached = await fixture.create()
    expect(await start(unreached)).toEqual({ status: 1, failCode: 27 })
    expect(await fixture.detail(unreached)).toMatchObject({ transactionStatus: 1 })
  })
})

describe('an account that keeps failing', () => {
  async function failing(times: number): Promise<string> {
    const { providerAccountId } = await atStripe({ baseUrl: await nowhere() })
    await atCheckout()
    for (let time = 0; time < times; time++) await start(await fixture.create())
    return providerAccountId
  }
  const providersOf = async (tradeNo: string) => (await attempts(tradeNo)).map(({ provider }) => provider)
  async function triedAt(): Promise<string[]> {
    const tradeNo = await fixture.create()
    await start(tradeNo)
    return providersOf(tradeNo)
  }

  test('is suspended after five consecutive failures and recovers automatically', async () => {
    const id = await failing(5)
    expect(await account(id)).toMatchObject({ failures: 5, outUntil: fixture.context.clock.time + 30_000 })
    expect(await triedAt()).toEqual(['checkout'])

    // It still fails, so the suspension is twice as long.
    fixture.context.clock.time += 30_000
    expect(await triedAt()).toEqual(['stripe', 'checkout'])
    expect(await account(id)).toMatchObject({ failures: 6, outUntil: fixture.context.clock.time + minute })
    expect(await triedAt()).toEqual(['checkout'])

    await fixture.sql`
      update provider_accounts set settings = ${fixture.sql.json({ baseUrl: stripe.url })} where provider_account_id = ${id}`
    fixture.context.clock.time += minute
    expect(await triedAt()).toEqual(['stripe'])
    expect(await account(id)).toMatchObject({ failures: 0, outUntil: null })
  })

  test('is not one that rejects orders', async () => {
    const { providerAccountId } = await atStripe()
    await atCheckout()
    // Exceeds the maximum of the fake Stripe.
    for (let time = 0; time < 6; time++) await start(await fixture.create({ amount: 100_000_000 }))
    expect(await account(providerAccountId)).toMatchObject({ failures: 0, outUntil: null })
  })

  test('includes one whose credentials are rejected', async () => {
    const { providerAccountId } = await atStripe({ secretKey: 'sk_other' })
    await atCheckout()
    for (let time = 0; time < 5; time++) await start(await fixture.create())
    expect(await account(providerAccountId)).toMatchObject({ failures: 5, outUntil: expect.any(Number) })
  })

  test('is tried by one payment only when its suspension ends', async () => {
    const id = await failing(5)
    fixture.context.clock.time += 30_000
    const tradeNos = await Promise.all(Array.from({ length: 6 }, () => fixture.create()))
    await Promise.all(tradeNos.map((tradeNo) => start(tradeNo)))
    const tried = await Promise.all(tradeNos.map(providersOf))
    expect(tried.filter((providers) => providers.includes('stripe'))).toHaveLength(1)
    expect(await account(id)).toMatchObject({ failures: 6 })
  })

  test('is tried by each payment that no other account takes when its suspension ends', async () => {
    await atStripe()
    const { providerAccountId } = await atCheckout()
    await fixture.sql`
      update provider_accounts set failures = 5, out_until = ${fixture.context.clock.time}
      where provider_account_id = ${providerAccountId}`
    // Exceeds the maximum of the fake Stripe.
    const tradeNos = await Promise.all(Array.from({ length: 6 }, () => fixture.create({ amount: 100_000_000 })))
    await Promise.all(tradeNos.map((tradeNo) => start(tradeNo)))
    for (const tradeNo of tradeNos) expect(await providersOf(tradeNo)).toEqual(['stripe', 'checkout'])
  })

  test('is tried if there is no other, and immediately after an update', async () => {
    const { providerAccountId } = await atStripe({ baseUrl: await nowhere() })
    for (let time = 0; time < 6; time++) await start(await fixture.create())
    expect(await account(providerAccountId)).toMatchObject({ failures: 6 })
    await updateProviderAccount(fixture.context, admin, {
      providerAccountId,
      settings: { baseUrl: stripe.url },
      secrets: stripeSecrets,
    })
    expect(await triedAt()).toEqual(['stripe'])
  })
})

describe('routing', () => {
  const base = {
    name: 'A',
    appid: null,
    provider: 'stripe',
    settings: {},
    enabled: true,
    failures: 0,
    outUntil: null,
  } as const
  const known = (providerAccountId: string, merchantId: string | null = 'm'): AccountRow => ({
    ...base,
    providerAccountId,
    merchantId,
    ctime: 0,
    mtime: 0,
  })
  const rule = (changes: Partial<RoutingRule>): RoutingRule => ({
    ruleId: newId(),
    merchantId: null,
    currency: null,
    amountFrom: null,
    amountTo: null,
    payMethod: null,
    share: 100,
    providerAccountIds: ['b'],
    shadowAccountId: null,
    ...changes,
  })
  const payment = { tradeNo: newId(), merchantId: 'm', amount: 1250, currency: 'SAR', payMethod: 3 } as const
  const ids = (rules: RoutingRule[], usable = [known('a'), known('b'), known('c', null)], changes = {}) =>
    chooseAccounts({ ...payment, ...changes }, rules, usable).accounts.map((it) => it.providerAccountId)

  test('without a rule uses the merchant’s own accounts, otherwise the shared ones', () => {
    expect(ids([])).toEqual(['a', 'b'])
    expect(ids([], [known('c', null)])).toEqual(['c'])
  })

  test.each<[Partial<RoutingRule>, boolean]>([
    [{}, true],
    [{ currency: 'SAR' }, true],
    [{ currency: 'USD' }, false],
    [{ amountFrom: 1250, amountTo: 1250 }, true],
    [{ amountFrom: 1251 }, false],
    [{ amountTo: 1249 }, false],
    [{ payMethod: 3 }, true],
    [{ payMethod: 1 }, false],
    [{ providerAccountIds: ['gone'] }, false],
  ])('the rule %o', (changes, takes) => {
    expect(ids([rule({ providerAccountIds: ['c', 'b'], ...changes })])).toEqual(takes ? ['c', 'b'] : ['a', 'b'])
  })

  test('uses the first rule that matches', () => {
    expect(ids([rule({ currency: 'USD' }), rule({ providerAccountIds: ['a'] }), rule({})])).toEqual(['a'])
  })

  test('applies a share to trades, and routes a trade always the same way', () => {
    const rules = [rule({ share: 30 }), rule({ providerAccountIds: ['a'] })]
    const tradeNos = Array.from({ length: 4000 }, () => newId())
    const ways = () => tradeNos.map((tradeNo) => ids(rules, undefined, { tradeNo })[0])
    const first = ways()
    expect(ways()).toEqual(first)
    const share = first.filter((it) => it === 'b').length / 40
    expect(share).toBeGreaterThan(26)
    expect(share).toBeLessThan(34)
  })

  test('uses accounts in the order of the rule', async () => {
    const [one, two] = [await atStripe(), await atCheckout()]
    const providerAccountIds = [two.providerAccountId, one.providerAccountId]
    await setRouting(fixture.context, admin, { appid, rules: [{ providerAccountIds, currency: 'SAR' }] })
    expect((await start(await fixture.create())).redirect!.url).toContain(checkout.url)
    expect((await start(await fixture.create({ currency: 'USD' }))).redirect!.url).toContain(stripe.url)
  })

  test('concurrent updates leave the rules of one of them', async () => {
    const { providerAccountId } = await atStripe()
    const rules = [{ providerAccountIds: [providerAccountId] }, { providerAccountIds: [providerAccountId] }]
    await Promise.all(Array.from({ length: 8 }, () => setRouting(fixture.context, admin, { appid, rules })))
    expect(await getRouting(fixture.context, admin, { appid })).toHaveLength(2)
  })

  test('rejects rules with accounts of other merchants or an invalid shadow', async () => {
    const { providerAccountId } = await atStripe()
    const other = await createTradeFixture(database.sql)
    const rules = [{ providerAccountIds: [providerAccountId] }]
    await expect(setRouting(other.context, admin, { appid: other.app.app.appid, rules })).rejects.toThrow(
      `provider account ${providerAccountId} does not exist`,
    )
    await expect(setRouting(fixture.context, admin, { rules })).rejects.toMatchObject({ code: 'parameter_invalid' })
    const shadowed = [{ ...rules[0]!, shadowAccountId: providerAccountId }]
    await expect(setRouting(fixture.context, admin, { appid, rules: shadowed })).rejects.toThrow(
      'the shadow account must not be one',
    )
  })
})

test('a shadow account receives the order, is canceled immediately, and decides nothing', async () => {
  const [used, shadow] = [await atCheckout(), await atStripe()]
  const rules = [{ providerAccountIds: [used.providerAccountId], shadowAccountId: shadow.providerAccountId }]
  await setRouting(fixture.context, admin, { appid, rules })
  const tradeNo = await fixture.create()
  await start(tradeNo)
  const [job] = await fixture.sql<{ payload: Parameters<typeof shadowPayment>[1] }[]>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'shadowPayment'`
  for (let run = 0; run < 2; run++) await shadowPayment(fixture.context, job!.payload)

  const answers = await listShadowAnswers(fixture.context, admin, { providerAccountId: shadow.providerAccountId })
  expect(answers.items).toMatchObject([{ tradeNo, kind: 'redirect', provider: 'checkout', state: 'redirect' }])
  expect(stripe.payments()).toMatchObject([{ state: 'expired' }])
  expect(await attempts(tradeNo)).toMatchObject([{ provider: 'checkout', state: 'redirect' }])
  expect(await fixture.detail(tradeNo)).toMatchObject({ transactionStatus: 1, payType: 1 })
})

test('many shadow payments leave room for other jobs', async () => {
  const [used, shadow] = [await atCheckout(), await atStripe()]
  const rules = [{ providerAccountIds: [used.providerAccountId], shadowAccountId: shadow.providerAccountId }]
  await setRouting(fixture.context, admin, { appid, rules })
  await Promise.all(Array.from({ length: 40 }, async () => start(await fixture.create())))
  const jobs = await fixture.sql<{ queue: number | null }[]>`
    select job_queue_id as queue from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'shadowPayment'`
  expect(jobs).toHaveLength(40)
  const queues = new Set(jobs.map(({ queue }) => queue))
  expect(queues).not.toContain(null)
  expect(queues.size).toBeLessThanOrEqual(16)
})
