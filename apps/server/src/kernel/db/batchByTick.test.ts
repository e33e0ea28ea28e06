import pg from 'pg'
import { expect, test } from 'vitest'
import { batchByTick, batchWritesByTick } from './batchByTick.ts'
import type { Sql } from './pool.ts'

const sql = {} as Sql

function recording(answer: (key: number) => number | Promise<number>) {
  const batches: number[][] = []
  const find = batchByTick<number, number>(async (_sql, keys) => {
    batches.push([...keys])
    return Promise.all(keys.map(answer))
  })
  return { batches, find }
}

test('batches the lookups of one tick and gives each its own result', async () => {
  const { batches, find } = recording((n) => n * 10)
  expect(await Promise.all([1, 2, 2, 3].map((n) => find(sql, n)))).toEqual([10, 20, 20, 30])
  expect(batches).toEqual([[1, 2, 2, 3]])
})

test('caches nothing: a lookup made while a query runs waits for the next query', async () => {
  let value = 1
  const { batches, find } = recording(() => value)
  const first = find(sql, 1)
  await new Promise((resolve) => setImmediate(resolve))
  value = 2
  expect(await Promise.all([first, find(sql, 1)])).toEqual([1, 2])
  expect(batches).toHaveLength(2)
})

test('keeps databases apart: a query that fails rejects only the lookups of its batch', async () => {
  const queried: Sql[] = []
  const other = {} as Sql
  const find = batchByTick<string, string>(async (database, keys) => {
    queried.push(database)
    if (database === other) throw new Error('away')
    return keys
  })
  const results = await Promise.allSettled([find(sql, 'a'), find(other, 'b'), find(other, 'c')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(queried).toEqual([sql, other])
})

test('limits the batches', async () => {
  const { batches, find } = recording((n) => n)
  await Promise.all(Array.from({ length: 250 }, (_, n) => find(sql, n)))
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50])
})

test('tries each write alone if the database refuses the statement, and none if the connection is lost', async () => {
  const refused = Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code: '23503' })
  const lost = new Error('lost')
  const written: number[][] = []
  const write = batchWritesByTick<number, string>(async (_sql, inputs) => {
    written.push([...inputs])
    if (inputs.includes(13)) throw refused
    if (inputs.includes(99)) throw lost
    return inputs.map((n) => `row ${n}`)
  })
  expect(await Promise.allSettled([write(sql, 1), write(sql, 13), write(sql, 2)])).toEqual([
    { status: 'fulfilled', value: 'row 1' },
    { status: 'rejected', reason: refused },
    { status: 'fulfilled', value: 'row 2' },
  ])
  expect(await Promise.allSettled([write(sql, 1), write(sql, 99)])).toEqual([
    { status: 'rejected', reason: lost },
    { status: 'rejected', reason: lost },
  ])
  expect(written).toEqual([[1, 13, 2], [1], [13], [2], [1, 99]])
})
