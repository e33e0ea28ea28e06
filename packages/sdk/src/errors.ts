import type { Ambiguity, ErrorCode, platformOperations } from '@souk/contract'
import type { TradeDetail } from './operations.generated.ts'
import type { OperationName } from './operations.ts'

/** An operation of the open API or the platform data API. */
export type CalledOperation = OperationName | keyof typeof platformOperations

/** Contents of a `SoukApiError`. */
export interface Refusal {
  /** The called operation. */
  operation: CalledOperation
  /** `responseHeader.status`, or the HTTP status if the response is not an envelope. */
  status: number
  /** The stable error code; undefined if the response did not come from Souk. */
  code: ErrorCode | (string & {}) | undefined
  /** `responseHeader.msg`. */
  msg: string
  /** `X-Request-Id` of the response. */
  requestId: string | undefined
  /** Machine-readable details, such as the differing fields of a conflict. */
  data: Record<string, unknown> | undefined
  /** `Retry-After` of the server, in ms. */
  retryAfter: number | undefined
  /** What to do, as part of the message. */
  advice: string | undefined
}

/**
 * An error response of Souk (open-api §2.2, open-api §7). `message` contains the server's message, advice, and the
 * request id to look up in the server's request log.
 */
export class SoukApiError extends Error {
  override readonly name = 'SoukApiError'
  /** The called operation. */
  readonly operation: CalledOperation
  /** `responseHeader.status`, or the HTTP status if the response is not an envelope. */
  readonly status: number
  /** The stable error code; undefined if the response did not come from Souk. */
  readonly code: Refusal['code']
  /** `responseHeader.msg`. */
  readonly msg: string
  /** `X-Request-Id` of the response. */
  readonly requestId: string | undefined
  /** Machine-readable details, such as the differing fields of a conflict. */
  readonly data: Record<string, unknown> | undefined
  /** `Retry-After` of the server, in ms. */
  readonly retryAfter: number | undefined

  constructor(refusal: Refusal) {
    const { operation, status, code, msg, requestId, advice } = refusal
    const facts = [`status ${status}`, code && `code ${code}`, requestId && `request ${requestId}`].filter(Boolean)
    super(`${operation} failed: ${msg}${advice ? ` ${advice}` : ''} (${facts.join(', ')})`)
    this.operation = operation
    this.status = status
    this.code = code
    this.msg = msg
    this.requestId = requestId
    this.data = refusal.data
    this.retryAfter = refusal.retryAfter
  }
}

/**
 * Souk answered with a result that the contract does not allow, such as text in place of an amount. The request has
 * probably been executed. `message` contains none of the values.
 */
export class SoukResponseError extends Error {
  override readonly name = 'SoukResponseError'
  /** The called operation. */
  readonly operation: CalledOperation
  /** The invalid field, such as `items[0].ctime`. */
  readonly path: string

  constructor(operation: CalledOperation, path: string, reason: string) {
    super(`${operation} returned an invalid result: ${path} ${reason}.`)
    this.operation = operation
    this.path = path
  }
}

/** There was no response: connection failed, broke, or timed out. `cause` is the error of `fetch`. */
export class SoukConnectionError extends Error {
  override readonly name = 'SoukConnectionError'
  /** The called operation. */
  readonly operation: CalledOperation
  /** True if the request was certainly not processed. */
  readonly notSent: boolean

  constructor(operation: CalledOperation, reason: string, notSent: boolean, cause?: unknown) {
    super(`${operation} got no response: ${reason}`, { cause })
    this.operation = operation
    this.notSent = notSent
  }
}

/**
 * The request was not sent, because its signature would also be valid for other parameters (open-api §4.1): a value
 * contains text such as `title=` that can be read as another parameter. `message` says what to change.
 */
export class AmbiguousParametersError extends Error {
  override readonly name = 'AmbiguousParametersError'
  /** The stable error code. */
  readonly code: Ambiguity['code']
  /** The parameter to change. */
  readonly parameter: string

  constructor({ code, parameter, reason }: Ambiguity) {
    super(`The parameters can be read in more than one way. ${reason}`)
    this.code = code
    this.parameter = parameter
  }
}

/** `datasets.append` failed after some batches had been stored. `cause` says why. */
export class AppendInterruptedError extends Error {
  override readonly name = 'AppendInterruptedError'
  /** Number of records stored, counted from the first. */
  readonly appended: number

  constructor(appended: number, cause: unknown) {
    super(
      `the first ${appended} records were stored, then the append failed: ${cause instanceof Error ? cause.message : cause}`,
      {
        cause,
      },
    )
    this.appended = appended
  }
}

/** `waitForTrade` timed out while the trade was still processing, or could not be queried (`cause`). */
export class TradeStillProcessingError extends Error {
  override readonly name = 'TradeStillProcessingError'
  /** Number of the trade. */
  readonly tradeNo: string
  /** The last known state of the trade. */
  readonly trade: TradeDetail | undefined

  constructor(tradeNo: string, timeout: number, trade: TradeDetail | undefined, cause?: unknown) {
    super(`trade ${tradeNo} is still processing after ${timeout} ms; wait again, or handle its callback`, { cause })
    this.tradeNo = tradeNo
    this.trade = trade
  }
}

/**
 * Reason why a callback is refused. `other_app`: it belongs to another mini app. `body_missing`: there is no body,
 * usually because a parser has already consumed it. For the others see `verifyCallback` in the contract.
 */
export type CallbackVerificationReason =
  | 'body_missing'
  | 'callback_malformed'
  | 'other_app'
  | 'sign_mismatch'
  | 'body_changed'
  | 'secret_white_space'
  | 'callback_stale'

/** A callback that failed verification. `message` contains none of its values. */
export class CallbackVerificationError extends Error {
  override readonly name = 'CallbackVerificationError'
  /** Why it failed. */
  readonly reason: CallbackVerificationReason

  constructor(reason: CallbackVerificationReason, explanation: string) {
    super(`Callback verification failed: ${explanation} (${reason})`)
    this.reason = reason
  }
}
