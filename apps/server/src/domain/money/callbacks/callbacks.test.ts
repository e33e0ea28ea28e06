import { callbackRetryDelays, hour, minute, second, verifyCallback } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import type { FullContext } from '../../context.ts'
import { rotateSecret } from '../../miniApps/index.ts'
import { cancelPayment, closeTrade } from '../payments/index.ts'
import { expireLockedIfDue, expireTrades, lockTrade } from '../trades/index.ts'
import { callbackQueue } from './deliver.ts'
import {
  countReplay,
  deliverDueCallbacks,
  enableCallbackReceiver,
  listCallbackReceivers,
  listCallbacks,
  replayCallback,
  reportForwarded,
  searchCallbacks,
  signedCallback,
} from './index.ts'
import { findCallback } from './store.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  // The job delivers due callbacks of all apps.
  await database.sql`truncate callbacks, delivery_receivers cascade`
  fixture = await createTradeFixture(database.sql)
})

const list = () => listCallbacks(fixture.context, admin, { appid: fixture.app.app.appid })
const deliver = (context: FullContext = fixture.context) => deliverDueCallbacks(context)
const fail = () => Object.assign(fixture.callbackResult, { status: 500, reply: 'oops' })

/** Creates a succeeded trade and returns its notifyId. */
async function paid(): Promise<{ tradeNo: string; notifyId: string }> {
  const tradeNo = await fixture.create()
  await fixture.pay(tradeNo, 'succeeded')
  return { tradeNo, notifyId: (await list())[0]!.notifyId }
}

async function only() {
  const [callback, ...others] = await list()
  expect(others).toEqual([])
  return callback!
}

test('queues one callback for every final state except closed', async () => {
  const { context, app, payer } = fixture
  const ends: [number, (tradeNo: string) => Promise<unknown>][] = [
    [2, (tradeNo) => fixture.pay(tradeNo, 'succeeded')],
    [3, (tradeNo) => fixture.pay(tradeNo, 'failed:24')],
    [5, (tradeNo) => cancelPayment(context, payer, { tradeNo })],
    [6, (tradeNo) => closeTrade(context, app, { tradeNo })],
    [4, async () => (context.clock.ahead += 2 * hour)],
  ]
  for (const [, end] of ends) await end(await fixture.create())
  await expireTrades(context)
  await deliverDueCallbacks(context)
  await deliverDueCallbacks(context)
  expect(fixture.received.map(({ body }) => Number(new URLSearchParams(body).get('transactionStatus'))).sort()).toEqual(
    [2, 3, 4, 5],
  )
})

test('sends the result of the trade, signed like a request', async () => {
  const { tradeNo, notifyId } = await paid()
  await deliver()
  const [request] = fixture.received
  const now = fixture.context.clock.real()
  expect(request?.url).toBe('http://localhost:8080/notify')
  expect(request?.headers).toMatchObject({
    'content-type': 'application/x-www-form-urlencoded',
    'webhook-id': notifyId,
    'webhook-timestamp': String(now / 1000),
    'webhook-signature': expect.stringMatching(/^v1,/),
  })
  const trade = await fixture.detail(tradeNo)
  expect(verifyCallback(request!.body, [fixture.secret], { now })).toMatchObject({
    ok: true,
    callback: {
      notifyId,
      notifyTime: trade.mtime,
      appid: trade.appId,
      merchantId: trade.merchantId,
      tradeNo,
      outTradeNo: trade.outTradeNo,
      transactionStatus: 2,
      failReasonType: -1,
      amount: 1250,
      currency: 'SAR',
      openId: fixture.openId,
      payType: 2,
      payMethod: 3,
      payNo: trade.payNo,
      timestamp: now,
    },
  })
})

test('notifies dispatchers when the state change commits, without a job', async () => {
  const notified = Promise.withResolvers<string>()
  const { unlisten } = await fixture.sql.listen('souk_delivery', notified.resolve)
  await paid()
  expect(await notified.promise).toBe('callback localhost:8080')
  await unlisten()
  expect(await fixture.sql`select from graphile_worker.jobs`).toHaveLength(0)
})

describe('acknowledgement', () => {
  test.each([
    [200, 'success', true],
    [204, '', true],
    [201, 'failure is not fail', true],
    [200, 'fail', false],
    [200, ' FAIL\n', false],
    [302, '', false],
    [404, 'success', false],
    [500, 'success', false],
    [null, null, false],
  ])('%s with %j: %s', async (status, reply, acknowledged) => {
    const { tradeNo } = await paid()
    expect((await fixture.detail(tradeNo)).notifySuccess).toBeNull()
    fixture.callbackResult = {
      status,
      reply,
      error: status === null ? 'no answer' : null,
      duration: 5,
      retryAfter: null,
    }
    await deliver()
    expect((await fixture.detail(tradeNo)).notifySuccess).toBe(acknowledged)
    expect(await only()).toMatchObject({
      state: acknowledged ? 'delivered' : 'pending',
      attempts: [{ attempt: 1, via: 'notifyUrl', duration: 5, acknowledged, status, reply }],
    })
  })
})

