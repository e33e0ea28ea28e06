import { expect, test, vi } from 'vitest'
import { effectScope, nextTick, shallowRef } from 'vue'
import { useDraft } from './unsaved.ts'

vi.mock('./session.ts', async () => ({ session: (await import('vue')).shallowRef({}) }))

function draftOf(stored: string[] | undefined) {
  const source = shallowRef(stored)
  const draft = effectScope().run(() =>
    useDraft(
      () => source.value,
      (now) => [...(now ?? [])],
    ),
  )!
  return { source, ...draft }
}

test('a form starts with what is stored, loaded before the form was shown or after', async () => {
  expect(draftOf(['a']).content.value).toEqual(['a'])
  const { source, content, basis } = draftOf(undefined)
  source.value = ['a']
  await nextTick()
  expect(content.value).toEqual(['a'])
  source.value = ['a', 'b']
  await nextTick()
  expect(content.value).toEqual(['a', 'b'])
  expect(basis()).toEqual(['a', 'b'])
})

test('a form keeps what was entered when others save, and knows what it has started with', async () => {
  const { source, content, basis, markSaved } = draftOf(['a'])
  content.value.push('typed')
  source.value = ['other']
  await nextTick()
  expect(content.value).toEqual(['a', 'typed'])
  expect(basis()).toEqual(['a'])
  markSaved()
  source.value = ['saved']
  await nextTick()
  expect(content.value).toEqual(['saved'])
})
