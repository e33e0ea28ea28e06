import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { connect, type Tx } from './pool.ts'

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('converts bigint to number, and rejects values that a number cannot represent', async () => {
  const { sql } = database
  expect(await sql`select ${Number.MAX_SAFE_INTEGER}::bigint as n`).toEqual([{ n: Number.MAX_SAFE_INTEGER }])
  await expect(sql`select 9007199254740993 as n`).rejects.toThrow('9007199254740993 is beyond 2^53 - 1')
  expect(await sql`select 1::bigint as n`).toEqual([{ n: 1 }])
})

test('serializes and parses arrays with any elements', async () => {
  const { sql } = database
  const texts = ['plain', 'a,b', '{}', '"quoted"', 'back\\slash', '', 'NULL', 'null', ' ', 'line\nbreak', 'grüße', null]
  expect(await sql`select ${texts}::text[] as texts, ${[]}::text[] as none`).toEqual([{ texts, none: [] }])
  const ids = ['0190f5a4000070008000000000000001']
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

test('returns uuids as 32 hexadecimal digits, and columns in camel case', async () => {
  const { sql } = database
  const id = '0190f5a4000070008000000000000001'
  expect(await sql`select ${id}::uuid as some_id, null::uuid as no_id, 1 as "alreadyCamel", 2 as part_2`).toEqual([
    { someId: id, noId: null, alreadyCamel: 1, part2: 2 },
  ])
  expect(await sql.unsafe('select $1::uuid as some_id', [id])).toEqual([{ someId: id }])
  await sql.begin(async (tx) => {
    expect(await tx`select json_build_object('some_key', ${id}::uuid) as some_json`).toEqual([
      { someJson: { some_key: '0190f5a4-0000-7000-8000-000000000001' } },
    ])
  })
})

test('sends JSON, bytes and booleans with their types, and parses them', async () => {
  const { sql } = database
  const values = { list: [1, [null, 'ü"\\']], nested: { a: true } }
  const bytes = new Uint8Array([0, 1, 255]).subarray(1)
  const [row] = await sql`
    select ${sql.json(values)} as json, ${sql.json([1])} as array, ${sql.json('word')}::json as word,
      ${sql.json(null)} as null, ${bytes} as bytes, ${false} as no, jsonb_build_object('yes', ${true}) as built,
      1.50::numeric as numeric, 0.5::float8 as fraction, 'x'::text as text`
  expect(row).toEqual({
    json: values,
    array: [1],
    word: 'word',
    null: null,
    bytes: Buffer.from([1, 255]),
    no: false,
    built: { yes: true },
    numeric: '1.50',
    fraction: 0.5,
    text: 'x',
  })
})

test('returns the number of rows and the command, and the last result of several statements', async () => {
  const { sql } = database
  await sql`create table counted (n int)`
  const counts = [
    await sql`insert into counted select generate_series(1, 3)`,
    await sql`update counted set n = 0 where n > ${1}`,
    await sql`select * from counted`,
    await sql`drop table counted`,
    await sql.unsafe('select 1 as one; select 2 as two union select 3'),
    await sql.unsafe(''),
  ]
  expect(counts.map(({ count, command }) => `${command} ${count}`)).toEqual([
    'INSERT 3',
    'UPDATE 2',
    'SELECT 3',
    'DROP 0',
    'SELECT 2',
    ' 0',
  ])
  expect(counts[4]).toEqual([{ two: 2 }, { two: 3 }])
})

test('prepares a statement again if its first execution failed or its table has changed', async () => {
  const sql = connect(database.url, { max: 1 })
  const half = (n: number) => sql`select 1 / ${n}::int as part`
  await expect(half(0)).rejects.toMatchObject({ code: '22012' })
  await expect(half(0)).rejects.toMatchObject({ code: '22012' })
  expect([await half(1), await half(1)]).toEqual([[{ part: 1 }], [{ part: 1 }]])

  await sql`create table changing as select 1 as first`
  const read = (tx: Tx) => tx`select * from changing`
  expect([await read(sql), await read(sql)]).toEqual([[{ first: 1 }], [{ first: 1 }]])
  await sql`alter table changing add column second int`
  expect(await read(sql)).toEqual([{ first: 1, second: null }])
  await sql`alter table changing drop column second`
  await expect(sql.begin(read)).rejects.toThrow('cached plan')
  expect(await sql.begin(read)).toEqual([{ first: 1 }])
  await sql.unsafe('deallocate all')
  expect(await read(sql)).toEqual([{ first: 1 }])
  await sql.end()
})

test('COPY FROM ends its connection instead of waiting for rows', async () => {
  const sql = connect(database.url, { max: 1 })
  await expect(sql.unsafe('copy pg_class from stdin')).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await sql.end()
})

test('skips a host that cannot be reached', async () => {
  const { host } = new URL(database.url)
  const sql = connect(database.url.replace(host, `127.0.0.1:1,${host}`), { max: 1 })
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await sql.end()
})

test('listens again after the connection is lost', async () => {
  const { sql } = database
  const received: string[] = []
  const listeners = new Set<() => void>()
  const announce = (word: string) => {
    received.push(word)
    for (const listener of listeners) listener()
  }
  const receives = (word: string) =>
    new Promise<void>((resolve) => {
      const look = () => received.includes(word) && resolve()
      listeners.add(look)
      look()
    })
  await sql.listen('souk_test', announce, () => announce('listening'))
  received.length = 0
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`
  await receives('listening')
  await sql.notify('souk_test', 'news')
  await receives('news')
})

test('gives each concurrent transaction its own connection', async () => {
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

test('rolls back a transaction with a failed statement even if the error was caught', async () => {
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

test('does not execute a statement after its transaction ended', async () => {
  const { sql } = database
  await sql`create table late (n int)`
  const tx = await sql.begin((own) => ({ own }))
  await expect(tx.own`insert into late values (1)`).rejects.toThrow('is over')
  expect(await sql`select * from late`).toEqual([])
})

test('a value that cannot be serialized or parsed does not affect the next statement', async () => {
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

test('end waits for pending queries up to the timeout and rejects new ones', async () => {
  const patient = connect(database.url, { max: 1 })
  const queries = [1, 2, 3].map((n) => patient`select ${n}::int as n from pg_sleep(0.02)`.then((rows) => rows))
  await new Promise(setImmediate)
  await patient.end()
  expect((await Promise.all(queries)).flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  await expect(patient`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })

  const hasty = connect(database.url, { max: 1 })
  const endless = [hasty`select pg_sleep(60)`, hasty`select 1`, hasty.begin((tx) => tx`select pg_sleep(60)`)]
  const results = Promise.allSettled(endless)
  await hasty.end({ timeout: 0.05 })
  for (const result of await results) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: expect.stringMatching(/^CONNECTION_/) } })
  }
})

test('statements that run one at a time use one connection, whichever became idle last', async () => {
  const sql = connect(database.url, { max: 4 })
  const backend = async () => (await sql<[{ pid: number }]>`select pg_backend_pid() as pid`)[0].pid
  const first = await backend()
  await Promise.all([0, 0.1, 0.2].map((duration) => sql`select pg_sleep(${duration})`))
  expect([await backend(), await backend()]).toEqual([first, first])
  await sql.end()
})
