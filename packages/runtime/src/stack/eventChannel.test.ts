import { afterEach, expect, it, vi } from 'vitest'
import { EventChannel } from './eventChannel.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('calls listeners in order, once-listeners once, and none after off', () => {
  const channel = new EventChannel()
  const log: unknown[] = []
  const first = (...args: unknown[]) => log.push(['first', ...args])
  channel.on('a', first)
  channel.once('a', () => log.push('once'))
  channel.emit('a', 1, 2)
  channel.emit('a')
  channel.off('a', first)
  channel.emit('a')
  expect(log).toEqual([['first', 1, 2], 'once', ['first']])
  channel.on('a', first)
  channel.on('b', first)
  channel.off('a')
  channel.emit('a')
  channel.off()
  channel.emit('b')
  expect(log).toHaveLength(3)
})

it('calls the other listeners after one has failed', () => {
  const errors: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => errors.push(error))
  const channel = new EventChannel()
  const received = vi.fn()
  channel.on('a', () => {
    throw new Error('x')
  })
  channel.on('a', received)
  channel.emit('a')
  expect(received).toHaveBeenCalledOnce()
  expect(errors).toEqual([new Error('x')])
})

it('removes one once-listener, not the permanent registration of the same function', () => {
  const channel = new EventChannel()
  const listener = vi.fn()
  channel.once('a', listener)
  channel.on('a', listener)
  channel.emit('a')
  expect(listener).toHaveBeenCalledTimes(2)
  channel.emit('a')
  expect(listener).toHaveBeenCalledTimes(3)
})

it('removes all registrations of a listener, or the one whose function is called', () => {
  const channel = new EventChannel()
  const listener = vi.fn()
  const stopFirst = channel.on('a', listener)
  channel.on('a', listener)
  stopFirst()
  stopFirst()
  channel.emit('a')
  expect(listener).toHaveBeenCalledTimes(1)
  channel.once('a', listener)
  channel.off('a', listener)
  channel.emit('a')
  expect(listener).toHaveBeenCalledTimes(1)
})

it('buffers events for the first listener if enabled', () => {
  const received: unknown[] = []
  const kept = new EventChannel(true)
  kept.emit('a', 1)
  kept.emit('a', 2)
  kept.on('a', (value) => received.push(value))
  kept.on('a', (value) => received.push(value))
  expect(received).toEqual([1, 2])
  const forgetful = new EventChannel()
  forgetful.emit('a', 1)
  forgetful.on('a', (value) => received.push(value))
  expect(received).toHaveLength(2)
})
