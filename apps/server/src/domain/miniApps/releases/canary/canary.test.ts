import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../../test/archive.ts'
import { identityContext } from '../../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../../test/database.ts'
import { untilWaiting } from '../../../../../test/locks.ts'
import { soukError } from '../../../../../test/soukError.ts'
import type { HostUserCaller } from '../../../caller.ts'
import { createApp } from '../../apps/index.ts'
import {
  deleteRelease,
  getReleaseNote,
  listCanaries,
  openMiniApp,
  pauseCanary,
  publishRelease,
  reportOpening,
  resumeCanary,
  rollBack,
  rollBackCanary,
  setReleaseStage,
  startCanary,
  uploadRelease,
  watchCanaries,
  widenCanary,
  withdrawRelease,
} from '../index.ts'

const admin = { kind: 'admin' } as const
let users: number[]

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string
let published: Release
let release: Release
type Release = { appid: string; releaseId: string }

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
  const rows = await database.sql<{ uid: number }[]>`
    insert into users (nickname, ctime) select 'User', 0 from generate_series(1, 40) returning uid`
  users = rows.map(({ uid }) => uid)
})
afterAll(() => database.drop())
beforeEach(async () => {
  appid = (await createApp(context, admin, { name: 'Tea House' })).appid
  published = await upload('1')
  await publishRelease(context, admin, published)
  release = await upload('2')
})

async function upload(version: string): Promise<Release> {
  context.clock.time += 1000
  const archive = await archiveOf(build('Mini App'))
  const { releaseId } = await uploadRelease(context, admin, { appid, version, archive, note: `Note ${version}` })
  return { appid, releaseId }
}
const caller = (uid: number): HostUserCaller => ({ kind: 'hostUser', uid, session: '' })
const open = (uid: number, device: { language?: string; system?: 'iOS' } = {}) =>
  openMiniApp(context, caller(uid), { appid, platform: 'Mini App', ...device })
/** Returns the users who get the canary, without an opening being counted twice. */
async function membersOf(): Promise<number[]> {
  const opened = await Promise.all(users.map(async (uid) => ({ uid, ...(await open(uid)) })))
  return opened.filter(({ canary }) => canary).map(({ uid }) => uid)
}
const start = (input: Partial<Parameters<typeof startCanary>[2]> = {}) =>
  startCanary(context, admin, { ...release, share: 50, factor: 2, minOpenings: 20, ...input })
const stateOf = async () => (await listCanaries(context, admin, { appid }))[0]!

test('some users get the canary, none leaves it when it is widened, and publishing gives it to all', async () => {
  expect(await start()).toMatchObject({ version: '2', state: 'running', share: 50, startedBy: 'admin' })
  const members = await membersOf()
  expect(members.length).toBeGreaterThan(0)
  expect(members.length).toBeLessThan(users.length)
  const [member] = members
  expect(await open(member!)).toMatchObject({ canary: true, release: { ...idOf(release), version: '2' } })
  const other = users.find((uid) => !members.includes(uid))!
  expect(await open(other)).toMatchObject({ canary: false, release: idOf(published) })
  const note = { ...release, language: 'en' }
  expect(await getReleaseNote(context, caller(member!), note)).toMatchObject({ note: 'Note 2' })

  await expect(widenCanary(context, admin, { ...release, share: 40 })).rejects.toEqual(soukError('parameter_invalid'))
  expect(await widenCanary(context, admin, { ...release, share: 80 })).toMatchObject({ share: 80 })
  expect(await membersOf()).toEqual(expect.arrayContaining(members))
  await expect(deleteRelease(context, admin, release)).rejects.toEqual(soukError('release_stage_conflict'))

  await publishRelease(context, admin, release)
  expect(await stateOf()).toMatchObject({ state: 'published', figures: { canary: { users: expect.any(Number) } } })
  expect(await open(other)).toMatchObject({ canary: false, release: idOf(release) })
  await expect(pauseCanary(context, admin, release)).rejects.toEqual(soukError('canary_not_found'))
})

const idOf = ({ releaseId }: Release) => ({ releaseId })

