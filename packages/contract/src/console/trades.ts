import { Type } from 'typebox'
import { TradeNo } from '../open/tradeNo.ts'
import { TradeDetail } from '../open/trades.ts'
import { operation } from '../operation.ts'
import { Appid, DomainTime, Hex32, Long, Nullable } from '../schemas.ts'
import { currencies, maxAmount, transactionStatus } from '../trade.ts'
import { Callback } from './callbacks.ts'
import { LedgerEntry, Refund } from './money.ts'
import { LoggedRequest } from './requests.ts'
import { console, Page, ProjectId, paging, SearchText, Sort, searchedRows, timeRange, Uid } from './surface.ts'

const statuses = Object.values(transactionStatus)
const Amount = (description: string) =>
  Long({ maximum: maxAmount, description, 'x-allowed': `must be an amount in cents, at most ${maxAmount}` })

/** How far a payment was refunded. */
export const refundExtents = ['full', 'partial'] as const
export type RefundExtent = (typeof refundExtents)[number]

/** Filters of a trade list, combined with AND. */
const tradeFilter = {
  appid: Type.Optional(Appid),
  status: Type.Optional(
    Type.Array(Type.Enum(statuses), {
      minItems: 1,
      maxItems: statuses.length,
      description: 'One or more values of transactionStatus.',
      'x-allowed': `must be a list of ${statuses.join(', ')}`,
    }),
  ),
  currency: Type.Optional(Type.Enum([...currencies], { 'x-allowed': `must be one of ${currencies.join(', ')}` })),
  ...timeRange,
}

/** A trade in a list. */
const TradeRow = Type.Object({
  tradeNo: Hex32(),
  appid: Type.String(),
  appName: Type.String({ description: 'Name of the mini app, also after its deletion.' }),
  outTradeNo: Type.String(),
  description: Nullable(Type.String()),
  amount: Type.Integer({ description: 'cents' }),
  amountStrWithYuan: Type.String(),
  refundedAmount: Type.Integer({ description: 'Refunded by operators and the backend or to be refunded, cents.' }),
  currency: Type.Enum([...currencies]),
  payer: Type.Integer(),
  payerName: Nullable(Type.String({ description: 'null after the user was erased.' })),
  payMethod: Nullable(Type.Integer()),
  transactionStatus: Type.Enum(statuses),
  failReasonType: Type.Integer(),
  notifySuccess: Nullable(Type.Boolean()),
  ctime: DomainTime(),
  mtime: DomainTime(),
})

/** States of a payment attempt; the first four are pending. */
const attemptStates = [
  'created',
  'pending',
  'challenge',
  'redirect',
  'succeeded',
  'failed',
  'canceled',
  'expired',
] as const

/** A payment attempt. */
const PaymentAttempt = Type.Object({
  attemptId: Hex32(),
  provider: Type.String(),
  payType: Type.Integer(),
  payMethod: Type.Integer(),
  payNo: Nullable(Type.String()),
  state: Type.Enum([...attemptStates]),
  failReasonType: Type.Integer(),
  ctime: DomainTime(),
  mtime: DomainTime(),
})

/** Events of a timeline: first those of the trade, last those of its callback. */
export const timelineEvents = [
  'created',
  'succeeded',
  'failed',
  'expired',
  'canceled',
  'closed',
  'paymentStarted',
  'paymentPending',
  'paymentChallenged',
  'paymentRedirected',
  'paymentSucceeded',
  'paymentFailed',
  'paymentCanceled',
  'paymentExpired',
  'moneyOwed',
  'moneyRefundAsked',
  'moneyReturned',
  'moneyRefused',
  'moneyCameBack',
  'moneyDisputed',
  'callbackQueued',
  'callbackAttempt',
] as const

/** An event in the timeline of a trade. `detail` depends on the event. */
const TimelineEntry = Type.Object({
  time: DomainTime(),
  kind: Type.Enum(['trade', 'payment', 'money', 'callback']),
  event: Type.Enum([...timelineEvents]),
  attemptId: Nullable(Type.String({ description: 'Id of the payment attempt in `attempts`.' })),
  notifyId: Nullable(Type.String({ description: 'Id of the callback in `callbacks`.' })),
  callbackAttempt: Nullable(Type.Integer({ description: 'Number of the delivery attempt, starting at 1.' })),
  detail: Type.Record(Type.String(), Type.Unknown()),
})

