import { operations } from 'virtual:souk-operations'
import { type hostOperations, type ParametersOf, type ResultOf, second } from '@souk/contract'
import { buildRequest, Problem, readBody, send } from '@souk/web'

type Operations = typeof hostOperations
/** Operations with a single response; for streams see stayConnected.ts. */
type OperationId = Exclude<keyof Operations, 'events' | 'followInspection'>
type Input<Id extends OperationId> = ParametersOf<Operations[Id]>
export type Result<Id extends OperationId> = ResultOf<Operations[Id]>

/** Input may be omitted if all parameters are optional. */
type InputArgument<Id extends OperationId> = object extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]

/** Request timeout, so that a payment does not wait forever on a dead connection. */
const requestTimeout = 30 * second

/** Sent even if the page is closed or loaded again meanwhile. */
const outlivesPage: ReadonlySet<string> = new Set<OperationId>(['markRead'])

let bearer: string | undefined
/** The user of the bearer; undefined until it is known. */
let bearerUid: number | undefined
let sessionLost: (token: string | undefined) => void = () => {}
let renewSession: ((token: string | undefined) => Promise<boolean>) | undefined

/** Sets the session token that requests are sent with, and its user. */
export function setBearer(token: string | undefined, uid?: number): void {
  bearer = token
  bearerUid = uid
}

/** Registers the callback for responses that say that the session with this token is invalid. */
export function onSessionLost(callback: typeof sessionLost): void {
  sessionLost = callback
}

/**
 * Registers a function that replaces an invalid session of the same user. If it resolves to true, the request is sent
 * again, once. It throws a Problem if there is no connection.
 */
export function renewSessionWith(renew: typeof renewSession): void {
  renewSession = renew
}

/**
 * Calls one operation of the host surface. The promise is never settled if its user has signed out or another one has
 * signed in since, so that what began for one user does not go on for the next.
 *
 * @throws Problem if the server rejects the request or is `unreachable`
 * @throws DOMException `AbortError` if `signal` was aborted
 */
export async function call<Id extends OperationId>(
  id: Id,
  ...rest: [...InputArgument<Id>, signal?: AbortSignal]
): Promise<Result<Id>> {
  const [input = {}, signal] = rest as unknown as [Record<string, unknown>?, AbortSignal?]
  const sender = bearerUid
  const isOver = () => sender !== undefined && sender !== bearerUid && id !== 'signOut'
  try {
    const result = (await request(id, input, { read: readBody, signal, timeout: requestTimeout })) as Result<Id>
    if (!isOver()) return result
  } catch (error) {
    if (!isOver()) throw error
  }
  return new Promise(() => {})
}

/** Returns the user of a session that no other request uses yet. @throws Problem */
export async function findUserOf(token: string): Promise<Result<'me'>> {
  const options = { read: readBody, signal: undefined, timeout: requestTimeout, token }
  return (await request('me', {}, options)) as Result<'me'>
}

/** Reports events of a mini app without waiting for the response, even if the page is being closed. */
export function reportEvents(input: Input<'recordEvents'>): void {
  if (!bearer) return
  const request = buildRequest(operations.recordEvents!, input, { Authorization: `Bearer ${bearer}` })
  send(new Request(request, { keepalive: true })).catch(() => {})
}

/** Opens the event stream (operation `events`). @throws Problem as `openStream` */
export const openEvents = (signal: AbortSignal) => openStream('events', {}, signal)

/** Opens the stream of an inspection. @throws Problem as `openStream` */
export const openInspection = (input: ParametersOf<Operations['followInspection']>, signal: AbortSignal) =>
  openStream('followInspection', input, signal)

/** @throws Problem if the server rejects the request or is `unreachable` */
async function openStream(
  id: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const readStream = async (response: Response) => {
    if (response.ok && response.body) return response.body
    await readBody(response)
    throw new Problem({ code: 'unreadable', status: response.status, detail: 'The response is not a stream.' })
  }
  return request(id, input, { read: readStream, signal })
}

interface RequestOptions<T> {
  read: (response: Response) => Promise<T>
  signal: AbortSignal | undefined
  timeout?: number
  /** Sent instead of the bearer; it is not renewed. */
  token?: string
}

async function request<T>(
  id: string,
  input: Record<string, unknown>,
  options: RequestOptions<T>,
  isRepeated = false,
): Promise<T> {
  const operation = operations[id]
  if (!operation) throw new Error(`The contract does not have a host operation ${id}`)
  const sentWith = options.token ?? bearer
  try {
    const headers = sentWith ? { Authorization: `Bearer ${sentWith}` } : {}
    const built = new Request(buildRequest(operation, input, headers), { keepalive: outlivesPage.has(id) })
    return await options.read(await send(built, options.signal, options.timeout))
  } catch (error) {
    if (error instanceof Problem && error.code === 'session_invalid' && !options.token) {
      if (!isRepeated && (await renewSession?.(sentWith))) return request(id, input, options, true)
      // Another user may have signed in since the request was sent.
      if (sentWith === bearer) sessionLost(sentWith)
    }
    throw error
  }
}
