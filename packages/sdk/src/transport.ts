import type { RetryRule } from '@souk/contract'
import { type CalledOperation, SoukApiError, SoukConnectionError } from './errors.ts'
import type { Clock, Fetch, FetchAnswer } from './runtime.ts'

/** How a client reaches Souk. */
export interface Transport {
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly clock: Clock
  /** From [0, 1): spreads the tries of many clients. */
  readonly random: () => number
  readonly timeout: number
  readonly maxRetries: number
}

/** Settings of one call. */
export interface CallOptions {
  /** Gives the call up; it rejects with the signal's reason. */
  signal?: AbortSignal
  /** How long one try may take, in ms. */
  timeout?: number
  /** How many further tries there may be. */
  maxRetries?: number
}

/** A longer `Retry-After` is not waited for: the caller learns it from the error and decides. */
const longestRetryAfter = 30_000
const passingStatuses: readonly number[] = [429, 502, 503, 504]

/** Whether the same question may well be answered later. */
export function isPassing(failure: unknown): boolean {
  if (failure instanceof SoukConnectionError) return true
  return failure instanceof SoukApiError && passingStatuses.includes(failure.status)
}

/** Whether a try that failed may be followed by another one. */
export function mayRepeat(failure: unknown, rule: RetryRule): boolean {
  if (rule !== 'ifNotExecuted') return isPassing(failure)
  if (failure instanceof SoukConnectionError) return failure.notSent
  return failure instanceof SoukApiError && failure.status === 429
}

/** How long to wait before the next try, ms; undefined where the server asks for too long a pause. */
export function pauseBefore(attempt: number, failure: unknown, random: number): number | undefined {
  const asked = failure instanceof SoukApiError ? (failure.retryAfter ?? 0) : 0
  if (asked > longestRetryAfter) return undefined
  const backoff = Math.min(250 * 2 ** attempt, 8000)
  return Math.max(asked, Math.round(backoff * (0.5 + random / 2)))
}

/** How one try is made. */
interface Exchange<T> {
  send(signal: AbortSignal): Promise<FetchAnswer>
  /** Takes what is wanted of the answer, within the time of the try. */
  read(answer: FetchAnswer): Promise<T>
  /** What to do where it is not known whether the request was carried out. */
  lost?: string | undefined
}

/** One try: sends, and gives up in time. @throws SoukConnectionError, and the reason of `options.signal` */
export async function exchange<T>(
  transport: Transport,
  operation: CalledOperation,
  options: CallOptions,
  { send, read, lost }: Exchange<T>,
): Promise<T> {
  const { signal } = options
  signal?.throwIfAborted()
  const timeout = options.timeout ?? transport.timeout
  const abort = new AbortController()
  const giveUp = () => abort.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
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
    const reason = timedOut ? `none within ${timeout} ms from ${transport.baseUrl}.` : `${describe(cause)}.`
    const hint = notSent
      ? ` Check that Souk runs and that baseUrl is right: ${transport.baseUrl}.`
      : lost === undefined
        ? ''
        : ` ${lost}`
    throw new SoukConnectionError(operation, reason + hint, notSent, cause)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Codes with which Node, Bun and Deno say that no connection came about. */
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

/** What to say of an answer that Souk cannot have given. */
export function strangeAnswer(answer: FetchAnswer, text: string): string {
  if (answer.status >= 300 && answer.status < 400) {
    return `The address redirects to ${answer.headers.get('location') ?? 'another one'}; a signed request is not sent on.`
  }
  const start = text.trim().slice(0, 80)
  return `The answer does not come from Souk: ${answer.headers.get('content-type') ?? 'no content type'}${start ? `, beginning with ${JSON.stringify(start)}` : ', empty'}.`
}

/** `Retry-After`, in ms from now. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const time = Date.parse(header)
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}
