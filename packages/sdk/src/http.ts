import {
  type Envelope,
  encodeForm,
  findAmbiguity,
  minute,
  type Operation,
  openOperations,
  type ParameterValue,
  retryRule,
  signParameters,
} from '@souk/contract'
import { advice } from './advice.ts'
import { Attempts, type Observed } from './attempts.ts'
import { decodeResult } from './decode.ts'
import { AmbiguousParametersError, SoukApiError } from './errors.ts'
import { type NotDelivered, readNotDelivered } from './notDelivered.ts'
import type { OperationName, Result } from './operations.ts'
import { randomId } from './randomId.ts'
import { createRedact, hideFromInspection, redactData } from './redaction.ts'
import { userAgent } from './runtime.ts'
import { nextTimestamp, skipTimestamps } from './timestamps.ts'
import {
  adviseOnForeignResponse,
  type CallOptions,
  describeForeignResponse,
  exchange,
  isResult,
  readRetryAfter,
  repeated,
  type Transport,
} from './transport.ts'

/** Configuration shared by all calls of a client. */
export interface Connection extends Transport {
  readonly appid: string
  readonly secret: string
  /** Called with the recipients whom a message does not reach. */
  readonly onNotDelivered?: ((found: NotDelivered) => void | Promise<void>) | undefined
}

/** A file to upload; its part is neither signed nor encrypted (open-api §4.1). */
interface FilePart {
  content: Blob
  name: string
}

/** Options of a request besides its parameters. */
interface RequestParts {
  /** Returns the common parameters and the sign for a timestamp. */
  sign?: ((timestamp: number) => Parameters) | undefined
  file?: FilePart | undefined
}

type Parameters = Readonly<Record<string, ParameterValue>>

/** Signs a request if the operation requires it, sends it and returns the `response` of the envelope. */
export type Send = <N extends OperationName>(
  operation: N,
  parameters: Readonly<Record<string, string | number | readonly string[] | undefined>>,
  options?: CallOptions,
) => Promise<Result<N>>

/** Time for retries of a signed request: the window of 5 minutes, less the age of the timestamp and clock skew. */
const signLifetime = 3 * minute
/** Maximum number of times that a request is signed again because another process has used its timestamp. */
const maxCollisions = 5

/**
 * Calls an operation and retries it where that is safe (ADR 50). It is signed again if Souk did not execute it because
 * another one has the same sign (ADR 411). The recipients whom a message does not reach are reported after all of this,
 * so that a failure of `onNotDelivered` cannot send the message again.
 *
 * @throws SoukApiError for an error response, SoukConnectionError for no response, and the reason of `options.signal`.
 */
export async function call(
  connection: Connection,
  operation: OperationName,
  parameters: Parameters,
  options: CallOptions = {},
  { sign, file }: RequestParts = {},
): Promise<unknown> {
  const { clock } = connection
  const retry = retryRule(openOperations[operation])
  const keepsSignature = retry === 'sameSignature'
  const { method, path } = openOperations[operation]
  const { baseUrl, onAttempt } = connection
  const attempts = new Attempts(onAttempt, { name: operation, method, path, baseUrl, signal: options.signal })
  let signedAt = 0
  let signed: Parameters | undefined
  let collisions = 0
  const once = async (): Promise<Answer> => {
    const isRepetition = signed !== undefined && keepsSignature
    if (sign && !isRepetition) {
      signedAt = clock.now()
      signed = sign(nextTimestamp(connection.appid, signedAt))
    }
    const sent = { ...parameters, ...signed }
    const answer = await attempts
      .run((observed) => callOnce(connection, operation, sent, options, file, observed))
      .catch(asCollision)
    // A repetition may get the result of its own first attempt.
    const isOwn = isRepetition || !keepsSignature || answer?.isReplayed === false
    if (answer && (isOwn || collisions >= maxCollisions)) return answer
    collisions++
    skipTimestamps(connection.appid)
    signed = undefined
    return once()
  }
  const asCollision = (error: unknown): undefined => {
    const isCollision = error instanceof SoukApiError && error.code === 'sign_reused'
    if (!isCollision || collisions >= maxCollisions) throw error
  }
  const isSignedAt = (time: number) => !keepsSignature || time - signedAt <= signLifetime
  const { response, notDelivered } = await repeated(connection, retry, options, once, isSignedAt)
  if (notDelivered) await connection.onNotDelivered?.(notDelivered)
  return response
}

