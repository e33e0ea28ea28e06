import { hour } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../../test/archive.ts'
import { identityContext } from '../../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../../test/database.ts'
import { soukError } from '../../../../../test/soukError.ts'
import type { HostUserCaller } from '../../../caller.ts'
import { updatePlatformSettings } from '../../../installation/index.ts'
import { createApp, updateApp } from '../../apps/index.ts'
import { uploadImage } from '../../files/index.ts'
import {
  approveRelease,
  createPreview,
  getPreview,
  getReview,
  listReleases,
  listReviews,
  publishRelease,
  publishScheduledReleases,
  rejectRelease,
  setReleaseStage,
  startReview,
  submitRelease,
  uploadRelease,
  withdrawRelease,
} from '../index.ts'

const admin = { kind: 'admin' } as const
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs='

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string
let version: number

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
})
afterAll(() => database.drop())
beforeEach(async () => {
  appid = (await createApp(context, admin, { name: 'Tea House' })).appid
  version = 0
  await updatePlatformSettings(context, admin, { requireReviews: false })
})

async function upload(files = {}, pages?: string[]): Promise<{ appid: string; releaseId: string }> {
  context.clock.time += 1000
  const archive = await archiveOf(build('Mini App', files, pages))
  const { releaseId } = await uploadRelease(context, admin, { appid, version: `${++version}`, archive })
  return { appid, releaseId }
}
const submit = async (release: { appid: string; releaseId: string }) =>
  (await submitRelease(context, admin, release)).reviewId
const stageOf = async ({ releaseId }: { releaseId: string }) =>
  (await listReleases(context, admin, { appid })).find((each) => each.releaseId === releaseId)!

test('a release goes from submission to publication, and its history is kept', async () => {
  const release = await upload()
  const input = { ...release, note: 'The menu is new.', testAccount: 'layla, tea' }
  const submitted = await submitRelease(context, admin, input)
  expect(submitted).toMatchObject({
    state: 'submitted',
    appName: 'Tea House',
    version: '1',
    note: 'The menu is new.',
    testAccount: 'layla, tea',
    submittedBy: 'admin',
  })
  expect(await stageOf(release)).toMatchObject({ stage: 'review' })
  await expect(submitRelease(context, admin, release)).rejects.toEqual(soukError('release_stage_conflict'))
  const { reviewId } = submitted
  expect((await listReviews(context, admin, { appid, open: true })).items).toEqual([submitted])

  expect(await startReview(context, admin, { reviewId })).toMatchObject({ state: 'inReview', changedBy: 'admin' })
  await expect(startReview(context, admin, { reviewId })).rejects.toEqual(soukError('review_state_conflict'))
  const decision = { reviewId, note: 'Publish it after Ramadan.' }
  expect(await approveRelease(context, admin, decision)).toMatchObject({ state: 'approved' })
  expect(await stageOf(release)).toMatchObject({ stage: 'review', current: false })
  expect(await publishRelease(context, admin, release)).toMatchObject({ stage: 'published', current: true })

  const { review, history } = await getReview(context, admin, release)
  expect(review).toMatchObject({ state: 'published' })
  expect(history.map(({ state, by, note }) => [state, by, note])).toEqual([
    ['submitted', 'admin', null],
    ['inReview', 'admin', null],
    ['approved', 'admin', decision.note],
    ['published', 'admin', null],
  ])
  expect((await listReviews(context, admin, { appid, open: true })).items).toEqual([])
  const audited = await database.sql<{ action: string; detail: object }[]>`
    select action, detail from audit_log where subject = ${appid} order by audit_id desc limit 4`
  expect(audited.map(({ action }) => action)).toEqual([
    'release.publish',
    'release.approve',
    'release.startReview',
    'release.submit',
  ])
  expect(audited[1]!.detail).toMatchObject(decision)
})

