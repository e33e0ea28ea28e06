import { expect, test } from 'vitest'
import { dragPosition, indexAt, itemPositions, lastPosition, snapPosition } from './swiperPositions.ts'

test('positions every item that is visible during a circular movement', () => {
  for (const count of [2, 3, 5, 8])
    for (let from = -2 * count; from <= 2 * count; from++)
      for (const to of [from - 1, from + 1]) {
        const found = itemPositions(count, from, to, 1, true)
        for (const position of [from, to]) expect(found[indexAt(position, count)]).toBe(position)
      }
})

test('positions several visible items if there is at least one more', () => {
  const found = itemPositions(4, 2, 3, 3, true)
  expect([2, 3, 4, 5].map((place) => found.indexOf(place))).toEqual([2, 3, 0, 1])
})

test('keeps all items in place if not circular', () => {
  expect(itemPositions(3, 1, 2, 1, false)).toEqual([0, 1, 2])
})

test('the last position shows the last items', () => {
  expect(lastPosition(5, 2)).toBe(3)
  expect(lastPosition(1, 2)).toBe(0)
})

test('snaps to the next item after a long or fast drag, else back', () => {
  expect(snapPosition(1, 1.4, 0, 4, false)).toBe(1)
  expect(snapPosition(1, 1.6, 0, 4, false)).toBe(2)
  expect(snapPosition(1, 3, 0, 4, false)).toBe(2)
  expect(snapPosition(1, 1.1, 0.002, 4, false)).toBe(2)
  expect(snapPosition(1, 0.9, -0.002, 4, false)).toBe(0)
  // Reversed at the end of the drag.
  expect(snapPosition(1, 1.4, -0.002, 4, false)).toBe(1)
  expect(snapPosition(4, 4.3, 0.01, 4, false)).toBe(4)
  expect(snapPosition(4, 4.6, 0, 4, true)).toBe(5)
})

test('resists dragging beyond an end unless circular', () => {
  expect(dragPosition(-0.3, 4, false)).toBeCloseTo(-0.1)
  expect(dragPosition(4.3, 4, false)).toBeCloseTo(4.1)
  expect(dragPosition(2.5, 4, false)).toBe(2.5)
  expect(dragPosition(-0.3, 4, true)).toBe(-0.3)
})
