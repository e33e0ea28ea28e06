import { hour } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import {
  announcedWhile,
  messageContext,
  newMiniApp,
  newRecipients,
  type Recipient,
} from '../../../../test/recipients.ts'
import { OffsetClock } from '../../../kernel/clock.ts'
import { newId, newOpaqueId } from '../../../kernel/id.ts'
import type { AppCaller } from '../../caller.ts'
import type { FullContext } from '../../context.ts'
import { home, pruneActivities, sandboxHome, sendActivity } from './index.ts'

let database: FreshDatabase
let clock: OffsetClock
let context: FullContext
let request: () => AppCaller
let recipient: Recipient

beforeAll(async () => {
  database = await freshDatabase()
  clock = new OffsetClock()
  context = messageContext(database.sql, clock)
  request = await newMiniApp(database.sql, 'Tea House')
})
afterAll(() => database.drop())

beforeEach(async () => {
  clock.offset = 0
  recipient = await oneRecipient()
})

async function oneRecipient(): Promise<Recipient> {
  const [one] = await newRecipients(database.sql, request(), 1)
  return one!
}

type Input = Parameters<typeof sendActivity>[2]
const send = (input: Partial<Input> = {}, caller = request()) =>
  sendActivity(context, caller, {
    activityId: 'order-1',
    openIds: [recipient.openId],
    color: '1F8aE0',
    templateId: 'progress',
    title: 'On the way',
    text: 'Your order arrives soon',
    iconUrl: 'https://shop.example/icon.png',
    status: 1,
    validityTime: 3600,
    language: 'en_US',
    ...input,
  })
const homeOf = (uid: number) => home(context, { kind: 'hostUser', uid, session: '' }, {})

test('shows the message on the home page of every recipient as it was sent', async () => {
  const second = await oneRecipient()
  expect(await send({ openIds: [recipient.openId, second.openId, recipient.openId], path: 'pages/index/index' })).toBe(
    true,
  )
  for (const { uid } of [recipient, second]) {
    expect(await homeOf(uid)).toEqual([
      {
        appid: request().app.appid,
        appName: 'Tea House',
        activityId: 'order-1',
        color: '1F8aE0',
        templateId: 'progress',
        title: 'On the way',
        text: 'Your order arrives soon',
        iconUrl: 'https://shop.example/icon.png',
        path: 'pages/index/index',
        language: 'en_US',
        validUntil: expect.any(Number),
        mtime: expect.any(Number),
      },
    ])
  }
  const [item] = await homeOf(recipient.uid)
  expect(item!.validUntil - item!.mtime).toBe(hour)
})

test('replaces a message with the same activityId in any language and moves it to the front', async () => {
  await send()
  clock.offset = 1000
  await send({ activityId: 'order-2' })
  clock.offset = 2000
  await send({ title: 'وصل', language: 'ar_SA', path: 'pages/done' })
  expect(await homeOf(recipient.uid)).toMatchObject([
    { activityId: 'order-1', title: 'وصل', language: 'ar_SA', path: 'pages/done' },
    { activityId: 'order-2', path: null },
  ])
})

test('is hidden while users cannot open the mini app', async () => {
  await send()
  const { appid } = request().app
  const shown = async () => (await homeOf(recipient.uid)).length
  await database.sql`update apps set enabled = false where appid = ${appid}`
  expect(await shown()).toBe(0)
  await database.sql`update apps set enabled = true, archived_time = 1 where appid = ${appid}`
  expect(await shown()).toBe(0)
  await database.sql`update apps set archived_time = null where appid = ${appid}`
  expect(await shown()).toBe(1)
})

test('drops the leading slash of a path', async () => {
  await send({ path: '/pages/done?id=1' })
  expect(await homeOf(recipient.uid)).toMatchObject([{ path: 'pages/done?id=1' }])
})

test('restarts validityTime when a message is replaced', async () => {
  await send()
  clock.offset = 0.75 * hour
  await send()
  clock.offset = 1.5 * hour
  expect(await homeOf(recipient.uid)).toHaveLength(1)
  clock.offset = 1.75 * hour
  expect(await homeOf(recipient.uid)).toEqual([])
})

test('hides a message after its validityTime, before and after pruning', async () => {
  await send()
  clock.offset = hour - 5000
  await pruneActivities(context)
  expect(await homeOf(recipient.uid)).toHaveLength(1)
  clock.offset = hour
  expect(await homeOf(recipient.uid)).toEqual([])
  await pruneActivities(context)
  expect(await database.sql`select 1 from activities where uid = ${recipient.uid}`).toHaveLength(0)
})

test('keeps messages of two mini apps with the same activityId apart', async () => {
  const other = await newMiniApp(database.sql, 'Bakery')
  await database.sql`
    insert into open_ids (appid, open_id, uid) values (${other().app.appid}, ${recipient.openId}, ${recipient.uid})`
  await send()
  await send({}, other())
  await send({ status: 0 })
  expect(await homeOf(recipient.uid)).toMatchObject([{ appName: 'Bakery' }])
})

describe('status 0', () => {
  test('removes the message from the given recipients only', async () => {
    const second = await oneRecipient()
    await send({ openIds: [recipient.openId, second.openId] })
    expect(await send({ status: 0 })).toBe(true)
    expect(await homeOf(recipient.uid)).toEqual([])
    expect(await homeOf(second.uid)).toHaveLength(1)
  })

  test('returns true if there is nothing to remove', async () => {
    expect(await send({ status: 0, activityId: newId() })).toBe(true)
  })
})

