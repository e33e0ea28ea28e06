import { hour } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../../../test/database.ts'
import { newId } from '../../../../../kernel/id.ts'
import type { PaymentOrder } from '../port.ts'
import { SandboxProvider } from './sandbox.ts'

let database: FreshDatabase
let clock: TestClock
let order: PaymentOrder

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.sql`truncate sandbox_payments`
  clock = new TestClock()
  order = {
    attemptId: newId(),
    appid: 'teahouse00000001',
    tradeNo: newId(),
    description: null,
    amount: 1250,
    currency: 'SAR',
    payMethod: 3,
    timeExpire: clock.now() + 2 * hour,
    returnUrl: 'http://souk.test/host/v1/return',
  }
})

const reference = ({ attemptId } = order) => ({ attemptId, payNo: null })
const provider = (...chosen: ConstructorParameters<typeof SandboxProvider>[1][]) =>
  new SandboxProvider({ sql: database.sql, clock }, ...chosen)

test('creating a payment again returns the existing one', async () => {
  const first = await provider('succeeded').create(order)
  expect(first).toMatchObject({ kind: 'succeeded', amount: 1250, currency: 'SAR' })
  expect(await provider('failed:1').create(order)).toEqual(first)
  expect(await provider().query(reference())).toEqual(first)
})

test('a payment that was never created is unknown', async () => {
  expect(await provider().query(reference())).toEqual({ kind: 'unknown' })
  expect(await provider().cancel(reference())).toEqual({ kind: 'unknown' })
  expect(await provider().refund(reference(), { refundNo: newId(), amount: 1, currency: 'SAR' })).toEqual({
    kind: 'refused',
    reason: 'the payment does not exist',
  })
})

test('cancels payments in flight and reports others', async () => {
  await provider('delayed').create(order)
  expect(await provider().cancel(reference())).toMatchObject({ kind: 'canceled' })
  clock.ahead = 25 * hour
  expect(await provider().decideDue(10)).toEqual([])

  const paid = { ...order, attemptId: newId() }
  await provider('succeeded').create(paid)
  expect(await provider().cancel(reference(paid))).toMatchObject({ kind: 'succeeded' })
})

test('refunds each refundNo once, up to the paid amount', async () => {
  await provider('succeeded').create(order)
  const [part, rest] = [newId(), newId()]
  const refund = (refundNo: string, amount: number) =>
    provider().refund(reference(), { refundNo, amount, currency: 'SAR' })
  expect(await refund(part, 1000)).toEqual({ kind: 'returned' })
  expect(await refund(part, 1000)).toEqual({ kind: 'returned' })
  expect(await provider().query(reference())).toMatchObject({ kind: 'succeeded', amount: 1250, refunded: 1000 })
  expect(await refund(newId(), 251)).toEqual({ kind: 'refused', reason: '250 cents of the payment are left' })
  expect(await refund(rest, 250)).toEqual({ kind: 'returned' })
  expect(await provider().query(reference())).toMatchObject({ kind: 'succeeded', amount: 1250, refunded: 1250 })
  expect(await refund(newId(), 1)).toMatchObject({ kind: 'refused' })
})

describe('its decisions', () => {
  test('are repeated until they are settled', async () => {
    await provider('delayed').create(order)
    clock.ahead = 30_000
    const decided = await provider().decideDue(10)
    expect(decided).toMatchObject([{ state: 'succeeded' }])
    expect(await provider().decideDue(10)).toEqual(decided)
    await provider().markReported(decided[0]!)
    expect(await provider().decideDue(10)).toEqual([])
  })

  test('wait until the earlier one of a late payment is settled, and are repeated if only that one was', async () => {
    await provider('late').create(order)
    clock.ahead = 25 * hour
    const [failed] = await provider().decideDue(10)
    expect(failed).toMatchObject({ state: 'failed' })
    expect(await provider().decideDue(10)).toEqual([failed])
    await provider().markReported(failed!)
    expect(await provider().decideDue(10)).toMatchObject([{ state: 'succeeded' }])
    // Another run has settled the earlier one, too.
    await provider().markReported(failed!)
    expect(await provider().decideDue(10)).toMatchObject([{ state: 'succeeded' }])
  })
})

test('reports the stored state by webhook and rejects unknown payments', async () => {
  await provider('pending').create(order)
  await provider().resolve(order.attemptId, 'failed:10')
  const [decided] = await provider().decideDue(10)
  expect(await provider().webhook(Buffer.from(decided!.payNo))).toEqual({
    attemptId: order.attemptId,
    result: { kind: 'failed', payNo: decided!.payNo, failReasonType: 10 },
  })
  await expect(provider().webhook(Buffer.from('{"status":"succeeded"}'))).rejects.toThrow('has no such payment')
})
