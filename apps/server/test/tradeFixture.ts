import { randomUUID } from 'node:crypto'
import type { Outcome, openOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { AdminCaller, AppCaller, HostUserCaller } from '../src/domain/caller.ts'
import type { FullContext, SendMessage } from '../src/domain/context.ts'
import { createApp } from '../src/domain/miniApps/index.ts'
import { createTrade, ledger, pay, returnMoney, tradeDetail } from '../src/domain/money/index.ts'
import { createUser, upsertOpenId } from '../src/domain/users/index.ts'
import type { Sql } from '../src/kernel/db/pool.ts'
import { createEgress } from '../src/kernel/egress.ts'
import { identityContext, type TestClock } from './context.ts'

type CreateInput = Omit<ParametersOf<typeof openOperations.trade>, 'appid' | 'timestamp' | 'sign'>
type DeliveryResult = Awaited<ReturnType<SendMessage>>
type TradeDetail = ResultOf<typeof openOperations.tradedetail>

export const admin: AdminCaller = { kind: 'admin' }

/** A mini app with a user, and a merchant's server that receives callbacks. */
export interface TradeFixture {
  context: FullContext & { clock: TestClock }
  sql: Sql
  app: AppCaller
  secret: string
  payer: HostUserCaller
  otherUser: HostUserCaller
  openId: string
  /** Callbacks that the merchant's server received, in order. */
  received: Parameters<SendMessage>[0][]
  /** The result of each callback. Acknowledges by default. */
  callbackResult: DeliveryResult
  /** Returns the input of a request that creates a trade, with a new outTradeNo. */
  order(changes?: Partial<CreateInput>): CreateInput
  /** Creates a trade and returns its tradeNo. */
  create(changes?: Partial<CreateInput>): Promise<string>
  detail(tradeNo: string): Promise<TradeDetail>
  pay(tradeNo: string, outcome: Outcome): ReturnType<typeof pay>
  /** Lists the names of the events of a trade, oldest first. */
  events(tradeNo: string): Promise<string[]>
  /** Runs the jobs that make refunds. */
  returnOwedMoney(): Promise<void>
}

export async function createTradeFixture(sql: Sql): Promise<TradeFixture> {
  const egress = createEgress({ allowlist: ['pay.internal'], loopback: true })
  const context: FullContext & { clock: TestClock } = {
    ...identityContext(sql),
    egress,
    ledger,
    stopping: new AbortController().signal,
    sendMessage: (request) => send(request),
  }
  const { appid, secret } = await createApp(context, admin, { name: 'Tea House' })
  const { uid } = await createUser(context, admin, { nickname: 'Layla' })
  const other = await createUser(context, admin, { nickname: 'Omar' })
  const app: AppCaller = { kind: 'app', app: (await context.apps.find(appid))!, sign: '' }
  const openId = await upsertOpenId(sql, appid, uid)

  const fixture: TradeFixture = {
    context,
    sql,
    app,
    secret,
    payer: { kind: 'hostUser', uid, session: '' },
    otherUser: { kind: 'hostUser', uid: other.uid, session: '' },
    openId,
    received: [],
    callbackResult: { status: 200, reply: 'success', error: null, duration: 3, retryAfter: null },
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
    events: async (tradeNo) => {
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
  const send: SendMessage = async (request) => {
    fixture.received.push(request)
    return fixture.callbackResult
  }
  return fixture
}
