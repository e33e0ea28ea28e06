import { Type } from 'typebox'
import { TradeNo } from '../open/tradeNo.ts'
import { operation } from '../operation.ts'
import { Appid, DomainTime, Hex32, Long, Nullable, Text } from '../schemas.ts'
import { maxAmount } from '../trade.ts'
import { console, Listed, maxListed, Page, ProjectId, paging, Sort } from './surface.ts'

const refundInitiators = ['operator', 'backend', 'system'] as const
const refundStates = ['owed', 'returned', 'refused'] as const

/** A refund, requested by an operator or the backend, or because the trade could not accept the payment. */
export const Refund = Type.Object({
  refundNo: Hex32(),
  tradeNo: Hex32(),
  attemptId: Hex32({ description: 'The refunded payment.' }),
  initiator: Type.Enum([...refundInitiators], {
    description:
      'operator, backend: refunds a succeeded trade; system: returns a payment that the trade could not accept.',
  }),
  reason: Type.Enum(['requested', 'tradeFinal', 'amountMismatch'], {
    description:
      'requested: by an operator or the backend; tradeFinal: the trade was already final when the payment succeeded; amountMismatch: the amount or currency differs from the trade.',
  }),
  note: Type.String({
    description: 'The reason of who requested it, empty if the backend gave none, or an explanation by the system.',
  }),
  outRefundNo: Nullable(Type.String({ description: 'Refund number of the backend that requested it.' })),
  amount: Type.Integer({ description: 'cents' }),
  currency: Type.String(),
  state: Type.Enum([...refundStates], { description: 'owed until the provider has refunded or refused it.' }),
  refusal: Nullable(Type.String({ description: 'Why the provider refused.' })),
  ctime: DomainTime(),
  mtime: DomainTime(),
})

/** A movement in the double-entry ledger. Accounts are `provider:…`, `merchant:…` and `returns:…` (ADR 270). */
export const LedgerEntry = Type.Object({
  reference: Hex32({ description: 'The attemptId or refundNo.' }),
  movement: Type.Enum(['captured', 'refundOwed', 'refundReturned', 'refundRefused', 'refundFailed']),
  debit: Type.String(),
  credit: Type.String(),
  amount: Type.Integer({ description: 'cents' }),
  currency: Type.String(),
  time: DomainTime(),
})

const ReconciliationId = Hex32({ description: 'The reconciliation.' })

/** The comparison of one day of a merchant’s payments with the records of a provider. */
const Reconciliation = Type.Object({
  reconciliationId: ReconciliationId,
  appid: Type.String(),
  merchantId: Hex32(),
  account: Type.String({ description: 'Ledger account of the provider.' }),
  accountName: Nullable(Type.String({ description: 'Name of the provider account.' })),
  day: DomainTime('Start of the day, UTC, ms.'),
  state: Type.Enum(['running', 'finished']),
  attempts: Type.Integer({ description: 'Number of compared payments.' }),
  differences: Type.Integer(),
  ctime: DomainTime(),
  mtime: DomainTime(),
})

/** A difference between ledger and provider. */
const ReconciliationDifference = Type.Object({
  attemptId: Hex32(),
  tradeNo: Hex32(),
  difference: Type.Enum(['notBooked', 'notThere', 'amount', 'refunded', 'unanswered', 'lost'], {
    description:
      'notBooked: the provider has money that the ledger had not; notThere: the ledger has money that the provider does not know of; amount, refunded: both have it, and sums differ; unanswered: the provider could not be asked; lost: the provider has money of a payment that Souk does not know, for example after a backup was restored.',
  }),
  booked: Nullable(Type.Integer({ description: 'Value in the ledger, cents.' })),
  bookedCurrency: Nullable(Type.String()),
  told: Nullable(Type.Integer({ description: 'Value at the provider, cents.' })),
  toldCurrency: Nullable(Type.String()),
  repaired: Type.Boolean({ description: 'Whether the ledger was corrected.' }),
  detail: Nullable(Type.String()),
})

/** Refunds, the ledger, and reconciliation with the providers. */
export const moneyOperations = {
  refundTrade: operation({
    ...console,
    id: 'refundTrade',
    stepUp: 'money',
    method: 'POST',
    path: '/console/v1/trades/{tradeNo}/refunds',
    summary: 'Refund a succeeded trade fully or partly',
    access: { action: 'trade.refund', by: 'tradeNo' },
    body: ['json'],
    parameters: Type.Object({
      tradeNo: TradeNo,
      amount: Type.Optional(
        Long({
          minimum: 1,
          maximum: maxAmount,
          description: 'Cents; the remaining amount if absent.',
          'x-allowed': `must be an amount in cents from 1 to ${maxAmount}`,
        }),
      ),
      note: Text(256, { description: 'The reason, for the record.' }),
      refundNo: Type.Optional(Hex32({ description: 'Idempotency key: repeating it refunds nothing more.' })),
    }),
    example: { amount: 1, note: 'Paid twice' },
    result: Refund,
    errors: ['trade_not_refundable', 'refund_too_large', 'refund_conflict'],
    redact: [],
  }),
  searchRefunds: operation({
    ...console,
    id: 'searchRefunds',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/refunds',
    summary: 'List refunds of a project',
    access: { action: 'trade.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      appid: Type.Optional(Appid),
      state: Type.Optional(Type.Enum([...refundStates], { 'x-allowed': `must be one of ${refundStates.join(', ')}` })),
      initiator: Type.Optional(
        Type.Enum([...refundInitiators], { 'x-allowed': `must be one of ${refundInitiators.join(', ')}` }),
      ),
      sort: Sort(['-ctime', 'ctime']),
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
    summary: 'Get the ledger balances of a project’s merchants',
    access: { action: 'trade.read', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId, appid: Type.Optional(Appid) }),
    result: Type.Array(
      Type.Object({
        appid: Type.String(),
        appName: Type.String(),
        merchantId: Hex32(),
        currency: Type.String(),
        captured: Type.Integer({ description: 'Captured payments, cents.' }),
        refunded: Type.Integer({ description: 'Refunded or to be refunded, cents.' }),
        balance: Type.Integer({
          description: 'Balance of the merchant, cents. Provider fees are not included.',
        }),
        returning: Type.Integer({ description: 'Refunds in progress, cents.' }),
      }),
    ),
    errors: ['app_not_found', 'balances_incomplete'],
    redact: [],
  }),
  searchReconciliations: operation({
    ...console,
    id: 'searchReconciliations',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/reconciliations',
    summary: 'List daily reconciliations of a project, newest first',
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
    summary: `Get a reconciliation with its differences, at most ${maxListed}`,
    access: { action: 'trade.read', by: 'reconciliationId' },
    parameters: Type.Object({ reconciliationId: ReconciliationId }),
    result: Type.Object({ reconciliation: Reconciliation, differences: Listed(ReconciliationDifference) }),
    errors: [],
    redact: [],
  }),
  reconcileDay: operation({
    ...console,
    id: 'reconcileDay',
    method: 'POST',
    path: '/console/v1/projects/{projectId}/reconciliations',
    summary: 'Repeat the reconciliation of a day in the background',
    access: { action: 'trade.refund', by: 'projectId' },
    body: ['json'],
    parameters: Type.Object({
      projectId: ProjectId,
      day: Long({
        description: 'Any time of the day, UTC, ms; not in the future.',
        'x-allowed': 'must be a Unix time in milliseconds',
        'x-clock': 'domain',
      }),
    }),
    example: { day: 0 },
    result: Type.Integer({ description: 'Number of started reconciliations.' }),
    errors: [],
    redact: [],
  }),
}
