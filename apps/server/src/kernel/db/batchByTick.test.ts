import { expect, test } from 'vitest'
import type { Sql } from './pool.ts'
import { together } from './together.ts'

const sql = {} as Sql

function looking(answer: (asked: number) => number | Promise<number>) {
  const looks: number[][] = []
  const look = together<number, number>(async (_sql, asked) => {
    looks.push([...asked])
    return Promise.all(asked.map(answer))
  })
  return { looks, look }
}

test('what is asked in one turn is looked for together, and everybody gets the answer to what was asked', async () => {
  const { looks, look } = looking((n) => n * 10)
  expect(await Promise.all([1, 2, 2, 3].map((n) => look(sql, n)))).toEqual([10, 20, 20, 30])
  expect(looks).toEqual([[1, 2, 2, 3]])
})

test('no answer is kept: whoever asks while a look is under way waits for the next one', async () => {
  let value = 1
  const { looks, look } = looking(() => value)
  const first = look(sql, 1)
  await new Promise((resolve) => setImmediate(resolve))
  value = 2
  expect(await Promise.all([first, look(sql, 1)])).toEqual([1, 2])
  expect(looks).toHaveLength(2)
})

test('databases are not mixed up, and a look that fails fails for those who shared it only', async () => {
  const seen: Sql[] = []
  const other = {} as Sql
  const look = together<string, string>(async (of, asked) => {
    seen.push(of)
    if (of === other) throw new Error('away')
    return asked
  })
  const both = await Promise.allSettled([look(sql, 'a'), look(other, 'b'), look(other, 'c')])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(seen).toEqual([sql, other])
})