test('a reviewer sees the screenshots in their order, and what the mini app may use', async () => {
  const image = (content: string) => uploadImage(context, admin, { appid, content })
  const [menu, cart] = [await image(png), await image(gif)]
  const other = (await createApp(context, admin, { name: 'Bakery' })).appid
  const foreign = await uploadImage(context, admin, { appid: other, content: png })
  await updateApp(context, admin, { appid, capabilities: ['login'] })

  const release = await upload()
  const submitWith = (screenshots: string[]) => submitRelease(context, admin, { ...release, screenshots })
  await expect(submitWith([menu.fileId, foreign.fileId])).rejects.toEqual(soukError('file_not_found'))
  expect(await stageOf(release)).toMatchObject({ stage: 'development' })
  expect(await submitWith([menu.fileId, cart.fileId])).toMatchObject({ screenshots: [menu.fileId, cart.fileId] })
  expect(await getReview(context, admin, release)).toMatchObject({ approved: { capabilities: ['login'] } })
  expect(cart.url).toBe(`http://souk.test/files/${cart.fileId}.gif`)
})

test('a rejected release returns to development with reasons, and can be submitted again', async () => {
  const release = await upload()
  const reviewId = await submit(release)
  const reasons = [
    { item: 'payment', text: 'The price is not shown.' },
    { item: 'icon', text: 'It is another company’s.' },
  ] as const
  expect(await rejectRelease(context, admin, { reviewId, reasons: [...reasons] })).toMatchObject({
    state: 'rejected',
    reasons,
  })
  expect(await stageOf(release)).toMatchObject({ stage: 'development' })
  await expect(approveRelease(context, admin, { reviewId })).rejects.toEqual(soukError('review_state_conflict'))
  await submit(release)
  await expect(approveRelease(context, admin, { reviewId })).rejects.toEqual(soukError('review_state_conflict'))
  expect((await getReview(context, admin, release)).history.map(({ state }) => state)).toEqual([
    'submitted',
    'rejected',
    'submitted',
  ])
})

test('where reviews are required, only an approved release is published', async () => {
  await updatePlatformSettings(context, admin, { requireReviews: true })
  const release = await upload()
  const refused = (advice: string) => ({ code: 'release_review_required', message: expect.stringContaining(advice) })
  await expect(publishRelease(context, admin, release)).rejects.toMatchObject(refused('Submit it'))
  const reviewId = await submit(release)
  await expect(publishRelease(context, admin, release)).rejects.toMatchObject(
    refused('an administrator has to approve it'),
  )
  await approveRelease(context, admin, { reviewId })
  expect(await publishRelease(context, admin, release)).toMatchObject({ current: true })
})

test('where reviews are not required, publishing ends the review', async () => {
  const release = await upload()
  await setReleaseStage(context, admin, { ...release, stage: 'review' })
  await publishRelease(context, admin, release)
  expect((await getReview(context, admin, release)).review).toMatchObject({ state: 'published' })
})

test('an approved release is published at its time, once, unless it was withdrawn', async () => {
  const [first, second] = [await upload(), await upload({ 'a.txt': 'a' })]
  const publishTime = context.clock.now() + hour
  await expect(publishRelease(context, admin, { ...first, publishTime })).rejects.toEqual(
    soukError('release_review_required'),
  )
  for (const release of [first, second]) {
    await approveRelease(context, admin, { reviewId: await submit(release) })
    const past = { ...release, publishTime: context.clock.now() }
    await expect(publishRelease(context, admin, past)).rejects.toEqual(soukError('parameter_invalid'))
    expect(await publishRelease(context, admin, { ...release, publishTime })).toMatchObject({ stage: 'review' })
  }
  await withdrawRelease(context, admin, second)
  await publishScheduledReleases(context)
  expect(await stageOf(first)).toMatchObject({ stage: 'review', current: false })

  context.clock.time += hour
  await Promise.all([publishScheduledReleases(context), publishScheduledReleases(context)])
  expect(await stageOf(first)).toMatchObject({
    current: true,
    publishedTime: context.clock.now(),
    publishedBy: 'system',
    reviewedBy: 'admin',
  })
  expect(await stageOf(second)).toMatchObject({ stage: 'development', current: false })
  const { review, history } = await getReview(context, admin, first)
  expect(review).toMatchObject({ state: 'published', publishTime: null, changedBy: 'system' })
  expect(history.filter(({ state }) => state === 'published')).toHaveLength(1)
})

