import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findOtherVerbs, stores } from './storeVerbs.mjs'

test('stores use one verb per meaning', () => {
  const files = globSync(stores)
  expect(files.length).toBeGreaterThan(40)
  expect(files.flatMap((file) => findOtherVerbs(file, readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
  'export async function getKey() {}',
  'export async function finder() {}',
  'export function getKey(): Promise<void> {}',
  'export function getKey(): Rows<Key> {}',
  'export const getKey = async () => {}',
  "export const getKey = traced('key', async () => {})",
])('rejects another verb: %s', (text) => {
  expect(findOtherVerbs('store.ts', text)).toEqual([
    expect.stringMatching(
      /^store.ts: (getKey|finder) has to begin with find, list, count, exists, insert, update, upsert, delete, lock or claim$/,
    ),
  ])
})

test.each([
  'export async function findKey() {}',
  'async function read() {}',
  'export const columns = (sql: Sql) => sql`key_id`',
  'export interface Key { keyId: string }',
])('accepts %s', (text) => {
  expect(findOtherVerbs('store.ts', text)).toEqual([])
})
