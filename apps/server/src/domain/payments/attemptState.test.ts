import { describe, expect, test } from 'vitest'
import { type AttemptState, nextAttemptState } from './attemptState.ts'

describe('an attempt', () => {
  const open: AttemptState[] = ['created', 'pending', 'challenge']
  const over: AttemptState[] = ['failed', 'canceled']

  test('takes every word of the provider while it is in flight', () => {
    for (const state of open) {
      for (const said of ['pending', 'challenge', 'succeeded', 'failed', 'canceled'] as const) {
        expect(nextAttemptState(state, said, 0)).toBe(said)
      }
    }
  })

  test('that the provider does not know is over after 60 s, not before', () => {
    for (const state of open) {
      expect(nextAttemptState(state, 'unknown', 59_999)).toBe(state)
      expect(nextAttemptState(state, 'unknown', 60_000)).toBe('failed')
    }
  })

  test('that is over can still succeed, and nothing else; one that succeeded stays so', () => {
    for (const said of ['pending', 'challenge', 'failed', 'canceled', 'unknown'] as const) {
      for (const state of [...over, 'succeeded' as const]) expect(nextAttemptState(state, said, 90_000)).toBeNull()
    }
    for (const state of over) expect(nextAttemptState(state, 'succeeded', 0)).toBe('succeeded')
    expect(nextAttemptState('succeeded', 'succeeded', 0)).toBeNull()
  })
})
