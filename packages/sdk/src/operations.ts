import type { Operation, openOperations, ParametersOf, ResultOf, TransactionStatus } from '@souk/contract'

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
type Own<O extends Operation> = Given<Omit<ParametersOf<O>, 'appid' | 'timestamp' | 'sign'>>

/** `P` with the parameters `D` optional. */
type WithDefaults<P, D extends keyof P> = Shown<Omit<P, D> & { [K in D]?: P[K] | undefined }>

/** The `response` of an operation (open-api §4.3). */
export type Result<N extends OperationName> = Shown<ResultOf<OpenOperations[N]>>

/** `scope` defaults to `user.info`; `grantType` has only one value and is added. */
export type AccessTokenParameters = WithDefaults<Omit<Own<OpenOperations['accessToken']>, 'grantType'>, 'scope'>
export type TradeParameters = Own<OpenOperations['trade']>
/** `notifyType` defaults to 1, plain text. */
export type NotifyParameters = WithDefaults<Own<OpenOperations['sendNotify']>, 'notifyType'>
export type ActivityParameters = Own<OpenOperations['sendActivity']>

export type AccessToken = Result<'accessToken'>
export type UserProfile = Result<'userInfo'>
export type CreatedTrade = Result<'trade'>
export type TradeDetail = Result<'tradedetail'>
export type UploadedFile = Result<'fileUpload'>

/** A `transactionStatus` that no longer changes (open-api §3.2). */
export type FinalStatus = Exclude<TransactionStatus, 1>
/** A trade in a final state, as returned by `waitForTrade`. */
export type FinalTrade = Omit<TradeDetail, 'transactionStatus'> & { transactionStatus: FinalStatus }
