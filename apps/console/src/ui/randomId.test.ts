import { expect, onTestFinished, test, vi } from 'vitest'
import { randomId } from './randomId.ts'

test('does not need a secure context', () => {
  vi.stubGlobal('crypto', { getRandomValues: <T extends ArrayBufferView>(bytes: T) => bytes })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(randomId()).toBe('0'.repeat(32))
})

test('ids differ', () => {
  expect(randomId()).toMatch(/^[0-9a-f]{32}$/)
  expect(randomId()).not.toBe(randomId())
})
