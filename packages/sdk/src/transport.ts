import { type Operation, type RetryRule, resultField, retriedConflicts, second } from '@souk/contract'
import { shownUrl } from '@souk/contract/url'
import type { OnAttempt } from './attempts.ts'
import { type CalledOperation, SoukApiError, SoukConnectionError } from './errors.ts'
import { type Redact, redactCause } from './redaction.ts'
import type { Clock, Fetch, FetchResponse } from './runtime.ts'

/** Connection of a client to Souk. */
export interface Transport {
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly clock: Clock
  /** Random number in [0, 1) for the jitter of retries. */
  readonly random: () => number
  readonly timeout: number
  readonly maxRetries: number
  /** Called before each attempt. */
  readonly onAttempt?: OnAttempt | undefined
}

/** Options of a call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  signal?: AbortSignal
  /** Timeout of one attempt in ms. */
  timeout?: number
  /** Maximum number of retries. */
  maxRetries?: number
}

/** Longest `Retry-After` to wait for, in ms. A longer one is left to the caller, who finds it in the error. */
const longestRetryAfter = 30 * second
const temporaryConflicts: readonly unknown[] = retriedConflicts

/** Returns whether an error is temporary. A conflict without a code comes from a proxy. */
export function isTemporary(failure: unknown): boolean {
  if (failure instanceof SoukConnectionError) return true
  if (!(failure instanceof SoukApiError)) return false
  const { status, code } = failure
  return isOverload(status) || (status === 409 && (code === undefined || temporaryConflicts.includes(code)))
}

/** Returns whether a status says that a server, or a proxy in front of it, cannot respond now. */
function isOverload(status: number): boolean {
  return status === 429 || status >= 500
}

/** Returns advice about a response that does not come from Souk. `prefix` starts the paths of the API. */
export function adviseOnForeignResponse(status: number, baseUrl: string, prefix: string): string {
  if (isOverload(status)) return 'A proxy in front of Souk limits requests or cannot reach it: retry later.'
  return `Check baseUrl ${baseUrl}: it must be the URL before ${prefix}.`
}

/**
 * Calls `once` until it succeeds, as often as repeating the operation is safe (ADR 50). `maySendAt` returns whether a
 * retry still makes sense at a time in ms.
 */
export async function repeated<T>(
  { clock, random, maxRetries: usual }: Transport,
  rule: RetryRule,
  { maxRetries = usual, signal }: CallOptions,
  once: () => Promise<T>,
  maySendAt: (time: number) => boolean = () => true,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once()
    } catch (failure) {
      if (attempt > maxRetries || !mayRetry(failure, rule)) throw failure
      const pause = retryDelay(attempt, failure, random())
      if (pause === undefined || !maySendAt(clock.now() + pause)) throw failure
      await clock.sleep(pause, signal)
    }
  }
}

/** Returns whether a failed attempt may be retried. */
function mayRetry(failure: unknown, rule: RetryRule): boolean {
  if (rule !== 'ifNotExecuted') return isTemporary(failure)
  if (failure instanceof SoukConnectionError) return failure.notSent
  return failure instanceof SoukApiError && failure.status === 429
}

/** Returns the delay before the next attempt in ms; undefined if the server asks for too long a delay. */
function retryDelay(attempt: number, failure: unknown, random: number): number | undefined {
  const serverDelay = failure instanceof SoukApiError ? (failure.retryAfter ?? 0) : 0
  if (serverDelay > longestRetryAfter) return undefined
  const backoff = Math.min(250 * 2 ** attempt, 8000)
  return Math.max(serverDelay, Math.round(backoff * (0.5 + random / 2)))
}

/** A single attempt. */
interface Exchange<T> {
  send(signal: AbortSignal): Promise<FetchResponse>
  /** Reads the response, within the timeout of the attempt. */
  read(answer: FetchResponse): Promise<T>
  readonly redact: Redact
  /** Advice if it is unknown whether the request was processed. */
  lost?: string | undefined
}

/** Makes one attempt with a timeout. @throws SoukConnectionError, and the reason of `options.signal` */
export async function exchange<T>(
  transport: Transport,
  operation: CalledOperation,
  options: CallOptions,
  { send, read, redact, lost }: Exchange<T>,
): Promise<T> {
  const { signal } = options
  signal?.throwIfAborted()
  const timeout = options.timeout ?? transport.timeout
  const abort = new AbortController()
  const cancel = () => abort.abort(signal?.reason)
  signal?.addEventListener('abort', cancel, { once: true })
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    abort.abort()
  }, timeout)
  try {
    return await read(await send(abort.signal))
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    const notSent = !timedOut && isNotSent(cause)
    const reason = timedOut ? `none within ${timeout} ms from ${transport.baseUrl}.` : `${redact(describe(cause))}.`
    const hint = notSent
      ? ` Check that Souk is running and that baseUrl is correct: ${transport.baseUrl}.`
      : lost === undefined
        ? ''
        : ` ${lost}`
    throw new SoukConnectionError(operation, reason + hint, notSent, redactCause(cause, redact))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

/** Error codes of Node, Bun and Deno for a failed connection. */
const notSentCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function isNotSent(cause: unknown): boolean {
  return errorChain(cause).some((error) => 'code' in error && notSentCodes.has(error.code))
}

function describe(cause: unknown): string {
  const chain = errorChain(cause)
  if (chain.length === 0) return String(cause)
  return [...new Set(chain.map((error) => error.message || ('code' in error ? String(error.code) : error.name)))].join(
    ': ',
  )
}

function errorChain(error: unknown): Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < 5; next = next.cause) chain.push(next)
  return chain
}

/** Returns whether JSON is a result of the operation. Other programs may answer with JSON, too. */
export function isResult(operation: Operation, value: unknown): boolean {
  const field = resultField(operation)
  if (field === undefined) return typeof value === 'boolean'
  return typeof value === 'object' && value !== null && field in value
}

/** Characters of a response that are searched for secrets before its start is quoted. */
const longestQuotable = 10_000

/** Describes a response that does not come from Souk. */
export function describeForeignResponse(answer: FetchResponse, text: string, redact: Redact): string {
  if (answer.status >= 300 && answer.status < 400) {
    const location = answer.headers.get('location')
    const target = location === null ? 'another URL' : redact(shownUrl(location))
    return `The server redirects to ${target}; signed requests do not follow redirects.`
  }
  // Redacted before it is cut, or the start of a secret would remain.
  const start = redact(text.trim().slice(0, longestQuotable)).slice(0, 80)
  const type = redact(answer.headers.get('content-type') ?? 'no content type')
  return `The response does not come from Souk: ${type}${start ? `, starting with ${JSON.stringify(start)}` : ', empty'}.`
}

/** Parses `Retry-After` to ms from now. A date is one of the server's clock, which `Date` has. */
export function readRetryAfter({ headers }: FetchResponse, now: number): number | undefined {
  const header = headers.get('retry-after')
  if (!header) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const time = Date.parse(header)
  const sent = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(time) ? undefined : Math.max(0, time - (Number.isNaN(sent) ? now : sent))
}
