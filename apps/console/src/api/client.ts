import { operations } from 'virtual:souk-operations'
import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { Problem } from './problem.ts'

type Operations = typeof consoleOperations
/** Operations that take JSON and answer once; `listen` and `uploadRelease` are for the command line. */
export type OperationId = Exclude<keyof Operations, 'listen' | 'uploadRelease'>
export type Input<Id extends OperationId> = ParametersOf<Operations[Id]>
export type Result<Id extends OperationId> = ResultOf<Operations[Id]>

/** Operations that take nothing may be called without an input. */
type InputArgument<Id extends OperationId> = object extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]

let csrf: string | undefined
let sessionLost: () => void = () => {}

/** The token that every change carries beside the cookie; it comes with the session. */
export function useCsrf(token: string | undefined): void {
  csrf = token
}

/** Called whenever an answer says that nobody is signed in. */
export function onSessionLost(callback: () => void): void {
  sessionLost = callback
}

/**
 * Calls one operation of the console surface.
 *
 * @throws Problem what the server refused, or `unreachable`
 * @throws DOMException `AbortError` when `signal` was aborted
 */
export async function call<Id extends OperationId>(
  id: Id,
  ...rest: [...InputArgument<Id>, signal?: AbortSignal]
): Promise<Result<Id>> {
  const [input = {}, signal] = rest as unknown as [Record<string, unknown>?, AbortSignal?]
  return (await send(id, input, signal)) as Result<Id>
}

async function send(id: string, input: Record<string, unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  const { url, init } = prepare(id, input)
  const answer = await fetch(url, { ...init, ...(signal ? { signal } : {}) }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new Problem({ code: 'unreachable', status: 0, detail: 'The server cannot be reached.' })
  })
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok && body !== undefined) return body
  const problem = asRefusal(answer, body)
  if (problem.code === 'session_invalid') sessionLost()
  throw problem
}

/** Puts each parameter where the operation has it: the path's braces, the query string, or the JSON body. */
function prepare(id: string, input: Record<string, unknown>): { url: string; init: RequestInit } {
  const operation = operations[id]
  if (!operation) throw new Error(`The contract has no console operation ${id}`)
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const method = operation.method
  if (method === 'GET' || method === 'DELETE') {
    const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString()
    return { url: query ? `${path}?${query}` : path, init: { method, headers: headers(method) } }
  }
  return {
    url: path,
    init: {
      method,
      headers: { ...headers(method), 'Content-Type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(rest)),
    },
  }
}

function headers(method: string): Record<string, string> {
  return { Accept: 'application/json', ...(csrf && method !== 'GET' ? { 'X-Souk-CSRF': csrf } : {}) }
}

function asRefusal(answer: Response, body: unknown): Problem {
  const requestId = answer.headers.get('x-request-id')
  const facts = { status: answer.status, ...(requestId ? { requestId } : {}) }
  if (typeof body !== 'object' || body === null || !('code' in body)) {
    return new Problem({ ...facts, code: 'unreadable', detail: `The answer (${answer.status}) is not one of Souk’s.` })
  }
  const { code, detail, data } = body as { code: string; detail?: string; data?: object }
  return new Problem({ ...facts, code, detail: detail ?? code, ...(data ? { data } : {}) })
}