test('listed users get it regardless of the percentage, others by language and system', async () => {
  const [first, second] = users as [number, number]
  await start({ share: 0, uids: [first] })
  expect(await membersOf()).toEqual([first])
  await expect(widenCanary(context, admin, { ...release, uids: [first, 1] })).rejects.toEqual(
    soukError('user_not_found'),
  )
  await rollBackCanary(context, admin, release)
  await start({ share: 100, languages: ['ar_SA'], systems: ['iOS'] })
  expect(await membersOf()).toEqual([])
  expect(await open(second, { language: 'ar-SA', system: 'iOS' })).toMatchObject({ canary: true })
  expect(await open(second, { language: 'en', system: 'iOS' })).toMatchObject({ canary: false })
})

test('a user who is erased at the same time is not listed', async () => {
  const { sql } = database
  const [kept] = users as [number]
  /** Erases a user, while `act` waits for it. */
  async function eraseDuring(act: (uid: number) => Promise<unknown>, prepare = async (_uid: number) => {}) {
    const [row] = await sql<[{ uid: number }]>`insert into users (nickname, ctime) values ('Layla', 0) returning uid`
    const { uid } = row
    await prepare(uid)
    let done: Promise<unknown> | undefined
    await sql.begin(async (tx) => {
      await tx`select from users where uid = ${uid} for update`
      done = act(uid).catch((error: unknown) => error)
      await untilWaiting(sql, 1)
      await tx`update canaries set uids = array_remove(uids, ${uid}) where ${uid} = any(uids)`
      await tx`update users set erased_time = 1 where uid = ${uid}`
    })
    return done
  }
  const starting = await eraseDuring((uid) => start({ uids: [kept, uid] }))
  expect(starting).toEqual(soukError('user_not_found'))
  const widened = await eraseDuring(
    () => widenCanary(context, admin, { ...release, share: 80 }),
    async (uid) => void (await start({ uids: [uid, kept] })),
  )
  expect(widened).toMatchObject({ share: 80, uids: [kept] })
})

test('a paused canary is given to no users, and continues as it was', async () => {
  await start()
  const members = await membersOf()
  expect(await pauseCanary(context, admin, release)).toMatchObject({ state: 'paused' })
  await expect(pauseCanary(context, admin, release)).rejects.toEqual(soukError('canary_state_conflict'))
  expect(await membersOf()).toEqual([])
  const { figures } = await resumeCanary(context, admin, release)
  expect(figures.canary.openings).toBe(members.length)
  expect(await membersOf()).toEqual(members)
  expect(await rollBackCanary(context, admin, release)).toMatchObject({ state: 'rolledBack' })
  expect(await membersOf()).toEqual([])
})

/** Adds users who are not part of the others, since each user counts once. */
async function addUsers(count: number): Promise<number[]> {
  const rows = await database.sql<{ uid: number }[]>`
    insert into users (nickname, ctime) select 'User', 0 from generate_series(1, ${count}) returning uid`
  return rows.map(({ uid }) => uid)
}

test.each(['launch', 'error'] as const)(
  'it halts when more of its users have failures than of the published release: %s',
  async (failure) => {
    const listed = await addUsers(30)
    await start({ share: 0, uids: listed, minOpenings: 30 })
    // One in ten users of the published release has a failure.
    for (const uid of [...users, ...listed]) await open(uid)
    for (const uid of users.slice(0, 4)) await reportOpening(context, caller(uid), { ...published, failure })
    // More than the tolerance, but not twice as many as with the published release.
    for (const uid of listed.slice(0, 6)) await reportOpening(context, caller(uid), { ...release, failure })
    await watchCanaries(context)
    expect(await stateOf()).toMatchObject({ state: 'running', figures: { canary: { users: 30, openings: 30 } } })

    // A device of another user cannot report for a user who did not open it.
    await reportOpening(context, caller(users[0]!), { ...release, failure })
    await watchCanaries(context)
    expect(await stateOf()).toMatchObject({ state: 'running' })

    await reportOpening(context, caller(listed[6]!), { ...release, failure })
    await watchCanaries(context)
    const reason = failure === 'launch' ? 'failedLaunches' : 'errors'
    const counted = failure === 'launch' ? 'usersWithFailedLaunches' : 'usersWithErrors'
    expect(await stateOf()).toMatchObject({
      state: 'halted',
      haltReason: reason,
      figures: { canary: { [counted]: 7 }, published: { [counted]: 4 } },
    })
    expect(await open(listed[0]!)).toMatchObject({ canary: false })
    const [audited] = await database.sql<{ action: string; actor: string }[]>`
    select action, actor from audit_log where subject = ${appid} order by audit_id desc limit 1`
    expect(audited).toEqual({ action: 'release.haltCanary', actor: 'system' })

    expect(await resumeCanary(context, admin, release)).toMatchObject({
      state: 'running',
      haltReason: null,
      figures: { canary: { openings: 0 }, published: { openings: 0 } },
    })
    await watchCanaries(context)
    expect(await stateOf()).toMatchObject({ state: 'running' })
  },
)

