import { randomUUID } from 'node:crypto'
import type { Outcome, openOperations, ParametersOf, ResultOf } from '@souk/contract'
import { createApp } from '../src/domain/apps/index.ts'
import type { AdminCaller, AppCaller, HostUserCaller } from '../src/domain/caller.ts'
import type { Context, SendCallback } from '../src/domain/context.ts'
import { createUser, ensureOpenId } from '../src/domain/identity/index.ts'
import { ledger, returnMoney } from '../src/domain/money/index.ts'
import { pay } from '../src/domain/payments/index.ts'
import { createTrade, tradeDetail } from '../src/domain/trades/index.ts'
import type { Sql } from '../src/kernel/db/pool.ts'
import { createEgress } from '../src/kernel/egress.ts'
import { identityContext, type TestClock } from './context.ts'

type CreateInput = Omit<ParametersOf<typeof openOperations.trade>, 'appid' | 'timestamp' | 'sign'>
type Answer = Awaited<ReturnType<SendCallback>>
type TradeDetail = ResultOf<typeof openOperations.tradedetail>

export const minute = 60_000
export const hour = 60 * minute
export const admin: AdminCaller = { kind: 'admin' }

/** A mini app with one of its users, and a merchant's server that takes callbacks. */
export interface TradeFixture {
  context: Context & { clock: TestClock }
  sql: Sql
  app: AppCaller
  secret: string
  payer: HostUserCaller
  /** A user who is not the payer. */
  stranger: HostUserCaller
  openId: string
  /** What the merchant's server got, in order. */
  received: Parameters<SendCallback>[0][]
  /** What it answers; acknowledges unless a test changes it. */
  answer: Answer
  /** What a request that creates a trade carries, each with a new outTradeNo. */
  order(changes?: Partial<CreateInput>): CreateInput
  /** Creates a trade; its tradeNo. */
  create(changes?: Partial<CreateInput>): Promise<string>
  detail(tradeNo: string): Promise<TradeDetail>
  pay(tradeNo: string, outcome: Outcome): ReturnType<typeof pay>
  /** The events of the trade, oldest first. */
  story(tradeNo: string): Promise<string[]>
  /** Runs the jobs that give money back. */
  returnOwedMoney(): Promise<void>
}

export async function createTradeFixture(sql: Sql): Promise<TradeFixture> {
  const egress = createEgress({ allowlist: ['pay.internal'], loopback: true })
  const context: Context & { clock: TestClock } = {
    ...identityContext(sql),
    egress,
    ledger,
    stopping: new AbortController().signal,
    sendCallback: (request) => send(request),
  }
  const { appid, secret } = await createApp(context, admin, { name: 'Tea House' })
  const { uid } = await createUser(context, admin, { nickname: 'Layla' })
  const other = await createUser(context, admin, { nickname: 'Omar' })
  const app: AppCaller = { kind: 'app', app: (await context.apps.find(appid))!, sign: '' }
  const openId = await ensureOpenId(sql, appid, uid)

  const fixture: TradeFixture = {
    context,
    sql,
    app,
    secret,
    payer: { kind: 'hostUser', uid, session: '' },
    stranger: { kind: 'hostUser', uid: other.uid, session: '' },
    openId,
    received: [],
    answer: { status: 200, reply: 'success', error: null, duration: 3, retryAfter: null },
    order: (changes = {}) => ({
      outTradeNo: randomUUID(),
      notifyUrl: 'http://localhost:8080/notify',
      amount: 1250,
      currency: 'SAR',
      openId,
      ...changes,
    }),
    create: async (changes) => (await createTrade(context, app, fixture.order(changes))).tradeNo,
    detail: (tradeNo) => tradeDetail(context, app, { tradeNo }),
    pay: (tradeNo, outcome) => pay(context, admin, { tradeNo, uid, outcome }),
    story: async (tradeNo) => {
      const events = await sql<{ event: string }[]>`
        select event from trade_events where trade_no = ${tradeNo} order by event_id`
      return events.map(({ event }) => event)
    },
    returnOwedMoney: async () => {
      const jobs = await sql<{ payload: Parameters<typeof returnMoney>[1] }[]>`
        select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'returnMoney'`
      for (const { payload } of jobs) await returnMoney(context, payload)
    },
  }
  const send: SendCallback = async (request) => {
    fixture.received.push(request)
    return fixture.answer
  }
  return fixture
}
