import { expect, test } from 'vitest'
import { Lanes } from './lanes.ts'

const here = new AbortController().signal

/** Starts work that ends when the test says so, and records when it starts. */
function createWork() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    work: (name: string) => async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    },
    async end(name: string) {
      ends.get(name)!()
      await new Promise(setImmediate)
    },
  }
}

test('lanes take turns, each first in, first out', async () => {
  const lanes = new Lanes({ work: 'uploads', concurrency: 1, perCaller: 9, perLane: 9 })
  const { started, work, end } = createWork()
  const run = (lane: string, name: string) => lanes.run({ lane, caller: name, signal: here }, work(name))
  const all = [
    ...['a1', 'a2', 'a3'].map((name) => run('a', name)),
    ...['b1', 'b2'].map((name) => run('b', name)),
    run('c', 'c1'),
  ]
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
    await new Promise(setImmediate)
    expect(started.at(-1)).toBe(name)
    await end(name)
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
})

test('a lane does not run twice at the same time, so that it leaves room for others', async () => {
  const lanes = new Lanes({ work: 'uploads', concurrency: 2, perCaller: 9, perLane: 9 })
  const { started, work, end } = createWork()
  const all = ['a1', 'a2', 'b1'].map((name) => lanes.run({ lane: name[0]!, caller: name, signal: here }, work(name)))
  await new Promise(setImmediate)
  expect(started).toEqual(['a1', 'b1'])
  await end('b1')
  expect(started).toEqual(['a1', 'b1'])
  await end('a1')
  expect(started).toEqual(['a1', 'b1', 'a2'])
  await end('a2')
  await Promise.all(all)
})

test('a caller and a lane with too much in progress are refused until something ends', async () => {
  const lanes = new Lanes({ work: 'uploads', concurrency: 1, perCaller: 2, perLane: 3 })
  const enter = (lane: string, caller: string) => lanes.enter({ lane, caller, signal: here })
  const limited = (reason: string) =>
    expect.objectContaining({
      code: 'rate_limited',
      message: expect.stringContaining(reason),
      data: { retryAfter: 5 },
    })
  const first = enter('a', 'layla')
  enter('b', 'layla')
  expect(() => enter('c', 'layla')).toThrow(limited('2 of your uploads are in progress'))
  enter('a', 'omar')
  enter('a', 'noor')
  expect(() => enter('a', 'sara')).toThrow(limited('3 uploads of the project are in progress'))
  first.leave()
  first.leave()
  enter('a', 'layla')
  expect(() => enter('a', 'sara')).toThrow(limited('3 uploads'))
})

test('work whose client has left is not started, and makes room', async () => {
  const lanes = new Lanes({ work: 'uploads', concurrency: 1, perCaller: 1, perLane: 9 })
  const { started, work, end } = createWork()
  const run = (name: string, signal = here) => lanes.run({ lane: 'a', caller: name, signal }, work(name))
  const first = run('first')
  const leaving = new AbortController()
  const second = run('second', leaving.signal)
  const third = run('third')
  const left = expect(second).rejects.toThrow('gone')
  leaving.abort(new Error('gone'))
  await left
  await expect(run('fourth', leaving.signal)).rejects.toThrow('gone')
  await end('first')
  await end('third')
  await Promise.all([first, third])
  expect(started).toEqual(['first', 'third'])
  const again = run('second')
  await new Promise(setImmediate)
  await end('second')
  await again
})

test('work that fails ends its turn', async () => {
  const lanes = new Lanes({ work: 'uploads', concurrency: 1, perCaller: 9, perLane: 9 })
  const fail = lanes.run({ lane: 'a', caller: 'x', signal: here }, async () => {
    throw new Error('failed')
  })
  await expect(fail).rejects.toThrow('failed')
  expect(await lanes.run({ lane: 'a', caller: 'x', signal: here }, async () => 1)).toBe(1)
})