describe('a repeated request', () => {
  test('returns true and does not restore a removed message', async () => {
    const shown = request()
    await send({}, shown)
    await send({ status: 0 })
    expect(await send({}, shown)).toBe(true)
    expect(await homeOf(recipient.uid)).toEqual([])
  })

  test('does not remove a message that was shown again', async () => {
    const removed = request()
    await send()
    await send({ status: 0 }, removed)
    await send()
    await send({ status: 0 }, removed)
    expect(await homeOf(recipient.uid)).toHaveLength(1)
  })
})

describe('recipients', () => {
  test('are skipped if they are unknown', async () => {
    expect(await send({ openIds: [newOpaqueId(), 'malformed', recipient.openId] })).toBe(true)
    expect(await homeOf(recipient.uid)).toHaveLength(1)
  })

  test.each([0, 1])('are rejected if none is known, with status %i', async (status) => {
    await expect(send({ status, openIds: [newOpaqueId()] })).rejects.toMatchObject({ code: 'recipients_unknown' })
  })

  test('are notified live when their home page changes', async () => {
    const second = await oneRecipient()
    const announced = await announcedWhile(database.sql, async () => {
      await send()
      await send({ status: 0, openIds: [recipient.openId, second.openId] })
    })
    const event = { uid: recipient.uid, event: 'activity', id: 'order-1' }
    expect(announced).toEqual([event, event])
  })
})

test('does not deadlock when senders list the same users in different orders', async () => {
  const recipients = await newRecipients(database.sql, request(), 100)
  const openIds = recipients.map(({ openId }) => openId)
  const sending = Array.from({ length: 16 }, (_, n) =>
    send({ openIds: n % 2 ? openIds : openIds.toReversed(), status: n % 3 ? 1 : 0 }),
  )
  expect(await Promise.all(sending)).toEqual(Array(16).fill(true))
})

test('replaces messages that are being deleted because they have expired', async () => {
  const { sql } = database
  const recipients = (await newRecipients(sql, request(), 3)).toSorted((a, b) => (a.openId < b.openId ? -1 : 1))
  // Rows are in another order than their openIds, as after they were replaced.
  for (const { openId } of recipients.toReversed()) await send({ openIds: [openId] })
  clock.offset = 2 * hour
  const openIds = recipients.map(({ openId }) => openId)
  const done = await sql.begin(async (tx) => {
    await tx`select from activities where open_id = ${openIds[1]!} for update`
    const sent = send({ openIds })
    await untilWaiting(sql, 1)
    const pruned = pruneActivities(context)
    await Promise.race([pruned, untilWaiting(sql, 2)])
    return [sent, pruned]
  })
  expect(await Promise.allSettled(done)).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
  expect(await homeOf(recipients[0]!.uid)).toHaveLength(1)
})

test('waits for the erasure of a recipient before it locks a message', async () => {
  const { sql } = database
  const { uid } = recipient
  await send()
  await sql`
    insert into event_endpoints (endpoint_id, url, types, enabled, ctime)
    values (${newId()}, 'https://shop.example/events', '{activity.changed}', true, 0)`
  let sent: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await tx`select from users where uid = ${uid} for update`
    sent = send({ title: 'Here' }).catch((error: unknown) => error)
    await untilWaiting(sql, 1)
    await tx`delete from activities where uid = ${uid}`
    await tx`update users set erased_time = 1 where uid = ${uid}`
  })
  expect(await sent).toMatchObject({ code: 'recipients_unknown' })
  await sql`delete from event_endpoints`
})

test('shows at most the newest 100 messages', async () => {
  for (let n = 0; n <= 100; n++) {
    clock.offset = n * 1000
    await send({ activityId: `order-${n}` })
  }
  const items = await homeOf(recipient.uid)
  expect(items).toHaveLength(100)
  expect(items[0]!.activityId).toBe('order-100')
  expect(items[99]!.activityId).toBe('order-1')
})

describe('path and iconUrl', () => {
  test.each([
    'pages/index/index',
    'pages/order/detail?id=1&from=home',
    'pages/webview/webview?src=https%3A%2F%2Fshop.example%2Fa%3Fb%3D1',
    'pages/webview/webview?src=https://shop.example/a#/b',
    'pages/webview/webview?title=Shop&src=http://shop.example',
  ])('accepts %s', async (path) => {
    await send({ path })
    expect(await homeOf(recipient.uid)).toMatchObject([{ path }])
  })

  test.each([
    '//pages/index/index',
    'https://shop.example/',
    '//shop.example',
    'javascript:alert(1)',
    'pages//index',
    'pages/../admin',
    'pages/%2e%2E/admin',
    'pages/index/index#part',
    'pages\\index',
    'pages/my page',
    'pages/webview/webview',
    'pages/webview/webview?src=',
    'pages/webview/webview?src=shop.example',
    'pages/webview/webview?src=javascript%3Aalert(1)',
  ])('rejects %s', async (path) => {
    await expect(send({ path })).rejects.toMatchObject({ code: 'parameter_invalid', data: { parameters: ['path'] } })
  })

  test.each(['icon.png', '/icon.png', 'data:image/png;base64,AAAA', 'ftp://shop.example/icon.png'])(
    'rejects the icon %s',
    async (iconUrl) => {
      await expect(send({ iconUrl })).rejects.toMatchObject({
        code: 'parameter_invalid',
        data: { parameters: ['iconUrl'] },
      })
    },
  )
})

describe('the sandbox', () => {
  const admin = { kind: 'admin' } as const

  test('shows the home page of any user and rejects an unknown uid', async () => {
    await send()
    expect(await sandboxHome(context, admin, { uid: recipient.uid })).toEqual(await homeOf(recipient.uid))
    await expect(sandboxHome(context, admin, { uid: 1 })).rejects.toMatchObject({ code: 'user_not_found' })
  })
})
