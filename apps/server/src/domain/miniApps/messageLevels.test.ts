import { day } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { identityContext } from '../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { announcedWhile, newMiniApp, newRecipients, type Recipient } from '../../../test/recipients.ts'
import { OffsetClock } from '../../kernel/clock.ts'
import { newOpaqueId } from '../../kernel/id.ts'
import type { AppCaller } from '../caller.ts'
import { eraseHostUser, exportHostUser } from '../console/index.ts'
import type { FullContext } from '../context.ts'
import { updatePlatformSettings } from '../installation/index.ts'
import { home, sendActivity } from './activities/index.ts'
import { getMessageLevel, listMessageLevels, sandboxSetMessageLevel, setMessageLevel } from './messageLevels.ts'
import { inbox, searchNotifications, sendNotify, sendTestNotification } from './notifications/index.ts'

const admin = { kind: 'admin' } as const
let database: FreshDatabase
let clock: OffsetClock
let context: FullContext
let request: () => AppCaller
let appid: string

beforeAll(async () => {
  database = await freshDatabase()
  clock = new OffsetClock()
  context = { ...identityContext(database.sql), clock }
  request = await newMiniApp(database.sql, 'Tea House')
  ;({ appid } = request().app)
  await database.sql`update apps set capabilities = '{notification,activity}' where appid = ${appid}`
})
afterAll(() => database.drop())
beforeEach(async () => {
  clock.offset = 0
  await updatePlatformSettings(context, admin, { maxDailyMessages: null })
})

const as = ({ uid }: Recipient) => ({ kind: 'hostUser', uid, session: '' }) as const
const choose = (user: Recipient, level: 'on' | 'silent' | 'off') => setMessageLevel(context, as(user), { appid, level })
const titles = async (user: Recipient) => (await inbox(context, as(user), {})).map(({ title }) => title)
const shown = async (user: Recipient) => (await home(context, as(user), {})).map(({ title }) => title)

/** Sends and returns what the response says about recipients who do not get the message. */
async function reported(send: (caller: AppCaller) => Promise<boolean>): Promise<unknown> {
  let reasons: unknown
  const caller = { ...request(), notDelivered: (given: unknown) => (reasons = given) }
  expect(await send(caller)).toBe(true)
  return reasons
}

const notify = (to: readonly Recipient[], title = 'Ready', others: string[] = []) =>
  reported((caller) =>
    sendNotify(context, caller, {
      notifyType: 1,
      openIds: [...to.map(({ openId }) => openId), ...others],
      title,
      text: 'At the counter',
      navigateType: '1',
      language: 'en_US',
    }),
  )

const show = (to: readonly Recipient[], input: { title?: string; status?: 0 | 1; activityId?: string } = {}) =>
  reported((caller) =>
    sendActivity(context, caller, {
      activityId: 'order-1',
      openIds: to.map(({ openId }) => openId),
      color: '1F8aE0',
      templateId: 'progress',
      title: 'On the way',
      text: 'Arrives soon',
      iconUrl: 'https://shop.example/icon.png',
      status: 1,
      validityTime: 3 * (day / 1000),
      language: 'en_US',
      ...input,
    }),
  )

describe('the level of a user', () => {
  test('is on until the user decides', async () => {
    const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
    expect(await getMessageLevel(context, as(user), { appid })).toMatchObject({ level: 'on', decided: false })
    expect(await listMessageLevels(context, as(user))).toEqual([
      { appid, name: 'Tea House', iconUrl: null, level: 'on' },
    ])
    await choose(user, 'silent')
    expect(await getMessageLevel(context, as(user), { appid })).toMatchObject({ level: 'silent', decided: true })
    expect(await listMessageLevels(context, as(user))).toMatchObject([{ appid, level: 'silent' }])
  })

  test('is that of one mini app', async () => {
    const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
    const other = await newMiniApp(database.sql, 'Coffee House')
    await setMessageLevel(context, as(user), { appid: other().app.appid, level: 'off' })
    expect(await notify([user])).toEqual({ unknown: 0, not_tester: 0, off: 0, daily_limit: 0 })
    expect(await titles(user)).toEqual(['Ready'])
  })

  test('is chosen for an existing mini app only', async () => {
    const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
    const unknown = { appid: 'a00000000000000', level: 'off' } as const
    await expect(setMessageLevel(context, as(user), unknown)).rejects.toMatchObject({ code: 'app_not_found' })
    await expect(getMessageLevel(context, as(user), unknown)).rejects.toMatchObject({ code: 'app_not_found' })
  })
})

