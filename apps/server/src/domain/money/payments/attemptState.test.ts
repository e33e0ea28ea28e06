import { minute } from '@souk/contract'
import { describe, expect, test } from 'vitest'
import { type AttemptState, nextAttemptState } from './attemptState.ts'

describe('an attempt', () => {
  const open: AttemptState[] = ['created', 'pending', 'challenge']
  const over: AttemptState[] = ['failed', 'canceled']

  test('takes every reported state while in flight', () => {
    for (const state of open) {
      for (const result of ['pending', 'challenge', 'succeeded', 'failed', 'canceled'] as const) {
        expect(nextAttemptState(state, result, 0)).toBe(result)
      }
    }
  })

  test('fails after 60 s if the provider does not know it', () => {
    for (const state of open) {
      expect(nextAttemptState(state, 'unknown', 59_999)).toBe(state)
      expect(nextAttemptState(state, 'unknown', minute)).toBe('failed')
    }
  })

  test('can still succeed when finished, and stays succeeded', () => {
    for (const result of ['pending', 'challenge', 'failed', 'canceled', 'unknown'] as const) {
      for (const state of [...over, 'succeeded' as const]) expect(nextAttemptState(state, result, 90_000)).toBeNull()
    }
    for (const state of over) expect(nextAttemptState(state, 'succeeded', 0)).toBe('succeeded')
    expect(nextAttemptState('succeeded', 'succeeded', 0)).toBeNull()
  })
})
