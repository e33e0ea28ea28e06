import type { BridgeMethods } from '@souk/contract/bridge'
import { findMismatch, type HostFunctionDefinition } from '@souk/contract/hostFunctions'
import { ApiError } from '@souk/shell/apiError'
import type { Overlays } from '@souk/shell/host'
import { chooseAnswer } from './chooseAnswer.ts'

type Call = BridgeMethods['callHostFunction']
type Declared = HostFunctionDefinition & { question: { en: string } | null }

/**
 * Answers a call of a function of the host with what the project's host-functions.json declares, which the development
 * server serves by default.
 * @throws ApiError
 */
export async function callDevelopmentFunction(
  { name, input }: Call['params'],
  overlays: Overlays,
  address = '/host-functions.json',
): Promise<Call['result']> {
  const functions: Record<string, Declared> = await (await fetch(address)).json()
  const declared = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!declared) throw failure('the host has no such function')
  const given: unknown = JSON.parse(input)
  const mismatch = findMismatch(declared.input, given, 'input')
  if (mismatch !== undefined) throw failure(mismatch)
  if (declared.question && !(await isAllowed(declared.question.en, overlays))) throw failure('the user refused')
  const { examples = [], failures = [] } = declared
  const answer = await chooseAnswer(name, { examples, failures, given }, overlays)
  const wrong = 'result' in answer ? findMismatch(declared.result, answer.result, 'result') : undefined
  if (wrong !== undefined) throw failure(wrong)
  return answer
}

async function isAllowed(question: string, { showModal }: Overlays): Promise<boolean> {
  const { confirm } = await showModal({
    title: 'Allow this for this mini app?',
    content: question,
    showCancel: true,
    confirmText: 'Allow',
    confirmColor: '',
    cancelText: 'Deny',
    cancelColor: '',
    editable: false,
    placeholderText: '',
  })
  return confirm
}

const failure = (reason: string) => new ApiError(`callHostFunction:fail ${reason}`)
