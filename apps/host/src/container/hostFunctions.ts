import type { BridgeMethods } from '@souk/contract/bridge'
import { findMismatch, type HostFunctionAnswer } from '@souk/contract/hostFunctions'
import { ApiError, type Overlays } from '@souk/host-view'
import { chooseAnswer } from '@souk/host-view/chooseAnswer'
import { call } from '../api/client.ts'
import { isSandbox } from '../api/session.ts'
import { locale } from '../i18n/index.ts'
import { handlerOf } from './application.ts'

type Call = BridgeMethods['callHostFunction']

/** The calling mini app. */
interface Caller {
  appid: string
  mayTry(name: string): boolean
}

/** How the user is asked, and where a sandbox lets the user choose the answer. */
interface Way {
  overlays: Overlays
  /** @throws CallRejected if the user refuses */
  ask(question: string): Promise<void>
}

/**
 * Calls a function that the operator has declared, and checks input and result. The application around the page
 * answers; without one, a sandbox answers with the declared examples and failures.
 * @throws ApiError, Problem, ApplicationError, CallRejected
 */
export async function callHostFunction(
  { appid, mayTry }: Caller,
  { name, input }: Call['params'],
  { overlays, ask }: Way,
): Promise<Call['result']> {
  const functions = await call('listFunctionsOfHost', { appid })
  const declared = functions.find((each) => each.name === name)
  if (!declared) throw failure('the host has no such function')
  if (!declared.isGranted && !mayTry(name)) {
    throw failure('the mini app may not call it: the review of a release that asks for it grants it')
  }
  const given: unknown = JSON.parse(input)
  reject(findMismatch(declared.input, given, 'input'))
  const application = handlerOf('callHostFunction')
  if (!application && !isSandbox) throw failure('not supported')
  if (declared.question) await ask(declared.question[locale.value === 'zh-CN' ? 'zh-Hans' : locale.value])
  const answer = application
    ? answerOf(await application.call('callHostFunction', { appid, name, input }))
    : await chooseAnswer(name, { ...declared, given }, overlays)
  if ('failure' in answer) {
    if (declared.failures.some(({ reason }) => reason === answer.failure)) return answer
    throw failure('the application answered with a failure that is not declared')
  }
  reject(findMismatch(declared.result, answer.result, 'result'))
  return answer
}

/** Returns the answer of an application. One without a result has the result null. */
const answerOf = ({ result = null, failure }: Call['result']): HostFunctionAnswer =>
  failure === undefined ? { result } : { failure }

const failure = (reason: string) => new ApiError(`callHostFunction:fail ${reason}`)

function reject(mismatch: string | undefined): void {
  if (mismatch !== undefined) throw failure(mismatch)
}
