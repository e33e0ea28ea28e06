import { day, hour, minute } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../test/archive.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../../../../test/tradeFixture.ts'
import { defaultLimits } from '../../../kernel/db/limits.ts'
import { connect } from '../../../kernel/db/pool.ts'
import { createProject } from '../../console/index.ts'
import {
  createApp,
  publishRelease,
  startCanary,
  submitRelease,
  updateApp,
  uploadRelease,
} from '../../miniApps/index.ts'
import { countReplay, deliverDueCallbacks, replayCallbacks, tradeTotals } from '../../money/index.ts'
import { getCounters, listAppFigures, listIncidents, listProjectFigures } from './index.ts'

let database: FreshDatabase
let fixture: TradeFixture
let projectId: string
let appid: string

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.sql`truncate all_trades, trade_changes, trade_sums, callbacks, callback_receivers, delivery_receivers, request_log cascade`
  await database.sql`update apps set deleted_time = 1 where deleted_time is null`
  fixture = await createTradeFixture(database.sql)
  ;({ projectId, appid } = fixture.app.app)
})

const none = { receivers: [], wrongSigns: [], releases: [], reviews: null, changes: null }
const incidents = () => listIncidents(fixture.context, admin, { projectId })
const figures = (input = {}) => listAppFigures(fixture.context, admin, { projectId, ...input })

async function fail(orders: readonly Parameters<TradeFixture['create']>[0][]) {
  Object.assign(fixture.callbackResult, { status: 500, reply: 'oops' })
  for (const order of orders) await fixture.pay(await fixture.create(order), 'succeeded')
  await deliverDueCallbacks(fixture.context)
}

async function upload(version: string): Promise<string> {
  const archive = await archiveOf(build('Mini App', {}))
  return (await uploadRelease(fixture.context, admin, { appid, version, archive })).releaseId
}

/** Counts events of a release in the hour that has begun. */
async function count(releaseId: string, kind: string, events: number) {
  const start = Math.floor(fixture.context.clock.real() / hour) * hour
  for (const span of ['hour', 'day']) {
    await database.sql`
      insert into analytics_counts (appid, span, kind, start, release_id, name, count)
      values (${appid}, ${span}, ${kind}, ${span === 'hour' ? start : start - (start % day)}, ${releaseId}, '', ${events})`
  }
}

async function logWrongSigns(of: string, times: readonly number[]) {
  for (const time of times) {
    await database.sql`
      insert into request_log (request_id, time, appid, operation, status, code, duration)
      values (${`request ${time}`}, ${time}, ${of}, 'trade', 401, 'sign_mismatch', 1)`
  }
}

test('a project in which all is well has no incident', async () => {
  await fixture.pay(await fixture.create(), 'succeeded')
  await deliverDueCallbacks(fixture.context)
  expect(await incidents()).toEqual(none)
})

test('a host that acknowledges nothing is one incident, with the money of its paid trades by currency', async () => {
  const since = fixture.context.clock.now()
  await fail([{ amount: 1250 }, { amount: 300 }, { amount: 9900, currency: 'USD' }])
  await fixture.pay(await fixture.create({ amount: 777 }), 'failed:24')
  await deliverDueCallbacks(fixture.context)
  expect(await incidents()).toEqual({
    ...none,
    receivers: [
      {
        host: 'localhost:8080',
        since,
        receivers: [{ appid, failingSince: since, disabled: false }],
        callbacks: 4,
        states: ['pending'],
        oldest: since,
        paid: [
          { currency: 'USD', amount: 9900 },
          { currency: 'SAR', amount: 1550 },
        ],
      },
    ],
  })
  Object.assign(fixture.callbackResult, { status: 200, reply: 'success' })
  fixture.context.clock.ahead += day
  await deliverDueCallbacks(fixture.context)
  expect(await incidents()).toEqual(none)
})

