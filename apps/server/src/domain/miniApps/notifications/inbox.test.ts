import { hour, minute } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { messageContext, newMiniApp, newRecipients, type Recipient } from '../../../../test/recipients.ts'
import { OffsetClock } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/id.ts'
import type { AppCaller, HostUserCaller } from '../../caller.ts'
import type { FullContext } from '../../context.ts'
import { inbox, markRead, sandboxInbox, sendNotify } from './index.ts'

let database: FreshDatabase
let clock: OffsetClock
let context: FullContext
let request: () => AppCaller

beforeAll(async () => {
  database = await freshDatabase()
  clock = new OffsetClock()
  context = messageContext(database.sql, clock)
  request = await newMiniApp(database.sql)
})
afterAll(() => database.drop())

async function oneRecipient(): Promise<Recipient> {
  const [recipient] = await newRecipients(database.sql, request(), 1)
  return recipient!
}

async function send(openId: string, title: string): Promise<void> {
  await sendNotify(context, request(), {
    notifyType: 1,
    openIds: [openId],
    title,
    text: 'text',
    navigateType: '1',
    language: 'en_US',
  })
}

const as = (uid: number): HostUserCaller => ({ kind: 'hostUser', uid, session: '' })
const admin = { kind: 'admin' } as const
const titles = (items: { title: string }[]) => items.map(({ title }) => title)

test('lists the newest by the domain clock first', async () => {
  const { uid, openId } = await oneRecipient()
  for (const [offset, title] of [
    [hour, 'in an hour'],
    [0, 'now'],
    [2 * hour, 'in two hours'],
  ] as const) {
    clock.offset = offset
    await send(openId, title)
  }
  clock.offset = 0
  expect(titles(await inbox(context, as(uid), {}))).toEqual(['in two hours', 'in an hour', 'now'])
})

test('pages by 50 without gaps or duplicates, even within one millisecond', async () => {
  const { uid, openId } = await oneRecipient()
  const sent = Array.from({ length: 120 }, (_, n) => `number ${n}`)
  for (const title of sent) await send(openId, title)
  await database.sql`update inbox set ctime = ctime / 100 * 100 where uid = ${uid}`

  const seen: string[] = []
  let before: string | undefined
  for (const size of [50, 50, 20, 0]) {
    const page = await inbox(context, as(uid), before === undefined ? {} : { before })
    expect(page).toHaveLength(size)
    seen.push(...titles(page))
    before = page.at(-1)?.notificationId
  }
  expect(seen).toEqual(sent.toReversed())
})

test('returns nothing after a notification that the user does not have', async () => {
  const { uid, openId } = await oneRecipient()
  await send(openId, 'one')
  expect(await inbox(context, as(uid), { before: newId() })).toEqual([])
})

test('ignores the requested language', async () => {
  const { uid, openId } = await oneRecipient()
  await send(openId, 'in English')
  expect(titles(await inbox(context, as(uid), { language: 'zh_CN' }))).toEqual(['in English'])
})

test('marks one notification of one user as read, keeps the first time, and rejects an unknown one', async () => {
  const [first, second] = await newRecipients(database.sql, request(), 2)
  await sendNotify(context, request(), {
    notifyType: 1,
    openIds: [first!.openId, second!.openId],
    title: 'both',
    text: 'text',
    navigateType: '1',
    language: 'en_US',
  })
  const [item] = await inbox(context, as(first!.uid), {})
  const { notificationId } = item!
  const readAt = () => database.sql`select read_at from inbox where uid = ${first!.uid}`

  expect(await markRead(context, as(first!.uid), { notificationId })).toBe(true)
  const at = await readAt()
  clock.offset = minute
  expect(await markRead(context, as(first!.uid), { notificationId })).toBe(true)
  clock.offset = 0
  expect(await readAt()).toEqual(at)
  expect(await inbox(context, as(first!.uid), {})).toMatchObject([{ read: true }])
  expect(await inbox(context, as(second!.uid), {})).toMatchObject([{ read: false }])
  expect(await markRead(context, as(first!.uid), { notificationId: newId() })).toBe(false)
})

test('shows the inbox of any sandbox user and rejects an unknown uid', async () => {
  const { uid, openId } = await oneRecipient()
  await send(openId, 'one')
  expect(await sandboxInbox(context, admin, { uid })).toEqual(await inbox(context, as(uid), {}))
  await expect(sandboxInbox(context, admin, { uid: 1 })).rejects.toMatchObject({ code: 'user_not_found' })
})
