import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { callListeners } from './callListeners.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('calls the other listeners after one has thrown, and those that were there at the start', () => {
  const reportError = vi.fn()
  vi.stubGlobal('reportError', reportError)
  const received = vi.fn()
  const listeners = new Set<(value: number) => void>([
    () => {
      listeners.add(received)
      throw new Error('x')
    },
    received,
  ])
  callListeners(listeners, 1)
  expect(received.mock.calls).toEqual([[1]])
  expect(reportError.mock.calls).toEqual([[new Error('x')]])
})

test('all lists of listeners are called by it', () => {
  const source = join(import.meta.dirname, '..')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  const own = files.filter((file) => /\.(ts|vue)$/.test(file) && !/\.test\.ts$|\bcallListeners\.ts$/.test(file))
  const loops = own.filter((file) =>
    /for \(const (\w+) of [^\n]*listeners[^\n]*\) *\{?\s*\(?\1\(/i.test(readFileSync(join(source, file), 'utf8')),
  )
  expect(own.length).toBeGreaterThan(100)
  expect(loops).toEqual([])
})
