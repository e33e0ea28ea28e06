import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test/database.ts'
import { describeSealed, sealedColumns } from './sealedColumns.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('the list of sealed columns is that of the schema', async () => {
  const inSchema = await database.sql<{ table: string; key: string[] }[]>`
    select c.relname as table, array(
      select attname || ' ' || format_type(atttypid, atttypmod)
      from unnest(indkey) with ordinality as place (number, position)
      join pg_attribute on attrelid = c.oid and attnum = number
      order by position
    ) as key
    from pg_class c join pg_index on indrelid = c.oid and indisprimary
    where relnamespace = 'public'::regnamespace and exists (
      select from pg_attribute where attrelid = c.oid and attname = 'ciphertext' and atttypid = 'bytea'::regtype
    ) and exists (
      select from pg_attribute where attrelid = c.oid and attname = 'key_id' and atttypid = 'text'::regtype
    )
    order by 1`
  const listed = Object.values(sealedColumns).map(({ table, key }) => ({
    table: table as string,
    key: Object.entries(key).map((column) => column.join(' ')),
  }))
  expect(listed.toSorted((a, b) => (a.table < b.table ? -1 : 1))).toEqual(inSchema)
})

test('no sealed column has another name, which the list could miss', async () => {
  const named = await database.sql`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and column_name ~ '(sealed|cipher|encrypted)' and column_name <> 'ciphertext'`
  expect([...named]).toEqual([])
})

test('a context names its table and row, and no name is the beginning of another', () => {
  expect(describeSealed('app secret a12345 0123')).toBe('app_secrets (appid a12345, secret_id 0123)')
  expect(describeSealed('provider account 0123')).toBe('provider_accounts (provider_account_id 0123)')
  const names = Object.keys(sealedColumns)
  for (const name of names) expect(names.filter((other) => `${other} `.startsWith(`${name} `))).toEqual([name])
})
