import { expect, test } from 'vitest'
import { afterVisit, maxOpen, type OpenMiniApp, type Visit } from './openMiniApps.ts'

const after = (...visits: Visit[]) => visits.reduce<OpenMiniApp[]>(afterVisit, [])
const names = (open: OpenMiniApp[]) => open.map(({ appid }) => appid)

test('reuses an open mini app as it is', () => {
  const [first] = after({ appid: 'tea', releaseId: 'r1', page: 'pages/cup/cup?id=1' })
  const [again] = afterVisit([first!], { appid: 'tea' })
  expect(again).toEqual({ ...first, lastSeen: 2 })
  expect(afterVisit([first!], { appid: 'tea', referrer: { appid: 'cake' } })).toEqual([again])
})

test('restarts a mini app for a page, another release or another server, and never opens a second instance', () => {
  const tea = after({ appid: 'tea' })
  for (const visit of [
    { page: 'pages/cup/cup' },
    { releaseId: 'r2' },
    { stage: 'review' as const },
    { server: 'http://localhost:5173/' },
    { referrer: { appid: 'cake', extraData: '{}' } },
    { card: {} },
  ]) {
    const open = afterVisit(tea, { appid: 'tea', ...visit })
    expect(open).toEqual([{ ...tea[0], ...visit, key: 2, lastSeen: 2 }])
  }
})

test('opens a page in the release that is already open', () => {
  const open = after({ appid: 'tea', releaseId: 'r2' }, { appid: 'tea', page: 'pages/cup/cup' })
  expect(open).toMatchObject([{ releaseId: 'r2', page: 'pages/cup/cup' }])
})

test('keeps the order and closes the least recently visible mini app', () => {
  const open = after({ appid: 'tea' }, { appid: 'cake' }, { appid: 'jam' }, { appid: 'tea' })
  expect(names(open)).toEqual(['tea', 'cake', 'jam'])
  expect(open).toHaveLength(maxOpen)
  expect(names(afterVisit(open, { appid: 'bread' }))).toEqual(['tea', 'jam', 'bread'])
})
