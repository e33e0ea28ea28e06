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
  for (const [receiver, room] of rooms) for (let each = 0; each < room; each++) deliveries.push(windows.start(receiver))
  return {
    rooms,
    acknowledge: () => void deliveries.map((delivery) => delivery.acknowledged()),
    end: () => void deliveries.splice(0).map((delivery) => delivery.ended()),
  }
}
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const total = (rooms: Map<string, number>) => [...rooms.values()].reduce((sum, each) => sum + each, 0)

test('a receiver starts with 2 deliveries at a time, gets one more with each response, and half without one', () => {
  const roomOf = (receiver: string) => windows.allocate(new Map([[receiver, true]])).get(receiver)
  expect(roomOf('shop')).toBe(2)
  for (let count = 0; count < 80; count++) windows.observe('shop', 5)
  expect(roomOf('shop')).toBe(64)
  windows.observe('shop', null)
  expect(roomOf('shop')).toBe(32)
  for (let count = 0; count < 40; count++) windows.observe('shop', 3_000)
  expect(roomOf('shop')).toBe(16)
  for (let count = 0; count < 9; count++) windows.observe('shop', null)
  expect(roomOf('shop')).toBe(1)
})

test('a prompt receiver gets more when half of its deliveries have ended, so that claims are large', () => {
  for (let count = 0; count < 80; count++) windows.observe('shop', 5)
  const deliveries = Array.from({ length: 33 }, () => windows.start('shop'))
  expect(start(['shop']).rooms).toEqual(new Map())
  deliveries[0]!.acknowledged()
  expect(start(['shop']).rooms).toEqual(new Map([['shop', 32]]))
})

test('receivers that do not respond promptly leave half of the deliveries to those that do', () => {
  windows.observe('prompt', 5)
  const { rooms } = start(names('dead', 1_000))
  expect(total(rooms)).toBe(128)
  expect(start(names('new', 100)).rooms).toEqual(new Map())
  expect(start(['prompt']).rooms).toEqual(new Map([['prompt', 3]]))
})

test('an acknowledged delivery makes room at its receiver immediately, and in the process when it is recorded', () => {
  for (let count = 0; count < 80; count++) windows.observe('shop', 5)
  const started = Array.from({ length: 4 }, () => {
    const round = start(['shop'])
    round.acknowledge()
    return round
  })
  expect(started.map(({ rooms }) => rooms.get('shop'))).toEqual(Array(4).fill(64))
  expect(start(['shop']).rooms).toEqual(new Map())
  started[0]!.end()
  expect(start(['shop']).rooms).toEqual(new Map([['shop', 64]]))
})

test('first attempts come before retries, and every receiver gets one before another gets two', () => {
  const { rooms } = start(names('first', 100), names('retry', 100))
  expect([...rooms].filter(([name]) => name.startsWith('first'))).toHaveLength(100)
  expect(rooms.get('retry0')).toBeUndefined()
  expect(new Set(rooms.values())).toEqual(new Set([1, 2]))
})

test('a prompt receiver that stops responding counts as slow before its deliveries time out', () => {
  for (let count = 0; count < 80; count++) windows.observe('stuck', 5)
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const { rooms, end } = start(['stuck'])
  expect(total(rooms)).toBe(64)
  now.mockReturnValue(1_000)
  expect(start(names('dead', 1_000)).rooms.size).toBe(64)
  end()
  expect(start(['stuck']).rooms.get('stuck')).toBe(64)
  now.mockRestore()
})
