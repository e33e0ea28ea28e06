import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { newId } from '../../../kernel/id.ts'
import { insertEndpoint } from './endpoints.store.ts'
import { findDelivery, insertDelivery, insertEvent, lockDeliveries, updateDeliveriesToDead } from './store.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('an endpoint is disabled while attempts of its deliveries are recorded', async () => {
  const { sql } = database
  const endpointId = newId()
  const deliveryIds = [newId(), newId()].sort()
  const url = 'http://localhost:8080/events'
  await sql.begin(async (tx) => {
    const times = { enabled: true, goneTime: null, failedTime: null, enabledTime: 0, ctime: 0 }
    await insertEndpoint(tx, { endpointId, url, description: null, types: ['user.erased'], ...times })
    // Rows are in another order than their numbers, as after retries.
    for (const deliveryId of deliveryIds.toReversed()) {
      const eventId = newId()
      await insertEvent(tx, { eventId, type: 'user.erased', data: {}, time: 0 }, [])
      const schedule = { state: 'pending', nextAttempt: 0, traceparent: null } as const
      await insertDelivery(tx, { deliveryId, eventId, endpointId }, schedule, 0)
    }
  })
  const deliveries = await Promise.all(deliveryIds.map((deliveryId) => findDelivery(sql, deliveryId)))
  const all = deliveries.flatMap((delivery) => delivery ?? [])

  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: isFirstLocked, resolve: locked } = Promise.withResolvers<void>()
  const first = sql.begin(async (tx) => {
    await lockDeliveries(tx, all.slice(0, 1))
    locked()
    await isOver
  })
  await isFirstLocked
  const recorded = sql.begin((tx) => lockDeliveries(tx, all))
  await untilWaiting(sql, 1)
  const disabled = sql.begin((tx) => updateDeliveriesToDead(tx, endpointId))
  await untilWaiting(sql, 2)
  end()
  await Promise.all([first, recorded, disabled])
  expect(await sql`select distinct state from event_deliveries`).toEqual([{ state: 'dead' }])
})
