import { afterEach, expect, it, vi } from 'vitest'
import { deferredObject } from './deferredObject.ts'

afterEach(() => vi.unstubAllGlobals())

it('reports an early call that throws, and replays those after it', async () => {
  const reportError = vi.fn()
  vi.stubGlobal('reportError', reportError)
  const bug = new Error('a bug of the page')
  const play = vi.fn()
  const target = {
    seek() {
      throw bug
    },
    play,
  }
  const object = deferredObject(Promise.resolve(target))
  object.seek()
  object.play()
  await expect.poll(() => play.mock.calls.length).toBe(1)
  expect(reportError).toHaveBeenCalledExactlyOnceWith(bug)
})

it('replays calls and assignments in order, with the objects behind placeholders, and then acts as the object', async () => {
  const log: unknown[] = []
  const gradient = { addColorStop: (...args: unknown[]) => log.push(args) }
  const target = {
    fillStyle: undefined as unknown,
    createLinearGradient: () => gradient,
    fill: (...args: unknown[]) => log.push(args),
    count: 3,
  }
  let load = (_: typeof target) => {}
  const object = deferredObject(new Promise<typeof target>((resolve) => (load = resolve)))
  const early = object.createLinearGradient()
  early.addColorStop(0, 'red')
  object.fillStyle = early
  object.fill(early, 1)
  expect(log).toEqual([])
  expect(await Promise.race([object, 1])).toBe(object)
  load(target)
  await expect.poll(() => log.length).toBe(2)
  expect(log).toEqual([
    [0, 'red'],
    [gradient, 1],
  ])
  expect(target.fillStyle).toBe(gradient)
  expect(object.count).toBe(3)
  object.count = 4
  expect(target.count).toBe(4)
})
