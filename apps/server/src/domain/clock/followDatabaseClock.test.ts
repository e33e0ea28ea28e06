import { hour, second } from '@souk/contract'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { createTradeFixture } from '../../../test/tradeFixture.ts'
import { OffsetClock } from '../../kernel/clock.ts'
import { deliverDueCallbacks } from '../callbacks/index.ts'
import { followDatabaseClock } from './index.ts'
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
  await followDatabaseClock({ sql: database.sql, clock })
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
