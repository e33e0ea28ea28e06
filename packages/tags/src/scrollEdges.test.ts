import { expect, test } from 'vitest'
import { edgeState, reachedEdge } from './scrollEdges.ts'

const at = (offset: number, content = 1000) => edgeState({ offset, content, window: 200 }, 50, 50)

test('reaches an edge when entering its zone, but not again inside it', () => {
  expect(reachedEdge(at(600), at(740))).toBeUndefined()
  expect(reachedEdge(at(740), at(750))).toBe('lower')
  expect(reachedEdge(at(750), at(800))).toBeUndefined()
  expect(reachedEdge(at(60), at(50))).toBe('upper')
  expect(reachedEdge(at(50), at(0))).toBeUndefined()
})

test('reaches an edge again after the content has grown', () => {
  expect(reachedEdge(at(790, 1000), at(800, 1030))).toBe('lower')
  expect(reachedEdge(at(800, 1030), at(810, 1030))).toBeUndefined()
})

test('does not reach an edge when moving away from it', () => {
  expect(reachedEdge(at(0), at(10))).toBeUndefined()
  expect(reachedEdge(at(800), at(790))).toBeUndefined()
})
