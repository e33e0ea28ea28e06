import { expect, test } from 'vitest'
import { loadRows } from './loadRows.ts'

test('starts again if the filter changes meanwhile', async () => {
  const filters = ['a', 'b']
  let changes = 0
  const loadPage = async (cursor = '0') => {
    const page = { items: [`${filters[changes]}${cursor}`], next: cursor === '0' ? '1' : null }
    if (changes === 0 && cursor === '1') changes = 1
    return page
  }
  expect(await loadRows(loadPage, 10, () => changes)).toEqual({ rows: ['b0', 'b1'], hasMore: false })
})