test('a host that several mini apps use is one incident, and a disabled one stays without callbacks', async () => {
  await fail([{ amount: 100 }])
  const other = (await createApp(fixture.context, admin, { name: 'Other', projectId })).appid
  const before = fixture.context.clock.now() - hour
  await database.sql`
    insert into callback_receivers (appid, host, failing_since, last_failed, disabled_at)
    values (${other}, 'localhost:8080', ${before}, ${before}, ${before}), (${other}, 'idle', ${before}, ${before}, null)`
  const { receivers } = await incidents()
  expect(receivers).toMatchObject([{ host: 'localhost:8080', since: before, callbacks: 1 }])
  expect(receivers[0]!.receivers).toHaveLength(2)
})

test('lists the 10 hosts that began to fail last', async () => {
  await database.sql`
    insert into callback_receivers (appid, host, failing_since, last_failed, disabled_at)
    select ${appid}, 'host-' || n, n, n, n from generate_series(1, 12) n`
  expect((await incidents()).receivers.map(({ host }) => host)).toEqual(
    Array.from({ length: 10 }, (_, index) => `host-${12 - index}`),
  )
})

test('a replay of one host leaves the callbacks of others', async () => {
  await fail([{}, { notifyUrl: 'http://localhost:9090/notify' }])
  const { context } = fixture
  expect(await countReplay(context, admin, { projectId, state: 'pending' })).toEqual({ total: 2 })
  expect(await replayCallbacks(context, admin, { projectId, host: 'LOCALHOST:9090', state: 'pending' })).toMatchObject({
    total: 1,
  })
})

test('requests with a wrong signature are one incident per mini app, for a day and at most 100', async () => {
  const now = fixture.context.clock.real()
  await logWrongSigns(appid, [now - 2 * minute, now - minute])
  await logWrongSigns(appid, [now - day - 1])
  const busy = (await createApp(fixture.context, admin, { name: 'Busy', projectId })).appid
  await logWrongSigns(
    busy,
    Array.from({ length: 105 }, (_, index) => now - hour - index),
  )
  expect((await incidents()).wrongSigns).toEqual([
    { appid, name: 'Tea House', requests: 2, requestId: `request ${now - minute}`, time: now - minute },
    { appid: busy, name: 'Busy', requests: 100, requestId: `request ${now - hour}`, time: now - hour },
  ])
})

test('a release fails if it does so more often than those before it, and often enough', async () => {
  const { context } = fixture
  const first = await upload('1.0.0')
  await publishRelease(context, admin, { appid, releaseId: first })
  await count(first, 'open', 100)
  await count(first, 'error', 2)
  expect((await incidents()).releases).toMatchObject([{ version: '1.0.0', canary: false, opens: 100, failures: 2 }])

  context.clock.time += 2 * hour
  const second = await upload('1.1.0')
  await startCanary(context, admin, { appid, releaseId: second, share: 50, factor: 2, minOpenings: 200 })
  await count(second, 'open', 19)
  await count(second, 'launchFailure', 19)
  expect((await incidents()).releases).toMatchObject([{ version: '1.0.0' }])
  await database.sql`update analytics_counts set count = 20 where release_id = ${second} and kind = 'open'`
  expect((await incidents()).releases[0]).toEqual({
    appid,
    name: 'Tea House',
    releaseId: second,
    version: '1.1.0',
    platform: 'Mini App',
    canary: true,
    publishedTime: null,
    canaryTime: context.clock.real(),
    opens: 20,
    failures: 19,
  })
  // As often as before.
  await database.sql`update analytics_counts set count = 1000 where release_id = ${second} and kind = 'open'`
  expect((await incidents()).releases).toMatchObject([{ version: '1.0.0' }])
})

test('releases and changes that wait are counted, since the first of them', async () => {
  const since = fixture.context.clock.real()
  for (const version of ['1.0.0', '1.1.0']) {
    await submitRelease(fixture.context, admin, { appid, releaseId: await upload(version) })
    fixture.context.clock.time += minute
  }
  fixture.context.rules = { ...fixture.context.rules, approvals: 'required' }
  await updateApp(fixture.context, admin, { appid, name: 'Tea Palace' })
  expect(await incidents()).toEqual({
    ...none,
    reviews: { count: 2, since },
    changes: { count: 1, since: since + 2 * minute },
  })
})

