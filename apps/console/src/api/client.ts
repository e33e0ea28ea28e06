import { operations } from 'virtual:souk-operations'
import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { asProblem, buildRequest, readBody, send } from '@souk/web'

type Operations = typeof consoleOperations
/** Operations with a JSON request and a single response; `listen` and `uploadRelease` are for the command line. */
export type OperationId = Exclude<keyof Operations, 'listen' | 'uploadRelease'>
export type Input<Id extends OperationId> = ParametersOf<Operations[Id]>
export type Result<Id extends OperationId> = ResultOf<Operations[Id]>

/** Makes `input` optional for operations without required parameters. */
type InputArgument<Id extends OperationId> = object extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]

let csrf: string | undefined
let reauthenticate: (code: string, id: OperationId) => Promise<boolean> = async () => false

/** Sets the CSRF token, which comes with the session and is sent with every change. */
export function useCsrf(token: string | undefined): void {
  csrf = token
}

/**
 * Sets the handler for operations rejected with `session_invalid` or `csrf_invalid`. If it resolves to true, the
 * page is authenticated again and the operation is retried; the server has not executed it.
 */
export function onUnauthenticated(callback: typeof reauthenticate): void {
  reauthenticate = callback
}

/**
 * Calls an operation of the console API.
 *
 * @throws Problem the server's error, or `unreachable`
 * @throws DOMException `AbortError` if `signal` was aborted
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