test('a published release can be withdrawn from users, and one that was replaced cannot', async () => {
  const [first, second] = [await upload(), await upload()]
  const member = { kind: 'account', accountId: '0'.repeat(32), administrator: false, via: 'session' } as const
  await expect(withdrawRelease(context, member, first)).rejects.toEqual(soukError('release_stage_conflict'))
  await publishRelease(context, admin, first)
  await publishRelease(context, admin, second)
  await expect(withdrawRelease(context, member, first)).rejects.toEqual(soukError('release_stage_conflict'))
  expect(await withdrawRelease(context, admin, second)).toMatchObject({ stage: 'development', current: false })
  expect((await context.apps.find(appid))!.onlyTesters).toBe(true)
})

test('an operator withdraws a release in any stage, once', async () => {
  const [replaced, inDevelopment] = [await upload(), await upload({ 'a.txt': 'a' })]
  await publishRelease(context, admin, replaced)
  await publishRelease(context, admin, await upload({ 'b.txt': 'b' }))
  for (const release of [replaced, inDevelopment]) {
    expect(await withdrawRelease(context, admin, release)).toMatchObject({ stage: 'development', current: false })
    await expect(withdrawRelease(context, admin, release)).rejects.toEqual(soukError('release_stage_conflict'))
  }
})

test('a reviewer sees what differs from the published release', async () => {
  const first = await upload({ 'a.txt': 'a', 'b.txt': 'b', 'index-aaaa1111.js': '1' })
  await publishRelease(context, admin, first)
  const second = await upload({ 'a.txt': 'AA', 'c.txt': 'ccc', 'index-bbbb2222.js': '22' }, [
    'pages/index/index',
    'pages/cart/cart',
  ])
  await expect(getReview(context, admin, second)).rejects.toEqual(soukError('review_not_found'))
  await submit(second)
  expect(await getReview(context, admin, second)).toMatchObject({
    published: { releaseId: first.releaseId },
    files: {
      added: { count: 1, files: [{ path: 'c.txt', size: 3, earlierSize: null }] },
      changed: {
        count: 3,
        files: [
          { path: 'a.txt', earlierPath: null, size: 2, earlierSize: 1 },
          { path: 'index-bbbb2222.js', earlierPath: 'index-aaaa1111.js', size: 2, earlierSize: 1 },
          { path: 'souk-app.json' },
        ],
      },
      removed: { count: 1, files: [{ path: 'b.txt', size: null, earlierSize: 1 }] },
    },
    pages: { added: ['pages/cart/cart'], removed: ['pages/order/order'] },
    changes: [],
  })
})

test('a preview opens exactly one release, for any user and a limited time', async () => {
  const [release, other] = [await upload(), await upload()]
  const user = { kind: 'hostUser', uid: 1 } as HostUserCaller
  await expect(createPreview(context, admin, { appid, releaseId: '0'.repeat(32) })).rejects.toEqual(
    soukError('release_not_found'),
  )
  const { preview, validUntil } = await createPreview(context, admin, release)
  expect(await getPreview(context, user, { ...release, preview })).toMatchObject({
    appid,
    release: null,
    releases: [{ releaseId: release.releaseId, stage: 'development', version: '1' }],
  })
  await expect(getPreview(context, user, { ...other, preview })).rejects.toEqual(soukError('release_not_found'))
  context.clock.time = validUntil
  await expect(getPreview(context, user, { ...release, preview })).rejects.toEqual(soukError('release_not_found'))
})

test('notes of the submission replace those of the upload', async () => {
  const release = await upload()
  await submitRelease(context, admin, { ...release, notes: { en: 'New cakes', zh_CN: '新蛋糕' } })
  expect(await stageOf(release)).toMatchObject({ note: 'New cakes', notes: { en: 'New cakes', zh_CN: '新蛋糕' } })
})