describe('retry schedule', () => {
  test.each([
    [500, 'oops'],
    [null, null],
  ])('waits 15 s, 15 s, 30 s … 6 h, each less up to 10 %%, and then gives up (%s)', async (status, reply) => {
    const { tradeNo } = await paid()
    Object.assign(fixture.callbackResult, { status, reply })
    for (const [index, delay] of callbackRetryDelays.entries()) {
      await deliverDueCallbacks(fixture.context)
      const { nextAttempt, attempts } = await only()
      expect(attempts).toHaveLength(index + 1)
      const waits = nextAttempt! - fixture.context.clock.now()
      expect(waits).toBeGreaterThanOrEqual(delay * 0.9)
      expect(waits).toBeLessThanOrEqual(delay)
      fixture.context.clock.ahead += waits - 1
      await deliverDueCallbacks(fixture.context)
      expect(fixture.received).toHaveLength(index + 1)
      fixture.context.clock.ahead += 1
    }
    await deliverDueCallbacks(fixture.context)
    expect(await only()).toMatchObject({ state: 'dead', nextAttempt: null })
    const { values } = await fixture.context.metrics.deadDeliveries.get()
    expect(values).toMatchObject([
      { labels: { queue: 'callback' }, value: 1 },
      { labels: { queue: 'event' }, value: 0 },
    ])
    fixture.context.clock.ahead += 1000 * hour
    await deliverDueCallbacks(fixture.context)
    expect(fixture.received).toHaveLength(callbackRetryDelays.length + 1)
    expect((await fixture.detail(tradeNo)).notifySuccess).toBe(false)
  })

  test('follows Retry-After if it is longer', async () => {
    await paid()
    fail().retryAfter = 2 * minute
    await deliverDueCallbacks(fixture.context)
    expect((await only()).nextAttempt).toBe(fixture.context.clock.now() + 2 * minute)
  })

  test('concurrent dispatchers send a callback once', async () => {
    await paid()
    await Promise.all(Array.from({ length: 10 }, () => deliver()))
    expect(fixture.received).toHaveLength(1)
    expect((await only()).attempts).toHaveLength(1)
  })

  test('repeats an attempt of a killed process within 30 s', async () => {
    await paid()
    const killed = { ...fixture.context, sendMessage: () => Promise.reject(new Error('killed')) }
    await deliver(killed)
    // Longer than an attempt can take.
    fixture.context.clock.ahead += 15 * second
    await deliverDueCallbacks(fixture.context)
    expect(fixture.received).toHaveLength(0)
    fixture.context.clock.ahead += 14 * second
    await deliverDueCallbacks(fixture.context)
    expect(await only()).toMatchObject({ state: 'delivered' })
  })
})

test('a callback that cannot be sent does not block others', async () => {
  await paid()
  await paid()
  let sends = 0
  const { sendMessage } = fixture.context
  const once: typeof sendMessage = (request) =>
    sends++ === 0 ? Promise.reject(new Error('broken')) : sendMessage(request)
  await deliverDueCallbacks({ ...fixture.context, sendMessage: once })
  expect((await list()).map(({ state }) => state).sort()).toEqual(['delivered', 'pending'])
})

test('signs each attempt with a new timestamp and the newest secret', async () => {
  const { notifyId } = await paid()
  fail()
  await deliver()
  const { secret } = await rotateSecret(fixture.context, admin, { appid: fixture.app.app.appid })
  fixture.context.clock.time += 20_000
  await deliverDueCallbacks(fixture.context)
  const [first, next] = fixture.received.map(({ body }) => body)
  const now = fixture.context.clock.real()
  expect(verifyCallback(first!, [fixture.secret], { now })).toMatchObject({
    ok: true,
    callback: { timestamp: now - 20_000 },
  })
  expect(verifyCallback(next!, [secret], { now })).toMatchObject({ ok: true, callback: { timestamp: now, notifyId } })
})

test('uses real time for the timestamp, even if the sandbox clock was moved', async () => {
  fixture.context.clock.ahead = 100 * hour
  const { notifyId } = await paid()
  const { body } = await signedCallback(fixture.context, notifyId)
  expect(verifyCallback(body, [fixture.secret], { now: fixture.context.clock.real() })).toMatchObject({ ok: true })
})

