import type { openOperations, ResultOf, TransactionStatus } from '@souk/contract'
import type { TradeDetail } from './operations.generated.ts'

type OpenOperations = typeof openOperations

/** Name of an open API operation (open-api §4.3); each is a method of `Souk`. */
export type OperationName = keyof OpenOperations

export type Shown<T> = { [K in keyof T]: T[K] } & {}

/** The `response` of an operation (open-api §4.3). */
export type Result<N extends OperationName> = Shown<ResultOf<OpenOperations[N]>>

/** A `transactionStatus` that no longer changes (open-api §3.2). */
export type FinalStatus = Exclude<TransactionStatus, 1>
/** A trade in a final state, as returned by `waitForTrade`. */
export type FinalTrade = Omit<TradeDetail, 'transactionStatus'> & {
  /** State of the trade, which no longer changes. */
  transactionStatus: FinalStatus
}
