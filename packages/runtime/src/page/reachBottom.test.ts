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

test('reports the end at the distance from it, not before', () => {
  expect(reached([1000, 1349])).toEqual([])
  expect(reached([1000, 1350])).toEqual([1350])
  expect(reached([1199.6], 200)).toEqual([1199.6])
})

test('reports it once while the page stays there', () =>
  expect(reached([1350, 1360, 1400, 1380, 1390])).toEqual([1350]))

test('reports it again after the page has left it', () => expect(reached([1360, 1000, 1355])).toEqual([1360, 1355]))

test('reports it again after the page has grown within the distance', () =>
  expect(reached([1400, { top: 1401, height: 2010 }, { top: 1402, height: 2010 }])).toEqual([1400, 1401]))

test('reports nothing while scrolling up, even if the page shrinks', () =>
  expect(reached([1000, { top: 900, height: 1500 }])).toEqual([]))

test('reports nothing for a page that fits on the screen', () => expect(reached([{ top: 0, height: 600 }])).toEqual([]))

test('accepts a distance larger than the page', () => expect(reached([1, 2], 5000)).toEqual([1]))
