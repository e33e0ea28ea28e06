import { day, SoukError } from '@souk/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { createPartitions } from '../../../kernel/db/partitions.ts'
import type { AdminCaller } from '../../caller.ts'
import { createApp } from '../apps/index.ts'
import { listRequests, pruneRequestLog, RequestLog, searchRequests } from './index.ts'
import type { LoggedRequest } from './store.ts'
import { UnauthenticatedSample } from './unauthenticatedSample.ts'

const admin: AdminCaller = { kind: 'admin' }

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let log: RequestLog

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  context = identityContext(database.sql)
  log = new RequestLog(context)
  await database.sql`truncate request_log`
})
afterEach(() => log.close())

function entry(requestId: string, more: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    requestId,
    time: context.clock.real(),
    appid: 'a11111111111111',
    operation: 'trade',
    status: 200,
    code: null,
    reason: null,
    duration: 1.5,
    diagnosis: null,
    tradeNo: null,
    client: null,
    ...more,
  }
}

const failedEntry = (requestId: string) => entry(requestId, { status: 404, code: 'trade_not_found' })

async function stored(): Promise<string[]> {
  const rows = await database.sql<{ requestId: string }[]>`
    select request_id from request_log order by request_no`
  return rows.map(({ requestId }) => requestId)
}

