import { minute, second } from '@souk/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../test/database.ts'
import { deleteLimitCounts } from '../domain/installation/index.ts'
import { createLog } from '../kernel/log.ts'
import { SharedCounts, windowLength } from './sharedCounts.ts'

let database: FreshDatabase
const started: SharedCounts[] = []
let logged: string[]
/** Each test counts its own, since a count of the test before may still be on its way. */
let key = ''

beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(({ task }) => {
  logged = []
  key = task.id
})
afterEach(() => {
  for (const counts of started.splice(0)) counts.stop()
})
afterAll(() => database.drop())

/** Creates a server process whose clock is `skew` ms ahead. It waits for a slow database unless `patience` is set. */
function newProcess({ skew = 0, patience = minute }: { skew?: number; patience?: number } = {}) {
  const clock = new TestClock()
  clock.time += skew
  const log = createLog('info', { write: (line) => logged.push(line) })
  const counts = new SharedCounts({ sql: database.sql, clock, log }, patience)
  started.push(counts)
  return {
    clock,
    /** Returns how many of `requests` are within the limit. */
    async admit(requests: number, { limit, slack = 0 }: { limit: number; slack?: number }): Promise<number> {
      const all = Array.from({ length: requests }, () => counts.count(key, { limit, slack }))
      return (await Promise.all(all)).filter(({ position }) => position <= limit).length
    },
  }
}

test('exact limits admit as many requests at two processes as at one', async () => {
  const [one, other] = [newProcess(), newProcess()]
  const admitted = await Promise.all([one.admit(30, { limit: 40 }), other.admit(30, { limit: 40 })])
  expect(admitted[0] + admitted[1]).toBe(40)
  expect(await one.admit(1, { limit: 40 })).toBe(0)
})

test('with slack, each further process admits at most the slack more, and none is refused below the limit', async () => {
  const processes = [newProcess(), newProcess(), newProcess()]
  const options = { limit: 100, slack: 5 }
  let admitted = 0
  for (let round = 0; round < 50; round++) {
    const each = await Promise.all(processes.map(({ admit }) => admit(1, options)))
    admitted += each.reduce((sum, count) => sum + count, 0)
  }
  expect(admitted).toBeGreaterThanOrEqual(100)
  expect(admitted).toBeLessThanOrEqual(110)
})

test('requests within the slack do not wait for the database', async () => {
  const { admit } = newProcess()
  await database.sql.begin(async (tx) => {
    await tx`lock table limit_counts in access exclusive mode`
    expect(await admit(5, { limit: 100, slack: 5 })).toBe(5)
  })
  expect(logged).toEqual([])
})

test('a window starts again after two seconds, at all processes', async () => {
  const [one, other] = [newProcess(), newProcess()]
  expect(await one.admit(5, { limit: 4 })).toBe(4)
  for (const { clock } of [one, other]) clock.time += windowLength - 1
  expect(await other.admit(5, { limit: 4 })).toBe(0)
  for (const { clock } of [one, other]) clock.time += 1
  expect(await other.admit(5, { limit: 4 })).toBe(4)
  expect(await one.admit(5, { limit: 4 })).toBe(0)
})

test.each([3_000, -3_000])('a clock that is %i ms ahead does not multiply the limit', async (skew) => {
  const [one, other] = [newProcess(), newProcess({ skew })]
  const admitted: number[] = []
  for (let round = 0; round < 20; round++) {
    admitted.push(await one.admit(3, { limit: 4 }), await other.admit(3, { limit: 4 }))
    for (const { clock } of [one, other]) clock.time += 500
  }
  // Ten seconds are five windows; the first of the slower clock ends early.
  expect(admitted.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(6 * 4)
})

test('each process counts alone while the database does not answer, and together with the others afterwards', async () => {
  const [one, other] = [newProcess({ patience: second }), newProcess({ patience: second })]
  await database.sql.begin(async (tx) => {
    await tx`lock table limit_counts in access exclusive mode`
    expect(await one.admit(6, { limit: 4 })).toBe(4)
    expect(await other.admit(6, { limit: 4 })).toBe(4)
  })
  expect(logged.filter((line) => line.includes('counted per process'))).toHaveLength(2)
  for (const { clock } of [one, other]) clock.time += windowLength
  const admitted = [await one.admit(6, { limit: 4 }), await other.admit(6, { limit: 4 })]
  expect(admitted).toEqual([4, 0])
  expect(logged.filter((line) => line.includes('across processes again'))).toHaveLength(2)
})

test('a crash of the database, which empties the table, starts the window again', async () => {
  const { admit } = newProcess()
  expect(await admit(3, { limit: 4 })).toBe(3)
  await database.sql`truncate limit_counts`
  expect(await admit(5, { limit: 4 })).toBe(1)
})

test('deletes the counts of windows that are over', async () => {
  const { admit, clock } = newProcess()
  await admit(1, { limit: 4 })
  await deleteLimitCounts(database.sql, clock.real())
  const stored = () => database.sql`select from limit_counts where key = ${key}`
  expect(await stored()).toHaveLength(1)
  clock.time += 121_000
  await deleteLimitCounts(database.sql, clock.real())
  expect(await stored()).toHaveLength(0)
})