interface Answer {
  response: unknown
  /** Whether the result is that of an earlier request with the same sign. */
  isReplayed: boolean
  /** Undefined in the response to a repetition, too. */
  notDelivered: NotDelivered | undefined
}

/**
 * Adds the common parameters and the sign (open-api §4.1).
 * @throws AmbiguousParametersError
 */
export function signatureOf(connection: Connection, parameters: Parameters, timestamp: number): Parameters {
  const signed = { appid: connection.appid, timestamp }
  const pairs = Object.entries({ ...parameters, ...signed })
  const ambiguity = findAmbiguity(pairs)
  if (ambiguity) throw new AmbiguousParametersError(ambiguity)
  return { ...signed, sign: signParameters(pairs, connection.secret) }
}

async function callOnce(
  connection: Connection,
  operation: OperationName,
  parameters: Parameters,
  options: CallOptions,
  file: FilePart | undefined,
  observed: Observed,
): Promise<Answer> {
  const { method, path } = openOperations[operation]
  const parametersIn = placeOfParameters(operation)
  const form = encodeForm(Object.entries(parameters))
  const url = `${connection.baseUrl}${path}${parametersIn === 'query' ? `?${form}` : ''}`
  const headers = { ...observed.headers, accept: 'application/json', 'user-agent': userAgent }
  let body: string | Uint8Array<ArrayBuffer> | undefined
  if (parametersIn === 'form') {
    Object.assign(headers, { 'content-type': 'application/x-www-form-urlencoded' })
    body = form
  } else if (file) {
    const boundary = randomId()
    Object.assign(headers, { 'content-type': `multipart/form-data; boundary=${boundary}` })
    body = await multipart(boundary, parameters, file)
  }

  const started = connection.clock.now()
  const redact = createRedact([connection.secret], openOperations[operation], parameters)
  const { answer, text } = await exchange(connection, operation, options, {
    send: (signal) =>
      connection.fetch(url, { method, headers, redirect: 'manual', signal, ...(body === undefined ? {} : { body }) }),
    read: async (answer) => ({ answer, text: await answer.text() }),
    redact,
  })
  const requestId = redactData(answer.headers.get('x-request-id') ?? undefined, redact)
  observed.received(answer.status, requestId)
  const envelope = readEnvelope(text)
  const succeeded = envelope?.responseHeader.status === 200
  if (succeeded && isResult(openOperations[operation], envelope.response)) {
    const result = decodeResult(openOperations[operation], envelope.response)
    return {
      response: hideFromInspection(result, openOperations[operation]),
      isReplayed: answer.headers.get('idempotent-replayed') === 'true',
      notDelivered: readNotDelivered(operation, envelope.responseHeader.notDelivered),
    }
  }

  const header = succeeded ? undefined : redactData(envelope?.responseHeader, redact)
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
    msg: header?.msg ?? describeForeignResponse(answer, text, redact),
    requestId,
    data,
    retryAfter: readRetryAfter(answer, connection.clock.now()),
    advice: header
      ? advice(header.code, circumstances)
      : adviseOnForeignResponse(answer.status, connection.baseUrl, '/neuopenapi'),
  })
}

/** Returns a body in bytes, since each implementation of `fetch` takes only the `FormData` of its own. */
async function multipart(boundary: string, parameters: Parameters, file: FilePart): Promise<Uint8Array<ArrayBuffer>> {
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}`
  const fields = Object.entries(parameters).map(([name, value]) => `${part(`name="${name}"`)}\r\n\r\n${value}\r\n`)
  const name = file.name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const head = `${part(`name="fileData"; filename="${name}"`)}\r\nContent-Type: application/octet-stream\r\n\r\n`
  return new Uint8Array(await new Blob([...fields, head, file.content, `\r\n--${boundary}--\r\n`]).arrayBuffer())
}

/** Returns where the parameters of an operation are sent. */
function placeOfParameters(name: OperationName): 'query' | 'form' | 'multipart' {
  const { method, file }: Operation = openOperations[name]
  if (file) return 'multipart'
  // Specified with its parameters in the query string, although it is a POST (open-api §4.1).
  return method === 'GET' || name === 'tradeclose' ? 'query' : 'form'
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
