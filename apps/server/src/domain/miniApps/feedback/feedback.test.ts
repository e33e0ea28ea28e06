import { day, maxFeedbackPerDay } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../test/archive.ts'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { soukError } from '../../../../test/soukError.ts'
import { newId } from '../../../kernel/id.ts'
import type { ServiceAccountCaller } from '../../caller.ts'
import { eraseHostUser, exportHostUser } from '../../console/index.ts'
import { createUser, upsertOpenId } from '../../users/index.ts'
import { createApp, updateApp } from '../apps/index.ts'
import { deleteRelease, uploadRelease } from '../releases/index.ts'
import {
  answerFeedback,
  getFeedback,
  listFeedback,
  listOwnFeedback,
  listReports,
  projectOfFeedback,
  pruneFeedback,
  readAnswers,
  reportMiniApp,
  sendFeedback,
  setFeedbackState,
} from './index.ts'

const admin = { kind: 'admin' } as const

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string
let projectId: string
let uid: number

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
})
afterAll(() => database.drop())
beforeEach(async () => {
  const app = await createApp(context, admin, { name: 'Tea House' })
  appid = app.appid
  projectId = (await context.apps.find(appid))!.projectId
  uid = (await createUser(context, admin, { nickname: 'Layla' })).uid
})

const user = () => ({ kind: 'hostUser', uid, session: '' }) as const
const send = (text = 'The cart stays empty.') => sendFeedback(context, user(), { appid, kind: 'problem', text })
const own = () => listOwnFeedback(context, user(), {})

test('feedback is listed with the release, the page and the device, even after the release was deleted', async () => {
  const archive = await archiveOf(build())
  const { releaseId } = await uploadRelease(context, admin, { appid, version: '1.4.0', archive })
  const device = { system: 'iOS', userAgent: 'Host/2', width: 390, height: 844, language: 'ar_SA' } as const
  const sent = {
    appid,
    kind: 'problem',
    text: 'The cart\nstays empty.',
    releaseId,
    page: 'pages/cart',
    device,
  } as const
  const { feedbackId } = await sendFeedback(context, user(), sent)
  const found = await listFeedback(context, admin, { projectId, appid, kind: 'problem', state: 'open' })
  expect(found).toEqual({
    items: [
      {
        feedbackId,
        appid,
        appName: 'Tea House',
        projectId,
        projectName: expect.any(String),
        kind: 'problem',
        reason: null,
        text: 'The cart\nstays empty.',
        state: 'open',
        releaseId,
        platform: 'Mini App',
        version: '1.4.0',
        page: 'pages/cart',
        device,
        openId: null,
        uid,
        answer: null,
        ctime: context.clock.now(),
        mtime: context.clock.now(),
      },
    ],
    next: null,
  })
  await deleteRelease(context, admin, { appid, releaseId })
  expect(await getFeedback(context, admin, { feedbackId })).toMatchObject({ releaseId: null, version: '1.4.0' })
  await expect(sendFeedback(context, user(), sent)).rejects.toEqual(soukError('release_not_found'))
})

test('members see feedback without the user, and no reports', async () => {
  const { feedbackId } = await send()
  const report = await reportMiniApp(context, user(), { appid, reason: 'fraud' })
  const program: ServiceAccountCaller = {
    kind: 'serviceAccount',
    serviceAccountId: '0'.repeat(32),
    name: 'desk',
    projectId,
    scopes: ['feedback:read'],
  }
  const { items } = await listFeedback(context, program, { projectId, appid })
  expect(items).toEqual([expect.objectContaining({ feedbackId, uid: null })])
  const openId = await upsertOpenId(context.sql, appid, uid)
  const ofUser = await listFeedback(context, program, { projectId, openId })
  expect(ofUser.items).toMatchObject([{ feedbackId, openId }])
  expect((await listFeedback(context, program, { projectId, openId: '0'.repeat(32) })).items).toEqual([])
  expect(await getFeedback(context, program, { feedbackId })).toMatchObject({ uid: null })
  expect(await projectOfFeedback(context, feedbackId)).toBe(projectId)
  expect(await projectOfFeedback(context, report.feedbackId)).toBeUndefined()

  const reports = await listReports(context, admin, { appid })
  expect(reports.items).toEqual([
    expect.objectContaining({ feedbackId: report.feedbackId, kind: 'report', reason: 'fraud', text: null, uid }),
  ])
  expect((await listReports(context, admin, { appid, reason: 'privacy' })).items).toEqual([])
})

