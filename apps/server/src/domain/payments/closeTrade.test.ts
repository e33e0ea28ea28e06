import type { Outcome } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { hour, type Stage, tradeStage } from '../../../test/tradeFixture.ts'
import { closeTrade, reconcilePayments } from './index.ts'

let database: FreshDatabase
let stage: Stage

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  stage = await tradeStage(database.sql)
})

const close = (tradeNo: string, context = stage.context) => closeTrade(context, stage.app, { tradeNo })

test('closing is true, and true again; there is no callback', async () => {
  const tradeNo = await stage.create()
  expect(await close(tradeNo)).toBe(true)
  expect(await close(tradeNo.toUpperCase())).toBe(true)
  expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 6, failReasonType: 22, notifySuccess: null })
  expect(await stage.story(tradeNo)).toEqual(['closed'])
  expect(await stage.sql`select 1 from callbacks where trade_no = ${tradeNo}`).toEqual([])
})

test.each([
  ['succeeded', 'has succeeded'],
  ['failed:24', 'has failed'],
  ['canceled', 'was canceled'],
] as const)('a trade that ended as %s is not closed: 409 names the state', async (outcome, state) => {
  const tradeNo = await stage.create()
  await stage.pay(tradeNo, outcome)
  await expect(close(tradeNo)).rejects.toMatchObject({
    code: 'trade_not_processing',
    status: 409,
    message: `The trade is no longer processing. The trade ${state}.`,
  })
})

test('a trade whose time has come is expired, not closed', async () => {
  const tradeNo = await stage.create()
  stage.context.clock.ahead = 2 * hour
  await expect(close(tradeNo)).rejects.toThrow('The trade has expired.')
})

test('an unknown trade and another app’s are not found', async () => {
  const foreign = await (await tradeStage(database.sql)).create()
  for (const tradeNo of [foreign, '0'.repeat(32)]) {
    await expect(close(tradeNo)).rejects.toMatchObject({ code: 'trade_not_found' })
  }
})

describe('with an attempt in flight', () => {
  const paying = async (outcome: Outcome) => {
    const tradeNo = await stage.create()
    await stage.pay(tradeNo, outcome)
    return tradeNo
  }

  test.each(['pending', 'challenge', 'delayed'] as const)('%s is cancelled at the provider first', async (outcome) => {
    const tradeNo = await paying(outcome)
    expect(await close(tradeNo)).toBe(true)
    const [payment] = await stage.sql`
      select s.state, a.state as attempt
      from sandbox_payments s join payment_attempts a using (attempt_id) where trade_no = ${tradeNo}`
    expect(payment).toEqual({ state: 'canceled', attempt: 'canceled' })
    expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 6, failReasonType: 22 })
  })

  test('money that was faster wins: the trade has succeeded', async () => {
    const tradeNo = await paying('lost')
    await expect(close(tradeNo)).rejects.toThrow('The trade has succeeded.')
    expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 2 })
  })

  test('a payment that the provider has lost sight of does not hold the close up', async () => {
    const tradeNo = await paying('late')
    expect(await close(tradeNo)).toBe(true)
  })

  test('a close that dies after the provider has cancelled is completed as a close', async () => {
    const tradeNo = await paying('pending')
    let begins = 0
    const sql = new Proxy(stage.sql, {
      get: (target, name) => {
        // The transaction that notes the wish, the one in the provider's books, and then the door.
        if (name === 'begin' && ++begins === 3) throw new Error('killed')
        return Reflect.get(target, name)
      },
    })
    await expect(close(tradeNo, Object.assign(Object.create(stage.context), { sql }))).rejects.toThrow('killed')
    expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 1 })
    stage.context.clock.ahead = 60_000
    await reconcilePayments(stage.context)
    expect(await stage.detail(tradeNo)).toMatchObject({ transactionStatus: 6 })
  })
})
