import type { Operation, openOperations, ParametersOf, ResultOf, TransactionStatus } from '@souk/contract'

type OpenOperations = typeof openOperations

/** The names of the open API's operations (open-api §4.3); each is a method of `Souk`. */
export type OperationName = keyof OpenOperations

export type Shown<T> = { [K in keyof T]: T[K] } & {}

/** What callers may hand over for `T`: constant lists too, and undefined for what may be left out. */
type Given<T> = {
  [K in keyof T]:
    | (T[K] extends readonly (infer Item)[] ? readonly Item[] : T[K])
    | (Pick<T, K> extends Required<Pick<T, K>> ? never : undefined)
}

/** The parameters of an operation without the three that the client adds (open-api §4.1). */
type Own<O extends Operation> = Given<Omit<ParametersOf<O>, 'appid' | 'timestamp' | 'sign'>>

/** What `P` has, the parameters `D` left to their defaults. */
type WithDefaults<P, D extends keyof P> = Shown<Omit<P, D> & { [K in D]?: P[K] | undefined }>

/** `response` of an operation (open-api §4.3). */
export type Result<N extends OperationName> = Shown<ResultOf<OpenOperations[N]>>

/** `scope` defaults to `user.info`; `grantType` has one value, and is added. */
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
/** A trade that has reached its end: what `waitForTrade` gives. */
export type FinalTrade = Omit<TradeDetail, 'transactionStatus'> & { transactionStatus: FinalStatus }
