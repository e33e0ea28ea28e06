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

/** How long an answer may take, ms: on a network that has stopped without a word nobody shall wait before a payment for ever. */
const patience = 30_000

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
  return (await ask(id, input, bodyOf, signal, patience)) as Result<Id>
}

/**
 * The stream of the operation `events`.
 *
 * @throws Problem what the server refused, or `unreachable`
 */
export async function openEvents(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const stream = async (answer: Response) => {
    if (answer.ok && answer.body) return answer.body
    await bodyOf(answer)
    throw new Problem({ code: 'unreadable', status: answer.status, detail: 'The answer is no stream.' })
  }
  return ask('events', {}, stream, signal)
}

async function ask<T>(
  id: string,
  input: Record<string, unknown>,
  read: (answer: Response) => Promise<T>,
  signal: AbortSignal | undefined,
  patience?: number,
): Promise<T> {
  const operation = operations[id]
  if (!operation) throw new Error(`The contract has no host operation ${id}`)
  const sentWith = bearer
  try {
    const own = bearer ? { Authorization: `Bearer ${bearer}` } : {}
    return await read(await send(requestOf(operation, input, own), signal, patience))
  } catch (error) {
    // Meanwhile somebody else may have signed in.
    if (error instanceof Problem && error.code === 'session_invalid' && sentWith === bearer) sessionLost()
    throw error
  }
}
