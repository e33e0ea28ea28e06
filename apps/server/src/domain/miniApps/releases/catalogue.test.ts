import type { hostOperations, ParametersOf } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { newId } from '../../../kernel/id.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { FullContext } from '../../context.ts'
import { listMiniApps } from './listMiniApps.ts'

const count = 300
let database: FreshDatabase
let context: FullContext
let user: HostUserCaller

/** Returns the appid of the nth mini app. */
const appidOf = (index: number) => `a${String(index).padStart(14, '0')}`

beforeAll(async () => {
  database = await freshDatabase()
  const { sql } = database
  context = { ...identityContext(sql), settings: { sandbox: false, publicUrl: 'http://souk.test' } }
  const projectId = newId()
  await sql`insert into projects (project_id, name, ctime) values (${projectId}, 'P', 0)`
  await sql`
    insert into apps (appid, project_id, name, capabilities, default_language, category, names, recommended, ctime)
    select
      'a' || lpad(n::text, 14, '0'), ${projectId}::uuid, 'Shop ' || n, '{}', 'en_US', case when n % 3 = 0 then 'food' end,
      case when n % 2 = 0 then json_build_object('ar_SA', 'متجر ' || n) else '{}' end::jsonb, n % 50 = 0, 0
    from generate_series(1, ${count}::integer) n`
  const tabs = JSON.stringify([{ path: 'pages/menu', title: 'Menu', titles: { 'zh-Hans': '菜单' } }])
  await sql`
    insert into releases (
      release_id, appid, platform, version, note, notes, stage, pages, tabs, files, size, ctime, current, inline_scripts
    )
    select
      gen_random_uuid(), appid, 'Mini App', '1.0.0', '', '{}', 'published', '{}',
      case when appid = ${appidOf(7)} then ${tabs}::jsonb else '[]' end, 1, 1, 0, true, '{}'
    from apps`
  const [row] = await sql<[{ uid: number }]>`insert into users (nickname, ctime) values ('Layla', 0) returning uid`
  user = { kind: 'hostUser', uid: row.uid, session: '' } as unknown as HostUserCaller
})
afterAll(() => database.drop())

const list = (parameters: ParametersOf<typeof hostOperations.listMiniApps> = {}) =>
  listMiniApps(context, user, parameters)
const names = async (parameters: ParametersOf<typeof hostOperations.listMiniApps>) =>
  (await list(parameters)).items.map(({ name }) => name)

async function all(parameters: ParametersOf<typeof hostOperations.listMiniApps>): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const { items, next } = await list({ ...parameters, limit: 70, ...(cursor && { cursor }) })
    found.push(...items.map(({ appid }) => appid))
    cursor = next ?? undefined
  } while (cursor)
  return found
}

test('pages return every mini app once, by the names of the language', async () => {
  const english = await all({})
  expect(english).toHaveLength(count)
  expect(new Set(english).size).toBe(count)
  expect(english.slice(0, 3)).toEqual([appidOf(1), appidOf(10), appidOf(100)])
  const arabic = await all({ language: 'ar_SA' })
  expect(arabic.toSorted()).toEqual(english.toSorted())
  expect(arabic).not.toEqual(english)
})

test('a search finds names in all languages, keywords, categories and tabs, named ones first', async () => {
  expect(await names({ query: 'shop 30' })).toEqual(['Shop 30', 'Shop 300', 'Shop 130', 'Shop 230'])
  expect(await names({ query: 'متجر 30' })).toEqual(['Shop 30', 'Shop 300', 'Shop 130', 'Shop 230'])
  expect(await names({ query: appidOf(12) })).toEqual(['Shop 12'])
  expect(await all({ query: '餐饮' })).toHaveLength(count / 3)
  expect((await list({ query: '菜', language: 'zh_CN' })).pages).toMatchObject([{ appid: appidOf(7), title: '菜单' }])
  const found = await all({ query: 'shop' })
  expect(new Set(found).size).toBe(count)
})

test('lists by category, recommendation and appid', async () => {
  expect(await all({ category: 'food' })).toHaveLength(count / 3)
  expect(await names({ recommended: true })).toHaveLength(count / 50)
  const appids = [appidOf(9), 'a-unknown', appidOf(3)].join(',')
  expect((await list({ appids })).items.map(({ appid }) => appid)).toEqual([appidOf(9), appidOf(3)])
  expect((await list({ limit: 1 })).categories).toEqual(['food'])
})

test('reads again what changes, and nothing else', async () => {
  const { sql } = database
  await sql`update apps set name = 'Bakery' where appid = ${appidOf(1)}`
  expect(await names({ query: 'bakery' })).toEqual([])
  context.catalogue.forget(appidOf(1))
  expect(await names({ query: 'bakery' })).toEqual(['Bakery'])
  await sql`update apps set archived_time = 1 where appid = ${appidOf(1)}`
  // What the list in memory does not know yet is not shown.
  expect(await names({ query: 'bakery' })).toEqual([])
  context.catalogue.forget(appidOf(1))
  expect(await all({})).toHaveLength(count - 1)
  await sql`update apps set archived_time = null where appid = ${appidOf(1)}`
  context.catalogue.forgetAll()
  expect(await all({})).toHaveLength(count)
})

test('a change while the list is read is read too', async () => {
  const { sql } = database
  context.catalogue.forgetAll()
  const reading = list()
  await sql`update apps set name = 'Tea House' where appid = ${appidOf(2)}`
  context.catalogue.forget(appidOf(2))
  expect(await names({ query: 'tea house' })).toEqual(['Tea House'])
  await reading
})

test.each([
  ['coffee', ['Souk Coffee']],
  ['  SOUK cof ', ['Souk Coffee']],
  ['cafe creme', ['Souk Coffee']],
  ['咖啡', ['Souk Coffee']],
  ['قهوه', ['Souk Coffee']],
  ['اعاده', ['إِعادة التدوير']],
  ['government', ['Souk Coffee']],
  ['souk', ['Souk Coffee', 'Best Souk']],
  [appidOf(20), ['Souk Coffee']],
  ['a00000', []],
  ['coffee tea', []],
])('a search ignores case, accents and vowel marks: %s', async (query, expected) => {
  const { sql } = database
  await sql`
    update apps set name = 'Souk Coffee', names = '{"ar_SA":"قهوة سوق","zh_CN":"集市咖啡"}', keywords = '{Café crème}',
      category = 'government' where appid = ${appidOf(20)}`
  await sql`update apps set name = 'Best Souk' where appid = ${appidOf(21)}`
  await sql`update apps set name = 'إِعادة التدوير' where appid = ${appidOf(22)}`
  for (const index of [20, 21, 22]) context.catalogue.forget(appidOf(index))
  expect(await names({ query })).toEqual(expected)
})
