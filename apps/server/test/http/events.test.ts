import {
  callbackRetryDelays,
  day,
  type EventType,
  eventTypeNames,
  eventTypes,
  hour,
  maxEventEndpoints,
  minute,
  signParameters,
  subscribedEventTypes,
} from '@souk/contract'
import { Webhook } from 'standardwebhooks'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FullContext } from '../../src/domain/context.ts'
import { deliverDueEvents, pruneEvents, recordEvent } from '../../src/domain/messages/index.ts'
import { uploadRelease } from '../../src/domain/miniApps/index.ts'
import { archiveOf, build } from '../archive.ts'
import { startBackend, type TestBackend } from '../backend.ts'
import { untilWaiting } from '../locks.ts'
import { type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let app: { appid: string; secret: string }
/** The company's backend. */
let backend: TestBackend
let receiver: string
let received: TestBackend['received']
let answers: TestBackend['answers']

beforeAll(async () => {
  souk = await startTestSouk()
  app = (await souk.console('POST', '/console/v1/apps', { name: 'Tea House' })).body
  backend = await startBackend()
  ;({ url: receiver, received, answers } = backend)
})
afterAll(async () => {
  backend.stop()
  await souk.stop()
})
beforeEach(async () => {
  await souk.context.sql`truncate event_endpoints, events, delivery_receivers cascade`
  received.length = 0
  answers.clear()
  souk.clock.offset = 0
})

const endpoints = (method: string, path = '', input?: object): Promise<JsonAnswer> =>
  souk.console(method, `/console/v1/event-endpoints${path}`, input)
const deliveries = (path: string): Promise<JsonAnswer> => souk.console('GET', `/console/v1/event-deliveries${path}`)

interface Added {
  endpointId: string
  secret: string
}
async function add(path = '/souk', types: readonly string[] = subscribedEventTypes): Promise<Added> {
  const { status, body } = await endpoints('POST', '', { url: receiver + path, types })
  expect([status, body.code]).toEqual([200, undefined])
  return body
}
const stateOf = async (endpointId: string) =>
  (await endpoints('GET')).body.find((each: Added) => each.endpointId === endpointId)

const deliver = (context: FullContext = souk.context) => deliverDueEvents(context)
const verify = (secret: string, { body, headers }: TestBackend['received'][number]) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as { type: EventType; data: unknown }

let users = 0
/** Creates a user of the company who has opened the mini app. */
async function newUser(nickname = 'Layla') {
  const { uid } = (await souk.console('POST', '/console/v1/sandbox/users', { nickname })).body as { uid: number }
  const subject = `employee-${++users}`
  await souk.context.sql`update users set issuer = 'https://id.example', subject = ${subject} where uid = ${uid}`
  const { code } = (await souk.console('POST', '/console/v1/sandbox/codes', { appid: app.appid, uid })).body
  const { accessToken } = (
    await souk.signed(app, 'POST', '/neuopenapi/oauth/mini/accessToken', {
      code,
      grantType: 'authorization_code',
      scope: 'user.info',
    })
  ).response
  const { openId } = (await souk.send('GET', `/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)).response
  return { uid, openId: openId as string, identity: { uid, issuer: 'https://id.example', subject } }
}

const notify = (openIds: string, text = 'Your tea is ready.') =>
  souk.signed(app, 'POST', '/neuopenapi/notify/sendNotify', {
    openIds,
    title: 'Tea',
    text,
    navigateType: '1',
    link: 'pages/order/order?id=7',
    language: 'en_US',
    notifyType: 1,
  })
const activity = (openIds: string, status: number) =>
  souk.signed(app, 'POST', '/neuopenapi/activity/sendActivity', {
    activityId: 'order-7',
    openIds,
    color: 'ff0000',
    templateId: 'order',
    title: 'Order 7',
    text: 'In the oven',
    iconUrl: 'https://tea.example/icon.png',
    status,
    validityTime: 3600,
    language: 'en_US',
  })
async function pay(uid: number, openId: string, outTradeNo = `order-${uid}`): Promise<string> {
  const { tradeNo } = (
    await souk.signed(app, 'POST', '/neuopenapi/pay/transactions/trade', {
      outTradeNo,
      amount: 1250,
      currency: 'SAR',
      openId,
      notifyUrl: `${receiver}/callback`,
    })
  ).response
  await souk.console('POST', '/console/v1/sandbox/payments', { tradeNo, uid, outcome: 'succeeded' })
  return tradeNo
}

/** Records an event about a user whom other tables need not know. */
const happen = (uid = 10_001) =>
  souk.context.sql.begin((tx) => recordEvent(souk.context, tx, { type: 'user.erased', data: {}, uids: [uid] }))

test('each state of a review arrives as an event', async () => {
  const { secret } = await add('/reviews', ['release.reviewed'])
  const { appid } = (await souk.console('POST', '/console/v1/apps', { name: 'Coffee' })).body
  const archive = await archiveOf(build())
  const { releaseId } = await uploadRelease(souk.context, { kind: 'admin' }, { appid, version: '1.4.0', archive })
  const { reviewId } = (await souk.console('POST', `/console/v1/apps/${appid}/releases/${releaseId}/submit`, {})).body
  const reasons = [{ item: 'payment', text: 'The price is not shown.' }]
  await souk.console('POST', `/console/v1/reviews/${reviewId}/reject`, { reasons })
  await deliver()
  const events = received.map((request) => verify(secret, request))
  const common = { appid, appName: 'Coffee', reviewId, releaseId, version: '1.4.0', publishTime: null }
  // Both are due, and are delivered side by side.
  const byState = new Map(events.map(({ data }) => [(data as { state: string }).state, data]))
  expect(Object.fromEntries(byState)).toMatchObject({
    submitted: { ...common, state: 'submitted', reasons: [] },
    rejected: { ...common, state: 'rejected', reasons },
  })
  expect(events).toHaveLength(2)
  for (const { data } of events) expect([...Value.Errors(eventTypes['release.reviewed'].data, data)]).toEqual([])
})

test('each change of a canary arrives as an event', async () => {
  const { secret } = await add('/canaries', ['canary.changed'])
  const { appid } = (await souk.console('POST', '/console/v1/apps', { name: 'Coffee' })).body
  const upload = async (version: string) =>
    uploadRelease(souk.context, { kind: 'admin' }, { appid, version, archive: await archiveOf(build()) })
  const at = (releaseId: string) => `/console/v1/apps/${appid}/releases/${releaseId}`
  await souk.console('POST', `${at((await upload('1.4.0')).releaseId)}/publish`, {})
  const { releaseId } = await upload('1.5.0')
  const { canaryId } = (await souk.console('POST', `${at(releaseId)}/canary`, { share: 5 })).body
  await souk.console('POST', `${at(releaseId)}/canary/pause`, {})
  await deliver()
  const events = received.map((request) => verify(secret, request))
  const common = { appid, appName: 'Coffee', canaryId, releaseId, version: '1.5.0', share: 5, haltReason: null }
  expect(events).toHaveLength(2)
  for (const state of ['running', 'paused']) {
    expect(events).toContainEqual(expect.objectContaining({ data: expect.objectContaining({ ...common, state }) }))
  }
  for (const { data } of events) expect([...Value.Errors(eventTypes['canary.changed'].data, data)]).toEqual([])
})

test('feedback, a report and an answer arrive as events about their user', async () => {
  const { secret } = await add('/feedback', ['feedback.changed'])
  const { uid, identity } = await newUser()
  const { session } = (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body
  const send = async (path: string, input: object): Promise<string> =>
    (await souk.json(session, 'POST', `/host/v1/apps/${app.appid}/${path}`, input)).body.feedbackId
  const feedbackId = await send('feedback', { kind: 'idea', text: 'Sell cake.', page: 'pages/menu' })
  const report = await send('report', { reason: 'fraud' })
  await souk.console('POST', `/console/v1/feedback/${feedbackId}/answer`, { text: 'From Monday.' })
  await deliver()
  const events = received.map((request) => verify(secret, request))
  const idea = { feedbackId, kind: 'idea', reason: null, text: 'Sell cake.', page: 'pages/menu', version: null }
  const expected = [
    { ...idea, state: 'open', answer: null },
    { ...idea, state: 'answered', answer: 'From Monday.' },
    { feedbackId: report, kind: 'report', reason: 'fraud', text: null, state: 'open', page: null },
  ]
  expect(events).toHaveLength(expected.length)
  for (const data of expected) {
    const about = { ...data, appid: app.appid, users: [identity] }
    expect(events).toContainEqual(expect.objectContaining({ data: expect.objectContaining(about) }))
  }
  for (const { data } of events) expect([...Value.Errors(eventTypes['feedback.changed'].data, data)]).toEqual([])
})

test('changes arrive as events that the library of Standard Webhooks verifies, with the documented data', async () => {
  const { secret } = await add()
  const { uid, openId, identity } = await newUser()
  await notify(openId)
  await activity(openId, 1)
  await activity(openId, 0)
  const tradeNo = await pay(uid, openId)
  await deliver()

  const events = received.map((request) => verify(secret, request))
  expect(events.map(({ type }) => type).sort()).toEqual([
    'activity.changed',
    'activity.changed',
    'notification.created',
    'trade.changed',
  ])
  for (const { type, data } of events)
    expect([type, [...Value.Errors(eventTypes[type].data, data)]]).toEqual([type, []])
  const dataOf = (type: EventType) => events.filter((event) => event.type === type).map(({ data }) => data)
  const common = { appid: app.appid, appName: 'Tea House', users: [identity] }
  expect(dataOf('notification.created')).toMatchObject([
    { ...common, title: 'Tea', text: 'Your tea is ready.', link: 'pages/order/order?id=7', url: null, silent: false },
  ])
  expect(dataOf('activity.changed')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...common, state: 'shown', activityId: 'order-7', title: 'Order 7', path: null }),
      expect.objectContaining({ ...common, state: 'removed', activityId: 'order-7', title: null, validUntil: null }),
    ]),
  )
  expect(dataOf('trade.changed')).toMatchObject([
    { ...common, tradeNo, amount: 1250, currency: 'SAR', transactionStatus: 2, failReasonType: -1 },
  ])
  expect(received[0]!.headers['content-type']).toBe('application/json')
  expect(JSON.parse(received[0]!.body).timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('an event is recorded if and only if the change that it describes is committed, and once', async () => {
  await add()
  const { openId } = await newUser()
  const rolledBack = souk.context.sql.begin(async (tx) => {
    await recordEvent(souk.context, tx, { type: 'user.erased', data: {}, uids: [10_001] })
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  const count = async () => (await souk.context.sql`select from events`).count
  expect(await count()).toBe(0)

  const fields = Object.entries({
    appid: app.appid,
    timestamp: String(souk.clock.real()),
    openIds: openId,
    title: 'Tea',
    text: 'Ready',
    navigateType: '2',
    url: 'https://tea.example',
    language: 'en_US',
    notifyType: '1',
  })
  const body = new URLSearchParams([...fields, ['sign', signParameters(fields, app.secret)]])
  for (const _ of ['first', 'repeated']) {
    expect((await souk.send('POST', '/neuopenapi/notify/sendNotify', { body })).http).toBe(200)
  }
  expect((await deliveries('')).body.items).toMatchObject([{ state: 'pending' }])
  // Removing a message that does not exist changes nothing.
  await activity(openId, 0)
  expect(await count()).toBe(1)
})

test('each enabled endpoint gets the types that it subscribes to, with one id for all', async () => {
  const [all, some, disabled] = [await add('/all'), await add('/some', ['notification.created']), await add('/off')]
  await endpoints('PATCH', `/${disabled.endpointId}`, { enabled: false })
  const { uid, openId } = await newUser()
  await notify(openId)
  await pay(uid, openId)
  await deliver()
  expect(received.map(({ path, body }) => `${path} ${JSON.parse(body).type}`).sort()).toEqual([
    '/all notification.created',
    '/all trade.changed',
    '/some notification.created',
  ])
  const ids = received
    .filter(({ body }) => body.includes('notification.created'))
    .map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)
  const ofSome = received.find(({ path }) => path === '/some')!
  expect(() => verify(all.secret, ofSome)).toThrow()
  expect(verify(some.secret, ofSome).type).toBe('notification.created')
})

test('a message to more than 100 users becomes several events', async () => {
  await add()
  const { sql } = souk.context
  const found = await sql<{ uid: number }[]>`
    insert into users (nickname, ctime) select 'Guest', 0 from generate_series(1, 250) returning uid`
  const uids = found.map(({ uid }) => uid)
  await sql.begin((tx) => recordEvent(souk.context, tx, { type: 'user.erased', data: {}, uids }))
  await deliver()
  const named = received.map(({ body }) => JSON.parse(body).data.users.map(({ uid }: { uid: number }) => uid))
  expect(named.map((each) => each.length).sort()).toEqual([100, 100, 50])
  expect(named.flat().sort()).toEqual(uids.sort())
})

describe('delivery', () => {
  test('is retried on the schedule of callbacks, and then given up', async () => {
    const { endpointId } = await add()
    answers.set('/souk', 500)
    await happen()
    for (const [index, delay] of callbackRetryDelays.entries()) {
      await deliver()
      const [{ nextAttempt, attemptCount }] = (await deliveries('')).body.items
      expect(attemptCount).toBe(index + 1)
      const waits = nextAttempt - souk.clock.now()
      expect(waits).toBeGreaterThan(delay * 0.9 - minute / 2)
      expect(waits).toBeLessThanOrEqual(delay)
      souk.clock.offset += waits + 1
    }
    await deliver()
    expect(received).toHaveLength(callbackRetryDelays.length + 1)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await deliveries('')).body.items).toMatchObject([
      { state: 'dead', nextAttempt: null, lastAttempt: { status: 500, acknowledged: false } },
    ])
    souk.clock.offset += 2 * hour
    expect(await stateOf(endpointId)).toMatchObject({ state: 'failing', pending: 0, dead: 1 })
  })

  test('of an event is repeated within 30 s if the process was killed', async () => {
    await add()
    await happen()
    const killed = { ...souk.context, sendMessage: () => Promise.reject(new Error('killed')) }
    await deliver(killed)
    await deliver()
    expect(received).toHaveLength(0)
    souk.clock.offset += minute / 2
    await deliver()
    expect(received).toHaveLength(1)
    expect((await deliveries('')).body.items).toMatchObject([{ state: 'delivered', attemptCount: 1 }])
  })

  test('is made once by concurrent dispatchers', async () => {
    await add()
    await happen()
    await Promise.all(Array.from({ length: 10 }, () => deliver()))
    expect(received).toHaveLength(1)
  })

  test('waits while the endpoint is paused, and lists show when it gets the next probe', async () => {
    const { endpointId } = await add()
    await add('/other')
    answers.set('/souk', 503)
    for (let failure = 0; failure < 5; failure++) await endpoints('POST', `/${endpointId}/test`, {})
    await happen()
    await deliver()
    const { pausedUntil } = await stateOf(endpointId)
    expect(pausedUntil).toBeGreaterThan(souk.context.clock.now())
    const { items } = (await deliveries('?type=user.erased')).body
    const pauses = items.map(({ state, pausedUntil }: Record<string, unknown>) => [state, pausedUntil])
    expect(pauses.toSorted()).toEqual([
      ['delivered', null],
      ['pending', pausedUntil],
    ])
    const waiting = items.find(({ state }: { state: string }) => state === 'pending')
    expect((await deliveries(`/${waiting.deliveryId}`)).body).toMatchObject({ pausedUntil })

    await endpoints('PATCH', `/${endpointId}`, { enabled: false })
    expect(await stateOf(endpointId)).toMatchObject({ state: 'disabled', pausedUntil: null })
  })

  test('to an address that only looks public is refused at the socket, with the reason', async () => {
    const { endpointId } = await add()
    await souk.context.sql`update event_endpoints set url = 'http://10.0.0.1/souk'`
    await endpoints('POST', `/${endpointId}/test`, {})
    const [{ lastAttempt }] = (await deliveries('')).body.items
    expect(lastAttempt).toMatchObject({ status: null, error: expect.stringContaining('address not allowed') })
  })
})

describe('an endpoint', () => {
  test('that answers 410 is disabled, and gets what it missed after it is enabled and replayed', async () => {
    const { endpointId } = await add()
    const other = await add('/other')
    answers.set('/souk', 410)
    await happen()
    await happen()
    await deliver()
    expect(await stateOf(endpointId)).toMatchObject({ state: 'gone', pending: 0, dead: 2 })
    expect(await stateOf(other.endpointId)).toMatchObject({ state: 'enabled', dead: 0, failingSince: null })
    expect(
      await souk.context.sql`
        select actor, detail ->> 'status' as status from audit_log
        where action = 'eventEndpoint.disable' and subject = ${endpointId}`,
    ).toEqual([{ actor: 'system', status: '410' }])
    await happen()
    await deliver()
    const missed = received.filter(({ path }) => path === '/souk').length

    const path = `/${endpointId}`
    expect((await endpoints('POST', `${path}/replay`, { since: 0 })).body.code).toBe('event_endpoint_disabled')
    answers.clear()
    expect((await endpoints('PATCH', path, { enabled: true })).body.state).toBe('enabled')
    const later = souk.clock.now() + hour
    expect((await endpoints('POST', `${path}/replay`, { since: later })).body).toEqual({ replayed: 0 })
    expect((await endpoints('POST', `${path}/replay`, { since: 0 })).body).toEqual({ replayed: 2 })
    await deliver()
    expect(received.filter(({ path }) => path === '/souk')).toHaveLength(missed + 2)
    expect(await stateOf(endpointId)).toMatchObject({ state: 'enabled', dead: 0, failingSince: null })
  })

  test('is failing when it has acknowledged nothing for a day, until it does', async () => {
    const { endpointId } = await add()
    await happen()
    await deliver()
    expect(await stateOf(endpointId)).toMatchObject({ state: 'enabled', failingSince: null })
    answers.set('/souk', 503)
    souk.clock.offset += hour
    const since = souk.clock.now()
    await happen()
    await deliver()
    const { state, failingSince } = await stateOf(endpointId)
    expect([state, Math.abs(failingSince - since) < minute]).toEqual(['enabled', true])
    souk.clock.offset += day + minute
    expect(await stateOf(endpointId)).toMatchObject({ state: 'failing' })
    const findings = (await souk.console('GET', '/console/v1/doctor')).body
    expect(findings.find(({ check }: { check: string }) => check === 'events')).toMatchObject({
      state: 'warning',
      found: `${receiver}/souk has acknowledged no event for a day.`,
    })
    answers.clear()
    await deliver()
    expect(await stateOf(endpointId)).toMatchObject({ state: 'enabled', failingSince: null })
  })

  test('is signed with both secrets during the overlap of a rotation, then with the new one', async () => {
    const { endpointId, secret } = await add()
    const rotated = (await endpoints('POST', `/${endpointId}/secrets`, { overlap: 3600 })).body.secret as string
    expect(rotated).toMatch(/^whsec_[A-Za-z0-9+/]{64}$/)
    expect(rotated).not.toBe(secret)
    expect((await stateOf(endpointId)).overlapUntil).toBeGreaterThan(souk.clock.now())
    await happen()
    await deliver()
    for (const each of [secret, rotated]) expect(verify(each, received[0]!).type).toBe('user.erased')

    souk.clock.offset += hour
    await happen()
    await deliver()
    expect(verify(rotated, received[1]!).type).toBe('user.erased')
    expect(() => verify(secret, received[1]!)).toThrow()
    expect(await stateOf(endpointId)).toMatchObject({ overlapUntil: null })

    const last = (await endpoints('POST', `/${endpointId}/secrets`, { overlap: 0 })).body.secret as string
    await happen()
    await deliver()
    expect(() => verify(rotated, received[2]!)).toThrow()
    expect(verify(last, received[2]!).type).toBe('user.erased')
  })

  test('shows its secret once, and the database contains it encrypted', async () => {
    const { secret } = await add()
    expect(JSON.stringify((await endpoints('GET')).body)).not.toContain('whsec_')
    const plain = Buffer.from(secret.slice('whsec_'.length), 'base64').toString()
    const [row] = await souk.context.sql<[{ stored: Buffer }]>`select ciphertext as stored from event_secrets`
    expect(row.stored.includes(plain)).toBe(false)
    const everything = await souk.context.sql`select s::text as row from event_secrets s`
    expect(JSON.stringify(everything)).not.toContain(plain)
  })

  test('can be changed and removed', async () => {
    const { endpointId } = await add()
    const change = { url: `${receiver}/new`, description: 'Push', types: ['user.erased'] }
    expect((await endpoints('PATCH', `/${endpointId}`, change)).body).toMatchObject({ endpointId, ...change })
    expect((await endpoints('PATCH', `/${endpointId}`, { description: null })).body.description).toBeNull()
    await happen()
    await deliver()
    expect(received).toMatchObject([{ path: '/new' }])
    expect((await endpoints('DELETE', `/${endpointId}`)).body).toBe(true)
    expect((await endpoints('GET')).body).toEqual([])
    expect((await deliveries('')).body.items).toEqual([])
  })
})

test('a test event and a replay make one attempt now, regardless of schedule and endpoint state', async () => {
  const { endpointId, secret } = await add()
  await endpoints('PATCH', `/${endpointId}`, { enabled: false })
  answers.set('/souk', 500)
  const { body } = await endpoints('POST', `/${endpointId}/test`, {})
  expect(body).toMatchObject({
    endpointId,
    url: `${receiver}/souk`,
    type: 'endpoint.tested',
    state: 'dead',
    payload: { type: 'endpoint.tested', data: { endpointId } },
    attempts: [{ attempt: 1, status: 500, acknowledged: false }],
  })
  expect(verify(secret, received[0]!)).toEqual(body.payload)
  answers.clear()
  const replay = `/console/v1/event-deliveries/${body.deliveryId}/replay`
  expect((await souk.console('POST', replay, {})).body).toMatchObject({
    state: 'delivered',
    attempts: [{ attempt: 1 }, { attempt: 2, status: 204, acknowledged: true }],
  })
  expect((await deliveries(`/${body.deliveryId}`)).body).toMatchObject({ state: 'delivered', nextAttempt: null })
})

test('deliveries are listed newest first, in pages, by endpoint, state and type', async () => {
  const [one, two] = [await add('/one'), await add('/two')]
  answers.set('/two', 500)
  await happen()
  await deliver()
  await endpoints('POST', `/${one.endpointId}/test`, {})
  const list = async (query: string) => {
    const { items } = (await deliveries(query)).body as { items: { endpointId: string; type: string; state: string }[] }
    return items.map(({ endpointId, type, state }) =>
      [endpointId === one.endpointId ? 'one' : 'two', type, state].join(' '),
    )
  }
  expect((await list(''))[0]).toBe('one endpoint.tested delivered')
  expect(await list(`?endpointId=${two.endpointId}`)).toEqual(['two user.erased pending'])
  expect(await list('?state=pending')).toEqual(['two user.erased pending'])
  expect(await list('?type=endpoint.tested')).toEqual(['one endpoint.tested delivered'])
  const first = (await deliveries('?limit=2')).body
  expect(first.items).toHaveLength(2)
  expect((await deliveries(`?limit=2&cursor=${first.next}`)).body).toMatchObject({ items: [{}], next: null })
})

describe('erasure', () => {
  const stored = async () => {
    const rows = await souk.context.sql<{ row: string }[]>`select e::text as row from events e`
    return rows.map(({ row }) => row).join('\n')
  }

  test('removes the user from stored events, and tells endpoints who was erased', async () => {
    const { secret } = await add()
    const [layla, omar] = [await newUser('Layla'), await newUser('Omar')]
    await notify(`${layla.openId},${omar.openId}`, 'Tea for all')
    await notify(layla.openId, 'Layla, your tea is ready.')
    await pay(layla.uid, layla.openId)
    const exported = (await souk.console('POST', `/console/v1/users/${layla.uid}/export`, {})).body
    expect(exported.events.map(({ type }: { type: string }) => type)).toEqual([
      'trade.changed',
      'notification.created',
      'notification.created',
    ])
    expect(await stored()).toContain(layla.identity.subject)
    await souk.console('POST', `/console/v1/users/${layla.uid}/erase`, {})
    await souk.console('POST', `/console/v1/users/${layla.uid}/erase`, {})
    await deliver()
    const events = received.map((request) => verify(secret, request))
    expect(events).toHaveLength(2)
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'user.erased', data: { users: [layla.identity] } }),
        expect.objectContaining({
          type: 'notification.created',
          data: expect.objectContaining({ text: 'Tea for all', users: [omar.identity] }),
        }),
      ]),
    )
    expect(await stored()).not.toContain('Layla')
    await pruneEvents(souk.context)
    expect(await stored()).not.toContain(layla.identity.subject)
  })

  test('keeps the identity in user.erased until every endpoint has acknowledged it', async () => {
    await add('/up')
    await add('/down')
    answers.set('/down', 500)
    const { uid, identity } = await newUser()
    await souk.console('POST', `/console/v1/users/${uid}/erase`, {})
    await deliver()
    await pruneEvents(souk.context)
    expect(await stored()).toContain(identity.subject)
    answers.clear()
    souk.clock.offset += minute
    await deliver()
    expect(received.at(-1)!.body).toContain(identity.subject)
    await pruneEvents(souk.context)
    expect(await stored()).not.toContain(identity.subject)
  })

  test('and a change of the endpoint at the same time both succeed', async () => {
    const { endpointId } = await add()
    for (let round = 0; round < 5; round++) {
      const { uid, openId } = await newUser()
      for (let count = 0; count < 5; count++) await notify(openId)
      const results = await Promise.all([
        souk.console('POST', `/console/v1/users/${uid}/erase`, {}),
        endpoints('PATCH', `/${endpointId}`, { enabled: false }),
      ])
      expect(results.map(({ status }) => status)).toEqual([200, 200])
      await endpoints('PATCH', `/${endpointId}`, { enabled: true })
    }
  })

  test('does not fail if the events are being delivered', async () => {
    await add()
    const { uid, openId } = await newUser()
    await notify(openId)
    const { sendMessage } = souk.context
    const erasing = {
      ...souk.context,
      sendMessage: async (request: Parameters<typeof sendMessage>[0]) => {
        const outcome = await sendMessage(request)
        await souk.console('POST', `/console/v1/users/${uid}/erase`, {})
        return outcome
      },
    }
    await deliver(erasing)
    expect((await deliveries('')).body.items).toMatchObject([{ type: 'user.erased' }])
  })
})

test('events are deleted after 30 days, unless an endpoint still waits for them', async () => {
  await add()
  await happen()
  await deliver()
  await happen()
  souk.clock.offset += 30 * day + minute
  await pruneEvents(souk.context)
  expect((await deliveries('')).body.items).toMatchObject([{ state: 'pending' }])
})

describe('bad input', () => {
  test('unknown types, endpoints and deliveries get their error', async () => {
    const url = `${receiver}/souk`
    const post = async (input: object) => (await endpoints('POST', '', input)).body
    expect(await post({ url, types: ['order.created'] })).toMatchObject({
      code: 'parameter_invalid',
      detail: expect.stringContaining(subscribedEventTypes.join(', ')),
    })
    for (const types of [[], ['endpoint.tested'], ['user.erased', 'user.erased']]) {
      expect(await post({ url, types })).toMatchObject({ code: 'parameter_invalid' })
    }
    const missing = 'f'.repeat(32)
    for (const [method, path, input] of [
      ['PATCH', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/secrets', {}],
      ['POST', '/test', {}],
      ['POST', '/replay', { since: 0 }],
    ] as const) {
      expect((await endpoints(method, `/${missing}${path}`, input)).body.code).toBe('event_endpoint_not_found')
    }
    expect((await deliveries(`/${missing}`)).body.code).toBe('event_delivery_not_found')
    expect((await souk.console('POST', `/console/v1/event-deliveries/${missing}/replay`, {})).body.code).toBe(
      'event_delivery_not_found',
    )
    expect((await deliveries('?type=order.created')).body.code).toBe('parameter_invalid')
  })

  test('there are at most 16 endpoints, also if several are added at once', async () => {
    for (let count = 1; count < maxEventEndpoints; count++) await add(`/${count}`)
    const input = { url: receiver, types: ['user.erased'] }
    const answers = await souk.context.sql.begin(async (tx) => {
      await tx`lock table audit_log in exclusive mode`
      const started = [endpoints('POST', '', input), endpoints('POST', '', input)]
      await untilWaiting(souk.context.sql, 2)
      return [Promise.all(started)]
    })
    expect((await answers[0])!.map(({ body }) => body.code ?? 'added').sort()).toEqual([
      'added',
      'event_endpoint_limit_reached',
    ])
  })

  test('a live installation refuses addresses without TLS, with credentials, and inside', async () => {
    const live = await startTestSouk({ sandbox: false })
    try {
      for (const [url, reason] of [
        ['http://backend.example/souk', 'It must use https'],
        ['https://user:password@backend.example/', 'not contain a user name or password'],
        ['https://127.0.0.1/souk', '127.0.0.1 is a loopback address'],
        ['https://10.1.2.3/souk', '10.1.2.3 is a private address'],
        ['https://localhost/souk', 'localhost resolves to a loopback address'],
      ] as const) {
        const input = { url, types: ['user.erased'] }
        expect((await live.console('POST', '/console/v1/event-endpoints', input)).body).toMatchObject({
          code: 'event_url_refused',
          detail: expect.stringContaining(reason),
        })
      }
      const input = { url: 'https://backend.example/souk?key=1', types: [...subscribedEventTypes] }
      const { body } = await live.console('POST', '/console/v1/event-endpoints', input)
      expect(body).toMatchObject({ state: 'enabled', url: input.url })
      const change = { url: 'http://backend.example' }
      expect((await live.console('PATCH', `/console/v1/event-endpoints/${body.endpointId}`, change)).body.code).toBe(
        'event_url_refused',
      )
    } finally {
      await live.stop()
    }
  })
})

test('the registry describes every type, and only tests cannot be subscribed to', () => {
  expect(eventTypeNames.filter((type) => !subscribedEventTypes.includes(type as never))).toEqual(['endpoint.tested'])
})
