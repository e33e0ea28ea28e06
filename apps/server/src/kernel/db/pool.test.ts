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

test('a transaction is rolled back when one of its statements failed, though the failure was caught', async () => {
  const { sql } = database
  await sql`create table noted (n int)`
  const caught = sql.begin(async (tx) => {
    await tx`insert into noted values (1)`
    await tx`select 1 / 0`.catch(() => {})
  })
  await expect(caught).rejects.toThrow('division by zero')
  const unheard = sql.begin(async (tx) => {
    await tx`insert into noted values (2)`
    void tx`select 1 / 0`.catch(() => {})
  })
  await expect(unheard).rejects.toThrow('division by zero')
  const aborted = sql.begin(async (tx) => {
    await tx`select 1 / 0`.catch(() => {})
    await tx`insert into noted values (3)`
  })
  await expect(aborted).rejects.toThrow('division by zero')
  expect(await sql`select * from noted`).toEqual([])
})

test('a statement that comes after its transaction is not carried out', async () => {
  const { sql } = database
  await sql`create table late (n int)`
  const tx = await sql.begin((own) => ({ own }))
  await expect(tx.own`insert into late values (1)`).rejects.toThrow('is over')
  expect(await sql`select * from late`).toEqual([])
})

test('a value that cannot be sent or read leaves no trace on the next statement', async () => {
  const sql = connect(database.url, { max: 1 })
  for (let n = 0; n < 5; n++) {
    const statements = [
      sql`select ${undefined as never}`,
      sql`select ${n}::int as n`,
      sql`select 9007199254740993 as n`,
      sql`select ${n}::int as n`,
    ]
    const [unsent, first, unread, second] = await Promise.allSettled(statements)
    expect([unsent, unread].map((it) => it?.status)).toEqual(['rejected', 'rejected'])
    expect([first, second]).toEqual([1, 2].map(() => ({ status: 'fulfilled', value: [{ n }] })))
  }
  await sql.end()
})

test('end lets what was asked for be done, cuts it off when the time is up, and takes nothing more', async () => {
  const patient = connect(database.url, { max: 1 })
  const asked = [1, 2, 3].map((n) => patient`select ${n}::int as n from pg_sleep(0.02)`.execute())
  await new Promise(setImmediate)
  await patient.end()
  expect((await Promise.all(asked)).flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  await expect(patient`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })

  const hasty = connect(database.url, { max: 1 })
  const endless = [hasty`select pg_sleep(60)`, hasty`select 1`, hasty.begin((tx) => tx`select pg_sleep(60)`)]
  const results = Promise.allSettled(endless)
  await hasty.end({ timeout: 0.05 })
  for (const result of await results) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: expect.stringMatching(/^CONNECTION_/) } })
  }
})
