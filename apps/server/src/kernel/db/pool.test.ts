import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { connect } from './pool.ts'

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('a bigint is a number both ways, and one that a number cannot hold rejects its query', async () => {
  const { sql } = database
  expect(await sql`select ${Number.MAX_SAFE_INTEGER}::bigint as n`).toEqual([{ n: Number.MAX_SAFE_INTEGER }])
  await expect(sql`select 9007199254740993 as n`).rejects.toThrow('9007199254740993 is beyond 2^53 - 1')
  expect(await sql`select 1::bigint as n`).toEqual([{ n: 1 }])
})

test('arrays go there and back, whatever is in them', async () => {
  const { sql } = database
  const texts = ['plain', 'a,b', '{}', '"quoted"', 'back\\slash', '', 'NULL', 'null', ' ', 'line\nbreak', 'grüße', null]
  expect(await sql`select ${texts}::text[] as texts, ${[]}::text[] as none`).toEqual([{ texts, none: [] }])
  const ids = ['0190f5a4-0000-7000-8000-000000000001']
  const [row] = await sql`
    select ${ids}::uuid[] as ids, ${[1, Number.MAX_SAFE_INTEGER]}::bigint[] as big, ${[1, -2]}::int[] as whole,
      ${[1.5]}::real[] as parts, array[true, false, null] as truths`
  expect(row).toEqual({
    ids,
    big: [1, Number.MAX_SAFE_INTEGER],
    whole: [1, -2],
    parts: [1.5],
    truths: [true, false, null],
  })
  expect(await sql`select 2 as two where 'b' = any(${['a', 'b']})`).toEqual([{ two: 2 }])
})

test('of several hosts a dead one is passed over', async () => {
  const { host } = new URL(database.url)
  const sql = connect(database.url.replace(host, `127.0.0.1:1,${host}`), { max: 1 })
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await sql.end()
})

test('a listener hears again after its connection was cut', async () => {
  const { sql } = database
  const heard: string[] = []
  const listeners = new Set<() => void>()
  const announce = (word: string) => {
    heard.push(word)
    for (const tell of listeners) tell()
  }
  const hears = (word: string) =>
    new Promise<void>((resolve) => {
      const look = () => heard.includes(word) && resolve()
      listeners.add(look)
      look()
    })
  await sql.listen('souk_test', announce, () => announce('listening'))
  heard.length = 0
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`
  await hears('listening')
  await sql.notify('souk_test', 'news')
  await hears('news')
})

test('many transactions at once, among many statements, each have a connection to themselves', async () => {
  const { sql } = database
  const under = Array.from({ length: 200 }, (_, n) => [
    sql.begin(async (tx) => {
      const [first] = await tx`select txid_current() as id`
      const [second] = await tx`select txid_current() as id`
      return first!.id === second!.id
    }),
    sql`select pg_sleep(${(n % 3) / 1000}), txid_current() as id`,
  ]).flat()
  const results = await Promise.all<unknown>(under)
  expect(results.filter((result) => typeof result === 'boolean')).toEqual(Array(200).fill(true))
  const ids = results.filter(Array.isArray).map(([row]) => row.id)
  expect(new Set(ids).size).toBe(200)
})