describe('notifications', () => {
  test('are not delivered to users who have switched them off, and the sender learns how many', async () => {
    const [reader, refuser] = (await newRecipients(database.sql, request(), 2)) as [Recipient, Recipient]
    await choose(refuser, 'off')
    const reasons = await notify([reader, refuser], 'Ready', [newOpaqueId()])
    expect(reasons).toEqual({ unknown: 1, not_tester: 0, off: 1, daily_limit: 0 })
    expect([await titles(reader), await titles(refuser)]).toEqual([['Ready'], []])
    const { projectId } = (await context.apps.find(appid))!
    const { items } = await searchNotifications(context, admin, { projectId, appid, limit: 1 })
    expect(items).toMatchObject([{ recipients: 1, skipped: 1, off: 1, overLimit: 0 }])
  })

  test('succeed without any recipient who wants them', async () => {
    const [refuser] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
    await choose(refuser, 'off')
    expect(await notify([refuser])).toMatchObject({ off: 1 })
    await choose(refuser, 'on')
    await notify([refuser], 'Later')
    expect(await titles(refuser)).toEqual(['Later'])
  })

  test('are announced without an id to users who want no banner', async () => {
    const [loud, silent] = (await newRecipients(database.sql, request(), 2)) as [Recipient, Recipient]
    await choose(silent, 'silent')
    const announced = await announcedWhile(database.sql, () => notify([loud, silent]))
    expect(announced).toContainEqual({ uid: silent.uid, event: 'notification' })
    expect(announced).toContainEqual({ uid: loud.uid, event: 'notification', id: expect.any(String) })
    expect(await titles(silent)).toEqual(['Ready'])
  })

  test('sent from the console report the same', async () => {
    const users = (await newRecipients(database.sql, request(), 2)) as [Recipient, Recipient]
    await choose(users[1], 'off')
    const uids = users.map(({ uid }) => uid)
    // Without a published release messages reach testers only.
    await database.sql`insert into app_testers select ${appid}, unnest(${uids}::bigint[])`
    const message = { title: 'Test', text: 'x', navigateType: '1', language: 'en_US' } as const
    expect(await sendTestNotification(context, admin, { appid, uids, ...message })).toEqual({
      recipients: 1,
      skipped: 0,
      off: 1,
      overLimit: 0,
    })
  })
})

describe('activity messages', () => {
  test('disappear when the user switches messages off, and do not return', async () => {
    const [user, other] = (await newRecipients(database.sql, request(), 2)) as [Recipient, Recipient]
    await show([user, other])
    const announced = await announcedWhile(database.sql, () => choose(user, 'off'))
    expect(announced).toEqual([{ uid: user.uid, event: 'activity', id: 'order-1' }])
    expect([await shown(user), await shown(other)]).toEqual([[], ['On the way']])
    expect(await show([user, other], { title: 'Here' })).toMatchObject({ off: 1, daily_limit: 0 })
    await choose(user, 'on')
    expect([await shown(user), await shown(other)]).toEqual([[], ['Here']])
  })

  test('that disappear are an event each', async () => {
    const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
    for (const activityId of ['order-1', 'order-2']) await show([user], { activityId })
    await database.sql`
      insert into event_endpoints (endpoint_id, url, types, enabled, ctime)
      values (gen_random_uuid(), 'https://shop.example/events', '{activity.changed}', true, 0)`
    await choose(user, 'off')
    const events = await database.sql`
      select data ->> 'activityId' as activity_id, data ->> 'state' as state, count(*)::integer as deliveries
      from events join event_deliveries using (event_id) group by event_id order by 1`
    expect(events).toEqual([
      { activityId: 'order-1', state: 'removed', deliveries: 1 },
      { activityId: 'order-2', state: 'removed', deliveries: 1 },
    ])
    await database.sql`truncate event_endpoints, events cascade`
  })

  test('are shown to users who want no banner', async () => {
    const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
    await choose(user, 'silent')
    expect(await show([user])).toMatchObject({ off: 0 })
    expect(await shown(user)).toEqual(['On the way'])
  })
})

