import pg from 'pg'
import { expect, test } from 'vitest'
import { type Part, type Pending, type Query, Raw, Statement, Template } from './statement.ts'
import { Json, type Value } from './values.ts'

let sent: Pending[] = []
const run = (pending: Pending) => void sent.push(pending)
const sql = (strings: TemplateStringsArray, ...values: (Value | Part)[]) =>
  new Statement(new Template(strings, values), run)
const raw = (text: string, values?: Value[]) => new Statement(new Raw(text, values), run)

/** Returns a statement as it is sent; rejects if it cannot be. */
async function queryOf(statement: Statement): Promise<Query> {
  sent = []
  const settled = statement.then(() => {})
  if (sent[0]) sent[0].resolve(Object.assign([], { count: 0, command: '' }))
  await settled
  return sent[0]!.query
}

test('numbers the values of a statement and of its parts', async () => {
  const part = sql`and b = ${2} ${sql``}`
  const statement = sql`select a from ${raw('"t"')} where a = ${1} ${part} and c = any(${['x', null]})`
  expect(await queryOf(statement)).toEqual({
    text: 'select a from "t" where a = $1 and b = $2  and c = any($3)',
    parameters: ['1', '2', '{"x",NULL}'],
    isPrepared: true,
  })
})

test('the same template has the text of its values: PostgreSQL cannot infer the type of each', async () => {
  const statement = (value: Value) => sql`select ${value}, ${1}`
  const texts = async (...values: Value[]) => {
    const queries = []
    for (const value of values) queries.push(await queryOf(statement(value)))
    return queries.map(({ text, parameters }) => [text, parameters[0]])
  }
  const expected = [
    ['select $1, $2', 'a'],
    ['select $1::boolean, $2', 'true'],
    ['select $1, $2', null],
    ['select $1::jsonb, $2', '[1]'],
    ['select $1::bytea, $2', Buffer.from('b')],
  ]
  const values = ['a', true, null, new Json([1]), new Uint8Array([98])]
  expect(await texts(...values)).toEqual(expected)
  // From the cache.
  expect(await texts(...values)).toEqual(expected)
})

test('a text is taken as it is, with its parameters', async () => {
  expect(await queryOf(raw('select $1', [3]))).toEqual({ text: 'select $1', parameters: ['3'], isPrepared: false })
  await expect(sql`select ${raw('$1', [3])}`).rejects.toThrow('cannot number its own parameters')
})

test('is sent once, when it is first awaited', async () => {
  sent = []
  const statement = sql`select 1`
  await new Promise(setImmediate)
  expect(sent).toEqual([])
  const both = Promise.all([statement, statement.catch(() => {}), statement.finally(() => {})])
  expect(sent).toHaveLength(1)
  sent[0]!.resolve(Object.assign([{ one: 1 }], { count: 1, command: 'SELECT' }))
  expect((await both)[0][0]).toEqual({ one: 1 })
})

test.each([
  ['undefined', undefined],
  ['undefined', [undefined]],
  ['use sql.json', { a: 1 }],
  ['use sql.json', new Date()],
  ['undefined or a function', new Json(undefined)],
  ['bytes', [new Uint8Array()]],
  ['function', () => 1],
])('a value that would be lost or mistaken is refused before anything is sent: %s', async (reason, value) => {
  await expect(queryOf(sql`select ${value as never}`)).rejects.toThrow(reason)
  await expect(queryOf(raw('select $1', [value as never]))).rejects.toThrow(reason)
  expect(sent).toEqual([])
})

test('an error of PostgreSQL has the stack of the code that created the statement', async () => {
  sent = []
  const rejected = sql`select 1`.catch((error: Error) => error.stack)
  sent[0]!.reject(Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code: '23503' }))
  expect(await rejected).toMatch(/^DatabaseError: refused\n(.*\n)*.*statement\.test\.ts/)
})
