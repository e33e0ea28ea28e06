import { operations } from 'virtual:souk-operations'
import type { hostOperations, ParametersOf, ResultOf } from '@souk/contract'
import { bodyOf, Problem, requestOf, send } from '@souk/web'

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
  return (await ask(id, input, signal, bodyOf)) as Result<Id>
}

/**
 * The stream of the operation `events`.
 *
 * @throws Problem what the server refused, or `unreachable`
 */
export async function openEvents(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  return ask('events', {}, signal, async (answer) => {
    if (answer.ok && answer.body) return answer.body
    await bodyOf(answer)
    throw new Problem({ code: 'unreadable', status: answer.status, detail: 'The answer is no stream.' })
  })
}

async function ask<T>(
  id: string,
  input: Record<string, unknown>,
  signal: AbortSignal | undefined,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const operation = operations[id]
  if (!operation) throw new Error(`The contract has no host operation ${id}`)
  const sentWith = bearer
  try {
    const own = bearer ? { Authorization: `Bearer ${bearer}` } : {}
    return await read(await send(requestOf(operation, input, own), signal))
  } catch (error) {
    // Meanwhile somebody else may have signed in.
    if (error instanceof Problem && error.code === 'session_invalid' && sentWith === bearer) sessionLost()
    throw error
  }
}
