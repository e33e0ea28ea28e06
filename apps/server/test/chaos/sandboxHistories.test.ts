import { hour, minute, type Outcome, outcomes, statusName } from '@souk/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FullContext } from '../../src/domain/context.ts'
import {
  answerChallenge,
  cancelPayment,
  closeTrade,
  createTrade,
  decideSandboxPayments,
  deliverDueCallbacks,
  expireTrades,
  pay,
  paymentResult,
  queryPendingAttempts,
  refundTrade,
  resolvePayment,
} from '../../src/domain/money/index.ts'
import { type FreshDatabase, freshDatabase } from '../database.ts'
import { admin, createTradeFixture, type TradeFixture } from '../tradeFixture.ts'

let database: FreshDatabase
let fixture: TradeFixture

beforeAll(async () => {
  database = await freshDatabase()
  fixture = await createTradeFixture(database.sql)
})
afterAll(() => database.drop())

/** An event of a history. The process is killed at the statement in `diesAt`. */
type Command =
  | { kind: 'create' | 'close' | 'cancel' | 'look' | 'expire' | 'decide' | 'reconcile' | 'refund' | 'deliver' }
  | { kind: 'pay'; outcome: Outcome; diesAt?: 'before the provider' | 'after the provider' }
  | { kind: 'resolve'; outcome: Outcome }
  | { kind: 'answer'; passed: boolean }
  | { kind: 'wait'; ms: number }
  | { kind: 'refundTrade'; amount: number }
  | { kind: 'charge wrongly' }

const outcome = fc.constantFrom(...outcomes)
const plain = (...kinds: Exclude<Command['kind'], 'pay' | 'resolve' | 'answer' | 'wait' | 'refundTrade'>[]) =>
  fc.constantFrom(...kinds).map((kind): Command => ({ kind }))
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), outcome }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      outcome,
      diesAt: fc.constantFrom('before the provider' as const, 'after the provider' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resolve' as const), outcome }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('answer' as const), passed: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(30_000, minute, 2 * hour, 25 * hour),
    }),
  },
  { weight: 3, arbitrary: plain('close', 'cancel') },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('refundTrade' as const), amount: fc.constantFrom(1, 500, 1250) }),
  },
  { weight: 4, arbitrary: plain('create', 'look', 'expire', 'decide', 'reconcile', 'refund', 'deliver') },
  { weight: 1, arbitrary: plain('charge wrongly') },
)
/** A history of sequential steps with concurrent commands. */
const history = fc.array(fc.array(command, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 9 })

/** Returns a context whose process is killed at a statement. */
function dyingContext(context: FullContext, diesAt: 'before the provider' | 'after the provider'): FullContext {
  let begins = 0
  const sql = new Proxy(context.sql, {
    apply: (target, self, args) => {
      if (diesAt === 'before the provider' && String(args[0]).includes('insert into sandbox_payments'))
        throw new Killed()
      return Reflect.apply(target, self, args)
    },
    get: (target, name) => {
      // The third transaction settles, after those of the audit row and the attempt.
      if (name === 'begin' && ++begins === 3) throw new Killed()
      return Reflect.get(target, name)
    },
  })
  return Object.assign(Object.create(context), { sql })
}

class Killed extends Error {}

async function run(command: Command, tradeNo: string, order: ReturnType<TradeFixture['order']>): Promise<unknown> {
  const { context, app, payer } = fixture
  switch (command.kind) {
    case 'create':
      return createTrade(context, app, order)
    case 'close':
      return closeTrade(context, app, { tradeNo })
    case 'cancel':
      return cancelPayment(context, payer, { tradeNo })
    case 'look':
      return Promise.all([fixture.detail(tradeNo), paymentResult(context, payer, { tradeNo })])
    case 'expire':
      return expireTrades(context)
    case 'decide':
      return decideSandboxPayments(context)
    case 'reconcile':
      return queryPendingAttempts(context)
    case 'refund':
      return fixture.returnOwedMoney()
    case 'deliver':
      return deliverDueCallbacks(context)
    case 'pay': {
      const process = command.diesAt ? dyingContext(context, command.diesAt) : context
      return pay(process, admin, { tradeNo, uid: payer.uid, outcome: command.outcome })
    }
    case 'resolve':
      return resolvePayment(context, admin, { tradeNo, outcome: command.outcome })
    case 'answer':
      return answerChallenge(context, payer, { tradeNo, passed: command.passed })
    case 'wait':
      context.clock.ahead += command.ms
      return undefined
    case 'refundTrade':
      return refundTrade(context, admin, { tradeNo, amount: command.amount, note: 'Sent twice' })
    case 'charge wrongly':
      return fixture.sql`
        update sandbox_payments set amount = amount + 1
        where state in ('pending', 'challenge')
          and attempt_id in (select attempt_id from payment_attempts where trade_no = ${tradeNo})`
  }
}

