import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseBefore, type FreshDatabase } from '../../../../test/database.ts'
import { migrate } from '../../../kernel/db/migrate.ts'
import type { Sql } from '../../../kernel/db/pool.ts'

let database: FreshDatabase
let sql: Sql

beforeAll(async () => {
  database = await databaseBefore('0065')
  sql = database.sql
})
afterAll(() => database.drop())

test('what was published and granted before the upgrade counts as approved', async () => {
  const id = (number: number) => String(number).padStart(32, '0')
  await sql`insert into projects (project_id, name, ctime) values (${id(1)}, 'P', 0)`
  for (const appid of ['published', 'unpublished', 'withoutRelease']) {
    await sql`
      insert into apps (appid, project_id, name, capabilities, default_language, ctime)
      values (${appid}, ${id(1)}, 'A', '{login}', 'en_US', 0)`
  }
  for (const [appid, release, stage] of [
    ['published', 2, 'published'],
    ['unpublished', 3, 'review'],
  ] as const) {
    await sql`
      insert into releases
        (release_id, appid, platform, version, stage, current, pages, inline_scripts, files, size, ctime)
      values (${id(release)}, ${appid}, 'App', '1', ${stage}, ${stage === 'published'}, '{}', '{}', 1, 1, 0)`
  }

  await migrate(database.url)

  const apps = await sql`
    select appid, capabilities, publication_approved as approved, domains ->> 'request' as hosts from apps order by appid`
  expect(apps).toEqual([
    { appid: 'published', capabilities: ['login'], approved: true, hosts: '[]' },
    { appid: 'unpublished', capabilities: ['login'], approved: false, hosts: '[]' },
    { appid: 'withoutRelease', capabilities: ['login'], approved: true, hosts: '[]' },
  ])
})
