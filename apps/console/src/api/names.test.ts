import { expect, test, vi } from 'vitest'
import { effectScope } from 'vue'
import { useAppNames } from './names.ts'
import { read } from './query.ts'

vi.mock('./query.ts', () => ({ read: vi.fn() }))
const answers = vi.mocked(read)

const namesOf = (appids: string[]) => effectScope().run(() => useAppNames('p1', () => appids))!

test('a name is never shown as its identifier before it is known', async () => {
  const answer = Promise.withResolvers<never>()
  answers.mockReturnValueOnce(answer.promise)
  const { of: nameOf } = namesOf(['a1', 'gone'])
  expect(nameOf('a1')).toBe('…')
  answer.resolve({ items: [{ appid: 'a1', name: 'Tea' }] } as never)
  await vi.waitFor(() => expect(nameOf('a1')).toBe('Tea'))
  // What was deleted has no name.
  expect(nameOf('gone')).toBe('gone')
})

test('identifiers are shown if the names cannot be read', async () => {
  answers.mockRejectedValueOnce(new Error('offline'))
  const { of: nameOf } = namesOf(['a1'])
  await vi.waitFor(() => expect(nameOf('a1')).toBe('a1'))
})
