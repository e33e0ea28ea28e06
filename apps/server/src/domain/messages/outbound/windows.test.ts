import { beforeEach, expect, test, vi } from 'vitest'
import { type Delivery, Windows } from './windows.ts'

let windows: Windows

beforeEach(() => {
  windows = new Windows()
})

/** Allocates for receivers with first attempts and those with retries only, and starts what is allocated. */
function start(firstAttempts: readonly string[], retries: readonly string[] = []) {
  const rooms = windows.allocate(
    new Map([...retries.map((each) => [each, false] as const), ...firstAttempts.map((each) => [each, true] as const)]),
  )
  const deliveries: Delivery[] = []
  for (const [receiver, room] of rooms) {
    for (let each = 0; each < room; each++) {
      const delivery = windows.add(receiver)
      if (windows.mayStart(receiver)) delivery.started()
      deliveries.push(delivery)
    }
  }
  return {
    rooms,
    deliveries,
    acknowledge: () => void deliveries.map((delivery) => delivery.acknowledged()),
    end: () => void deliveries.splice(0).map((delivery) => delivery.ended()),
  }
}
const observe = (receiver: string, count: number, duration: number | null) => {
  for (let each = 0; each < count; each++) windows.observe(receiver, duration)
}
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const total = (rooms: Map<string, number>) => [...rooms.values()].reduce((sum, each) => sum + each, 0)

test('a receiver starts with 2 requests at a time, gets one more with each response, and half without one', () => {
  const countRequests = () => {
    const deliveries = Array.from({ length: 100 }, () => windows.add('shop'))
    let count: number
    for (count = 0; windows.mayStart('shop'); count++) deliveries[count]!.started()
    for (const delivery of deliveries) delivery.ended()
    return count
  }
  expect(countRequests()).toBe(2)
  observe('shop', 80, 5)
  expect(countRequests()).toBe(64)
  windows.observe('shop', null)
  expect(countRequests()).toBe(32)
  observe('shop', 40, 3_000)
  expect(countRequests()).toBe(16)
  observe('shop', 9, null)
  expect(countRequests()).toBe(1)
})

test('deliveries to a prompt receiver are claimed in advance, others only when a request can start', () => {
  expect(start(['new']).rooms.get('new')).toBe(2)
  observe('slow', 40, 3_000)
  expect(start(['slow']).rooms.get('slow')).toBe(16)
  observe('shop', 80, 5)
  expect(start(['shop']).rooms.get('shop')).toBe(256)
})

test('a prompt receiver gets more when at most 64 deliveries wait, so that claims are large', () => {
  observe('shop', 80, 5)
  const { deliveries } = start(['shop'])
  // As many requests are in progress as before, since one that waits starts when another ends.
  const respond = (from: number, to: number) => {
    for (let each = from; each < to; each++) {
      deliveries[each]!.acknowledged()
      deliveries[each + 64]!.started()
    }
  }
  respond(0, 127)
  expect(start(['shop']).rooms).toEqual(new Map())
  respond(127, 128)
  expect(start(['shop']).rooms).toEqual(new Map([['shop', 128]]))
})

test('receivers that do not respond promptly leave half of the deliveries to those that do', () => {
  windows.observe('prompt', 5)
  const { rooms } = start(names('dead', 1_000))
  expect(total(rooms)).toBe(128)
  expect(start(names('new', 100)).rooms).toEqual(new Map())
  expect(start(['prompt']).rooms).toEqual(new Map([['prompt', 12]]))
})

test('an acknowledged delivery makes room at its receiver immediately, and in the process when it is recorded', () => {
  observe('shop', 80, 5)
  observe('slow', 40, 3_000)
  const { deliveries, acknowledge, end } = start(['shop'])
  for (const delivery of deliveries.slice(64)) delivery.started()
  acknowledge()
  expect(windows.mayStart('shop')).toBe(true)
  expect(start(['slow']).rooms).toEqual(new Map())
  end()
  expect(start(['slow']).rooms).toEqual(new Map([['slow', 16]]))
})

test('all receivers together get 512 deliveries in advance, and still those that can start', () => {
  for (const receiver of names('shop', 5)) observe(receiver, 80, 5)
  const shops = names('shop', 4).map((receiver) => start([receiver]).rooms.get(receiver))
  expect(shops).toEqual([256, 256, 64 + 128, 64])
})

test('first attempts come before retries, and every receiver gets one before another gets two', () => {
  const { rooms } = start(names('first', 100), names('retry', 100))
  expect([...rooms].filter(([name]) => name.startsWith('first'))).toHaveLength(100)
  expect(rooms.get('retry0')).toBeUndefined()
  expect(new Set(rooms.values())).toEqual(new Set([1, 2]))
})

test('a prompt receiver that stops responding counts as slow before its deliveries time out', () => {
  observe('stuck', 80, 5)
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const { end } = start(['stuck'])
  now.mockReturnValue(1_000)
  expect(windows.mayStart('stuck')).toBe(false)
  expect(start(names('dead', 1_000)).rooms.size).toBe(64)
  end()
  expect(start(['stuck']).rooms.get('stuck')).toBe(256)
  now.mockRestore()
})