test('an answer reaches the user and is audited; the audit of a report is not in the project', async () => {
  const { feedbackId } = await send()
  const report = await reportMiniApp(context, user(), { appid, reason: 'harmful', text: 'It sells weapons.' })
  expect((await own()).unread).toBe(0)
  context.clock.time += 1000
  const answered = await answerFeedback(context, admin, { feedbackId, text: 'Fixed in 1.4.1.' })
  const answer = { text: 'Fixed in 1.4.1.', by: 'admin', time: context.clock.now() }
  expect(answered).toMatchObject({ state: 'answered', answer })
  expect(await own()).toEqual({
    items: [
      expect.objectContaining({ feedbackId: report.feedbackId, kind: 'report', state: 'open', answer: null }),
      expect.objectContaining({
        feedbackId,
        appName: 'Tea House',
        state: 'answered',
        answer: { text: 'Fixed in 1.4.1.', time: context.clock.now(), read: false },
      }),
    ],
    unread: 1,
  })
  await readAnswers(context, user())
  expect((await own()).unread).toBe(0)
  await answerFeedback(context, admin, { feedbackId, text: 'Fixed in 1.4.2.' })
  expect((await own()).unread).toBe(1)

  expect(await setFeedbackState(context, admin, { feedbackId, state: 'closed' })).toMatchObject({ state: 'closed' })
  expect(await setFeedbackState(context, admin, { feedbackId, state: 'open' })).toMatchObject({ state: 'open' })
  await answerFeedback(context, admin, { feedbackId: report.feedbackId, text: 'We have closed it.' })
  const audited = await database.sql<{ action: string; inProject: boolean; id: string }[]>`
    select action, project_id is not null as in_project, detail ->> 'feedbackId' as id
    from audit_log where subject = ${appid} and action like 'feedback.%' order by audit_id`
  expect(audited).toEqual([
    { action: 'feedback.answer', inProject: true, id: feedbackId },
    { action: 'feedback.answer', inProject: true, id: feedbackId },
    { action: 'feedback.close', inProject: true, id: feedbackId },
    { action: 'feedback.reopen', inProject: true, id: feedbackId },
    { action: 'feedback.answer', inProject: false, id: report.feedbackId },
  ])
  const missing = { feedbackId: 'f'.repeat(32), text: 'Hello.' }
  await expect(answerFeedback(context, admin, missing)).rejects.toEqual(soukError('feedback_not_found'))
})

test('a user can send a limited number of messages a day, also at the same time', async () => {
  const sent = await Promise.allSettled(Array.from({ length: maxFeedbackPerDay + 3 }, () => send()))
  const refused = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toEqual(Array(3).fill(soukError('rate_limited')))
  expect(refused[0].data).toEqual({ retryAfter: day / 1000 })
  context.clock.time += day
  await send()
})

test('messages from before the clock of a sandbox was set back do not count', async () => {
  context.clock.ahead = 30 * day
  for (let count = 0; count < maxFeedbackPerDay; count++) await send()
  context.clock.ahead = 0
  await expect(send()).resolves.toBeDefined()
})

test('a mini app that is not available gets no feedback', async () => {
  await updateApp(context, admin, { appid, enabled: false })
  await expect(send()).rejects.toEqual(soukError('app_not_found'))
})

test('messages are exported and erased with their user, and deleted two years after their last change', async () => {
  const { feedbackId } = await send()
  expect((await exportHostUser(context, admin, { uid })).feedback).toEqual([
    expect.objectContaining({ appid, kind: 'problem', text: 'The cart stays empty.' }),
  ])
  await eraseHostUser(context, admin, { uid })
  await expect(getFeedback(context, admin, { feedbackId })).rejects.toEqual(soukError('feedback_not_found'))
  await expect(send()).rejects.toEqual(soukError('session_invalid'))

  uid = (await createUser(context, admin, { nickname: 'Omar' })).uid
  const later = await send()
  context.clock.time += 730 * day
  await pruneFeedback({ ...context, stopping: new AbortController().signal })
  expect((await own()).items).toMatchObject([later])
  context.clock.time += 1
  await pruneFeedback({ ...context, stopping: new AbortController().signal })
  expect((await own()).items).toEqual([])
})

test('an answer waits for the erasure of the user before it locks the message', async () => {
  const { sql } = database
  const { feedbackId } = await send()
  await sql`
    insert into event_endpoints (endpoint_id, url, types, enabled, ctime)
    values (${newId()}, 'https://shop.example/events', '{feedback.changed}', true, 0)`
  let answered: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await tx`select from users where uid = ${uid} for update`
    answered = answerFeedback(context, admin, { feedbackId, text: 'Thank you.' }).catch((error: unknown) => error)
    await untilWaiting(sql, 1)
    await tx`delete from feedback where uid = ${uid}`
  })
  expect(await answered).toEqual(soukError('feedback_not_found'))
})

test('feedback about a release that is being deleted says that it does not exist', async () => {
  const { sql } = database
  const { releaseId } = await uploadRelease(context, admin, { appid, version: '1', archive: await archiveOf(build()) })
  let sent: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await tx`delete from release_files where release_id = ${releaseId}`
    await tx`delete from releases where release_id = ${releaseId}`
    const message = { appid, kind: 'problem', text: 'It is slow.', releaseId } as const
    sent = sendFeedback(context, user(), message).catch((error: unknown) => error)
    await untilWaiting(sql, 1)
  })
  expect(await sent).toEqual(soukError('release_not_found'))
})