/** Trades of a project. */
export const tradeOperations = {
  searchTrades: operation({
    ...console,
    id: 'searchTrades',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/trades',
    summary: 'List trades of a project',
    access: { action: 'trade.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      ...tradeFilter,
      outTradeNo: Type.Optional(
        Type.String({
          pattern: '^[0-9A-Za-z_*-]{1,64}$',
          description: 'Prefix of outTradeNo.',
          'x-allowed': 'must be a prefix of an outTradeNo',
        }),
      ),
      tradeNo: Type.Optional(
        Type.String({
          pattern: '^[0-9A-Fa-f]{1,32}$',
          description: 'Prefix of tradeNo.',
          'x-allowed': 'must be a prefix of a tradeNo',
        }),
      ),
      text: SearchText('tradeNo, outTradeNo or description, or the beginning of a number of any trade'),
      minAmount: Type.Optional(Amount('At least, in cents.')),
      maxAmount: Type.Optional(Amount('At most, in cents.')),
      refund: Type.Optional(
        Type.Enum([...refundExtents], {
          description: `Only trades that were refunded so far, among the newest ${searchedRows} that were refunded.`,
          'x-allowed': `must be one of ${refundExtents.join(', ')}`,
        }),
      ),
      payer: Type.Optional(Uid),
      sort: Sort(['-ctime', 'ctime', '-amount', 'amount']),
      ...paging,
    }),
    result: Page(TradeRow),
    errors: ['app_not_found'],
    redact: [],
  }),
  tradeTotals: operation({
    ...console,
    id: 'tradeTotals',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/trade-totals',
    summary:
      'Get count and sum of trades by day of creation, status and currency; at most 92 days, by default the last 30',
    access: { action: 'trade.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      ...tradeFilter,
      timeZone: Type.Optional(
        Type.String({
          maxLength: 64,
          default: 'UTC',
          description: 'IANA name of the time zone whose days are counted.',
          'x-allowed': 'must be the name of a time zone, such as Asia/Riyadh',
        }),
      ),
    }),
    result: Type.Object({
      from: DomainTime(),
      to: DomainTime(),
      rows: Type.Array(
        Type.Object({
          day: Type.String({ description: 'YYYY-MM-DD in the time zone.' }),
          transactionStatus: Type.Enum(statuses),
          currency: Type.Enum([...currencies]),
          count: Type.Integer(),
          amount: Type.Integer({ description: 'Less what was refunded, cents.' }),
          refundedAmount: Type.Integer({
            description: 'Refunded by operators and the backend or to be refunded, cents.',
          }),
        }),
        { description: 'Oldest day first; days without trades are omitted.' },
      ),
    }),
    errors: ['app_not_found', 'too_many_trades'],
    redact: [],
  }),
  getTrade: operation({
    ...console,
    id: 'getTrade',
    method: 'GET',
    path: '/console/v1/trades/{tradeNo}',
    summary: 'Get a trade with its history',
    access: { action: 'trade.read', by: 'tradeNo' },
    parameters: Type.Object({ tradeNo: TradeNo }),
    result: Type.Object({
      trade: TradeDetail,
      events: Type.Array(
        Type.Object(
          { time: DomainTime(), event: Type.String(), detail: Type.Unknown() },
          { description: 'Oldest first.' },
        ),
      ),
    }),
    errors: [],
    redact: [],
  }),
  getTradeStory: operation({
    ...console,
    id: 'getTradeStory',
    method: 'GET',
    path: '/console/v1/trades/{tradeNo}/story',
    summary: 'Get a trade with all related records, and a timeline of all events, oldest first',
    access: { action: 'trade.read', by: 'tradeNo' },
    parameters: Type.Object({ tradeNo: TradeNo }),
    result: Type.Object({
      trade: TradeDetail,
      projectId: ProjectId,
      appName: Type.String(),
      appDeleted: Type.Boolean({ description: 'Whether the mini app has been deleted.' }),
      notifyUrl: Type.String(),
      payerName: Nullable(Type.String()),
      attempts: Type.Array(PaymentAttempt),
      callbacks: Type.Array(
        Type.Object({ ...Callback.properties, fields: Type.Record(Type.String(), Type.Unknown()) }),
      ),
      refunds: Type.Array(Refund),
      ledger: Type.Array(LedgerEntry),
      requests: Type.Array(LoggedRequest, {
        description: 'The first 50 requests that created, read or closed it, as far as the request log has them.',
      }),
      timeline: Type.Array(TimelineEntry),
    }),
    errors: [],
    redact: [],
  }),
}