describe('the limit of the operator', () => {
  beforeEach(() => updatePlatformSettings(context, admin, { maxDailyMessages: 2 }))

  test('holds for each user and day', async () => {
    const [user, other] = (await newRecipients(database.sql, request(), 2)) as [Recipient, Recipient]
    await notify([user], 'First')
    await notify([user], 'Second')
    expect(await notify([user, other], 'Third')).toMatchObject({ off: 0, daily_limit: 1 })
    expect([await titles(user), await titles(other)]).toEqual([['Second', 'First'], ['Third']])
    clock.offset = day
    expect(await notify([user], 'Tomorrow')).toMatchObject({ daily_limit: 0 })
  })

  test('counts notifications and activity messages, but not the replacement or removal of one', async () => {
    const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
    await notify([user])
    await show([user])
    expect(await show([user], { title: 'Nearly there' })).toMatchObject({ daily_limit: 0 })
    expect(await shown(user)).toEqual(['Nearly there'])
    expect(await show([user], { activityId: 'order-2' })).toMatchObject({ daily_limit: 1 })
    expect(await show([user], { status: 0 })).toMatchObject({ unknown: 0 })
    expect(await shown(user)).toEqual([])
    expect(await show([user])).toMatchObject({ daily_limit: 1 })
  })

  test('is not exceeded by concurrent requests', async () => {
    const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
    await Promise.all(Array.from({ length: 5 }, (_, index) => notify([user], `${index}`)))
    expect(await titles(user)).toHaveLength(2)
  })

  test('does not count what users have switched off', async () => {
    const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
    await choose(user, 'off')
    for (let sent = 0; sent < 3; sent++) await notify([user])
    await choose(user, 'on')
    expect(await notify([user])).toMatchObject({ off: 0, daily_limit: 0 })
  })

  test('is audited with the account that has changed it', async () => {
    // Several may have the same time.
    const rows = await database.sql<{ detail: object }[]>`
      select detail from audit_log where action = 'platformSettings.update'`
    expect(rows.map(({ detail }) => detail)).toContainEqual(expect.objectContaining({ maxDailyMessages: 2 }))
  })
})

test('levels and counts are part of the data of a user, and erased with it', async () => {
  await updatePlatformSettings(context, admin, { maxDailyMessages: 5 })
  const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
  await choose(user, 'silent')
  await notify([user])
  const { uid } = user
  expect(await exportHostUser(context, admin, { uid })).toMatchObject({
    messageLevels: [{ appid, level: 'silent' }],
    messageCounts: [{ appid, messages: 1 }],
  })
  await eraseHostUser(context, admin, { uid })
  expect(await exportHostUser(context, admin, { uid })).toMatchObject({ messageLevels: [], messageCounts: [] })
  await expect(choose(user, 'off')).rejects.toMatchObject({ code: 'session_invalid' })
})

test('a sandbox chooses the level as one of its users', async () => {
  const [user] = (await newRecipients(database.sql, request(), 1)) as [Recipient]
  expect(await sandboxSetMessageLevel(context, admin, { appid, uid: user.uid, level: 'off' })).toBe(true)
  expect(await notify([user])).toMatchObject({ off: 1 })
  const unknown = { appid, uid: 1, level: 'off' } as const
  await expect(sandboxSetMessageLevel(context, admin, unknown)).rejects.toMatchObject({ code: 'user_not_found' })
})
