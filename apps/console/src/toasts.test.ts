import { expect, test, vi } from 'vitest'
import { toasts, toastWithUndo } from './toasts.ts'

test('a change is undone only while it is in effect', async () => {
  const state = { role: 'editor' }
  const undo = vi.fn(async () => {})
  const reload = vi.fn()
  toastWithUndo('Saved', undo, reload, async () => state)
  await toasts.value[0]?.onUndo?.()
  expect(undo).toHaveBeenCalledOnce()
  expect(reload).toHaveBeenCalledOnce()

  state.role = 'owner'
  await toasts.value[0]?.onUndo?.()
  expect(undo).toHaveBeenCalledOnce()
  expect(reload).toHaveBeenCalledTimes(2)
  expect(toasts.value.map(({ color }) => color)).toEqual(['success', 'warning'])
})