async function dropped(): Promise<number> {
  const { values } = await context.metrics.requestLogDropped.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

test('lists entries as they were recorded, newest first', async () => {
  const failed = entry('two', {
    appid: null,
    status: 401,
    code: 'sign_mismatch',
    reason: 'Failed to verify signature. "\\{}, ف 茶',
    duration: 0.25,
    diagnosis: { canonicalString: 'a=b{,}"\\secret=***', mistakes: [{ mistake: 'x', explanation: 'y' }] },
  })
  log.record(entry('one'))
  log.record(failed)
  await log.flush()
  expect(await listRequests(context, admin, {})).toEqual([failed, entry('one')])
})

test('filters by app and failure, and limits the number', async () => {
  const { appid } = await createApp(context, admin, { name: 'App' })
  log.record(entry('other'))
  for (const n of [1, 2, 3]) log.record(entry(`ok ${n}`, { appid }))
  log.record(entry('failed', { appid, status: 404, code: 'trade_not_found' }))
  await log.flush()
  const ids = async (input: Parameters<typeof listRequests>[2]) =>
    (await listRequests(context, admin, input)).map(({ requestId }) => requestId)
  expect(await ids({ appid })).toEqual(['failed', 'ok 3', 'ok 2', 'ok 1'])
  expect(await ids({ appid, limit: 2 })).toEqual(['failed', 'ok 3'])
  expect(await ids({ failed: true })).toEqual(['failed'])
  await expect(listRequests(context, admin, { appid: 'zzzzzzzzzzzzzzz' })).rejects.toEqual(
    expect.objectContaining({ name: SoukError.name, code: 'app_not_found' }),
  )
})

test('filters by a part of the client, of one mini app or of all', async () => {
  const { appid } = await createApp(context, admin, { name: 'App' })
  log.record(entry('python', { client: 'souk-python/0.2.0 (CPython 3.11.2)' }))
  log.record(entry('go', { client: 'souk-go/0.2.0' }))
  log.record(entry('own', { appid, client: 'Souk-Python/0.1.0' }))
  log.record(entry('unnamed', { appid }))
  await log.flush()
  const ids = async (input: Parameters<typeof listRequests>[2]) =>
    (await listRequests(context, admin, input)).map(({ requestId }) => requestId)
  expect(await ids({ client: 'souk-PYTHON' })).toEqual(['own', 'python'])
  expect(await ids({ client: 'python', limit: 1 })).toEqual(['own'])
  expect(await ids({ client: 'souk', appid })).toEqual(['own'])
  expect(await ids({ client: 'curl' })).toEqual([])
  const { projectId } = (await context.apps.find(appid))!
  const found = await searchRequests(context, admin, { projectId, client: 'python' })
  expect(found.items.map(({ requestId }) => requestId)).toEqual(['own'])
})

test('writes entries in order, in batches of up to 500', async () => {
  const ids = Array.from({ length: 1200 }, (_, n) => String(n))
  for (const id of ids) log.record(failedEntry(id))
  await log.flush()
  expect(await stored()).toEqual(ids)
  const batches = await database.sql<{ size: number }[]>`
    select count(*)::int as size from request_log group by xmin::text order by min(request_no)`
  expect(batches.map(({ size }) => size)).toEqual([500, 500, 200])
  expect(await dropped()).toBe(0)
})

test('logs up to 100 successes per second, and all failures and remarks', async () => {
  const time = context.clock.real()
  for (let n = 0; n < 250; n++) log.record(entry(`ok ${n}`, { time }))
  log.record(entry('remarked', { time, reason: 'one openId was skipped' }))
  log.record(failedEntry('failed'))
  log.record(entry('next second', { time: time + 1000 }))
  await log.flush()
  const firstHundred = Array.from({ length: 100 }, (_, n) => `ok ${n}`)
  expect(await stored()).toEqual([...firstHundred, 'remarked', 'failed', 'next second'])
  expect(await dropped()).toBe(0)
})

test('writes a few entries without a flush', async () => {
  log.record(entry('one'))
  await expect.poll(stored).toEqual(['one'])
})

test('keeps buffered entries during a database outage', async () => {
  await database.sql`alter table request_log rename to request_log_away`
  for (let n = 0; n < 600; n++) log.record(failedEntry(String(n)))
  await log.flush()
  await database.sql`alter table request_log_away rename to request_log`
  log.record(entry('after'))
  await log.flush()
  expect(await stored()).toEqual([...Array.from({ length: 600 }, (_, n) => String(n)), 'after'])
  expect(await dropped()).toBe(0)
})

test('drops and counts entries beyond the buffer while the database hangs', async () => {
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = database.sql.begin(async (tx) => {
    await tx`lock table request_log in access exclusive mode`
    locked.resolve()
    await release.promise
  })
  await locked.promise
  for (let n = 0; n < 10_250; n++) log.record(failedEntry(String(n)))
  expect(await dropped()).toBe(250)
  release.resolve()
  await holder
  await log.flush()
  expect(await stored()).toHaveLength(10_000)
  log.record(entry('after'))
  await log.flush()
  expect((await stored()).at(-1)).toBe('after')
})

test('drops only the entries with invalid values', async () => {
  for (const id of ['one', 'two', 'bad \0', 'three', 'four']) log.record(entry(id))
  log.record(entry('bad status', { status: 100_000 }))
  await log.flush()
  expect(await stored()).toEqual(['one', 'two', 'three', 'four'])
  expect(await dropped()).toBe(2)
})

test('writes the buffer on close and records nothing after it', async () => {
  for (let n = 0; n < 700; n++) log.record(failedEntry(String(n)))
  await log.close()
  log.record(entry('late'))
  await log.close()
  expect(await stored()).toHaveLength(700)
  expect(await dropped()).toBe(1)
})

test('counts the lost entries on close during a database outage', async () => {
  await database.sql`alter table request_log rename to request_log_away`
  for (let n = 0; n < 3; n++) log.record(entry(String(n)))
  await log.close()
  await database.sql`alter table request_log_away rename to request_log`
  expect(await stored()).toEqual([])
  expect(await dropped()).toBe(3)
})

test('keeps a week of real time, and drops older days', async () => {
  await createPartitions(database.sql, context.clock.real())
  const [old, edge] = [context.clock.real() + 3 * day, context.clock.real() + 4 * day]
  for (const time of [old, edge]) log.record(entry(String(time), { time }))
  await log.flush()
  // Eight days after the first: its day ended more than a week ago.
  context.clock.real = () => old + 8 * day
  context.clock.ahead = 14 * day
  await pruneRequestLog(context)
  expect(await stored()).toEqual([String(edge)])
})

describe('requests without a valid sign', () => {
  const code = 'sign_mismatch'
  const unsigned = (n: number) => entry(`u${n}`, { status: 401, code, duration: 3, reason: 'Failed.' })

  test('are logged up to a number per address and in total, then counted', async () => {
    // A client with IPv6 can use all addresses of its network.
    for (let n = 0; n < 40_000; n++) log.recordUnauthenticated(unsigned(n), `2001:db8::${n % 1000}`)
    await log.flush()
    expect(await stored()).toHaveLength(60)
    for (let n = 0; n < 1000; n++) log.recordUnauthenticated(unsigned(n), `2001:db8:0:${n}::1`)
    await log.flush()
    expect(await stored()).toHaveLength(120)

    await log.close()
    const [summary, ...others] = await listRequests(context, admin, { limit: 1 })
    expect(others).toEqual([])
    expect(summary).toMatchObject({ appid: 'a11111111111111', operation: 'trade', status: 401, code, diagnosis: null })
    expect(summary!.reason).toBe('40880 more requests without a valid sign that are not logged individually.')
    expect(await stored()).toHaveLength(121)
    expect(await dropped()).toBe(0)
  })

  test('do not displace requests with a valid sign', async () => {
    for (let n = 0; n < 5000; n++) {
      log.recordUnauthenticated(unsigned(n), '192.0.2.1')
      if (n % 10 === 0) log.record(failedEntry(`signed ${n}`))
    }
    await log.flush()
    expect((await stored()).filter((id) => id.startsWith('signed'))).toHaveLength(500)
  })

  test('are summarized in few entries, even if they name many mini apps and operations', async () => {
    for (let n = 0; n < 5000; n++) log.recordUnauthenticated({ ...unsigned(n), appid: `a${n}` }, '192.0.2.1')
    await log.close()
    expect(await stored()).toHaveLength(60 + 50 + 1)
    const reasons = (await listRequests(context, admin, { limit: 200 })).map(({ reason }) => reason!)
    const counted = reasons.flatMap((reason) => /^(\d+) more/.exec(reason)?.[1] ?? []).map(Number)
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(5000 - 60)
  })

  test('are logged again in the next period', () => {
    const sample = new UnauthenticatedSample()
    const admitted = () => Array.from({ length: 70 }, (_, n) => sample.admit(unsigned(n), 'a')).filter(Boolean).length
    expect(admitted()).toBe(60)
    expect(sample.takeSummaries()).toHaveLength(1)
    expect(admitted()).toBe(60)
  })
})
