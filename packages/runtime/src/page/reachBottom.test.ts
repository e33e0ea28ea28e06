import { expect, test } from 'vitest'
import { createBottomDetector } from './reachBottom.ts'

/** Returns the offsets at which a page of that height reports its end. 600 px of it are visible. */
function reached(scrolled: (number | { top: number; height: number })[], distance = 50): number[] {
  const isReached = createBottomDetector()
  return scrolled.flatMap((each) => {
    const { top, height } = typeof each === 'number' ? { top: each, height: 2000 } : each
    return isReached({ top, height, visible: 600 }, distance) ? [top] : []
  })
}

test('the end is reached at the distance from it, not before', () => {
  expect(reached([1000, 1349])).toEqual([])
  expect(reached([1000, 1350])).toEqual([1350])
  expect(reached([1199.6], 200)).toEqual([1199.6])
})

test('it is reached once while the page stays there', () =>
  expect(reached([1350, 1360, 1400, 1380, 1390])).toEqual([1350]))

test('it is reached again after the page has left it', () => expect(reached([1360, 1000, 1355])).toEqual([1360, 1355]))

test('it is reached again when the page has grown, even if it was within the distance all the time', () =>
  expect(reached([1400, { top: 1401, height: 2010 }, { top: 1402, height: 2010 }])).toEqual([1400, 1401]))

test('on the way up nothing is reached, though the page has shrunk below', () =>
  expect(reached([1000, { top: 900, height: 1500 }])).toEqual([]))

test('a page that is no taller than what is seen of it never says so of itself', () =>
  expect(reached([{ top: 0, height: 600 }])).toEqual([]))

test('the distance may be larger than the page', () => expect(reached([1, 2], 5000)).toEqual([1]))
