import { expect, test } from 'vitest'
import { afterVisit, mostOpen, type OpenMiniApp, type Visit } from './openMiniApps.ts'

const after = (...visits: Visit[]) => visits.reduce<OpenMiniApp[]>(afterVisit, [])
const names = (open: OpenMiniApp[]) => open.map(({ appid }) => appid)

test('a mini app that is open is found again as it was', () => {
  const [first] = after({ appid: 'tea', releaseId: 'r1', page: 'pages/cup/cup?id=1' })
  const [again] = afterVisit([first!], { appid: 'tea' })
  expect(again).toEqual({ ...first, seen: 2 })
})

test('a page, another release or another server open it anew, and there is never more than one of it', () => {
  const tea = after({ appid: 'tea' })
  for (const visit of [{ page: 'pages/cup/cup' }, { releaseId: 'r2' }, { server: 'http://localhost:5173/' }]) {
    const open = afterVisit(tea, { appid: 'tea', ...visit })
    expect(open).toEqual([{ ...tea[0], ...visit, key: 2, seen: 2 }])
  }
})

test('a page is opened in the release that is open', () => {
  const open = after({ appid: 'tea', releaseId: 'r2' }, { appid: 'tea', page: 'pages/cup/cup' })
  expect(open).toMatchObject([{ releaseId: 'r2', page: 'pages/cup/cup' }])
})

test('those that stay keep their places, and who was out of sight longest is closed for another', () => {
  const open = after({ appid: 'tea' }, { appid: 'cake' }, { appid: 'jam' }, { appid: 'tea' })
  expect(names(open)).toEqual(['tea', 'cake', 'jam'])
  expect(open).toHaveLength(mostOpen)
  expect(names(afterVisit(open, { appid: 'bread' }))).toEqual(['tea', 'jam', 'bread'])
})
