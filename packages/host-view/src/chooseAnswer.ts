import type { HostFunctionAnswer, HostFunctionDefinition } from '@souk/contract/hostFunctions'
import { ApiError } from '@souk/shell/apiError'
import type { Overlays } from '@souk/shell/host'

/** Longest text of a choice, in characters. */
const longest = 80

/**
 * Lets a developer choose how a function of the host answers: with a declared result, those of the same input first,
 * or with a declared failure. A function with one example and no failures answers without a choice.
 * @throws ApiError `callHostFunction:fail cancel`
 */
export async function chooseAnswer(
  name: string,
  { examples, failures, given }: Pick<HostFunctionDefinition, 'examples' | 'failures'> & { given: unknown },
  { showActionSheet }: Overlays,
): Promise<HostFunctionAnswer> {
  const isSame = ({ input }: { input: unknown }) => JSON.stringify(input) === JSON.stringify(given)
  const ordered = [...examples.filter(isSame), ...examples.filter((each) => !isSame(each))]
  const answers: { text: string; answer: HostFunctionAnswer }[] = [
    ...ordered.map(({ result }) => ({ text: JSON.stringify(result), answer: { result } })),
    ...failures.map(({ reason, description }) => ({ text: `${reason}: ${description}`, answer: { failure: reason } })),
  ]
  if (answers.length === 1) return answers[0]!.answer
  const itemList = answers.map(({ text }) => (text.length > longest ? `${text.slice(0, longest)}…` : text))
  const chosen = await showActionSheet({ title: name, itemList, itemColor: '' }).catch(() => undefined)
  if (!chosen) throw new ApiError('callHostFunction:fail cancel')
  return answers[chosen.tapIndex]!.answer
}
