import { hour, minute, second } from '@souk/contract'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { createTradeFixture } from '../../../../test/tradeFixture.ts'
import { OffsetClock } from '../../../kernel/clock.ts'
import { createLog } from '../../../kernel/log.ts'
import { deliverDueCallbacks } from '../../money/index.ts'
import { compareClocks, DatabaseClock } from './index.ts'
import { findDatabaseTime } from './store.ts'

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
afterEach(() => void vi.restoreAllMocks())

/** Returns the clock of a process on a machine whose clock is `skew` ms ahead, after it has followed the database. */
async function clockOf(skew: number, clock = new OffsetClock()): Promise<OffsetClock> {
  vi.restoreAllMocks()
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + skew)
  await compareClocks({ sql: database.sql, clock })
  return clock
}

test.each([-3 * second, 3 * second, hour])(
  'the domain clock is the database clock on a machine %i ms ahead',
  async (skew) => {
    const began = performance.now()
    const clock = await clockOf(skew)
    // It is as exact as the comparison took.
    const tolerance = performance.now() - began + 1
    const before = clock.now()
    const time = await findDatabaseTime(database.sql)
    expect(time).toBeGreaterThanOrEqual(before - tolerance)
    expect(time).toBeLessThanOrEqual(clock.now() + tolerance)
    expect(Math.abs(clock.skew + skew)).toBeLessThanOrEqual(tolerance)

    vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    clock.offset = hour
    expect(clock.now() - clock.real()).toBe(hour + clock.skew)
  },
)

test('a callback of a process that is 3 s ahead is delivered immediately by one that is 3 s behind', async () => {
  const fixture = await createTradeFixture(database.sql)
  const clock = await clockOf(3 * second)
  Object.assign(fixture.context, { clock })
  await fixture.pay(await fixture.create(), 'succeeded')
  await deliverDueCallbacks({ ...fixture.context, clock: await clockOf(-3 * second) })
  expect(fixture.received).toHaveLength(1)
})

describe('a clock', () => {
  const { now } = Date
  const setWallClock = (ahead: number) => vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead)

  test.each([
    [0, 0, false],
    [29 * second, 0, false],
    [-29 * second, 0, false],
    [31 * second, 0, true],
    [-31 * second, 0, true],
    // A slow answer of the database says nothing about its clock.
    [35 * second, 6 * second, false],
    [-35 * second, 6 * second, false],
    [3 * hour, 6 * second, true],
  ])('that is %i ms ahead of the database, exact to %i ms, is wrong: %s', (ahead, uncertainty, isWrong) => {
    const clock = new OffsetClock()
    clock.compare(now() - ahead, uncertainty)
    expect(clock.isWrong()).toBe(isWrong)
    expect(Math.abs(clock.difference - ahead)).toBeLessThan(second)
  })

  test.each([3 * hour, -3 * hour])('that is set by %i ms is wrong at once, and its times continue', (ahead) => {
    const clock = new OffsetClock()
    clock.compare(now() - second, 0)
    setWallClock(ahead)
    expect(clock.isWrong()).toBe(true)
    expect(Math.abs(clock.real() - now())).toBeLessThan(second)
    expect(Math.abs(clock.now() - (now() - second))).toBeLessThan(second)
    clock.compare(now() - second, 0)
    expect(clock.isWrong()).toBe(true)
    expect(Math.abs(clock.now() - (now() - second))).toBeLessThan(second)
    vi.restoreAllMocks()
    clock.compare(now() - second, 0)
    expect(clock.isWrong()).toBe(false)
  })

  test.each([3 * hour, -3 * hour])('does not follow a database whose clock is set by %i ms', (ahead) => {
    const clock = new OffsetClock()
    clock.compare(now(), 0)
    clock.compare(now() + ahead, 0)
    expect(clock.isWrong()).toBe(true)
    expect(Math.abs(clock.now() - now())).toBeLessThan(second)
  })

  test('of a sandbox that was moved is not wrong', () => {
    const clock = new OffsetClock()
    clock.compare(now(), 0)
    clock.offset = 30 * hour
    expect(clock.isWrong()).toBe(false)
    expect(clock.now() - clock.real()).toBe(30 * hour)
  })

  test('is right again after the machine slept, when it has been compared', () => {
    const clock = new OffsetClock()
    clock.compare(now(), 0)
    setWallClock(hour)
    expect(clock.isWrong()).toBe(true)
    clock.compare(now() + hour, 0)
    expect(clock.isWrong()).toBe(false)
    expect(Math.abs(clock.now() - (now() + hour))).toBeLessThan(second)
  })
})

test('work stops while the clock is wrong, and each episode is logged once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: { level: number; msg: string; difference: number }[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const clock = new OffsetClock()
  const databaseClock = new DatabaseClock({ sql: database.sql, clock, log }, 20)
  onTestFinished(() => databaseClock.stop())
  await databaseClock.start()
  const events: string[] = []
  const work = await databaseClock.runWhileRight(async () => {
    events.push('started')
    return { stop: async () => void events.push('stopped') }
  })
  const right = Date.now
  const realTime = () => performance.timeOrigin + performance.now()
  expect(Math.abs(right() - realTime())).toBeLessThan(minute)
  for (const ahead of [hour, -hour]) {
    vi.setSystemTime(realTime() + ahead)
    const { length } = events
    await expect.poll(() => events.length).toBe(length + 1)
    vi.setSystemTime(realTime())
    await expect.poll(() => events.length).toBe(length + 2)
  }
  expect(events).toEqual(['started', 'stopped', 'started', 'stopped', 'started'])
  await work.stop()
  expect(events.at(-1)).toBe('stopped')
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [50, expect.stringMatching(/^The clock of this process is 3,(600|599) s ahead of the clock of the database\./)],
    [30, 'the clocks of this process and the database agree again'],
    [50, expect.stringMatching(/^The clock of this process is 3,(600|601) s behind the clock of the database\./)],
    [30, 'the clocks of this process and the database agree again'],
  ])
})
