import { hour, second } from '@souk/contract'
import { expect, test } from 'vitest'
import { applyVerdicts, type FailingReceiver, failureLimit, longestPause } from './breaker.ts'

const silent = { acknowledged: false, responded: false }
const rejected = { acknowledged: false, responded: true }
const acknowledged = { acknowledged: true, responded: true }
const failing = (changes: Partial<FailingReceiver> = {}) => ({
  receiver: 'shop.example',
  failingSince: 0,
  failures: 1,
  pausedUntil: 0,
  ...changes,
})

test('a receiver is paused after 5 attempts in a row without a response, and not before', () => {
  let state: FailingReceiver | undefined
  for (let count = 1; count < failureLimit; count++) {
    state = applyVerdicts('shop.example', state, [silent], count)
    expect(state).toMatchObject({ failures: count, failingSince: 1, pausedUntil: count })
  }
  expect(applyVerdicts('shop.example', state, [silent], 100)).toMatchObject({
    failures: 5,
    pausedUntil: 100 + 15 * second,
  })
})

test('the pause grows with the time that the receiver has failed, up to a minute', () => {
  const pauseAt = (now: number) =>
    applyVerdicts('shop.example', failing({ failures: 9 }), [silent], now)!.pausedUntil - now
  expect([80 * second, 100 * second, hour].map(pauseAt)).toEqual([20 * second, 25 * second, longestPause])
})

test('a response that does not acknowledge ends the pause but not the failure', () => {
  expect(applyVerdicts('shop.example', failing({ failures: 7 }), [silent, rejected], 9)).toEqual(
    failing({ failures: 0, pausedUntil: 9 }),
  )
})

test('an acknowledgement ends both', () => {
  expect(applyVerdicts('shop.example', failing({ failures: 7 }), [silent, acknowledged, rejected], 9)).toBeUndefined()
})
