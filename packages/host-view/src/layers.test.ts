import type { Bars } from '@souk/shell/bars'
import { expect, test } from 'vitest'
import { type Layer, nextLayers, topLayer, withoutMotion } from './layers.ts'

const still: Bars['transition'] = { name: 'none', direction: 'none', duration: 0 }
const pop = (direction: 'forward' | 'back'): Bars['transition'] => ({ name: 'pop-in', direction, duration: 300 })

function first(pageId: number): Layer[] {
  return [{ key: 1, barKey: 0, bars: { pageId, scrollTop: 0, transition: still } as Bars, motion: null }]
}

const roles = (layers: Layer[]) => layers.map(({ bars, motion }) => [bars.pageId, motion?.role ?? null])

test('keeps the layer drawn from the manifest for the first page', () => {
  const [layer, ...others] = nextLayers(first(-1), { pageId: 1, transition: pop('forward') })
  expect(others).toEqual([])
  expect(layer).toMatchObject({ key: 1, barKey: 0, bars: { pageId: 1 }, motion: null })
})

test('changes only the bars of the current page', () => {
  const moving = nextLayers(first(1), { pageId: 2, transition: pop('forward') })
  const changed = nextLayers(moving, { scrollTop: 40 })
  expect(topLayer(changed).bars).toMatchObject({ pageId: 2, scrollTop: 40 })
  expect(changed[0]!.bars.scrollTop).toBe(0)
  expect(roles(changed)).toEqual(roles(moving))
})

test('puts an entering page above the one it covers, and a leaving one above the one it uncovers', () => {
  const there = nextLayers(first(1), { pageId: 2, transition: pop('forward') })
  expect(roles(there)).toEqual([
    [1, 'cover'],
    [2, 'enter'],
  ])
  const back = nextLayers(withoutMotion(there), { pageId: 1, transition: pop('back') })
  expect(roles(back)).toEqual([
    [1, 'uncover'],
    [2, 'leave'],
  ])
  expect(topLayer(back).bars.pageId).toBe(1)
  expect(roles(withoutMotion(back))).toEqual([[1, null]])
})

test('keeps the tab bar and replaces the navigation bar if nothing moves', () => {
  const [layer] = nextLayers(first(1), { pageId: 2, transition: still })
  expect(layer).toMatchObject({ key: 1, barKey: 1, motion: null })
})

test('never has more than two layers, even if a page opens during a movement', () => {
  const moving = nextLayers(first(1), { pageId: 2, transition: pop('forward') })
  expect(roles(nextLayers(moving, { pageId: 3, transition: pop('forward') }))).toEqual([
    [2, 'cover'],
    [3, 'enter'],
  ])
})
