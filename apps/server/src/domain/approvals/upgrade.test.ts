import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { migrate } from '../../kernel/db/migrate.ts'
import { connect, type Sql } from '../../kernel/db/pool.ts'

const migrations = join(import.meta.dirname, '../../../migrations')

let around: FreshDatabase
let url: string
let sql: Sql
let folder: string

/** Creates a database with all migrations before approvals. */
beforeAll(async () => {
  around = await freshDatabase()
  const name = `${new URL(around.url).pathname.slice(1)}_before`
  await around.sql.unsafe(`create database ${name} template template0`)
  url = Object.assign(new URL(around.url), { pathname: `/${name}` }).href
  sql = connect(url, { max: 2 })
  folder = await mkdtemp(join(tmpdir(), 'souk-migrations-'))
  for (const file of await readdir(migrations)) if (file < '0065') await cp(join(migrations, file), join(folder, file))
  await migrate(url, { folder })
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await around.sql.unsafe(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
  await around.drop()
  await rm(folder, { recursive: true })
})

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

  await migrate(url)

  const apps = await sql`
    select appid, capabilities, publication_approved as approved, domains ->> 'request' as hosts from apps order by appid`
  expect(apps).toEqual([
    { appid: 'published', capabilities: ['login'], approved: true, hosts: '[]' },
    { appid: 'unpublished', capabilities: ['login'], approved: false, hosts: '[]' },
    { appid: 'withoutRelease', capabilities: ['login'], approved: true, hosts: '[]' },
  ])
})