test('one user in 161 cannot halt it, nor one of few, and a user counts with at most 50 openings', async () => {
  const listed = await addUsers(161)
  await start({ share: 0, uids: listed, minOpenings: 200 })
  for (const uid of listed) await open(uid)
  const [one, other] = listed as [number, number]
  const failOften = async (uid: number) => {
    for (let opening = 0; opening < 55; opening++) {
      await open(uid)
      for (const failure of ['error', 'launch'] as const)
        await reportOpening(context, caller(uid), { ...release, failure })
    }
  }
  await failOften(one)
  await watchCanaries(context)
  const figures = { canary: { users: 161, openings: 210, errors: 50, usersWithErrors: 1, usersWithFailedLaunches: 1 } }
  expect(await stateOf()).toMatchObject({ state: 'running', figures })

  await rollBackCanary(context, admin, release)
  await start({ share: 0, uids: [one, other], minOpenings: 50 })
  await failOften(one)
  await open(other)
  await watchCanaries(context)
  expect(await stateOf()).toMatchObject({ state: 'running' })
  await reportOpening(context, caller(other), { ...release, failure: 'error' })
  await watchCanaries(context)
  expect(await stateOf()).toMatchObject({ state: 'halted', haltReason: 'errors' })
})

test('one user cannot hide its failures by failures of the published release', async () => {
  const listed = await addUsers(20)
  await start({ share: 0, uids: listed, minOpenings: 20 })
  for (const uid of [...users, ...listed]) await open(uid)
  for (let opening = 0; opening < 50; opening++) {
    await open(users[0]!)
    await reportOpening(context, caller(users[0]!), { ...published, failure: 'error' })
  }
  for (const uid of listed.slice(0, 2)) await reportOpening(context, caller(uid), { ...release, failure: 'error' })
  await watchCanaries(context)
  expect(await stateOf()).toMatchObject({ state: 'halted' })
})

test('what can be published can be rolled out, once per platform and beside a published release', async () => {
  await expect(start({ share: 0 })).rejects.toEqual(soukError('parameter_invalid'))
  await expect(start(published)).rejects.toEqual(soukError('release_stage_conflict'))
  context.rules.requireSignedReleases = true
  await expect(start()).rejects.toEqual(soukError('release_unsigned'))
  context.rules.requireSignedReleases = false
  await start()
  const third = await upload('3')
  await expect(start(third)).rejects.toEqual(soukError('canary_state_conflict'))
  await withdrawRelease(context, admin, published)
  expect(await stateOf()).toMatchObject({ state: 'rolledBack' })
  await expect(start(third)).rejects.toEqual(soukError('release_stage_conflict'))
})

test('it ends when its release returns to development, or the release of the others changes', async () => {
  await setReleaseStage(context, admin, { ...release, stage: 'review' })
  await start()
  await setReleaseStage(context, admin, { ...release, stage: 'development' })
  expect(await stateOf()).toMatchObject({ state: 'rolledBack' })
  await start()
  const third = await upload('3')
  await publishRelease(context, admin, third)
  expect(await stateOf()).toMatchObject({ state: 'rolledBack', version: '2' })
  await start()
  await rollBack(context, admin, published)
  expect(await stateOf()).toMatchObject({ state: 'rolledBack' })
})

test('rows of users are deleted with the canary, and its figures stay', async () => {
  const { canaryId } = await start()
  await membersOf()
  await rollBackCanary(context, admin, release)
  const { figures } = await stateOf()
  expect(figures.canary.openings + figures.published.openings).toBe(users.length)
  await watchCanaries(context)
  const rows = await database.sql`select from canary_users where canary_id = ${canaryId}`
  expect(rows).toHaveLength(0)
  expect((await stateOf()).figures).toEqual(figures)
})
