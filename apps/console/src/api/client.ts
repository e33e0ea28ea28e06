import { operations } from 'virtual:souk-operations'
import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { asProblem, buildRequest, readBody, send } from '@souk/web'

type Operations = typeof consoleOperations
/** Operations that take JSON and answer once; `listen` and `uploadRelease` are for the command line. */
export type OperationId = Exclude<keyof Operations, 'listen' | 'uploadRelease'>
export type Input<Id extends OperationId> = ParametersOf<Operations[Id]>
export type Result<Id extends OperationId> = ResultOf<Operations[Id]>

/** Operations that take nothing may be called without an input. */
type InputArgument<Id extends OperationId> = object extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]

let csrf: string | undefined
let reauthenticate: (code: string, id: OperationId) => Promise<boolean> = async () => false

/** The token that every change carries beside the cookie; it comes with the session. */
export function useCsrf(token: string | undefined): void {
  csrf = token
}

/**
 * Asked when an operation was refused because the page does not prove who is signed in (`session_invalid`, `csrf_invalid`):
 * whether it does now, so that the operation, of which nothing was done, is called again.
 */
export function onUnauthenticated(callback: typeof reauthenticate): void {
  reauthenticate = callback
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
  const operation = operations[id]
  if (!operation) throw new Error(`The contract has no console operation ${id}`)
  const own: Record<string, string> = csrf && operation.method !== 'GET' ? { 'X-Souk-CSRF': csrf } : {}
  try {
    return (await readBody(await send(buildRequest(operation, input, own), signal))) as Result<Id>
  } catch (error) {
    const { code } = asProblem(error)
    if ((code !== 'session_invalid' && code !== 'csrf_invalid') || !(await reauthenticate(code, id))) throw error
    return call(id, ...rest)
  }
}