test('counts failing callbacks, unanswered feedback, and for administrators what waits in the installation', async () => {
  const { context } = fixture
  const { sql } = context
  const member = { kind: 'account', accountId: 'f'.repeat(32), administrator: false, via: 'session' } as const
  const before = await getCounters(context, admin, { projectId })
  expect(before).toMatchObject({ callbacks: 0, feedback: 0 })
  await fail([{}, {}])
  const [{ uid }] = await sql<[{ uid: number }]>`select uid from users limit 1`
  const kinds = ['idea', 'problem', 'problem', 'report'] as const
  for (const [index, kind] of kinds.entries()) {
    await sql`
      insert into feedback (feedback_id, appid, uid, kind, reason, text, state, page, device, ctime, mtime)
      values (gen_random_uuid(), ${appid}, ${uid}, ${kind}, ${kind === 'report' ? 'other' : null}, 'text',
        ${index === 2 ? 'answered' : 'open'}, null, '{}', 1, 1)`
  }
  await submitRelease(context, admin, { appid, releaseId: await upload('1.0.0') })
  const counters = { callbacks: 2, feedback: 2, reviews: before.reviews! + 1, reports: before.reports! + 1 }
  expect(await getCounters(context, admin, { projectId })).toEqual(counters)
  expect(await getCounters(context, member, { projectId })).toEqual({ ...counters, reviews: null, reports: null })
  const other = '0123456789abcdef0123456789abcdef'
  expect(await getCounters(context, member, { projectId: other })).toMatchObject({ callbacks: 0, feedback: 0 })
  await sql`
    insert into feedback (feedback_id, appid, uid, kind, text, state, device, ctime, mtime)
    select gen_random_uuid(), ${appid}, ${uid}, 'idea', 'text', 'open', '{}', 1, 1 from generate_series(1, 120)`
  expect(await getCounters(context, member, { projectId })).toMatchObject({ feedback: 100 })
})

test('what happens in another project is none of its incidents', async () => {
  await fail([{}])
  await logWrongSigns(appid, [fixture.context.clock.real()])
  await submitRelease(fixture.context, admin, { appid, releaseId: await upload('1.0.0') })
  const other = '0123456789abcdef0123456789abcdef'
  expect(await listIncidents(fixture.context, admin, { projectId: other })).toEqual(none)
  expect(await listAppFigures(fixture.context, admin, { projectId: other })).toEqual([])
})

test('lists mini apps with their published release, openings, errors and sales by currency', async () => {
  const { context } = fixture
  const releaseId = await upload('1.0.0')
  await publishRelease(context, admin, { appid, releaseId })
  await count(releaseId, 'open', 40)
  await count(releaseId, 'error', 2)
  await count(releaseId, 'launchFailure', 1)
  for (const amount of [100, 250]) await fixture.pay(await fixture.create({ amount }), 'succeeded')
  await fixture.pay(await fixture.create({ amount: 5000, currency: 'USD' }), 'succeeded')
  await fixture.pay(await fixture.create({ amount: 1 }), 'failed:24')
  context.clock.time += 1
  const [found, ...others] = await figures()
  expect(others).toEqual([])
  expect(found).toEqual({
    appid,
    name: 'Tea House',
    iconUrl: null,
    enabled: true,
    live: [{ platform: 'Mini App', version: '1.0.0' }],
    opens: 40,
    errors: 3,
    sales: [
      { currency: 'USD', amount: 5000 },
      { currency: 'SAR', amount: 350 },
    ],
  })
  context.clock.time += 31 * day
  expect(await figures()).toMatchObject([{ opens: 0, errors: 0, sales: [] }])
  await expect(figures({ from: 0, to: 93 * day })).rejects.toMatchObject({ code: 'parameter_invalid' })
})

const projectFigures = (input = {}) => listProjectFigures(fixture.context, admin, { limit: 200, ...input })

