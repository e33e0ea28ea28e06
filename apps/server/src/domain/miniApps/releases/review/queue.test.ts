import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../../test/archive.ts'
import { identityContext } from '../../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../../test/database.ts'
import { createApp, updateApp } from '../../apps/index.ts'
import { listReviewQueue, startReview, submitRelease, uploadRelease } from '../index.ts'

const admin = { kind: 'admin' } as const

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string
let reviewId: string

beforeAll(async () => {
  database = await freshDatabase()
  const identity = identityContext(database.sql)
  context = { ...identity, rules: { ...identity.rules, approvals: 'required' } }
  appid = (await createApp(context, admin, { name: 'Tea House' })).appid
  const change = async (input: object) => {
    context.clock.time += 1000
    await updateApp(context, admin, { appid, ...input })
  }
  await change({ name: 'Tea Palace' })
  await change({ capabilities: ['login'] })
  const archive = await archiveOf(build('Mini App', {}))
  const { releaseId } = await uploadRelease(context, admin, { appid, version: '1', archive })
  context.clock.time += 1000
  reviewId = (await submitRelease(context, admin, { appid, releaseId })).reviewId
  await change({ merchantName: 'Tea Ltd' })
})
afterAll(() => database.drop())

test('releases and requests are in one queue, those that wait longest first', async () => {
  const { items, total } = await listReviewQueue(context, admin, { state: 'waiting', total: true })
  expect(items.map(({ kind }) => kind)).toEqual(['name', 'capabilities', 'release', 'merchantName'])
  expect(total).toEqual({ count: 4, isCapped: false })
  expect(items[0]).toMatchObject({ review: null, change: { value: 'Tea Palace', state: 'pending' } })
  expect(items[2]).toMatchObject({ review: { reviewId, version: '1' }, change: null })
})

test('the queue is filtered by kind and state, and a release that is in review still waits', async () => {
  const kindsOf = async (input: Parameters<typeof listReviewQueue>[2]) =>
    (await listReviewQueue(context, admin, input)).items.map(({ kind }) => kind)
  await startReview(context, admin, { reviewId })
  expect(await kindsOf({ kind: 'release', state: 'waiting' })).toEqual(['release'])
  expect(await kindsOf({ kind: 'name' })).toEqual(['name'])
  expect(await kindsOf({ kind: 'domains' })).toEqual([])
  await updateApp(context, admin, { appid, name: 'Tea Garden' })
  expect(await kindsOf({ state: 'withdrawn' })).toEqual(['name'])
})

test.each(['ctime', '-ctime'] as const)('pages in order of %s have each entry once', async (sort) => {
  const all = await listReviewQueue(context, admin, { sort })
  const seen: typeof all.items = []
  let cursor: string | null | undefined
  do {
    const page = await listReviewQueue(context, admin, { sort, limit: 2, ...(cursor && { cursor }) })
    seen.push(...page.items)
    cursor = page.next
  } while (cursor)
  expect(seen).toEqual(all.items)
  const times = seen.map(({ ctime }) => ctime)
  expect(times).toEqual([...times].sort((a, b) => (sort === 'ctime' ? a - b : b - a)))
})