test('records responses with any bytes', async () => {
  await paid()
  fixture.callbackResult.reply = 'a\0b'
  await deliverDueCallbacks(fixture.context)
  expect((await only()).attempts).toMatchObject([{ reply: 'a\ufffdb', acknowledged: true }])
})

describe('replay', () => {
  test('delivers a dead callback', async () => {
    const { tradeNo, notifyId } = await paid()
    await fixture.sql`update callbacks set state = 'dead', next_attempt = null`
    expect(await replayCallback(fixture.context, admin, { notifyId })).toMatchObject({
      notifyId,
      state: 'delivered',
      attempts: [{ attempt: 1, acknowledged: true }],
    })
    expect((await fixture.detail(tradeNo)).notifySuccess).toBe(true)
  })

  test('keeps the schedule and an earlier acknowledgement when it fails', async () => {
    const { tradeNo, notifyId } = await paid()
    fail()
    await deliver()
    const { nextAttempt } = await only()
    expect(await replayCallback(fixture.context, admin, { notifyId })).toMatchObject({ state: 'pending', nextAttempt })
    const [schedule] =
      await fixture.sql`select attempts, scheduled_attempts from callbacks where notify_id = ${notifyId}`
    expect(schedule).toEqual({ attempts: 2, scheduledAttempts: 1 })

    fixture.callbackResult.status = 200
    await replayCallback(fixture.context, admin, { notifyId })
    fail()
    expect(await replayCallback(fixture.context, admin, { notifyId })).toMatchObject({ state: 'delivered' })
    expect((await fixture.detail(tradeNo)).notifySuccess).toBe(true)
  })

  test('rejects an unknown callback', async () => {
    await expect(replayCallback(fixture.context, admin, { notifyId: '0'.repeat(32) })).rejects.toMatchObject({
      code: 'callback_not_found',
    })
  })
})

test('counts and audits an acknowledgement of souk listen as delivery', async () => {
  const { tradeNo, notifyId } = await paid()
  fail()
  await deliver()
  const forwarded = { notifyId, duration: 12 }
  await reportForwarded(fixture.context, admin, { ...forwarded, error: 'connection refused' })
  expect(await only()).toMatchObject({ state: 'pending' })
  await reportForwarded(fixture.context, admin, { ...forwarded, status: 200, reply: 'ok' })
  expect(await only()).toMatchObject({
    state: 'delivered',
    attempts: [
      { attempt: 1, via: 'notifyUrl', acknowledged: false },
      { attempt: 2, via: 'listen', acknowledged: false, status: null, error: 'connection refused' },
      { attempt: 3, via: 'listen', acknowledged: true, duration: 12 },
    ],
  })
  expect((await fixture.detail(tradeNo)).notifySuccess).toBe(true)
  fixture.context.clock.ahead += hour
  await deliverDueCallbacks(fixture.context)
  expect(fixture.received).toHaveLength(1)
  const audited = await fixture.sql`
    select detail from audit_log where action = 'callback.reportForwarded' and subject = ${notifyId} order by audit_id`
  expect(audited.map(({ detail }) => detail)).toEqual([
    { acknowledged: false, status: null },
    { acknowledged: true, status: 200 },
  ])
})

test('announces each attempt before making it', async () => {
  const { notifyId } = await paid()
  let listening: (payload: string) => void = () => {}
  const received: string[] = []
  const both = new Promise<void>((resolve) => {
    listening = (payload) => {
      if (received.push(payload) === 2) resolve()
    }
  })
  const { unlisten } = await fixture.sql.listen('souk_callback', (payload) => listening(payload))
  await deliver()
  await replayCallback(fixture.context, admin, { notifyId })
  await both
  await unlisten()
  const news = { appid: fixture.app.app.appid, notifyIds: [notifyId] }
  expect(received.map((payload) => JSON.parse(payload))).toEqual([news, news])
  const { body, headers } = await signedCallback(fixture.context, notifyId)
  expect(verifyCallback(body, [fixture.secret], { now: fixture.context.clock.real() })).toMatchObject({ ok: true })
  expect(headers['webhook-id']).toBe(notifyId)
})

test('lists callbacks newest first, by state and by trade, for existing apps only', async () => {
  const first = await paid()
  await deliverDueCallbacks(fixture.context)
  const newer = await paid()
  const { appid } = fixture.app.app
  const notifyIds = async (filter: object) =>
    (await listCallbacks(fixture.context, admin, { appid, ...filter })).map(({ notifyId }) => notifyId)
  expect(await notifyIds({})).toEqual([newer.notifyId, first.notifyId])
  expect(await notifyIds({ limit: 1 })).toEqual([newer.notifyId])
  expect(await notifyIds({ state: 'delivered' })).toEqual([first.notifyId])
  expect(await notifyIds({ tradeNo: newer.tradeNo.toUpperCase() })).toEqual([newer.notifyId])
  await expect(notifyIds({ appid: 'zzzzzzzzzzzzzzz' })).rejects.toMatchObject({ code: 'app_not_found' })
})

