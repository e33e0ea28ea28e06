import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope, type Ref, shallowRef } from 'vue'
import { clockOffset } from '../clock.ts'
import { type Activity, stillValid } from './activities.ts'

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
  return scope.run(() => stillValid(shallowRef(messages)))!
}
const ids = (activities: Ref<readonly Activity[] | undefined>) => activities.value?.map(({ activityId }) => activityId)

test('a message leaves at its time, to the millisecond, and the others stay', async () => {
  const activities = shown(1_000, 2_000)
  await vi.advanceTimersByTimeAsync(999)
  expect(ids(activities)).toEqual(['1000', '2000'])
  await vi.advanceTimersByTimeAsync(1)
  expect(ids(activities)).toEqual(['2000'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ids(activities)).toEqual([])
})

test('it leaves when the clock of the domain is moved there, and is back when the clock is', async () => {
  const activities = shown(3_600_000)
  clockOffset.value = 3_600_000
  await vi.advanceTimersByTimeAsync(0)
  expect(ids(activities)).toEqual([])
  clockOffset.value = 0
  await vi.advanceTimersByTimeAsync(0)
  expect(ids(activities)).toEqual(['3600000'])
})

test('a message whose time is further away than timers reach stays until then', async () => {
  const year = 366 * 86_400_000
  const activities = shown(year)
  await vi.advanceTimersByTimeAsync(year - 1)
  expect(ids(activities)).toEqual([`${year}`])
  await vi.advanceTimersByTimeAsync(1)
  expect(ids(activities)).toEqual([])
})
