import { operations } from 'virtual:souk-operations'
import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import { asProblem, buildRequest, type Problem, readBody, send } from '@souk/web'
import { compareBuild } from '../upgrade.ts'
import type { NamedOperation } from './confirmedOperations.ts'
import { results } from './results.ts'

type Operations = typeof consoleOperations
type Streams = 'watchProject' | 'watchInstallation' | 'watchInspection'
/** Operations with a JSON request and a single response; `listen` and uploads are for the command line. */
export type OperationId = Exclude<keyof Operations, Streams | 'listen' | 'uploadRelease' | 'uploadSourceMaps'>
export type Input<Id extends OperationId> = ParametersOf<Operations[Id]>
export type Result<Id extends OperationId> = ResultOf<Operations[Id]>

/** Makes `input` optional for operations without required parameters. */
type InputArgument<Id extends OperationId> = object extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]

/** A call that the server has rejected. `name` is that of what it changes, if the page has given it. */
export interface RejectedCall {
  id: OperationId
  input: Record<string, unknown>
  name: string | undefined
}

let csrf: string | undefined
let reauthenticate: (problem: Problem, rejected: RejectedCall) => Promise<boolean> = async () => false

/** Errors of requests that the server has not executed, and that can succeed after the user has done something. */
const recoverable = ['session_invalid', 'csrf_invalid', 'step_up_required']

/** Sets the CSRF token, which comes with the session and is sent with every change. */
export function useCsrf(token: string | undefined): void {
  csrf = token
}

/**
 * Sets the handler for operations rejected with one of the `recoverable` errors. If it resolves to true, the page is
 * authenticated again and the operation is retried.
 */
export function onUnauthenticated(callback: typeof reauthenticate): void {
  reauthenticate = callback
}

/** Returns the address of an operation that the browser opens itself, such as a download. */
export function addressOf<Id extends OperationId | Streams>(id: Id, input: ParametersOf<Operations[Id]>): string {
  return buildRequest(operationOf(id), input as Record<string, unknown>, {}).url
}

function operationOf(id: string) {
  const operation = operations[id]
  if (!operation) throw new Error(`The contract has no console operation ${id}`)
  return operation
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
  return request({ id, input, name: undefined }, signal) as Promise<Result<Id>>
}

/** Calls an operation like `call`. `name` is that of what it changes, for the dialog that asks for a confirmation. */
export async function callFor<Id extends NamedOperation>(name: string, id: Id, input: Input<Id>): Promise<Result<Id>> {
  return request({ id, input, name }) as Promise<Result<Id>>
}

async function request(sent: RejectedCall, signal?: AbortSignal): Promise<unknown> {
  const operation = operationOf(sent.id)
  const own: Record<string, string> = csrf && operation.method !== 'GET' ? { 'X-Souk-CSRF': csrf } : {}
  try {
    const response = await send(buildRequest(operation, sent.input, own), signal)
    compareBuild(response)
    const result = await readBody(response)
    if (operation.method !== 'GET') await results.invalidateQueries({ refetchType: 'none' })
    return result
  } catch (error) {
    const problem = asProblem(error)
    if (!recoverable.includes(problem.code) || !(await reauthenticate(problem, sent))) throw error
    return request(sent, signal)
  }
}
