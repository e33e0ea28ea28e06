import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseBefore, type FreshDatabase } from '../../../../test/database.ts'
import { migrate } from '../../../kernel/db/migrate.ts'
import type { Sql } from '../../../kernel/db/pool.ts'

let database: FreshDatabase
let sql: Sql
const id = (number: number) => String(number).padStart(32, '0')
const [operator, owner, project] = [id(1), id(2), id(3)]

beforeAll(async () => {
  database = await databaseBefore('0155')
  sql = database.sql
})
afterAll(() => database.drop())

/** Adds an audit row; `by` is null for the admin token. */
async function log(by: string | null, action: string, subject: string, detail: object = {}): Promise<void> {
  await sql`
    insert into audit_log (time, actor, account_id, action, subject, detail)
    values (
      ${Date.UTC(2030, 0, 2)}, ${by === null ? 'admin' : `account ${by}`}, ${by}, ${action}, ${subject},
      ${JSON.stringify(detail)}::text::jsonb)`
}

async function addApp(appid: string, state: { enabled?: boolean; archived?: boolean; withProject?: boolean }) {
  await sql`
    insert into apps
      (appid, project_id, name, enabled, archived_time, archived_with_project, capabilities, default_language, ctime)
    values (
      ${appid}, ${project}, ${appid}, ${state.enabled ?? true}, ${state.archived ? 0 : null},
      ${state.withProject ?? false}, '{}', 'en_US', 0)`
}

async function addRelease(number: number, appid: string): Promise<void> {
  await sql`
    insert into releases
      (release_id, appid, platform, version, stage, current, pages, inline_scripts, files, size, ctime)
    values (${id(number)}, ${appid}, 'Mini App', '1', 'development', false, '{}', '{}', 1, 1, 0)`
}

test('states from before are blocked if the audit log says that an administrator has set them last', async () => {
  await sql`insert into projects (project_id, name, ctime) values (${project}, 'Tea', 0)`
  for (const accountId of [operator, owner]) {
    await sql`
      insert into accounts (account_id, username, name, password, administrator, enabled, language, ctime)
      values (${accountId}, ${accountId}, ${accountId}, 'x', ${accountId === operator}, true, 'en', 0)`
  }
  for (const appid of ['byOperator', 'byToken', 'byOwner', 'byOwnerAfterOperator', 'unknown']) {
    await addApp(appid, { enabled: false })
  }
  await addApp('enabledAgain', {})
  await addApp('archivedByOperator', { archived: true })
  await addApp('archivedWithProject', { archived: true, withProject: true })
  await log(operator, 'app.update', 'byOperator', { enabled: false })
  await log(owner, 'app.update', 'byOperator', { name: 'Tea House' })
  await log(null, 'app.update', 'byToken', { enabled: false })
  await log(owner, 'app.update', 'byOwner', { enabled: false })
  await log(operator, 'app.update', 'byOwnerAfterOperator', { enabled: false })
  await log(owner, 'app.update', 'byOwnerAfterOperator', { enabled: true })
  await log(owner, 'app.update', 'byOwnerAfterOperator', { enabled: false })
  await log(operator, 'app.update', 'enabledAgain', { enabled: false })
  await log(operator, 'app.archive', 'archivedByOperator')
  await log(operator, 'app.archive', 'archivedWithProject')

  await addRelease(10, 'byOperator')
  await addRelease(11, 'byOwner')
  await addRelease(12, 'byToken')
  await log(operator, 'release.withdraw', 'byOperator', { releaseId: id(10) })
  await log(owner, 'release.withdraw', 'byOwner', { releaseId: id(11) })
  await sql`
    insert into release_reviews (review_id, release_id, appid, state, reasons, ctime, mtime)
    values (${id(20)}, ${id(12)}, 'byToken', 'rejected', ${'[{"item":"name","text":"Wrong name."}]'}::text::jsonb, 0, 5)`
  await sql`
    insert into provider_accounts
      (provider_account_id, name, provider, settings, key_id, ciphertext, enabled, ctime, mtime)
    values (${id(30)}, 'Shared', 'stripe', '{}', 'k', '', false, 0, 0)`
  await log(operator, 'provider.update', id(30), { enabled: false })
  // Every change of the account records whether it is enabled.
  await log(owner, 'provider.update', id(30), { enabled: false })

  await migrate(database.url)
  const blocks = await sql`
    select state, subject, replace(blocked_by::text, '-', '') as "blockedBy", reason from blocks
    order by state, subject`
  expect(blocks.map(({ state, subject, blockedBy, reason }) => [state, subject, blockedBy, reason])).toEqual([
    ['appArchived', 'archivedByOperator', operator, null],
    ['appDisabled', 'byOperator', operator, null],
    ['appDisabled', 'byToken', null, null],
    ['providerAccountDisabled', id(30), operator, null],
    ['releaseRejected', id(12), null, 'Wrong name.'],
    ['releaseWithdrawn', id(10), operator, null],
  ])
})
