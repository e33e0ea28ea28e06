import { expect, test, vi } from 'vitest'
import { toasts, toastWithUndo } from './toasts.ts'

test('a change is undone only while it is in effect', async () => {
  const state = { role: 'editor' }
  const undo = vi.fn(async () => {})
  toastWithUndo('Saved', undo, async () => state)
  await toasts.value[0]?.onUndo?.()
  expect(undo).toHaveBeenCalledOnce()

  state.role = 'owner'
  await toasts.value[0]?.onUndo?.()
  expect(undo).toHaveBeenCalledOnce()
  expect(toasts.value.map(({ color }) => color)).toEqual(['success', 'warning'])
})
