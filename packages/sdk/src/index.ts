export {
  currencies,
  type ErrorCode,
  failReasonTypes,
  type Language,
  type Scope,
  statusName,
} from '@souk/contract'
export type { Attempt, AttemptResult, OnAttempt } from './attempts.ts'
export type {
  Callbacks,
  HandlerOptions,
  NodeListener,
  NodeRequest,
  NodeResponse,
  PaymentHandler,
  ReceivedCallback,
  ReceivedHeaders,
  RefundHandler,
  TestCallback,
  WebHandler,
} from './callbacks.ts'
export * from './enums.generated.ts'
export * from './errors.ts'
export type { NotDelivered } from './notDelivered.ts'
export type * from './operations.generated.ts'
export type { FinalStatus, FinalTrade, OperationName } from './operations.ts'
export * from './platform.ts'
export type { PlatformOperationName, PlatformParameters, PlatformResult } from './platformCall.ts'
export type { ByteStream, Clock, Fetch, FetchInit, FetchResponse } from './runtime.ts'
export * from './souk.ts'
export type { CallOptions } from './transport.ts'
