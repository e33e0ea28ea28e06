import { day, hour } from '@souk/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope, type Ref, shallowRef } from 'vue'
import { clockOffset } from '../clock.ts'
import { type Activity, unexpired } from './activities.ts'

const now = Date.UTC(2026, 0, 1)
const scope = effectScope()

beforeEach(() => {
  vi.useFakeTimers({ now })
  clockOffset.value = 0
})
afterEach(() => {
  vi.useRealTimers()
})

function shown(...lifetimes: number[]): Ref<readonly Activity[] | undefined> {
  const messages = lifetimes.map((lifetime) => ({ activityId: `${lifetime}`, validUntil: now + lifetime }) as Activity)
  return scope.run(() => unexpired(shallowRef(messages)))!
}
const ids = (activities: Ref<readonly Activity[] | undefined>) => activities.value?.map(({ activityId }) => activityId)

test('removes a message exactly when it expires and keeps the others', async () => {
  const activities = shown(1_000, 2_000)
  await vi.advanceTimersByTimeAsync(999)
  expect(ids(activities)).toEqual(['1000', '2000'])
  await vi.advanceTimersByTimeAsync(1)
  expect(ids(activities)).toEqual(['2000'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ids(activities)).toEqual([])
})

test('follows the domain clock when it is moved forward and reset', async () => {
  const activities = shown(hour)
  clockOffset.value = hour
  await vi.advanceTimersByTimeAsync(0)
  expect(ids(activities)).toEqual([])
  clockOffset.value = 0
  await vi.advanceTimersByTimeAsync(0)
  expect(ids(activities)).toEqual([`${hour}`])
})

test('keeps a message whose expiry exceeds the maximum timer delay', async () => {
  const year = 366 * day
  const activities = shown(year)
  await vi.advanceTimersByTimeAsync(year - 1)
  expect(ids(activities)).toEqual([`${year}`])
  await vi.advanceTimersByTimeAsync(1)
  expect(ids(activities)).toEqual([])
})
