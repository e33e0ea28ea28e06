import type { ParametersOf as Declared, Operation, openOperations, ResultOf, TransactionStatus } from '@souk/contract'

type OpenOperations = typeof openOperations

/** Name of an open API operation (open-api §4.3); each is a method of `Souk`. */
export type OperationName = keyof OpenOperations

export type Shown<T> = { [K in keyof T]: T[K] } & {}

/** `T` as callers may pass it: with readonly lists, and undefined for optional fields. */
type Given<T> = {
  [K in keyof T]:
    | (T[K] extends readonly (infer Item)[] ? readonly Item[] : T[K])
    | (Pick<T, K> extends Required<Pick<T, K>> ? never : undefined)
}

/** Parameters of an operation without the three that the client adds (open-api §4.1). */
type Own<O extends Operation> = Given<Omit<Declared<O>, 'appid' | 'timestamp' | 'sign'>>

/** `P` with the parameters `D` optional. */
type WithDefaults<P, D extends string> = Shown<Omit<P, D> & { [K in D & keyof P]?: P[K] | undefined }>

/** The `response` of an operation (open-api §4.3). */
export type Result<N extends OperationName> = Shown<ResultOf<OpenOperations[N]>>

/** Parameters of an operation: `Omitted` are added by the client, `Optional` have a default. */
export type ParametersOf<
  N extends OperationName,
  Omitted extends string = never,
  Optional extends string = never,
> = WithDefaults<Omit<Own<OpenOperations[N]>, Omitted>, Optional>

/** A `transactionStatus` that no longer changes (open-api §3.2). */
export type FinalStatus = Exclude<TransactionStatus, 1>
/** A trade in a final state, as returned by `waitForTrade`. */
export type FinalTrade = Omit<Result<'tradedetail'>, 'transactionStatus'> & { transactionStatus: FinalStatus }
