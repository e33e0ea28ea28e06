import { day, minute } from '@souk/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
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
import type { Sql } from '../../../kernel/db/pool.ts'
import { newOpaqueId } from '../../../kernel/id.ts'
import type { AppCaller } from '../../caller.ts'
import type { FullContext } from '../../context.ts'
import { pruneUsedSigns } from '../usedSigns.ts'
import { inbox, sendNotify } from './index.ts'

const message = {
  notifyType: 1,
  title: 'Your order',
  text: 'طلبك جاهز',
  navigateType: '1',
  language: 'ar_SA',
} as const

let database: FreshDatabase
let sql: Sql
let context: FullContext
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

test('delivers the notification unread to the inbox of every recipient', async () => {
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

test('sends once to an openId given twice', async () => {
  const { uid, openId } = await oneRecipient()
  await sendNotify(context, request(), { ...message, openIds: [openId, openId] })
  expect(await inboxOf(uid)).toHaveLength(1)
})

test('skips and counts openIds that are unknown, malformed or of another mini app', async () => {
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

test('remarks the number of skipped openIds, if any', async () => {
  const { openId } = await oneRecipient()
  const remarks: string[] = []
  const remark = (sentence: string) => remarks.push(sentence)
  for (const openIds of [[openId], [openId, newOpaqueId()], [openId, newOpaqueId(), openId, newOpaqueId()]]) {
    await sendNotify(context, { ...request(), remark }, { ...message, openIds })
  }
  expect(remarks).toEqual([
    'Skipped 1 of 2 openIds: unknown under this appid.',
    'Skipped 2 of 3 openIds: unknown under this appid.',
  ])
})

test('limits distinct openIds: accepts 501 copies of one and rejects 501 different ones', async () => {
  const { uid, openId } = await oneRecipient()
  await sendNotify(context, request(), { ...message, openIds: Array(501).fill(openId) })
  expect(await inboxOf(uid)).toHaveLength(1)
  const openIds = [openId, ...Array.from({ length: 500 }, newOpaqueId)]
  await expect(sendNotify(context, request(), { ...message, openIds })).rejects.toMatchObject({
    code: 'parameter_invalid',
    message: expect.stringContaining('at most 500 distinct openIds, not 501'),
    data: { parameters: ['openIds'] },
  })
})

test('rejects a request without a known openId', async () => {
  await expect(sendNotify(context, request(), { ...message, openIds: [newOpaqueId()] })).rejects.toMatchObject({
    code: 'recipients_unknown',
  })
})

describe('url and link', () => {
  test('requires a non-empty url for navigateType 2', async () => {
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
  ])('rejects the url %j', async (url) => {
    const { openId } = await oneRecipient()
    for (const navigateType of ['1', '2'] as const) {
      await expect(
        sendNotify(context, request(), { ...message, navigateType, url, openIds: [openId] }),
      ).rejects.toMatchObject({ code: 'parameter_invalid', data: { parameters: ['url'] } })
    }
  })

  test.each([
    '//pages/index/index',
    'https://shop.example',
    '../../x',
    'pages/../x',
    'pages/%2E%2e/x',
    'javascript:alert(1)',
    'pages/webview/webview?src=javascript%3Aalert(1)',
  ])('rejects the link %j', async (link) => {
    const { openId } = await oneRecipient()
    await expect(sendNotify(context, request(), { ...message, link, openIds: [openId] })).rejects.toMatchObject({
      code: 'parameter_invalid',
      message: expect.stringContaining('link must be a page path'),
      data: { parameters: ['link'] },
    })
  })

  test('drops the leading slash of a link, and takes the URL of a web view with or without encoding', async () => {
    const { uid, openId } = await oneRecipient()
    const raw = 'pages/webview/webview?src=https://shop.example/a?b=1&c=2'
    for (const link of ['/pages/index/index?id=1', raw]) {
      await sendNotify(context, request(), { ...message, link, openIds: [openId] })
    }
    expect(await inboxOf(uid)).toMatchObject([{ link: raw }, { link: 'pages/index/index?id=1' }])
  })

  test('stores an absolute url unchanged', async () => {
    const { uid, openId } = await oneRecipient()
    const url = 'https://shop.example/a?b=1&c=ü#d'
    await sendNotify(context, request(), { ...message, navigateType: '2', url, openIds: [openId] })
    expect(await inboxOf(uid)).toMatchObject([{ navigateType: '2', url, link: null }])
  })
})

describe('a repeated request', () => {
  test('returns true and sends nothing again', async () => {
    const { uid, openId } = await oneRecipient()
    const same = request()
    expect(await sendNotify(context, same, { ...message, openIds: [openId] })).toBe(true)
    expect(await sendNotify(context, same, { ...message, openIds: [openId] })).toBe(true)
    expect(await inboxOf(uid)).toHaveLength(1)
  })

  test('sends once when it arrives many times concurrently', async () => {
    const { uid, openId } = await oneRecipient()
    const same = request()
    const sending = Array.from({ length: 20 }, () => sendNotify(context, same, { ...message, openIds: [openId] }))
    expect(await Promise.all(sending)).toEqual(Array(20).fill(true))
    expect(await inboxOf(uid)).toHaveLength(1)
  })

  test('sends if the first one failed', async () => {
    const { uid, openId } = await oneRecipient()
    const same = request()
    await expect(
      sendNotify(context, same, { ...message, openIds: [openId], language: null as never }),
    ).rejects.toThrow()
    expect(await sendNotify(context, same, { ...message, openIds: [openId] })).toBe(true)
    expect(await inboxOf(uid)).toHaveLength(1)
  })

  test('counts as a new one under another appid', async () => {
    const { uid, openId } = await oneRecipient()
    const other = await newMiniApp(sql)
    await sql`insert into open_ids (appid, open_id, uid) values (${other().app.appid}, ${openId}, ${uid})`
    const same = request()
    await sendNotify(context, same, { ...message, openIds: [openId] })
    await sendNotify(context, { ...other(), sign: same.sign }, { ...message, openIds: [openId] })
    expect(await inboxOf(uid)).toHaveLength(2)
  })

  test('is remembered in real time as long as its timestamp is acceptable', async () => {
    const clock = new OffsetClock()
    const later = messageContext(sql, clock)
    const { uid, openId } = await oneRecipient()
    const same = request()
    const remembered = () => sql`select 1 from used_signs where sign = ${Buffer.from(same.sign, 'hex')}`
    await sendNotify(later, same, { ...message, openIds: [openId] })

    clock.offset = day
    await pruneUsedSigns(later)
    expect(await remembered()).toHaveLength(1)

    const minutes = async (n: number) => {
      await sql`update used_signs set time = ${clock.real() - n * minute} where sign = ${Buffer.from(same.sign, 'hex')}`
      await pruneUsedSigns(later)
    }
    await minutes(10)
    expect(await remembered()).toHaveLength(1)
    await minutes(16)
    expect(await remembered()).toHaveLength(0)
    expect(await inboxOf(uid)).toHaveLength(1)
  })
})

test('notifies every recipient live exactly once', async () => {
  const recipients = await newRecipients(sql, request(), 3)
  const same = request()
  const announced = await announcedWhile(sql, async () => {
    await sendNotify(context, same, { ...message, openIds: openIdsOf(recipients) })
    await sendNotify(context, same, { ...message, openIds: openIdsOf(recipients) })
  })
  const [item] = await inboxOf(recipients[0]!.uid)
  const id = item!.notificationId
  expect(announced).toHaveLength(3)
  expect(announced).toEqual(expect.arrayContaining(recipients.map(({ uid }) => ({ uid, event: 'notification', id }))))
})

test('takes as many queries for 500 recipients as for one', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const queriesFor = async (recipients: Recipient[]) => {
    query.mockClear()
    await sendNotify(context, request(), { ...message, openIds: openIdsOf(recipients) })
    return query.mock.calls.length
  }
  const one = await newRecipients(sql, request(), 1)
  const many = await newRecipients(sql, request(), 500)
  await queriesFor(one)
  expect(await queriesFor(many)).toBe(await queriesFor(one))
  expect(await inboxOf(many[499]!.uid)).toHaveLength(1)
  query.mockRestore()
})

test('leaves nothing in the inbox of a user who is erased at the same time', async () => {
  const [erased, other] = [await oneRecipient(), await oneRecipient()]
  let sent: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await tx`select from users where uid = ${erased.uid} for update`
    sent = sendNotify(context, request(), { ...message, openIds: openIdsOf([erased, other]) })
    await untilWaiting(sql, 1)
    await tx`update users set erased_time = 1 where uid = ${erased.uid}`
  })
  expect(await sent).toBe(true)
  expect(await inboxOf(erased.uid)).toEqual([])
  expect(await inboxOf(other.uid)).toHaveLength(1)
  expect(await sql`select recipients, skipped from notifications order by notification_id desc limit 1`).toEqual([
    { recipients: 1, skipped: 1 },
  ])
})
