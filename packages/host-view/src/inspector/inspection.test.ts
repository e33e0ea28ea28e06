import { expect, test } from 'vitest'
import { createInspection } from './inspection.ts'

test('reports what the user does with the bars', () => {
  const reported: unknown[] = []
  const inspection = createInspection((entries) => reported.push(...entries))
  inspection.onBarEvent({ type: 'back' })
  inspection.onBarEvent({ type: 'tab', index: 1 })
  inspection.onBarEvent({ type: 'searchConfirmed', text: 'latte' })
  const bar = { kind: 'bar', time: expect.any(Number) }
  expect(reported).toEqual([
    { ...bar, action: 'back' },
    { ...bar, action: 'tab', index: 1 },
    { ...bar, action: 'searchConfirmed', text: 'latte' },
  ])
})
