import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { describeSchema } from './schema.ts'

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('schema.sql and the row types are what the migrations lead to', async () => {
  const { schema, rows } = await describeSchema(database.sql)
  expect(await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8'), 'npm run generate').toBe(schema)
  expect(await readFile(new URL('rows.generated.ts', import.meta.url), 'utf8'), 'npm run generate').toBe(rows)
})

test('an object that the generator does not know is an error, not an omission', async () => {
  await database.sql`create view seen as select 1 as one`
  await expect(describeSchema(database.sql)).rejects.toThrow('schema.ts has yet to learn to describe seen')
})