test('selects callbacks that wait or fail, for lists and replays, and lists their host', async () => {
  const { context } = fixture
  const { appid, projectId } = fixture.app.app
  const failing = await paid()
  fail()
  await deliver()
  const waiting = await paid()
  const idsOf = async (state: 'pending' | 'failing' | 'waiting') => {
    const { items } = await searchCallbacks(context, admin, { projectId, appid, state, sort: 'ctime' })
    return items.map(({ notifyId }) => notifyId)
  }
  expect(await idsOf('pending')).toEqual([failing.notifyId, waiting.notifyId])
  expect(await idsOf('failing')).toEqual([failing.notifyId])
  expect(await idsOf('waiting')).toEqual([waiting.notifyId])
  expect(await countReplay(context, admin, { projectId, appid, state: 'failing' })).toEqual({ total: 1 })
  const receiversOf = async (all: boolean) =>
    (await listCallbackReceivers(context, admin, { projectId, all })).filter((one) => one.appid === appid)
  expect(await receiversOf(false)).toEqual([])
  expect(await receiversOf(true)).toMatchObject([{ host: 'localhost:8080', state: 'failing', failing: 1, dead: 0 }])
})

test('a receiver is enabled while an attempt at one of its callbacks is recorded', async () => {
  const { context, sql, app } = fixture
  const { appid } = app.app
  const { notifyId } = await paid()
  await sql`update callbacks set state = 'dead', next_attempt = null`
  await sql`
    insert into callback_receivers (appid, host, failing_since, last_failed, disabled_at)
    values (${appid}, 'localhost:8080', 0, 0, ${context.clock.now()})`
  const message = (await findCallback(sql, notifyId))!
  const attempt = { time: context.clock.now(), duration: 1, acknowledged: false, status: 500, reply: '', error: null }

  const { promise: isWaiting, resolve: wait } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const recorded = sql.begin(async (tx) => {
    await callbackQueue.lock(tx, [message])
    locked()
    await isWaiting
    await callbackQueue.record(tx, [{ message, attempt }])
  })
  await isLocked
  const enabled = enableCallbackReceiver(context, admin, { appid, host: 'localhost:8080', since: 0 })
  await untilWaiting(sql, 1)
  wait()
  await recorded
  expect(await enabled).toEqual({ replayed: 1 })
})

test('a receiver is enabled while a month is archived', async () => {
  const { context, sql, app } = fixture
  const { appid } = app.app
  await paid()
  await sql`update callbacks set state = 'dead', next_attempt = null`
  await sql`
    insert into callback_receivers (appid, host, failing_since, last_failed, disabled_at)
    values (${appid}, 'localhost:8080', 0, 0, ${context.clock.now()})`
  await sql.unsafe(`
    create table callbacks_other partition of callbacks
      for values from ('${'e'.repeat(32)}') to ('${'f'.repeat(32)}')`)
  let enabled: ReturnType<typeof enableCallbackReceiver> | undefined
  await sql.begin(async (tx) => {
    await tx.unsafe(`
      lock table callbacks in access exclusive mode;
      alter table callbacks detach partition callbacks_other;
      drop table callbacks_other`)
    enabled = enableCallbackReceiver(context, admin, { appid, host: 'localhost:8080', since: 0 })
    await untilWaiting(sql, 1)
  })
  expect(await enabled).toEqual({ replayed: 1 })
})

test('a callback that is stored while its receiver is being enabled is sent', async () => {
  const { context, sql, app } = fixture
  const { appid } = app.app
  const tradeNo = await fixture.create()
  context.clock.ahead += 2 * hour
  const now = context.clock.now()
  await sql`
    insert into callback_receivers (appid, host, failing_since, last_failed, disabled_at)
    values (${appid}, 'localhost:8080', 0, 0, ${now})`
  let enabled: ReturnType<typeof enableCallbackReceiver> | undefined
  await sql.begin(async (tx) => {
    await expireLockedIfDue(context, tx, (await lockTrade(tx, { appid, tradeNo }))!)
    enabled = enableCallbackReceiver(context, admin, { appid, host: 'localhost:8080', since: now })
    await untilWaiting(sql, 1)
  })
  expect(await enabled).toEqual({ replayed: 1 })
  await deliver()
  expect(await only()).toMatchObject({ state: 'delivered' })
})
