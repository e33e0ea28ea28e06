import type { Overlays } from '@souk/shell/host'
import { expect, test } from 'vitest'
import { chooseAnswer } from './chooseAnswer.ts'

const examples = [
  { input: { program: 'miles' }, result: 1 },
  { input: { program: 'tea' }, result: 'x'.repeat(100) },
]
const failures = [{ reason: 'noCard', description: 'None.' }]

test('each example and each failure can be chosen, those of the same input first', async () => {
  const answers: unknown[] = []
  let shown: string[] = []
  for (const tapIndex of [0, 1, 2]) {
    const showActionSheet = async ({ itemList }: { itemList: string[] }) => {
      shown = itemList
      return { tapIndex }
    }
    const given = { program: 'tea' }
    answers.push(await chooseAnswer('card', { examples, failures, given }, { showActionSheet } as never as Overlays))
  }
  expect(answers).toEqual([{ result: 'x'.repeat(100) }, { result: 1 }, { failure: 'noCard' }])
  expect(shown).toEqual([`"${'x'.repeat(79)}…`, '1', 'noCard: None.'])
})

test('a closed choice fails', async () => {
  const showActionSheet = () => Promise.reject(new Error('showActionSheet:fail cancel'))
  const chosen = chooseAnswer('card', { examples, failures, given: {} }, { showActionSheet } as never as Overlays)
  await expect(chosen).rejects.toMatchObject({ errMsg: 'callHostFunction:fail cancel' })
})

test('the only answer needs no choice', async () => {
  const only = { examples: examples.slice(0, 1), failures: [], given: {} }
  expect(await chooseAnswer('card', only, {} as Overlays)).toEqual({ result: 1 })
})