/** Errors that commands may end with. */
const expectedErrors = [
  'trade_not_processing',
  'payment_in_flight',
  'payment_not_pending',
  'out_trade_no_conflict',
  'trade_not_refundable',
  'refund_too_large',
]

async function runStep(commands: Command[], tradeNo: string, order: ReturnType<TradeFixture['order']>): Promise<void> {
  for (const result of await Promise.allSettled(commands.map((each) => run(each, tradeNo, order)))) {
    if (result.status === 'fulfilled' || result.reason instanceof Killed) continue
    if (!expectedErrors.includes(result.reason.code)) throw result.reason
  }
}

interface TradeFacts {
  status: number
  reason: number
  ends: string[]
  callbacks: number[]
  settled: number
  owed: number
  refunded: number
  kept: number
  ledger: Record<'provider' | 'merchant' | 'returns', number>
}

async function readSummary(tradeNo: string): Promise<TradeFacts> {
  const [row] = await fixture.sql<[TradeFacts]>`
    select transaction_status as status, fail_reason_type as reason,
      array(select event from trade_events where trade_no = t.trade_no
        and event in ('succeeded', 'failed', 'expired', 'canceled', 'closed')) as ends,
      array(select (fields ->> 'transactionStatus')::int from callbacks where trade_no = t.trade_no) as callbacks,
      (select coalesce(sum(s.amount), 0)::bigint from payment_attempts a join sandbox_payments s using (attempt_id)
        where a.trade_no = t.trade_no and a.state = 'succeeded') as settled,
      (select coalesce(sum(amount), 0)::bigint from refunds where trade_no = t.trade_no and initiator = 'system') as owed,
      (select coalesce(sum(amount), 0)::bigint from refunds where trade_no = t.trade_no and initiator = 'operator') as refunded,
      (select coalesce(sum(s.amount - (select coalesce(sum(value::bigint), 0) from jsonb_each_text(s.refunds))), 0)::bigint
        from payment_attempts a join sandbox_payments s using (attempt_id)
        where a.trade_no = t.trade_no and s.state in ('succeeded', 'refunded')) as kept,
      (select json_object_agg(owner, coalesce(moved, 0)) from unnest(array['provider', 'merchant', 'returns']) owner
        left join lateral (
          select sum(case when split_part(debit, ':', 1) = owner then amount else -amount end) as moved from ledger_entries
          where trade_no = t.trade_no and owner in (split_part(debit, ':', 1), split_part(credit, ':', 1))) l on true
      ) as ledger
    from trades t where trade_no = ${tradeNo}`
  return row
}

const reasons: Record<number, number[]> = {
  1: [-1],
  2: [-1],
  3: [1, 2, 3, 4, 5, 6, 10, 11, 24, 25, 26, 27],
  4: [21],
  5: [-1],
  6: [22],
}

function check(now: TradeFacts, before: TradeFacts | undefined): void {
  expect(reasons[now.status]).toContain(now.reason)
  expect(now.ends).toEqual(now.status === 1 ? [] : [statusName(now.status)])
  expect(now.callbacks).toEqual(now.status === 1 || now.status === 6 ? [] : [now.status])
  expect(now.settled - now.owed).toBe(now.status === 2 ? 1250 : 0)
  const { provider, merchant, returns } = now.ledger
  expect(provider + merchant + returns).toBe(0)
  expect(merchant).toBe(now.status === 2 ? now.refunded - 1250 : 0)
  expect(merchant).toBeLessThanOrEqual(0)
  expect(returns).toBeLessThanOrEqual(0)
  if (before && before.status !== 1) expect([now.status, now.reason]).toEqual([before.status, before.reason])
}

test('every history of payments, closes, clock moves, crashes and late results leaves a trade consistent', async () => {
  const reached = new Set<number>()
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const order = fixture.order()
      const { tradeNo } = await createTrade(fixture.context, fixture.app, order)
      let before: TradeFacts | undefined
      for (const step of steps) {
        await runStep(step, tradeNo, order)
        const now = await readSummary(tradeNo)
        check(now, before)
        before = now
      }
      reached.add(before!.status)

      // After enough time every trade is final, and no unapplied payment is left.
      for (let days = 0; days < 2; days++) {
        for (const job of [decideSandboxPayments, queryPendingAttempts, expireTrades, deliverDueCallbacks])
          await job(fixture.context)
        fixture.context.clock.ahead += 26 * hour
      }
      for (const job of [decideSandboxPayments, queryPendingAttempts, expireTrades]) await job(fixture.context)
      await fixture.returnOwedMoney()
      const end = await readSummary(tradeNo)
      check(end, before)
      expect(end.status).not.toBe(1)
      expect(end.kept).toBe(end.status === 2 ? 1250 - end.refunded : 0)
      expect(end.ledger).toEqual({ provider: end.kept, merchant: 0 - end.kept, returns: 0 })
      await fixture.sql`delete from graphile_worker._private_jobs`
    }),
    { numRuns: 150 },
  )
  expect([...reached].sort()).toEqual([1, 2, 3, 4, 5, 6])
})
