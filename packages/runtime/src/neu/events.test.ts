import { beforeEach, describe, expect, test, vi } from 'vitest'
import { $emit, $off, $on, $once } from './events.ts'

beforeEach(() => $off())

/** The semantics of uni-app's emitter, which removes one registration at a time. */
describe('events of the app', () => {
  test('a listener that is registered twice is called twice, and removed one registration at a time', () => {
    const listener = vi.fn()
    $on('a', listener)
    $on('a', listener)
    $emit('a', 1, 2)
    expect(listener.mock.calls).toEqual([
      [1, 2],
      [1, 2],
    ])
    $off('a', listener)
    $emit('a')
    expect(listener).toHaveBeenCalledTimes(3)
    $off('a', listener)
    $off('a', listener)
    $emit('a')
    expect(listener).toHaveBeenCalledTimes(3)
  })

  test.each(['before', 'after'])('$once does not remove a registration of $on %s it', (order) => {
    const listener = vi.fn()
    if (order === 'before') $on('a', listener)
    $once('a', listener)
    if (order === 'after') $on('a', listener)
    $emit('a')
    expect(listener).toHaveBeenCalledTimes(2)
    $emit('a')
    expect(listener).toHaveBeenCalledTimes(3)
  })

  test('$off removes the latest registration, whichever function added it', () => {
    const listener = vi.fn()
    $on('a', listener)
    $once('a', listener)
    $off('a', listener)
    $emit('a')
    $emit('a')
    expect(listener).toHaveBeenCalledTimes(2)
  })

  test.each([$on, $once])('returns a function that removes its own registration only', (add) => {
    const listener = vi.fn()
    const stop = add('a', listener)
    $on('a', listener)
    stop()
    stop()
    $emit('a')
    $emit('a')
    expect(listener).toHaveBeenCalledTimes(2)
  })

  test('$off accepts what $on returned', () => {
    const listener = vi.fn()
    const stop = $on('a', listener)
    $on('a', listener)
    $off('a', stop)
    $emit('a')
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('$off takes several names', () => {
    const [listener, other] = [vi.fn(), vi.fn()]
    for (const name of ['a', 'b', 'c']) $on(name, listener)
    $on('a', other)
    $off(['a', 'b'], listener)
    $off([])
    for (const name of ['a', 'b', 'c']) $emit(name)
    expect([listener.mock.calls.length, other.mock.calls.length]).toEqual([1, 1])
    $off(['a', 'c'])
    for (const name of ['a', 'b', 'c']) $emit(name)
    expect([listener.mock.calls.length, other.mock.calls.length]).toEqual([1, 1])
  })

  test('$off(name, null) removes all listeners of the name, as without a listener', () => {
    const listener = vi.fn()
    $on('a', listener)
    $on('a', listener)
    $off('a', null)
    $emit('a')
    expect(listener).not.toHaveBeenCalled()
  })
})