/** Creates a project with a mini app. */
async function addProject(name: string) {
  const project = await createProject(fixture.context, admin, { name })
  const { appid } = await createApp(fixture.context, admin, { name, projectId: project.projectId })
  return { projectId: project.projectId, appid }
}

test('lists projects by what needs attention in them, then by name, with their sales of the day', async () => {
  const { context } = fixture
  const names = async () => (await projectFigures()).items.map(({ name }) => name)
  const reviewed = await addProject('Zither')
  await addProject('Apricot')
  const failing = await addProject('Yarn')
  const before = await names()
  expect(before.indexOf('Apricot')).toBeLessThan(before.indexOf('Yarn'))
  expect(before.indexOf('Yarn')).toBeLessThan(before.indexOf('Zither'))

  await fail([{ amount: 1250 }, { amount: 300 }, { amount: 9900, currency: 'USD' }])
  const releaseId = (
    await uploadRelease(context, admin, {
      appid: reviewed.appid,
      version: '1.0.0',
      archive: await archiveOf(build('Mini App', {})),
    })
  ).releaseId
  await submitRelease(context, admin, { appid: reviewed.appid, releaseId })
  const now = context.clock.now()
  await database.sql`
    insert into callback_receivers (appid, host, failing_since, last_failed, disabled_at)
    values (${failing.appid}, 'shop.example', ${now}, ${now}, ${now}), (${failing.appid}, 'idle', ${now}, ${now}, null)`
  const { items } = await projectFigures()
  const own = items.find((item) => item.projectId === projectId)!
  expect(items.slice(0, 3).map(({ name }) => name)).toEqual([own.name, 'Yarn'].toSorted().concat('Zither'))
  expect(own).toMatchObject({
    failingHosts: 1,
    failingCallbacks: 3,
    reviews: 0,
    sales: [
      { currency: 'USD', amount: 9900 },
      { currency: 'SAR', amount: 1550 },
    ],
  })
  expect(items.find(({ name }) => name === 'Yarn')).toMatchObject({ failingHosts: 1, failingCallbacks: 0, sales: [] })
  expect(items.find(({ name }) => name === 'Zither')).toMatchObject({ failingHosts: 0, reviews: 1, changes: 0 })

  context.clock.time += day
  const later = await projectFigures({ from: context.clock.now() - hour })
  expect(later.items.find((item) => item.projectId === projectId)!.sales).toEqual([])
  await expect(projectFigures({ from: context.clock.now() - 2 * day - 1 })).rejects.toMatchObject({
    code: 'parameter_invalid',
  })
})

test('pages of projects have each once, and a member sees only its own', async () => {
  const all = await projectFigures({ total: true })
  expect(all.next).toBeNull()
  expect(all.total).toEqual({ count: all.items.length, isCapped: false })
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof projectFigures>> = await projectFigures({
      limit: 2,
      ...(cursor && { cursor }),
    })
    found.push(...page.items.map((item) => item.projectId))
    cursor = page.next
  } while (cursor)
  expect(found).toEqual(all.items.map((item) => item.projectId))
  const stranger = { kind: 'account', accountId: '1'.repeat(32), administrator: false, via: 'session' } as never
  expect(await listProjectFigures(fixture.context, stranger, {})).toMatchObject({ items: [], next: null })
})

test('sums of more trades than can be read in time are refused for good', async () => {
  const hurried = connect(database.url, { limits: { ...defaultLimits, statement: 200 } })
  const context = { ...fixture.context, sql: hurried }
  try {
    await database.sql.begin(async (tx) => {
      await tx`lock table all_trades in access exclusive mode`
      const refused = { code: 'too_many_trades' }
      await expect(listProjectFigures(context, admin, {})).rejects.toMatchObject(refused)
      await expect(listAppFigures(context, admin, { projectId })).rejects.toMatchObject(refused)
      await expect(tradeTotals(context, admin, { projectId })).rejects.toMatchObject(refused)
    })
  } finally {
    await hurried.end()
  }
})
