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
afterEach(() => void vi.useRealTimers())

/** Returns the clock of a process on a machine whose clock is `skew` ms ahead, after it has followed the database. */
async function clockOf(skew: number, clock = new OffsetClock()): Promise<OffsetClock> {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skew })
  await followDatabaseClock({ sql: database.sql, clock })
  return clock
}

test.each([-3 * second, 3 * second, hour])(
  'the domain clock is the database clock on a machine %i ms ahead',
  async (skew) => {
    const clock = await clockOf(skew)
    // The time of this process is frozen from here on.
    expect(Math.abs((await findDatabaseTime(database.sql)) - clock.now())).toBeLessThan(Math.abs(skew))
    clock.offset = hour
    expect(clock.now() - clock.real()).toBe(hour + clock.skew)
    expect(Math.round(clock.skew / second)).toBe(-skew / second)
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
