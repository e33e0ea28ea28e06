import { Type } from 'typebox'
import { TradeNo } from '../open/tradeNo.ts'
import { operation } from '../operation.ts'
import { Appid, Hex32, Long, Nullable, Text } from '../schemas.ts'
import { maxAmount } from '../trade.ts'
import { console, Page, ProjectId, paging, Time } from './surface.ts'

const refundStates = ['owed', 'returned', 'refused'] as const

/** Money that goes back to the payer: on the operator’s word, or because the trade could not take it. */
export const Refund = Type.Object({
  refundNo: Hex32(),
  tradeNo: Hex32(),
  attemptId: Hex32({ description: 'The payment that brought it.' }),
  cause: Type.Enum(['notTaken', 'operator'], {
    description: 'notTaken: it came when the trade could not take it; operator: of a trade that has succeeded.',
  }),
  amount: Type.Integer({ description: 'cents' }),
  currency: Type.String(),
  reason: Type.String(),
  state: Type.Enum([...refundStates], { description: 'owed until the provider has given it back or has refused.' }),
  refusal: Nullable(Type.String({ description: 'Why the provider has refused.' })),
  ctime: Time,
  mtime: Time,
})

const ReconciliationId = Hex32({ description: 'The reconciliation.' })

/** One day of a merchant’s payments at one provider, compared with what the provider says of them. */
const Reconciliation = Type.Object({
  reconciliationId: ReconciliationId,
  appid: Type.String(),
  merchantId: Hex32(),
  account: Type.String({ description: 'The provider’s account in the ledger.' }),
  accountName: Nullable(Type.String({ description: 'What the provider account is called here.' })),
  day: Type.Integer({ description: 'When the day begins, UTC, ms.' }),
  state: Type.Enum(['running', 'finished']),
  attempts: Type.Integer({ description: 'Payments that were compared.' }),
  differences: Type.Integer(),
  ctime: Time,
  mtime: Time,
})

/** What differs. */
const ReconciliationDifference = Type.Object({
  attemptId: Hex32(),
  tradeNo: Hex32(),
  difference: Type.Enum(['notBooked', 'notThere', 'amount', 'refunded', 'unanswered'], {
    description:
      'notBooked: the provider has money that the ledger had not; notThere: the ledger has money that the provider does not know of; amount, refunded: both have it, and sums differ; unanswered: the provider could not be asked.',
  }),
  booked: Nullable(Type.Integer({ description: 'Of what differs, what the ledger has, cents.' })),
  bookedCurrency: Nullable(Type.String()),
  told: Nullable(Type.Integer({ description: 'What the provider says, cents.' })),
  toldCurrency: Nullable(Type.String()),
  repaired: Type.Boolean({ description: 'The ledger has been brought to what the provider says.' }),
  detail: Nullable(Type.String()),
})

/** Refunds, the ledger, and what is compared with the providers. */
export const moneyOperations = {
  refundTrade: operation({
    ...console,
    id: 'refundTrade',
    method: 'POST',
    path: '/console/v1/trades/{tradeNo}/refunds',
    summary: 'Give money of a succeeded trade back to its payer, whole or in part',
    access: { action: 'trade.refund', by: 'tradeNo' },
    body: ['json'],
    parameters: Type.Object({
      tradeNo: TradeNo,
      amount: Type.Optional(
        Long({
          minimum: 1,
          maximum: maxAmount,
          description: 'Cents; absent: all that is left.',
          'x-allowed': 'must be an amount in cents',
        }),
      ),
      reason: Text(256, { description: 'Why, for those who look at it later.' }),
      refundNo: Type.Optional(
        Hex32({ description: 'Names the refund: with the same one again, nothing more is given back.' }),
      ),
    }),
    result: Refund,
    errors: ['trade_not_refundable', 'refund_too_large', 'refund_conflict'],
    redact: [],
  }),
  searchRefunds: operation({
    ...console,
    id: 'searchRefunds',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/refunds',
    summary: 'Money of a project’s trades that went back to payers or has to, newest first',
    access: { action: 'trade.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      appid: Type.Optional(Appid),
      state: Type.Optional(Type.Enum([...refundStates], { 'x-allowed': `must be one of ${refundStates.join(', ')}` })),
      cause: Type.Optional(Type.Enum(['notTaken', 'operator'], { 'x-allowed': 'must be notTaken or operator' })),
      ...paging,
    }),
    result: Page(Type.Object({ ...Refund.properties, appid: Type.String(), outTradeNo: Type.String() })),
    errors: ['app_not_found'],
    redact: [],
  }),
  ledgerBalances: operation({
    ...console,
    id: 'ledgerBalances',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/ledger',
    summary: 'What the ledger says belongs to the merchants of a project, and what is on its way back to their payers',
    access: { action: 'trade.read', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId, appid: Type.Optional(Appid) }),
    result: Type.Array(
      Type.Object({
        appid: Type.String(),
        merchantId: Hex32(),
        currency: Type.String(),
        captured: Type.Integer({ description: 'Payments that succeeded, cents.' }),
        refunded: Type.Integer({ description: 'Of it what went back or is to, cents.' }),
        balance: Type.Integer({
          description: 'What belongs to the merchant, less fees that Souk does not know, cents.',
        }),
        returning: Type.Integer({ description: 'On its way back to payers, cents.' }),
      }),
    ),
    errors: ['app_not_found'],
    redact: [],
  }),
  searchReconciliations: operation({
    ...console,
    id: 'searchReconciliations',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/reconciliations',
    summary: 'Days of a project’s payments as compared with their providers, newest first',
    access: { action: 'trade.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      appid: Type.Optional(Appid),
      differing: Type.Optional(
        Type.Boolean({ description: 'Only those with differences.', 'x-allowed': 'must be true or false' }),
      ),
      ...paging,
    }),
    result: Page(Reconciliation),
    errors: ['app_not_found'],
    redact: [],
  }),
  getReconciliation: operation({
    ...console,
    id: 'getReconciliation',
    method: 'GET',
    path: '/console/v1/reconciliations/{reconciliationId}',
    summary: 'One reconciliation with every difference',
    access: { action: 'trade.read', by: 'reconciliationId' },
    parameters: Type.Object({ reconciliationId: ReconciliationId }),
    result: Type.Object({ reconciliation: Reconciliation, differences: Type.Array(ReconciliationDifference) }),
    errors: [],
    redact: [],
  }),
  reconcileDay: operation({
    ...console,
    id: 'reconcileDay',
    method: 'POST',
    path: '/console/v1/projects/{projectId}/reconciliations',
    summary: 'Compare a day of a project’s payments with their providers once more; it goes on in the background',
    access: { action: 'trade.refund', by: 'projectId' },
    body: ['json'],
    parameters: Type.Object({
      projectId: ProjectId,
      day: Long({
        description: 'Any time of that day, UTC, ms; not of a day that is still to come.',
        'x-allowed': 'must be a Unix time in milliseconds',
      }),
    }),
    result: Type.Integer({ description: 'How many reconciliations have begun.' }),
    errors: [],
    redact: [],
  }),
}
