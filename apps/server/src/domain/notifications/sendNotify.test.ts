import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { announcedWhile, messageContext, newMiniApp, newRecipients, type Recipient } from '../../../test/recipients.ts'
import { OffsetClock } from '../../kernel/clock.ts'
import type { Sql } from '../../kernel/db/pool.ts'
import { newOpaqueId } from '../../kernel/id.ts'
import type { AppCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { inbox, pruneNotificationRequests, sendNotify } from './index.ts'

const message = {
  notifyType: 1,
  title: 'Your order',
  text: 'طلبك جاهز',
  navigateType: '1',
  language: 'ar_SA',
} as const

let database: FreshDatabase
let sql: Sql
let context: Context
let request: () => AppCaller

beforeAll(async () => {
  database = await freshDatabase()
  sql = database.sql
  context = messageContext(sql)
  request = await newMiniApp(sql, 'Tea House')
})
afterAll(() => database.drop())

const inboxOf = (uid: number) => inbox(context, { kind: 'hostUser', uid, session: '' }, {})
const openIdsOf = (recipients: Recipient[]) => recipients.map(({ openId }) => openId)

async function oneRecipient(): Promise<Recipient> {
  const [recipient] = await newRecipients(sql, request(), 1)
  return recipient!
}

test('a notification stands in the inbox of every recipient, unread, as it was sent', async () => {
  const recipients = await newRecipients(sql, request(), 2)
  const link = 'pages/order/detail?id=1'
  expect(await sendNotify(context, request(), { ...message, openIds: openIdsOf(recipients), link })).toBe(true)
  for (const { uid } of recipients) {
    expect(await inboxOf(uid)).toEqual([
      {
        notificationId: expect.stringMatching(/^[0-9a-f]{32}$/),
        appid: request().app.appid,
        appName: 'Tea House',
        title: 'Your order',
        text: 'طلبك جاهز',
        navigateType: '1',
        url: null,
        link,
        language: 'ar_SA',
        read: false,
        ctime: expect.any(Number),
      },
    ])
  }
})

test('an openId given twice receives once', async () => {
  const { uid, openId } = await oneRecipient()
  await sendNotify(context, request(), { ...message, openIds: [openId, openId] })
  expect(await inboxOf(uid)).toHaveLength(1)
})

test('openIds that are unknown, malformed or of another mini app are skipped and counted', async () => {
  const { uid, openId } = await oneRecipient()
  const other = await newMiniApp(sql)
  const [foreign] = await newRecipients(sql, other(), 1)
  const openIds = [newOpaqueId(), openId, foreign!.openId, "'; drop table inbox; --"]
  await sendNotify(context, request(), { ...message, openIds })

  const [received] = await inboxOf(uid)
  const [stored] = await sql`select skipped from notifications where notification_id = ${received!.notificationId}`
  expect(stored).toEqual({ skipped: 3 })
  expect(await inboxOf(foreign!.uid)).toEqual([])
})

test('how many were passed over is remarked, and nothing where there were none', async () => {
  const { openId } = await oneRecipient()
  const remarks: string[] = []
  const remark = (sentence: string) => remarks.push(sentence)
  for (const openIds of [[openId], [openId, newOpaqueId()], [openId, newOpaqueId(), openId, newOpaqueId()]]) {
    await sendNotify(context, { ...request(), remark }, { ...message, openIds })
  }
  expect(remarks).toEqual([
    '1 of 2 openIds is not known under this appid: skipped.',
    '2 of 3 openIds are not known under this appid: skipped.',
  ])
})

test('an openId counts once, so 501 copies of one are one, and 501 different ones are too many', async () => {
  const { uid, openId } = await oneRecipient()
  await sendNotify(context, request(), { ...message, openIds: Array(501).fill(openId) })
  expect(await inboxOf(uid)).toHaveLength(1)
  const openIds = [openId, ...Array.from({ length: 500 }, newOpaqueId)]
  await expect(sendNotify(context, request(), { ...message, openIds })).rejects.toMatchObject({
    code: 'parameter_invalid',
    message: expect.stringContaining('500 different ones at most; these are 501'),
    data: { parameters: ['openIds'] },
  })
})

test('without one known openId nothing is sent', async () => {
  await expect(sendNotify(context, request(), { ...message, openIds: [newOpaqueId()] })).rejects.toMatchObject({
    code: 'recipients_unknown',
  })
})

describe('where a notification leads', () => {
  test('navigateType 2 needs a url, and an empty one is none', async () => {
    const { openId } = await oneRecipient()
    for (const target of [{}, { url: '' }]) {
      const sent = sendNotify(context, request(), { ...message, ...target, openIds: [openId], navigateType: '2' })
      await expect(sent).rejects.toMatchObject({
        code: 'parameter_missing',
        message: expect.stringContaining('url'),
        data: { parameters: ['url'] },
      })
    }
  })

  test.each([
    'javascript:alert(1)',
    '/pages/index',
    'example.com',
    'http:example.com',
    'https://',
    ' https://a.example',
    'ftp://a.example',
  ])('the url %j is refused', async (url) => {
    const { openId } = await oneRecipient()
    for (const navigateType of ['1', '2'] as const) {
      await expect(
        sendNotify(context, request(), { ...message, navigateType, url, openIds: [openId] }),
      ).rejects.toMatchObject({ code: 'parameter_invalid', data: { parameters: ['url'] } })
    }
  })

  test.each([
    '/pages/index/index',
    'https://shop.example',
    '../../x',
    'pages/../x',
    'pages/%2E%2e/x',
    'javascript:alert(1)',
    'pages/webview/webview?src=javascript%3Aalert(1)',
  ])('the link %j is refused', async (link) => {
    const { openId } = await oneRecipient()
    await expect(sendNotify(context, request(), { ...message, link, openIds: [openId] })).rejects.toMatchObject({
      code: 'parameter_invalid',
      message: expect.stringContaining('link must be a page path'),
      data: { parameters: ['link'] },
    })
  })

  test('an absolute url is kept as it was given', async () => {
    const { uid, openId } = await oneRecipient()
    const url = 'https://shop.example/a?b=1&c=ü#d'
    await sendNotify(context, request(), { ...message, navigateType: '2', url, openIds: [openId] })
    expect(await inboxOf(uid)).toMatchObject([{ navigateType: '2', url, link: null }])
  })
})

describe('a repeated request', () => {
  test('is answered true and sends nothing again', async () => {
    const { uid, openId } = await oneRecipient()
    const same = request()
    expect(await sendNotify(context, same, { ...message, openIds: [openId] })).toBe(true)
    expect(await sendNotify(context, same, { ...message, openIds: [openId] })).toBe(true)
    expect(await inboxOf(uid)).toHaveLength(1)
  })

  test('arriving many times at once sends one', async () => {
    const { uid, openId } = await oneRecipient()
    const same = request()
    const sending = Array.from({ length: 20 }, () => sendNotify(context, same, { ...message, openIds: [openId] }))
    expect(await Promise.all(sending)).toEqual(Array(20).fill(true))
    expect(await inboxOf(uid)).toHaveLength(1)
  })

  test('sends when the first one failed under way', async () => {
    const { uid, openId } = await oneRecipient()
    const same = request()
    await expect(
      sendNotify(context, same, { ...message, openIds: [openId], language: null as never }),
    ).rejects.toThrow()
    expect(await sendNotify(context, same, { ...message, openIds: [openId] })).toBe(true)
    expect(await inboxOf(uid)).toHaveLength(1)
  })

  test('is a new one under another appid', async () => {
    const { uid, openId } = await oneRecipient()
    const other = await newMiniApp(sql)
    await sql`insert into open_ids (appid, open_id, uid) values (${other().app.appid}, ${openId}, ${uid})`
    const same = request()
    await sendNotify(context, same, { ...message, openIds: [openId] })
    await sendNotify(context, { ...other(), sign: same.sign }, { ...message, openIds: [openId] })
    expect(await inboxOf(uid)).toHaveLength(2)
  })

  test('is remembered as long as its timestamp can be accepted, by real time, and then forgotten', async () => {
    const clock = new OffsetClock()
    const later = messageContext(sql, clock)
    const { uid, openId } = await oneRecipient()
    const same = request()
    const remembered = () => sql`select 1 from notification_requests where sign = ${Buffer.from(same.sign, 'hex')}`
    await sendNotify(later, same, { ...message, openIds: [openId] })

    clock.offset = 24 * 3_600_000
    await pruneNotificationRequests(later)
    expect(await remembered()).toHaveLength(1)

    const minutes = async (n: number) => {
      await sql`update notification_requests set time = ${clock.real() - n * 60_000} where sign = ${Buffer.from(same.sign, 'hex')}`
      await pruneNotificationRequests(later)
    }
    await minutes(10)
    expect(await remembered()).toHaveLength(1)
    await minutes(16)
    expect(await remembered()).toHaveLength(0)
    expect(await inboxOf(uid)).toHaveLength(1)
  })
})

test('every recipient is told live, once, when the notification is there', async () => {
  const recipients = await newRecipients(sql, request(), 3)
  const same = request()
  const told = await announcedWhile(sql, async () => {
    await sendNotify(context, same, { ...message, openIds: openIdsOf(recipients) })
    await sendNotify(context, same, { ...message, openIds: openIdsOf(recipients) })
  })
  const [item] = await inboxOf(recipients[0]!.uid)
  const id = item!.notificationId
  expect(told).toHaveLength(3)
  expect(told).toEqual(expect.arrayContaining(recipients.map(({ uid }) => ({ uid, event: 'notification', id }))))
})

test('500 recipients take as many queries as one', async () => {
  let queries = 0
  const counted = postgres<{ bigint: postgres.PostgresType<number> }>(database.url, {
    max: 1,
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    debug: () => {
      queries++
    },
  })
  const countedContext = messageContext(counted)
  const queriesFor = async (recipients: Recipient[]) => {
    queries = 0
    await sendNotify(countedContext, request(), { ...message, openIds: openIdsOf(recipients) })
    return queries
  }
  const one = await newRecipients(sql, request(), 1)
  const many = await newRecipients(sql, request(), 500)
  await queriesFor(one)
  expect(await queriesFor(many)).toBe(await queriesFor(one))
  expect(await inboxOf(many[499]!.uid)).toHaveLength(1)
  await counted.end()
})
