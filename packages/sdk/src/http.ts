import { type Envelope, encodeForm, openOperations, type ParameterValue, signParameters } from '@souk/contract'
import { advice } from './advice.ts'
import { SoukApiError, SoukConnectionError } from './errors.ts'
import { calls, type OperationName, type RetryRule } from './operations.ts'
import type { Clock, Fetch, FetchAnswer } from './runtime.ts'

/** What the calls of one client share. */
export interface Connection {
  readonly baseUrl: string
  readonly appid: string
  readonly secret: string
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

/** A file as it is uploaded; its part is neither signed nor encrypted (open-api §4.1). */
export interface FilePart {
  content: Blob
  name: string
}

type Parameters = Readonly<Record<string, ParameterValue>>

/** A repeat of a signed request must arrive within the 5 minutes of its timestamp; the rest is room for skewed clocks. */
const signLifetime = 240_000
/** A longer `Retry-After` is not waited for: the caller learns it from the error and decides. */
const longestRetryAfter = 30_000
const passingStatuses: readonly number[] = [429, 502, 503, 504]

/**
 * Calls one operation, and repeats it where that is safe (ADR 0050).
 *
 * @throws SoukApiError for a refusal, SoukConnectionError for no answer, and the reason of `options.signal`.
 */
export async function call(
  connection: Connection,
  operation: OperationName,
  parameters: Parameters,
  options: CallOptions = {},
  sign?: (timestamp: number) => Parameters,
  file?: FilePart,
): Promise<unknown> {
  const { clock } = connection
  const { retry } = calls[operation]
  const maxRetries = options.maxRetries ?? connection.maxRetries
  let signedAt = clock.now()
  let signed = sign?.(signedAt) ?? {}
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce(connection, operation, { ...parameters, ...signed }, options, file)
    } catch (failure) {
      if (attempt > maxRetries || !mayRepeat(failure, retry)) throw failure
      const pause = pauseBefore(attempt, failure, connection.random())
      if (pause === undefined) throw failure
      if (retry === 'same-sign' && clock.now() + pause - signedAt > signLifetime) throw failure
      await clock.sleep(pause, options.signal)
    }
    if (retry !== 'same-sign') {
      signedAt = clock.now()
      signed = sign?.(signedAt) ?? {}
    }
  }
}

/** The pairs that make a request of this app's (open-api §4.1). */
export function signatureOf(connection: Connection, parameters: Parameters, timestamp: number): Parameters {
  const signed = { appid: connection.appid, timestamp }
  return { ...signed, sign: signParameters(Object.entries({ ...parameters, ...signed }), connection.secret) }
}

/** Whether the same question may well be answered later. */
export function isPassing(failure: unknown): boolean {
  if (failure instanceof SoukConnectionError) return true
  return failure instanceof SoukApiError && passingStatuses.includes(failure.status)
}

function mayRepeat(failure: unknown, rule: RetryRule): boolean {
  if (rule !== 'refused-only') return isPassing(failure)
  if (failure instanceof SoukConnectionError) return failure.notSent
  return failure instanceof SoukApiError && failure.status === 429
}

function pauseBefore(attempt: number, failure: unknown, random: number): number | undefined {
  const asked = failure instanceof SoukApiError ? (failure.retryAfter ?? 0) : 0
  if (asked > longestRetryAfter) return undefined
  const backoff = Math.min(250 * 2 ** attempt, 8000)
  return Math.max(asked, Math.round(backoff * (0.5 + random / 2)))
}

async function callOnce(
  connection: Connection,
  operation: OperationName,
  parameters: Parameters,
  options: CallOptions,
  file: FilePart | undefined,
): Promise<unknown> {
  const { method, path } = openOperations[operation]
  const { parametersIn } = calls[operation]
  const form = encodeForm(Object.entries(parameters))
  const url = `${connection.baseUrl}${path}${parametersIn === 'query' ? `?${form}` : ''}`
  const headers: Record<string, string> = { accept: 'application/json' }
  let body: string | FormData | undefined
  if (parametersIn === 'form') {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    body = form
  } else if (file) {
    body = new FormData()
    for (const [name, value] of Object.entries(parameters)) body.append(name, String(value))
    body.append('fileData', file.content, file.name)
  }

  const started = connection.clock.now()
  const { answer, text } = await exchange(connection, operation, options, (signal) =>
    connection.fetch(url, { method, headers, redirect: 'manual', signal, ...(body === undefined ? {} : { body }) }),
  )
  const envelope = readEnvelope(text)
  if (envelope && envelope.responseHeader.status === 200) return envelope.response

  const header = envelope?.responseHeader
  const data = header?.data
  const date = Date.parse(answer.headers.get('date') ?? '')
  const circumstances = {
    ...connection,
    now: started,
    serverTime: typeof data?.serverTime === 'number' ? data.serverTime : Number.isNaN(date) ? undefined : date,
  }
  throw new SoukApiError({
    operation,
    status: header?.status ?? answer.status,
    code: header?.code,
    msg: header?.msg ?? strangeAnswer(answer, text),
    requestId: answer.headers.get('x-request-id') ?? undefined,
    data,
    retryAfter: readRetryAfter(answer.headers.get('retry-after'), connection.clock.now()),
    advice: header
      ? advice(header.code, circumstances)
      : `Check baseUrl, ${connection.baseUrl}: the address in front of /neuopenapi.`,
  })
}

async function exchange(
  connection: Connection,
  operation: OperationName,
  options: CallOptions,
  send: (signal: AbortSignal) => Promise<FetchAnswer>,
): Promise<{ answer: FetchAnswer; text: string }> {
  const { signal } = options
  signal?.throwIfAborted()
  const timeout = options.timeout ?? connection.timeout
  const abort = new AbortController()
  const giveUp = () => abort.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    abort.abort()
  }, timeout)
  try {
    const answer = await send(abort.signal)
    return { answer, text: await answer.text() }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    const notSent = !timedOut && isNotSent(cause)
    const reason = timedOut ? `none within ${timeout} ms from ${connection.baseUrl}.` : `${describe(cause)}.`
    const hint = notSent
      ? ` Check that Souk runs and that baseUrl is right: ${connection.baseUrl}.`
      : calls[operation].retry === 'refused-only'
        ? ' The code may have been used up: do not send it again, but ask the page for a new one with neu.login().'
        : ''
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

function readEnvelope(text: string): Envelope | undefined {
  try {
    const envelope: unknown = JSON.parse(text)
    return isEnvelope(envelope) ? envelope : undefined
  } catch {
    return undefined
  }
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null || !('responseHeader' in value)) return false
  const header = value.responseHeader
  return typeof header === 'object' && header !== null && 'status' in header && typeof header.status === 'number'
}

function strangeAnswer(answer: FetchAnswer, text: string): string {
  if (answer.status >= 300 && answer.status < 400) {
    return `The address redirects to ${answer.headers.get('location') ?? 'another one'}; a signed request is not sent on.`
  }
  const start = text.trim().slice(0, 80)
  return `The answer does not come from Souk: ${answer.headers.get('content-type') ?? 'no content type'}${start ? `, beginning with ${JSON.stringify(start)}` : ', empty'}.`
}

function readRetryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const time = Date.parse(header)
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}
