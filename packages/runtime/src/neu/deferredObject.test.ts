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

it('keeps replaced methods and defined setters, which may call the originals before and after the object is loaded', async () => {
  const log: unknown[] = []
  const target = { drawImage: (...args: unknown[]) => log.push(args), setLineWidth: (px: number) => log.push(px) }
  const object = deferredObject(Promise.resolve(target)) as typeof target & { lineWidth: number }
  const original = object.drawImage.bind(object)
  object.drawImage = (image, ...rest) => original(`${image}.png`, ...rest)
  Object.defineProperty(object, 'lineWidth', { set: (px: number) => object.setLineWidth(px) })
  object.drawImage('a', 1)
  object.lineWidth = 2
  await expect.poll(() => log).toEqual([['a.png', 1], 2])
  object.drawImage('b', 3)
  object.lineWidth = 4
  expect(log.slice(2)).toEqual([['b.png', 3], 4])
  expect(object.lineWidth).toBeUndefined()
})
