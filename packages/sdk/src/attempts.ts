import { shownUrl } from '@souk/contract/url'
import { type CalledOperation, SoukApiError, SoukConnectionError } from './errors.ts'

/** An attempt of a call, before its request is sent. */
export interface Attempt {
  /** The called operation. */
  readonly operation: CalledOperation
  /** HTTP method. */
  readonly method: string
  /** Scheme, host and port, and the path before that of the API if `baseUrl` has one. */
  readonly server: string
  /** The path as in the contract, such as `/api/v1/datasets/{datasetId}`. */
  readonly path: string
  /** Number of the attempt in its call, from 1. */
  readonly number: number
  /** `error` of the previous attempt; undefined for the first one. */
  readonly retryReason: string | undefined
  /**
   * Takes headers to send, such as `traceparent`; they are not signed. Those that the client sends itself stay as they
   * are.
   */
  readonly headers: Record<string, string>
}

/** How an attempt ended. */
export interface AttemptResult {
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined
  /** Time until the response was read, or until it began for an export, in ms. */
  readonly durationMs: number
  /** Request id of the server, under which its log has the request. */
  readonly requestId: string | undefined
  /**
   * Code of the error, or the HTTP status as text if the response did not come from Souk; `connection_error` without a
   * response, `canceled` if the signal ended the call, undefined if Souk answered with a result.
   */
  readonly error: string | undefined
}

/** Called before each attempt. Returns what is called when the attempt has ended, if anything. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing is allowed.
export type OnAttempt = (attempt: Attempt) => ((result: AttemptResult) => void) | void

/** Headers that describe the body, which `fetch` sets. */
const reserved = new Set(['content-type', 'content-length', 'transfer-encoding', 'host'])

interface CalledRequest {
  readonly name: CalledOperation
  readonly method: string
  readonly path: string
  readonly baseUrl: string
  readonly signal: AbortSignal | undefined
}

/** What an attempt uses: headers to send, and what takes the status and the request id of its response. */
export interface Observed {
  readonly headers: Record<string, string>
  received(status: number, requestId: string | undefined): void
}

/** Reports the attempts of one call. */
export class Attempts {
  readonly #onAttempt: OnAttempt | undefined
  readonly #request: CalledRequest
  #number = 0
  #error: string | undefined

  constructor(onAttempt: OnAttempt | undefined, request: CalledRequest) {
    this.#onAttempt = onAttempt
    this.#request = request
  }

  async run<T>(once: (observed: Observed) => Promise<T>): Promise<T> {
    const { name: operation, method, path, baseUrl } = this.#request
    const server = shownUrl(baseUrl)
    const headers: Record<string, string> = {}
    const attempt = { operation, method, server, path, number: ++this.#number, retryReason: this.#error, headers }
    const end = this.#onAttempt?.(attempt)
    const started = performance.now()
    let status: number | undefined
    let requestId: string | undefined
    const received = (...found: [number, string | undefined]) => {
      ;[status, requestId] = found
    }
    const finish = (error: string | undefined) => {
      this.#error = error
      end?.({ status, durationMs: performance.now() - started, requestId, error })
    }
    let result: T
    try {
      result = await once({ headers: sendable(headers), received })
    } catch (failure) {
      finish(this.#errorOf(failure))
      throw failure
    }
    finish(undefined)
    return result
  }

  #errorOf(failure: unknown): string | undefined {
    if (this.#request.signal?.aborted) return 'canceled'
    if (failure instanceof SoukApiError) return failure.code ?? String(failure.status)
    return failure instanceof SoukConnectionError ? 'connection_error' : undefined
  }
}

/** Returns headers by their names in lower case, so that those of the client replace them. */
function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  return Object.fromEntries(named.filter(([name]) => !reserved.has(name)))
}
