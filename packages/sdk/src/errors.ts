import type { ErrorCode, platformOperations } from '@souk/contract'
import type { OperationName, TradeDetail } from './operations.ts'

/** An operation of the open API, or of the platform data API. */
export type CalledOperation = OperationName | keyof typeof platformOperations

/** What a refusal consists of; see `SoukApiError`. */
export interface Refusal {
  operation: CalledOperation
  status: number
  code: ErrorCode | (string & {}) | undefined
  msg: string
  requestId: string | undefined
  data: Record<string, unknown> | undefined
  retryAfter: number | undefined
  advice: string | undefined
}

/**
 * Souk answered, and refused (open-api §2.2, §7). `message` holds everything that helps to find the cause: the statement
 * of the server, what to do about it, and the request id to search for in the server's request log.
 */
export class SoukApiError extends Error {
  override readonly name = 'SoukApiError'
  readonly operation: CalledOperation
  /** `responseHeader.status`, or the HTTP status where the answer was not an envelope. */
  readonly status: number
  /** The stable machine word of the refusal; undefined where the answer was not an envelope of Souk. */
  readonly code: Refusal['code']
  /** `responseHeader.msg`. */
  readonly msg: string
  /** `X-Request-Id` of the answer. */
  readonly requestId: string | undefined
  /** Machine-readable facts of the refusal, such as the differing fields of a conflict. */
  readonly data: Record<string, unknown> | undefined
  /** How long the server asks to wait before the next try, in ms. */
  readonly retryAfter: number | undefined

  constructor(refusal: Refusal) {
    const { operation, status, code, msg, requestId, advice } = refusal
    const facts = [`status ${status}`, code && `code ${code}`, requestId && `request ${requestId}`].filter(Boolean)
    super(`${operation} was refused: ${msg}${advice ? ` ${advice}` : ''} (${facts.join(', ')})`)
    this.operation = operation
    this.status = status
    this.code = code
    this.msg = msg
    this.requestId = requestId
    this.data = refusal.data
    this.retryAfter = refusal.retryAfter
  }
}

/** There was no answer: no connection, a broken one, or none within the timeout. `cause` is what `fetch` threw. */
export class SoukConnectionError extends Error {
  override readonly name = 'SoukConnectionError'
  readonly operation: CalledOperation
  /** Whether it is certain that the request was not carried out. */
  readonly notSent: boolean

  constructor(operation: CalledOperation, reason: string, notSent: boolean, cause?: unknown) {
    super(`${operation} got no answer: ${reason}`, { cause })
    this.operation = operation
    this.notSent = notSent
  }
}

/** `datasets.append` was refused, or not answered, when some of its batches had been stored already. `cause` says why. */
export class AppendInterruptedError extends Error {
  override readonly name = 'AppendInterruptedError'
  /** How many records were stored: the first ones. */
  readonly appended: number

  constructor(appended: number, cause: unknown) {
    super(`the first ${appended} records were stored, and then: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
    this.appended = appended
  }
}

/** `waitForTrade` ran out of time while the trade was still processing, or while it could not be asked for (`cause`). */
export class TradeStillProcessingError extends Error {
  override readonly name = 'TradeStillProcessingError'
  readonly tradeNo: string
  /** The trade as it was last seen. */
  readonly trade: TradeDetail | undefined

  constructor(tradeNo: string, timeout: number, trade: TradeDetail | undefined, cause?: unknown) {
    super(
      `trade ${tradeNo} has not reached its end within ${timeout} ms; it goes on: wait again, or act on its callback`,
      { cause },
    )
    this.tradeNo = tradeNo
    this.trade = trade
  }
}

/**
 * Why a callback is not accepted. `other_app`: it belongs to another mini app than this client. `body_missing`: nothing
 * was handed over, most often because a parser had read the body before. The others as `verifyCallback` of the contract
 * says: `callback_malformed`, `sign_mismatch`, `callback_stale`, `body_changed`, `secret_white_space`.
 */
export type CallbackVerificationReason =
  | 'body_missing'
  | 'callback_malformed'
  | 'other_app'
  | 'sign_mismatch'
  | 'body_changed'
  | 'secret_white_space'
  | 'callback_stale'

/** What arrived is not a callback that Souk made for this mini app, unchanged and now. `message` holds no value of it. */
export class CallbackVerificationError extends Error {
  override readonly name = 'CallbackVerificationError'
  readonly reason: CallbackVerificationReason

  constructor(reason: CallbackVerificationReason, explanation: string) {
    super(`The callback is refused: ${explanation} (${reason})`)
    this.reason = reason
  }
}
