import { expect, test } from 'vitest'
import { forwardSignals } from './environment.ts'

test.each([
  [false, ['SIGINT', 'SIGTERM']],
  [true, ['SIGTERM']],
])('a command on the server gets each signal once, with a terminal: %s', (hasTerminal, expected) => {
  const before = { SIGINT: process.listeners('SIGINT'), SIGTERM: process.listeners('SIGTERM') }
  const forwarded: unknown[] = []
  forwardSignals({ kill: (signal) => forwarded.push(signal) > 0 }, hasTerminal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const [added] = process.listeners(signal).filter((listener) => !before[signal].includes(listener))
    added!(signal)
    process.off(signal, added!)
  }
  expect(forwarded).toEqual(expected)
})
