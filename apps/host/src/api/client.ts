import { operations } from 'virtual:souk-operations'
import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import { Problem } from './problem.ts'

type Operations = typeof hostOperations
/** Operations that answer once; for `events` see events.ts. */
type OperationId = Exclude<keyof Operations, 'events'>
type Input<Id extends OperationId> = ParametersOf<Operations[Id]>
export type Result<Id extends OperationId> = ResultOf<Operations[Id]>

/** Operations that take nothing may be called without an input. */
type InputArgument<Id extends OperationId> = object extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]

let bearer: string | undefined
let sessionLost: () => void = () => {}

/** The session that requests are sent with. */
export function useBearer(token: string | undefined): void {
  bearer = token
}

/** Called whenever an answer says that nobody is signed in. */
export function onSessionLost(callback: () => void): void {
  sessionLost = callback
}

/**
 * Calls one operation of the host surface.
 *
 * @throws Problem what the server refused, or `unreachable`
 * @throws DOMException `AbortError` when `signal` was aborted
 */
export async function call<Id extends OperationId>(
  id: Id,
  ...rest: [...InputArgument<Id>, signal?: AbortSignal]
): Promise<Result<Id>> {
  const [input = {}, signal] = rest as unknown as [Record<string, unknown>?, AbortSignal?]
  const sentWith = bearer
  const answer = await send(id, input, signal)
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok && body !== undefined) return body as Result<Id>
  throw refusal(answer, body, sentWith)
}

/**
 * The stream of the operation `events`.
 *
 * @throws Problem what the server refused, or `unreachable`
 */
export async function openEvents(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const sentWith = bearer
  const answer = await send('events', {}, signal)
  if (answer.ok && answer.body) return answer.body
  throw refusal(answer, await answer.json().catch(() => undefined), sentWith)
}

async function send(id: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<Response> {
  const { url, init } = prepare(id, input)
  try {
    return await fetch(url, { ...init, ...(signal ? { signal } : {}) })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Problem({ code: 'unreachable', status: 0, detail: 'The server cannot be reached.' })
  }
}

/** Puts each parameter where the operation has it: the path's braces, the query string, or the JSON body. */
function prepare(id: string, input: Record<string, unknown>): { url: string; init: RequestInit } {
  const operation = operations[id]
  if (!operation) throw new Error(`The contract has no host operation ${id}`)
  const { method, body } = operation
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const headers = { Accept: 'application/json', ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}) }
  if (!body) {
    const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString()
    return { url: query ? `${path}?${query}` : path, init: { method, headers } }
  }
  return {
    url: path,
    init: {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(rest)),
    },
  }
}

function refusal(answer: Response, body: unknown, sentWith: string | undefined): Problem {
  const requestId = answer.headers.get('x-request-id')
  const facts = { status: answer.status, ...(requestId ? { requestId } : {}) }
  if (typeof body !== 'object' || body === null || !('code' in body)) {
    return new Problem({ ...facts, code: 'unreadable', detail: `The answer (${answer.status}) is not one of Souk’s.` })
  }
  const { code, detail, data } = body as { code: string; detail?: string; data?: object }
  // Meanwhile somebody else may have signed in.
  if (code === 'session_invalid' && sentWith === bearer) sessionLost()
  return new Problem({ ...facts, code, detail: detail ?? code, ...(data ? { data } : {}) })
}
