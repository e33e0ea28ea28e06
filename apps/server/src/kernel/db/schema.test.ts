import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { describeSchema } from './schema.ts'

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('schema.sql is the result of all migrations', async () => {
  const schema = await describeSchema(database.sql)
  expect(await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8'), 'npm run generate').toBe(schema)
})

test('throws for kinds of objects it does not support instead of omitting them', async () => {
  await database.sql`create view seen as select 1 as one`
  await expect(describeSchema(database.sql)).rejects.toThrow('does not support the kind of object of seen')
})
